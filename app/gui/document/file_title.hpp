#pragma once

#include <QString>

#include "core/io/common/source_info.hpp"

namespace aprscope::gui {

/// What an image from a file is called: the file's name without its ending, and which of several
/// images it is.
inline QString file_title(const SourceInfo& info) {
  QString title = QString::fromStdString(info.path.stem().string());
  if (info.datasets.size() > 1) {
    title += QStringLiteral(" ") + QString::fromStdString(info.dataset);
  }
  return title;
}

}  // namespace aprscope::gui
