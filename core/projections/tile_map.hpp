#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/frequency_tiles.hpp"
#include "core/projections/slab_kernel.hpp"

namespace aprscope {

/// The part of the sums to transform: G (or values stored in its place), or W.
enum class TileValue { complex, weight };

/// The inverse transform (exponent +1, ÷ padded³) of what the tiles hold, of which the central
/// side³ voxels are kept, x fastest, the origin at ⌊side/2⌋; each divided by the blob's window at
/// its |x| ÷ padded. `reach` frequencies are used, at most those of the tiles. One axis after the
/// other, so that side · (2 reach + 1) · (reach + 1) complex numbers are needed. Errors: no memory,
/// cancelled.
Result<std::vector<float>> tile_map(const FrequencyTiles& tiles, std::span<const float> sums,
                                    TileValue value, std::int64_t padded, std::int64_t side,
                                    std::int64_t reach, const Blob& blob,
                                    const JobContext& context = {});

/// Bytes of its work space and result.
std::uint64_t tile_map_bytes(std::int64_t padded, std::int64_t side, std::int64_t reach);

}  // namespace aprscope
