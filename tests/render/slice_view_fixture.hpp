#pragma once

#include <cstdint>
#include <vector>

#include "render/slice_view.hpp"
#include "tests/render/view_fixture.hpp"

// Planes to show in a slice view.

namespace aprscope::test {

/// A plane of one value.
inline Plane plane_of(std::int64_t rows, std::int64_t cols, float value) {
  return {rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols), value)};
}

inline float& pixel(Plane& plane, std::int64_t row, std::int64_t col) {
  return plane.values[static_cast<std::size_t>(row * plane.cols + col)];
}

/// A view without anything over its picture.
inline void make_bare(SliceView& view) {
  view.overlays().set_crosshair_visible(false);
  view.overlays().set_scale_bar_visible(false);
  view.overlays().set_captions_visible(false);
}

}  // namespace aprscope::test
