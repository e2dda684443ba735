#pragma once

#include <QString>

#include "core/io/common/source_info.hpp"

namespace aprscope::gui {

/// The name of an image from a file: the file's name without its ending, and if the file has
/// several images, which one.
inline QString file_title(const SourceInfo& info) {
  QString title = QString::fromStdString(info.path.stem().string());
  if (info.datasets.size() > 1) {
    title += QStringLiteral(" ") + QString::fromStdString(info.dataset);
  }
  return title;
}

}  // namespace aprscope::gui
