#pragma once

#include <limits>
#include <string>

#include "core/data/curve.hpp"

namespace aprscope {

/// A number that was found, with all that it takes to print it, to write it into a table and to
/// draw it.
struct NamedFigure {
  /// Its name in programs, its name for users, and its unit ("" for none), see Column.
  std::string id;
  std::string label;
  std::string unit;
  /// NaN where it is not known.
  double value = std::numeric_limits<double>::quiet_NaN();
  /// The scale of the axis that it is drawn on.
  CurveScale scale = CurveScale::linear;
  friend bool operator==(const NamedFigure&, const NamedFigure&) = default;
};

}  // namespace aprscope
