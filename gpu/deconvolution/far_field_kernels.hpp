#pragma once

#include <array>

#include "gpu/pixel/dense_grid.hpp"

// Transfers values between particles and the grids of their far field, see FarField.
namespace aprscope::gpu {

/// Fills the grid of `level` with the values of particles of this level or coarser ones, elsewhere
/// with means of the tree. `halves`: beyond the image is nothing, so a cell that reaches over its
/// end counts half in that dimension; `fine` is the size of the next finer grid.
void sample_level(const OctetView& v, const float* values, int level, bool halves, Int3 fine,
                  const GridView& g, cudaStream_t stream);

/// Sums over the cells of a level, `coarse` being the size of its grid, from the cells of the next
/// finer level: a grid, or sums again.
void sum_grid(const GridView& g, Int3 coarse, float* sums, cudaStream_t stream);
void sum_sums(const float* sums, Int3 fine, Int3 coarse, float* coarser, cudaStream_t stream);

/// Sums over the cells of coarser levels; null where no particle needs them.
struct LevelSums {
  const float* of[kMaxLevels] = {};
};

/// Adds the blurred grid of level_max − 1 to particles: trilinearly interpolated at the finest,
/// means over their cells at coarser ones. `work_count`: all work entries of the view.
void add_grid(const OctetView& v, std::uint32_t work_count, const GridView& g,
              const LevelSums& sums, float* out, cudaStream_t stream);

/// Adds values on `coarse`, the structure that is one level coarser and whose octets come first in
/// this one: interpolated at the finest particles, unchanged at the others.
void add_coarser(const OctetView& v, std::uint32_t work_count, const OctetView& coarse,
                 const float* values, float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
