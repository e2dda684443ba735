#pragma once

#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "core/projections/symmetry.hpp"
#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// The functions of core/projections/tile_sums.hpp on a device. They change or read the `sums` of
/// the view.

/// Replaces both members of each Hermitian pair in the plane x = 0 by their mean.
void average_pairs(const TileView& tiles, float* sums, cudaStream_t stream);

/// Stores in `out` the sum of sums(t v) over all t in `aligned` (at most 24); `origins`: (x, y, z)
/// of each tile.
void symmetrise(const TileView& tiles, const std::int32_t* origins, std::int32_t count,
                std::span<const GridRotation> aligned, float* out, cudaStream_t stream);

/// The number of padded shells that a tile can touch at most.
constexpr int kTileShells = 32;
/// The first padded shell that a tile with this lowest corner touches.
std::int64_t first_shell(const std::int32_t* origin, std::int64_t side);
/// Sums over the voxels of each tile, by shell from its first_shell() on, always in the same order:
/// of W; with `means`, of 1 where W < share · the shell's mean. Voxels with x > 0 count twice.
/// `sums` and `counts` (numbers of voxels) have kTileShells numbers for each tile.
void sum_shells(const TileView& tiles, const std::int32_t* origins, std::int32_t count,
                const double* means, double share, double* sums, double* counts,
                cudaStream_t stream);

}  // namespace aprscope::gpu
