#pragma once

#include <QString>

#include "core/base/result.hpp"

class QCustomPlot;

namespace aprscope::gui {

/// Writes a plot as it is on the screen, with its legend where that is asked for, as .png, .svg or
/// .pdf. Errors: another ending, or the file cannot be written.
Status write_plot_picture(QCustomPlot& plot, bool legend, const QString& path);

}  // namespace aprscope::gui
