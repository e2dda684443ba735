#pragma once

#include <cstdint>
#include <vector>

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

// Counting strata of particles on the device from their cells, whatever the sizes of neighbouring
// ones; see core/topology/particle_strata.hpp.
namespace aprscope::gpu {

/// A cell as the counting kernel sees it: its place in the lower half, reversed for vertices, which
/// enter with the last cell; what it is in the upper half.
using StrataCell = std::uint32_t;

/// Places below `levels` in linear order → cells in octet order, those of interior cells and beyond
/// the image included. `reverse`: of vertices.
void to_strata_cells(const OctetView& v, const std::uint16_t* linear, bool reverse,
                     std::uint32_t levels, StrataCell* cells, cudaStream_t stream);

struct ParticleStrataJob {
  const StrataCell* cells = nullptr;
  Int3 size;  // of the image in pixels
  bool reverse = false;
  std::uint32_t levels = 0;
  /// Of places, as they stand in cells, those that are counted in shared memory.
  std::uint32_t window_first = 0;
  std::uint32_t window_count = 0;
  /// Of each level's bricks, of which there are `level_count`.
  std::uint32_t level_count[kMaxLevels] = {};
  std::uint32_t first_work[kMaxLevels] = {};
  std::uint32_t work_count[kMaxLevels] = {};
};
/// The most bricks of a level in one job, so that counts of cells fit 32 bits.
constexpr std::uint32_t kMostStrataBricks = 65536;
/// Windows that the current device has room for, rising: with the smallest it does most at once.
/// Throws a Failure.
std::vector<std::uint32_t> particle_strata_windows();

/// 64-bit words of memory that a job needs, all 0; it leaves them so.
std::uint64_t particle_strata_scratch(int level_max, std::uint32_t levels);

/// Adds the strata of pixels that the work counts to sums[place as it stands in cells][free
/// axes].
void count_particle_strata(const OctetView& v, const ParticleStrataJob& job,
                           unsigned long long* scratch, unsigned long long* sums,
                           int multiprocessors, cudaStream_t stream);

}  // namespace aprscope::gpu
