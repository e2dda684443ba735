#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace aprscope {

/// Red, green, blue, opacity.
using Rgba = std::array<std::uint8_t, 4>;

/// A picture to be written: RGBA, 4 bytes a pixel, row 0 on top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;

  Picture() = default;
  Picture(int columns, int rows, Rgba color);

  /// Lays a colour over a pixel, as strong as `cover` (0 to 1) times its opacity; outside of the
  /// picture nothing happens.
  void blend(int column, int row, Rgba color, double cover = 1.0);
  /// A filled rectangle, cut off at the borders.
  void fill(int left, int top, int columns, int rows, Rgba color);
  /// The outline of a rectangle, inside of it, one pixel wide.
  void frame(int left, int top, int columns, int rows, Rgba color);
  [[nodiscard]] Rgba at(int column, int row) const;
};

}  // namespace aprscope
