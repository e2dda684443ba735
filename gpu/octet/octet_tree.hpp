#pragma once

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

namespace aprscope::gpu {

/// How the value of an interior cell is made from its children; numbered as aprscope::Reduction.
enum class Reduce { mean, min, max };

/// Fills the slots of interior cells on level `finest` − 1 and all coarser ones from the octets of
/// level `finest` and coarser, in place.
void fill_tree(const OctetView& v, float* values, Reduce how, int finest, cudaStream_t stream);

/// Copies the values of interior cells to the order of the linear access of the tree. `y`,
/// `xz_end`: that access, on the device.
struct TreeAccess {
  const std::uint16_t* y = nullptr;
  const std::uint64_t* xz_end = nullptr;
  std::uint64_t first_row[kMaxLevels] = {};
  std::uint64_t rows = 0;
};
void tree_to_linear(const OctetView& v, const TreeAccess& tree, const float* values, float* linear,
                    cudaStream_t stream);

}  // namespace aprscope::gpu
