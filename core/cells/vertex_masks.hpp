#pragma once

#include <array>
#include <cstdint>

#include "core/cells/label_sums.hpp"

namespace aprscope {

/// What one object has at a vertex, by its voxels there. Bit 4·dz + 2·dx + dy of a mask: the voxel
/// at that side of the vertex belongs to it. Of the strata at the vertex (the vertex itself and
/// what extends from it towards larger coordinates) entry [mask][axes] is 1 where one of the
/// object's voxels touches it; entry [mask][8 + d] is 1 where kDirections[d] crosses its boundary.
/// Over all vertices each stratum and each pair of voxels counts once. The rest is 0.
using VertexCounts = std::array<std::array<std::uint8_t, 24>, 256>;

constexpr VertexCounts vertex_counts() {
  VertexCounts out{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    for (unsigned axes = 0; axes < 8; ++axes) {
      for (unsigned i = 0; i < 8; ++i) {
        if ((i & axes) == axes && (mask >> i & 1U) != 0) out[mask][axes] = 1;
      }
    }
    for (std::size_t d = 0; d < LabelSums::kDirections.size(); ++d) {
      unsigned from = 0;
      unsigned to = 0;
      for (unsigned axis = 0; axis < 3; ++axis) {
        const int step = LabelSums::kDirections[d][axis];
        from = 2 * from + (step > 0 ? 0U : 1U);
        to = 2 * to + (step < 0 ? 0U : 1U);
      }
      if (((mask >> from ^ mask >> to) & 1U) != 0) out[mask][8 + d] = 1;
    }
  }
  return out;
}

inline constexpr VertexCounts kVertexCounts = vertex_counts();

}  // namespace aprscope
