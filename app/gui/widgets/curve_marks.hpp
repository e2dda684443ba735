#pragma once

#include <QColor>
#include <vector>

#include "core/data/curve.hpp"

class QCustomPlot;

namespace aprscope::gui {

/// A dotted line across a plot at y of its axis, with the words of the level.
void draw_level(QCustomPlot& plot, const CurveLevel& level, double y, const QColor& color);

/// Dashed lines at the places of marks, with words that keep clear of each other.
void draw_curve_marks(QCustomPlot& plot, std::vector<CurveMark> marks, const QColor& color);

}  // namespace aprscope::gui
