#include "core/image/picture.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {

Picture::Picture(int columns, int rows, Rgba color)
    : width(std::max(0, columns)), height(std::max(0, rows)) {
  rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  for (std::size_t i = 0; i < rgba.size(); ++i) rgba[i] = color[i % 4];
}

void Picture::blend(int column, int row, Rgba color, double cover) {
  if (column < 0 || row < 0 || column >= width || row >= height) return;
  std::uint8_t* const pixel =
      rgba.data() + (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(column)) *
                        4;
  const double share = std::clamp(cover, 0.0, 1.0) * color[3] / 255.0;
  for (std::size_t c = 0; c < 3; ++c) {
    pixel[c] = static_cast<std::uint8_t>(
        std::lround(static_cast<double>(pixel[c]) * (1.0 - share) + color[c] * share));
  }
  pixel[3] = static_cast<std::uint8_t>(
      std::lround(255.0 * (1.0 - (1.0 - pixel[3] / 255.0) * (1.0 - share))));
}

void Picture::fill(int left, int top, int columns, int rows, Rgba color) {
  for (int row = std::max(0, top); row < std::min(height, top + rows); ++row) {
    for (int column = std::max(0, left); column < std::min(width, left + columns); ++column) {
      blend(column, row, color);
    }
  }
}

void Picture::frame(int left, int top, int columns, int rows, Rgba color) {
  fill(left, top, columns, 1, color);
  fill(left, top + rows - 1, columns, 1, color);
  fill(left, top + 1, 1, rows - 2, color);
  fill(left + columns - 1, top + 1, 1, rows - 2, color);
}

Rgba Picture::at(int column, int row) const {
  if (column < 0 || row < 0 || column >= width || row >= height) return {0, 0, 0, 0};
  const std::size_t i = (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(column)) *
                        4;
  return {rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]};
}

}  // namespace aprscope
