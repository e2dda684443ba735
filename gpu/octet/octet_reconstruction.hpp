#pragma once

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

namespace aprscope::gpu {

/// The modes of aprscope::ReconstructionMode.
enum class Reconstruct { constant, smooth, level };

/// Reconstructs pixels [begin, begin + size) of the image into `out` (z, x, y; y contiguous).
/// `values` are in octet order; smooth needs means in the interior cells.
void reconstruct(const OctetView& v, const float* values, Reconstruct mode, Int3 begin, Int3 size,
                 float* out, cudaStream_t stream);

/// reconstruct() of the smooth mode: pixels between the centres of their particle and its
/// neighbours at that level, trilinearly, along y, then x, then z.
void reconstruct_smooth(const OctetView& v, const float* values, Int3 begin, Int3 size, float* out,
                        cudaStream_t stream);

/// Reconstructs slices [begin, begin + slices) of a level's grid: particles of the level or coarser
/// ones, else means of the tree, which must be filled.
void reconstruct_level(const OctetView& v, const float* values, int level, int begin, int slices,
                       float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
