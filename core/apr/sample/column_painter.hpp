#pragma once

#include "core/apr/sample/row_painter.hpp"

namespace aprscope::detail {

/// Paints pixels (z, x, y) of z0 ≤ z < z1, all x, one y: the part of a slice perpendicular to y
/// that `out` (row z0 first, size.x values a row) stands for. One thread; the same bits as
/// paint_box.
void paint_column(const PaintSource& source, std::int64_t z0, std::int64_t z1, std::int64_t y,
                  float* out);

}  // namespace aprscope::detail
