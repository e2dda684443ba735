#pragma once

#include <QFont>
#include <QImage>
#include <QPalette>
#include <QSize>
#include <QString>
#include <QStringList>

namespace aprscope::gui {

/// Names of the pictures of the help page, as its text asks for them.
QStringList help_picture_names();

/// The size of a picture in logical pixels; empty for an unknown name.
QSize help_picture_size(const QString& name);

/// Draws a picture in the colours of a theme. `ratio`: pixels a logical pixel. Null for an unknown
/// name.
QImage draw_help_picture(const QString& name, const QPalette& palette, const QFont& font,
                         double ratio);

}  // namespace aprscope::gui
