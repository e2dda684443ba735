#pragma once

#include <QColor>
#include <cstddef>

class QCPAxis;
class QCustomPlot;
class QLabel;
class QWidget;

namespace aprscope::gui {

/// The colour of a plot's line, by number; they repeat. Chosen so that colour-blind users can tell
/// them apart too (Okabe and Ito), on dark and light backgrounds.
QColor line_color(std::size_t line);

/// A short line in a curve's colour, to stand beside its name.
QLabel* make_swatch(const QColor& color, QWidget* parent);

/// Sets background, axes and grid of a plot to the colours and the font of a widget.
void style_plot(QCustomPlot& plot, const QWidget& like);

}  // namespace aprscope::gui
