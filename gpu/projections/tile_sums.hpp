#pragma once

#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "core/projections/symmetry.hpp"
#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// What core/projections/tile_sums.hpp does to sums, on a device. The view's `sums` are those that
/// are changed or read.

/// Makes the two members of each Hermitian pair in the plane x = 0 agree: their mean.
void average_pairs(const TileView& tiles, float* sums, cudaStream_t stream);

/// The sum over t of `aligned` (at most 24) of sums(t v) to `out`; `origins` are those of the
/// tiles, (x, y, z) each.
void symmetrise(const TileView& tiles, const std::int32_t* origins, std::int32_t count,
                std::span<const GridRotation> aligned, float* out, cudaStream_t stream);

/// Padded shells that a tile can touch.
constexpr int kTileShells = 32;
/// The first of them, of a tile with this least frequency.
std::int64_t first_shell(const std::int32_t* origin, std::int64_t side);
/// Sums over the voxels of each tile, by shell from its first_shell() on, always in the same order:
/// of W, or with `means` of 1 where W < share · the shell's mean; voxels beyond x = 0 count twice.
/// `sums` and `counts` (of the voxels) have kTileShells numbers a tile.
void sum_shells(const TileView& tiles, const std::int32_t* origins, std::int32_t count,
                const double* means, double share, double* sums, double* counts,
                cudaStream_t stream);

}  // namespace aprscope::gpu
