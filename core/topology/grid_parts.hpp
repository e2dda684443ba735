#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/system.hpp"
#include "core/image/volume.hpp"
#include "core/topology/strata_kernels.hpp"

namespace aprscope {

/// Slices [z0, z1) and rows [x0, x1) of a grid: what is counted in one go.
struct GridPart {
  std::int64_t z0 = 0, z1 = 0, x0 = 0, x1 = 0;
};

/// Between rows, so that they begin where vectors do.
inline constexpr std::int64_t kStrataAir = 64;

/// Blocks of a row of n cells, and how far it is to the next row.
inline std::int64_t strata_blocks(std::int64_t n) { return (n + kStrataBlock - 1) / kStrataBlock; }
inline std::int64_t strata_stride(std::int64_t n) {
  return strata_blocks(n) * kStrataBlock + kStrataAir;
}

/// How a grid is cut into parts: bands of rows of which three slices stay in the second-level cache
/// beside the tables that are counted in. The slices and rows beside a part are read once more.
class GridParts {
 public:
  GridParts(const Size3& size, std::int64_t cell_bytes) : size_(size) {
    constexpr std::int64_t kCache = std::int64_t{256} * 1024;
    constexpr std::int64_t kLeast = 16;
    const std::int64_t row = strata_stride(size.y) * cell_bytes;
    rows_ = std::min(std::max(kCache / (3 * row) - 2, kLeast), size.x);
    bands_ = (size.x + rows_ - 1) / rows_;
    slices_ = std::clamp<std::int64_t>(size.z * bands_ / (4 * thread_count()), 1, 64);
    slabs_ = (size.z + slices_ - 1) / slices_;
  }
  [[nodiscard]] std::int64_t count() const { return slabs_ * bands_; }
  /// Rows of the widest part.
  [[nodiscard]] std::int64_t most_rows() const { return rows_; }
  [[nodiscard]] GridPart part(std::int64_t i) const {
    const std::int64_t z = i / bands_ * slices_;
    const std::int64_t x = i % bands_ * rows_;
    return {z, std::min(z + slices_, size_.z), x, std::min(x + rows_, size_.x)};
  }

 private:
  Size3 size_;
  std::int64_t rows_ = 1, bands_ = 1, slices_ = 1, slabs_ = 1;
};

}  // namespace aprscope
