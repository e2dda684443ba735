#include "app/gui/widgets/curve_reading.hpp"

#include <algorithm>
#include <vector>

namespace aprscope::gui {
namespace {

QString number(double value) { return QString::number(value, 'g', 6); }

}  // namespace

QString line_words(const CurveLine& line) {
  const QString label = QString::fromStdString(line.label);
  return line.unit.empty()
             ? label
             : QStringLiteral("%1 / %2").arg(label, QString::fromStdString(line.unit));
}

double curve_end(const Curve& curve) {
  const std::vector<double>& x = curve.x.values;
  if (x.empty()) return 0.0;
  if (curve.shape != CurveShape::steps || x.size() < 2) return x.back();
  return x.back() + (x.back() - x[x.size() - 2]);
}

std::optional<std::size_t> curve_point_at(const Curve& curve, double x) {
  const std::vector<double>& all = curve.x.values;
  if (all.empty() || x < all.front() || x > curve_end(curve)) return std::nullopt;
  if (curve.shape == CurveShape::steps_before) {
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), x) - all.begin());
  }
  const auto after = std::upper_bound(all.begin(), all.end(), x);
  auto at = static_cast<std::size_t>(after - all.begin()) - 1;
  if (curve.shape == CurveShape::straight && at + 1 < all.size() && all[at + 1] - x < x - all[at]) {
    ++at;
  }
  return at;
}

QString curve_reading(const Curve& curve, std::size_t at) {
  const std::vector<double>& xs = curve.x.values;
  QString text = QStringLiteral("%1 %2").arg(QString::fromStdString(curve.x.label), number(xs[at]));
  if (curve.shape == CurveShape::steps && xs.size() > 1) {
    const double end = at + 1 < xs.size() ? xs[at + 1] : curve_end(curve);
    if (end - xs[at] != 1.0) text += QStringLiteral(" … %1").arg(number(end));
  }
  if (!curve.reciprocal_of.empty() && xs[at] > 0.0) {
    text += QStringLiteral(" (%1 %2)")
                .arg(QString::number(1.0 / xs[at], 'g', 4),
                     QString::fromStdString(curve.reciprocal_of));
  }
  for (const CurveLine& line : curve.ys) {
    text +=
        QStringLiteral("   %1 %2").arg(QString::fromStdString(line.label), number(line.values[at]));
  }
  return text;
}

}  // namespace aprscope::gui
