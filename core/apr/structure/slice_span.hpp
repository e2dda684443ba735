#pragma once

#include <cstdint>

namespace aprscope {

/// The slices [begin, end) of an image.
struct SliceSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  /// The cells, `shift` levels above the finest, that begin in these slices.
  [[nodiscard]] SliceSpan of_cells(int shift) const {
    const std::int64_t up = (std::int64_t{1} << shift) - 1;
    return {(begin + up) >> shift, (end + up) >> shift};
  }
  [[nodiscard]] bool empty() const { return begin >= end; }
  friend bool operator==(const SliceSpan&, const SliceSpan&) = default;
};

}  // namespace aprscope
