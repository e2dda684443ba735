#pragma once

#include <QString>
#include <cstddef>
#include <optional>

#include "core/data/curve.hpp"

namespace aprscope::gui {

/// A line's name with its unit, "Volume / µm³", as axes have it.
QString line_words(const CurveLine& line);

/// Where the last step of a curve ends, else where its last point is; 0 for an empty one.
double curve_end(const Curve& curve);

/// Index of the point that counts at x; none outside of the curve.
std::optional<std::size_t> curve_point_at(const Curve& curve, double x);

/// What is told of the point of an index: its place, or its step, and all values there.
QString curve_reading(const Curve& curve, std::size_t at);

}  // namespace aprscope::gui
