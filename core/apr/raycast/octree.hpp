#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/apr/raycast/simd8.hpp"
#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"

namespace aprscope::detail {

/// A cell of an octree as rays see it: position of its lower corner in pixels and its level. `id`
/// is whatever the tree finds its children by. Child i of a cell has z, x, y in bits 2, 1, 0 of i.
struct OctreeCell {
  std::array<std::int32_t, 3> low{0, 0, 0};  // z, x, y
  std::int32_t level = 0;
  std::uint64_t id = 0;
};

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// Octree over the particles of an APR: each interior cell holds the largest value in each of its
/// children. 32 bytes an interior cell, and 8 more for those that have interior children. Cells of
/// one level lie in Morton order, so that what a ray meets lies together.
class AprOctree {
 public:
  /// Builds the octree of maxima. Errors: cancelled, too little memory, not one value a particle.
  static Result<AprOctree> build(std::shared_ptr<const AprAccess> access,
                                 std::span<const float> values, const JobContext& context);

  [[nodiscard]] int level_max() const { return level_max_; }
  [[nodiscard]] std::uint64_t bytes() const;

  /// Largest values of the children; kNothing where there is no child.
  [[nodiscard]] Float8 maxima(const OctreeCell& cell) const {
    return Float8::load(blocks_[cell.id].data());
  }
  /// Bit i is set where child i is an interior cell.
  [[nodiscard]] unsigned interior(const OctreeCell& cell) const {
    return cell.id < links_.size() ? static_cast<unsigned>(links_[cell.id] & 0xFFU) : 0U;
  }
  /// id of interior child i.
  [[nodiscard]] std::uint64_t child(const OctreeCell& cell, unsigned i) const {
    const std::uint64_t link = links_[cell.id];
    const auto before = static_cast<unsigned>(link & 0xFFU) & ((1U << i) - 1U);
    return (link >> 8U) + static_cast<unsigned>(__builtin_popcount(before));
  }

 private:
  struct Builder;
  using Block = std::array<float, 8>;
  int level_max_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> links_;  // id of the first interior child << 8 | interior mask
};

}  // namespace aprscope::detail
