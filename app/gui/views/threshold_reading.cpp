#include "app/gui/views/threshold_reading.hpp"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <vector>

namespace aprscope::gui {
namespace {

// The index of a curve's point for a threshold: for a level set, the next value on the side that it
// keeps; for bars, the bar that contains it.
std::optional<std::size_t> row_of(const Curve& curve, const LevelSet& set) {
  const std::vector<double>& values = curve.x.values;
  if (curve.shape == CurveShape::steps_before) {
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

constexpr double kProtein = 0.81;  // Da/Å³

// Three significant digits, or all digits before the point if there are more.
QString three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return QStringLiteral("%L1").arg(value, 0, 'f', decimals);
}

}  // namespace

QString protein_mass(double volume) {
  const double mass = volume * kProtein / 1e3;
  const bool large = mass >= 999.5;
  return QObject::tr("≈ %1 %2 of protein")
      .arg(three_digits(large ? mass / 1e3 : mass),
           large ? QStringLiteral("MDa") : QStringLiteral("kDa"));
}

QString reading_at(const Measurement& measurement, const Curve& curve, const LevelSet& set) {
  QString text = QString::fromStdString(curve.x.label) + QStringLiteral(" ") + figure(set.at);
  const auto row = row_of(curve, set);
  if (!row) return text;
  for (const Curve& other : measurement.curves) {
    // Only curves with the same x values can be read at this index.
    if (other.x.values != curve.x.values) continue;
    for (const CurveLine& line : other.ys) {
      const std::string whose = other.ys.size() > 1 ? other.label + ", " + line.label : line.label;
      text += part(whose, line.values[*row], line.unit);
      // Å is the unit of molecular maps, µm that of tissue. Below the threshold is solvent.
      if (set.sets == LevelSets::superlevel && line.id == "volume" && line.unit == "Å³" &&
          line.values[*row] > 0.0) {
        text += QStringLiteral(" (%1)").arg(protein_mass(line.values[*row]));
      }
    }
  }
  return text;
}

}  // namespace aprscope::gui
