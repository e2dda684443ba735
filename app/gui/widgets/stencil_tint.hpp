#pragma once

#include <QColor>

#include "core/filter/stencil.hpp"

namespace aprscope::gui {

/// Largest absolute weight, 1 for a stencil of zeros.
double largest_weight(const Stencil& stencil);

/// Colour of a weight: red above, blue below zero, `base` at zero, full at ±scale.
QColor stencil_tint(double weight, double scale, const QColor& base);

}  // namespace aprscope::gui
