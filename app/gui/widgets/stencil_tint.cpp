#include "app/gui/widgets/stencil_tint.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope::gui {

double largest_weight(const Stencil& stencil) {
  const double largest = stencil.largest();
  return largest > 0.0 ? largest : 1.0;
}

QColor stencil_tint(double weight, double scale, const QColor& base) {
  const QColor full = weight < 0 ? QColor(0x3b, 0x82, 0xf6) : QColor(0xe0, 0x4f, 0x4f);
  // The square root makes small weights visible.
  const double t = 0.85 * std::sqrt(std::clamp(std::abs(weight) / scale, 0.0, 1.0));
  const auto mix = [t](int a, int b) { return static_cast<int>(a + t * (b - a)); };
  return {mix(base.red(), full.red()), mix(base.green(), full.green()),
          mix(base.blue(), full.blue())};
}

}  // namespace aprscope::gui
