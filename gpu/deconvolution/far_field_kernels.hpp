#pragma once

#include <array>

#include "gpu/pixel/dense_grid.hpp"

// What lies between particles and the grids of their far field, see FarField.
namespace aprscope::gpu {

/// Fills the cells of the grid of `level`: particles of it or of coarser levels, else means of the
/// tree. `halves`: beyond the image is nothing, so that a cell that reaches over its end counts
/// half in that dimension; `fine` is the grid of the next finer level.
void sample_level(const OctetView& v, const float* values, int level, bool halves, Int3 fine,
                  const GridView& g, cudaStream_t stream);

/// Sums over the cells of a level's grid, from those of the next finer level: of the grid's, or of
/// sums.
void sum_grid(const GridView& g, Int3 coarse, float* sums, cudaStream_t stream);
void sum_sums(const float* sums, Int3 fine, Int3 coarse, float* coarser, cudaStream_t stream);

/// Sums of levels; null where no particle needs them.
struct LevelSums {
  const float* of[kMaxLevels] = {};
};

/// Adds the grid of level_max − 1, which was blurred, to particles: interpolated trilinearly at the
/// finest, means over the cells of coarser ones. `work_count`: all of the view's.
void add_grid(const OctetView& v, std::uint32_t work_count, const GridView& g,
              const LevelSums& sums, float* out, cudaStream_t stream);

/// Adds values on the structure that is one level coarser, `coarse`, whose octets are the first of
/// this one's: interpolated at the finest particles, as they are at the others.
void add_coarser(const OctetView& v, std::uint32_t work_count, const OctetView& coarse,
                 const float* values, float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
