#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/filter/convolution.hpp"

namespace aprscope::detail {

/// Cells [z0, z1) × [x0, x1) × [y0, y1) of one grid.
struct Tile {
  std::int64_t z0 = 0, z1 = 0;
  std::int64_t x0 = 0, x1 = 0;
  std::int64_t y0 = 0, y1 = 0;
};

/// Where index i lies that is reflected about the edge cells (… 2 1 0 1 2 …) until it is inside.
inline std::int64_t reflect_index(std::int64_t i, std::int64_t n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/// A tile's cells with `radius` more on every side, dense, boundary included: what every filter
/// reads. Rows have room for whole blocks beyond their end.
class Patch {
 public:
  /// Fills from `fill(z, x, y0, y1, out)`, which writes the cells [y0, y1) of a row inside the
  /// grid.
  template <class Fill>
  void load(const Size3& grid, const Tile& tile, const Size3& radius, Boundary boundary,
            const Fill& fill) {
    tile_ = tile;
    radius_ = radius;
    rows_z_ = tile.z1 - tile.z0 + 2 * radius.z;
    rows_x_ = tile.x1 - tile.x0 + 2 * radius.x;
    length_ = tile.y1 - tile.y0 + 2 * radius.y;
    stride_ = (length_ + kSlack + 15) / 16 * 16;
    const auto size = static_cast<std::size_t>(rows_z_ * rows_x_ * stride_);
    if (values_.size() < size) values_.assign(size, 0.0F);
    const std::int64_t first = tile.y0 - radius.y;
    const std::int64_t begin = std::max<std::int64_t>(0, first);
    const std::int64_t end = std::min(grid.y, tile.y1 + radius.y);
    for (std::int64_t z = 0; z < rows_z_; ++z) {
      for (std::int64_t x = 0; x < rows_x_; ++x) {
        float* const out = row(z, x);
        const std::int64_t gz = tile.z0 - radius.z + z;
        const std::int64_t gx = tile.x0 - radius.x + x;
        const bool inside = gz >= 0 && gz < grid.z && gx >= 0 && gx < grid.x;
        if (!inside && boundary == Boundary::zero) {
          std::fill(out, out + length_, 0.0F);
          continue;
        }
        fill(reflect_index(gz, grid.z), reflect_index(gx, grid.x), begin, end,
             out + (begin - first));
        for (std::int64_t y = first; y < begin; ++y) {
          out[y - first] =
              boundary == Boundary::zero ? 0.0F : out[reflect_index(y, grid.y) - first];
        }
        for (std::int64_t y = end; y < tile.y1 + radius.y; ++y) {
          out[y - first] =
              boundary == Boundary::zero ? 0.0F : out[reflect_index(y, grid.y) - first];
        }
      }
    }
  }

  [[nodiscard]] const Tile& tile() const { return tile_; }
  [[nodiscard]] const Size3& radius() const { return radius_; }
  /// Rows of the patch in z and x, cells of a row, distance between rows.
  [[nodiscard]] std::int64_t rows_z() const { return rows_z_; }
  [[nodiscard]] std::int64_t rows_x() const { return rows_x_; }
  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }

  /// First cell (y0 − radius.y) of patch row (z, x), counted from the patch's own corner.
  [[nodiscard]] float* row(std::int64_t z, std::int64_t x) {
    return values_.data() + (z * rows_x_ + x) * stride_;
  }
  [[nodiscard]] const float* row(std::int64_t z, std::int64_t x) const {
    return values_.data() + (z * rows_x_ + x) * stride_;
  }

 private:
  static constexpr std::int64_t kSlack = 16;  // a block may begin at a row's last cell

  Tile tile_;
  Size3 radius_{0, 0, 0};
  std::int64_t rows_z_ = 0, rows_x_ = 0, length_ = 0, stride_ = 0;
  std::vector<float> values_;
};

/// The cells of one row of a tile that are wanted, as starts of blocks of 16 (relative to the
/// tile's y0), in ascending order.
struct WantedRow {
  std::int64_t z = 0;  // relative to the tile
  std::int64_t x = 0;
  std::uint32_t first_block = 0;
  std::uint32_t block_count = 0;
};

/// Everything that is wanted of a tile.
struct Wanted {
  std::vector<WantedRow> rows;
  std::vector<std::int32_t> blocks;

  void clear() {
    rows.clear();
    blocks.clear();
  }
};

}  // namespace aprscope::detail
