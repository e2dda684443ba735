#pragma once

#include <QColor>
#include <cstddef>

class QCPAxis;
class QCustomPlot;
class QLabel;
class QWidget;

namespace aprscope::gui {

/// Colours of the lines of a plot, in order, again from the first: told apart by those who see
/// colours differently, too (Okabe and Ito), on dark and on light.
QColor line_color(std::size_t line);

/// The line of a curve, for its name.
QLabel* make_swatch(const QColor& color, QWidget* parent);

/// Background, axes and grid in the colours and with the font of a widget.
void style_plot(QCustomPlot& plot, const QWidget& like);

}  // namespace aprscope::gui
