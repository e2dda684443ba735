#pragma once

#include "gpu/octet/octet_wide.hpp"

// Stencils of 7³, 9³, 11³ and 13³, the most common wide sizes: kernels with loops of constant
// length, on patches no larger than the particles of a brick need.
namespace aprscope::gpu {

/// Whether there is a kernel for this radius and the current device's blocks can have its patch
/// (13³ dense asks for 101 KB, more than compute capabilities 7.5, 8.6 and 8.9 have).
bool has_separable_cube(Int3 radius);
bool has_dense_cube(Int3 radius);

/// A brick as the separable kernels see it: its window (see octet_window.cuh), and factors for
/// SmallDivisor. Everything that does not depend on values is computed before a block starts.
struct alignas(16) CubeItem {
  std::uint32_t first_octet = 0;
  std::uint16_t octets = 0;
  std::uint16_t level = 0;
  std::int32_t from[3] = {};    // z, x, y: first octet of the window
  std::uint8_t extent[3] = {};  // octets of the window
  std::uint8_t surface = 0;     // the window reaches beyond the image
  std::uint16_t row = 0;
  std::uint16_t plane = 0;
  std::uint16_t by_extent = 0;  // SmallDivisor factors: octets of the window along y,
  std::uint16_t by_row = 0;     // floats of a row,
  std::uint16_t by_cells = 0;   // cells of the box along x
  std::uint16_t low = 0;        // box_low(), 3 bits each
  std::uint32_t spare[2] = {};
};
static_assert(sizeof(CubeItem) == 48, "three loads");

/// Orders the bricks of a job, those with small patches first, since more of them fit on a
/// multiprocessor at once. `items` has room for all; returns how many are small. Waits.
std::uint32_t order_by_patch(const OctetView& v, std::uint32_t first_work, std::uint32_t work_count,
                             int radius, CubeItem* items, cudaStream_t stream);

/// Shared memory that a block of a dense kernel needs at most besides its patch.
constexpr int kDenseShared = 12 << 10;

struct CubeWork {
  const CubeItem* items = nullptr;
  std::uint32_t small = 0;
  std::uint32_t large = 0;
};

/// Ignores the job's range of work; `work` has its own.
void convolve_separable_cube(const OctetView& v, const WideJob& job, const CubeWork& work,
                             const SeparableWeights& weights, cudaStream_t stream);
void convolve_dense_cube(const OctetView& v, const WideJob& job, const float* weights,
                         cudaStream_t stream);

}  // namespace aprscope::gpu
