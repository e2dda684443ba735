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
  /// How programs call it, how people do, and its unit ("" for none), see Column.
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

/// Where x are grey values of what was measured: which side a threshold among them keeps, and where
/// one is put at first; none: nowhere unless it is asked for.
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
  /// How it is drawn at first.
  CurveScale scale = CurveScale::linear;
  /// Id of the table that has its points, too: then they are no file of their own. Empty: none has.
  std::string in_table{};
  /// None: x are no grey values.
  std::optional<CurveThreshold> threshold{};
  std::vector<CurveLevel> levels{};
  /// On a linear scale at least these are in the picture; none: as far as the values go.
  std::optional<CurveSpan> span{};
  /// Where x is one over a length: the unit of the length ("Å"), which is told beside x.
  std::string reciprocal_of{};

  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const Curve&, const Curve&) = default;
};

/// The points as a table: x, then one column a line.
Table table_of(const Curve& curve);

}  // namespace aprscope
