#include "core/data/column_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aprscope {

double cell_number(const Column& column, std::size_t row) {
  if (const auto* reals = std::get_if<std::vector<double>>(&column.cells)) return (*reals)[row];
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    return static_cast<double>((*whole)[row]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::optional<Curve> column_histogram(const Column& column, int bins) {
  std::vector<double> values;
  for (std::size_t row = 0; row < column.rows(); ++row) {
    const double value = cell_number(column, row);
    if (std::isfinite(value)) values.push_back(value);
  }
  if (values.size() < 2 || bins < 1) return std::nullopt;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double from = *least;
  double width = (*most - from) / bins;
  if (std::holds_alternative<std::vector<std::int64_t>>(column.cells)) {
    // Whole numbers: make the width whole, so that each bin holds equally many possible values.
    width = std::max(1.0, std::ceil((*most - from + 1.0) / bins));
    bins = static_cast<int>(std::floor((*most - from) / width)) + 1;
  } else if (!(width > 0.0)) {
    bins = 1;
    width = 1.0;
  }
  Curve curve;
  curve.id = column.id;
  curve.label = column.label;
  curve.shape = CurveShape::steps;
  curve.x = {column.id, column.label, column.unit, {}};
  // One more edge than bins, where the last bin ends.
  for (int i = 0; i <= bins; ++i) curve.x.values.push_back(from + width * i);
  CurveLine counts{"rows", "Rows", "",
                   std::vector<double>(static_cast<std::size_t>(bins) + 1, 0.0)};
  double sum = 0.0;
  for (const double value : values) {
    const auto bin = static_cast<int>((value - from) / width);
    counts.values[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))] += 1.0;
    sum += value;
  }
  curve.ys.push_back(std::move(counts));
  curve.marks.push_back({sum / static_cast<double>(values.size()), "mean"});
  return curve;
}

}  // namespace aprscope
