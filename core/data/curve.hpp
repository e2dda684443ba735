#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/table.hpp"
#include "core/image/level_set.hpp"

namespace aprscope {

/// One coordinate of a curve. Where a y is NaN the curve has a gap.
struct CurveLine {
  /// Its name in programs, its name for users, and its unit ("" for none), see Column.
  std::string id;
  std::string label;
  std::string unit;
  std::vector<double> values;
  friend bool operator==(const CurveLine&, const CurveLine&) = default;
};

/// A place on the x axis that has a name: a threshold, a mean.
struct CurveMark {
  double x = 0.0;
  std::string words;
  friend bool operator==(const CurveMark&, const CurveMark&) = default;
};

/// A level of y that has a name: what a curve is read at.
struct CurveLevel {
  double y = 0.0;
  std::string words;
  friend bool operator==(const CurveLevel&, const CurveLevel&) = default;
};

/// Levels that are shown whatever the values are.
struct CurveSpan {
  double low = 0.0;
  double high = 1.0;
  friend bool operator==(const CurveSpan&, const CurveSpan&) = default;
};

/// How lines go from point to point: straight; on the level of a point until the next one, as
/// counts of bins do; or on the level of a point from the one before, as what is above a threshold
/// does.
enum class CurveShape { straight, steps, steps_before };

/// Logarithmic: by decades; where values are negative, too, by those of 1 + |y| on either side of
/// 0.
enum class CurveScale { linear, logarithmic };

/// For curves whose x are grey values of the data: which side of a threshold is kept, and where a
/// threshold is first put; none: no threshold until the user asks for one.
struct CurveThreshold {
  LevelSets sets = LevelSets::superlevel;
  std::optional<double> start{};
  friend bool operator==(const CurveThreshold&, const CurveThreshold&) = default;
};

/// Values over a common x, which does not fall. Every line has as many values as x.
struct Curve {
  std::string id;
  std::string label;
  CurveLine x;
  std::vector<CurveLine> ys;
  std::vector<CurveMark> marks;
  CurveShape shape = CurveShape::straight;
  /// How the curve is drawn at first.
  CurveScale scale = CurveScale::linear;
  /// Id of a table that holds the points, too: then the curve gets no own file. Empty: no table.
  std::string in_table{};
  /// None: x are not grey values.
  std::optional<CurveThreshold> threshold{};
  std::vector<CurveLevel> levels{};
  /// On a linear scale, the range of y shown at least; none: the range of the values.
  std::optional<CurveSpan> span{};
  /// Where x is 1 ÷ a length: the unit of that length ("Å"), shown beside x; else empty.
  std::string reciprocal_of{};

  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const Curve&, const Curve&) = default;
};

/// The points as a table: x, then one column a line.
Table table_of(const Curve& curve);

}  // namespace aprscope
