#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/apr/raycast/octree.hpp"
#include "core/apr/structure/linear_access.hpp"
#include "core/base/job_context.hpp"

namespace aprscope::detail {

/// Complete octree over the pixels of an image, in their own type: maxima of 2³, 4³, … pixels, a
/// seventh of the image in all. The pixels themselves are borrowed; the owner keeps `image`.
template <class T>
class PixelPyramid {
 public:
  /// Builds the maxima of all levels. Errors: cancelled, too little memory.
  static Result<PixelPyramid> build(const Pixels<T>& image, const JobContext& context);

  [[nodiscard]] int level_max() const { return level_max_; }
  [[nodiscard]] std::uint64_t bytes() const;

  [[nodiscard]] Float8 maxima(const OctreeCell& cell) const {
    if (cell.level + 1 == level_max_) return pixels(cell);
    const auto level = static_cast<std::size_t>(cell.level);
    const int shift = level_max_ - cell.level;
    const Size3& grid = grids_[level];
    const std::size_t at = static_cast<std::size_t>(
        ((cell.low[0] >> shift) * grid.x + (cell.low[1] >> shift)) * grid.y +
        (cell.low[2] >> shift));
    return widen(levels_[level].data() + 8 * at);
  }
  [[nodiscard]] unsigned interior(const OctreeCell& cell) const {
    if (cell.level + 1 == level_max_) return 0U;
    // Children that lie outside the grid of the next level do not exist.
    const int shift = level_max_ - cell.level - 1;
    const Size3& fine = grids_[static_cast<std::size_t>(cell.level + 1)];
    unsigned mask = 0xFFU;
    if ((cell.low[0] >> shift) + 1 >= fine.z) mask &= 0x0FU;
    if ((cell.low[1] >> shift) + 1 >= fine.x) mask &= 0x33U;
    if ((cell.low[2] >> shift) + 1 >= fine.y) mask &= 0x55U;
    return mask;
  }
  [[nodiscard]] static std::uint64_t child(const OctreeCell&, unsigned) { return 0; }

 private:
  [[nodiscard]] Float8 pixels(const OctreeCell& cell) const;

  int level_max_ = 0;
  const Pixels<T>* image_ = nullptr;
  std::vector<Size3> grids_;            // of level 0 … level_max
  std::vector<std::vector<T>> levels_;  // [l]: eight maxima (of level l + 1) a cell of level l
};

extern template class PixelPyramid<std::uint8_t>;
extern template class PixelPyramid<std::uint16_t>;
extern template class PixelPyramid<float>;

}  // namespace aprscope::detail
