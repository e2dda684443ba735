#pragma once

#include <QImage>
#include <QWidget>
#include <string>

#include "core/base/result.hpp"

namespace aprscope {

/// Renders a widget (a view or the whole window) in device pixels.
QImage screenshot(QWidget& widget);

/// Writes a PNG beside `path` and renames it. Errors: empty image, no permission, full disk.
Status save_png(const QImage& image, const std::string& path);

}  // namespace aprscope
