#pragma once

#include <QString>

namespace aprscope::gui {

/// Shows a file's folder in the file manager, or `path` itself if it is a folder. False if there is
/// no file manager.
bool show_in_folder(const QString& path);

}  // namespace aprscope::gui
