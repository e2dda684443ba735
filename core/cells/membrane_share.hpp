#pragma once

#include "core/cells/exterior.hpp"

namespace aprscope {

/// Whether pixels of a membrane belong to cells: all, none, or those that are nearer to a lumen
/// than to the exterior.
enum class MembraneShare { inside, outside, half };

/// `labels`, of objects or of lumens of `parts`, with shares of the membrane: `inside` and `half`
/// give it to the nearest lumen (`half`: or to the exterior where that is nearer). Objects keep
/// their own membrane with `inside`; a membrane without any lumen gets no label. Numbers have no
/// gaps afterwards. Errors: cancelled. Throws std::bad_alloc.
Result<Labels> share_membrane(Labels labels, const CellParts& parts, bool of_lumens,
                              MembraneShare share, Connectivity membrane, const VoxelSize& voxel,
                              const JobContext& context = {});

}  // namespace aprscope
