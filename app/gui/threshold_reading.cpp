#include "app/gui/threshold_reading.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace aprscope::gui {
namespace {

// A level set is that of the next value that occurs on its side.
std::optional<std::size_t> row_of(const std::vector<double>& values, const LevelSet& set) {
  if (set.sets == LevelSets::superlevel) {
    const auto at = std::lower_bound(values.begin(), values.end(), set.at);
    if (at == values.end()) return std::nullopt;
    return static_cast<std::size_t>(at - values.begin());
  }
  const auto after = std::upper_bound(values.begin(), values.end(), set.at);
  if (after == values.begin()) return std::nullopt;
  return static_cast<std::size_t>(after - values.begin()) - 1;
}

QString figure(double value) {
  return std::abs(value) < 1e6 && value == std::floor(value)
             ? QStringLiteral("%L1").arg(static_cast<qlonglong>(value))
             : QString::number(value, 'g', 4);
}

QString part(const std::string& label, double value, const std::string& unit) {
  QString text = QStringLiteral("   %1 %2").arg(QString::fromStdString(label), figure(value));
  if (!unit.empty()) text += QStringLiteral(" ") + QString::fromStdString(unit);
  return text;
}

}  // namespace

QString reading_at(const Measurement& measurement, const Curve& curve, const LevelSet& set) {
  QString text = QString::fromStdString(curve.x.label) + QStringLiteral(" ") + figure(set.at);
  const auto row = row_of(curve.x.values, set);
  if (!row) return text;
  for (const Curve& other : measurement.curves) {
    // Over the same values.
    if (other.x.values.size() != curve.x.values.size()) continue;
    for (const CurveLine& line : other.ys) {
      const std::string whose = other.ys.size() > 1 ? other.label + ", " + line.label : line.label;
      text += part(whose, line.values[*row], line.unit);
    }
  }
  return text;
}

}  // namespace aprscope::gui
