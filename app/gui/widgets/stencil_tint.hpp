#pragma once

#include <QColor>

#include "core/filter/stencil.hpp"

namespace aprscope::gui {

/// The largest absolute weight; 1 for a stencil of zeros.
double largest_weight(const Stencil& stencil);

/// The colour of a weight: red above and blue below zero, `base` at zero, strongest at ±scale.
QColor stencil_tint(double weight, double scale, const QColor& base);

}  // namespace aprscope::gui
