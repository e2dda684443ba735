#pragma once

#include <cstdint>
#include <vector>

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

// Counts strata of particles on the device from their cells, whatever the levels of neighbouring
// cells are; see core/topology/particle_strata.hpp.
namespace aprscope::gpu {

/// A cell as the counting kernel sees it. Lower half: its place, in reverse order for vertices,
/// since these enter with the last cell. Upper half: its kind.
using StrataCell = std::uint32_t;

/// Converts places below `levels` in linear order to cells in octet order, including interior cells
/// and those beyond the image. `reverse`: for vertices.
void to_strata_cells(const OctetView& v, const std::uint16_t* linear, bool reverse,
                     std::uint32_t levels, StrataCell* cells, cudaStream_t stream);

struct ParticleStrataJob {
  const StrataCell* cells = nullptr;
  Int3 size;  // of the image in pixels
  bool reverse = false;
  std::uint32_t levels = 0;
  /// The first of the places (as in cells) that are counted in shared memory.
  std::uint32_t window_first = 0;
  std::uint32_t window_count = 0;
  /// For each level the number of bricks to count.
  std::uint32_t level_count[kMaxLevels] = {};
  std::uint32_t first_work[kMaxLevels] = {};
  std::uint32_t work_count[kMaxLevels] = {};
};
/// The largest number of bricks of a level in one job, so that counts of cells fit 32 bits.
constexpr std::uint32_t kMostStrataBricks = 65536;
/// The possible window sizes on the current device, ascending. With smaller windows more blocks run
/// at once. Throws a Failure.
std::vector<std::uint32_t> particle_strata_windows();

/// The number of 64-bit words of scratch memory for a job. They must be 0 and are 0 again after it.
std::uint64_t particle_strata_scratch(int level_max, std::uint32_t levels);

/// Adds the strata of pixels, counted from the job's work, to sums[place as in cells][free
/// axes].
void count_particle_strata(const OctetView& v, const ParticleStrataJob& job,
                           unsigned long long* scratch, unsigned long long* sums,
                           int multiprocessors, cudaStream_t stream);

}  // namespace aprscope::gpu
