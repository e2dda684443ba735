#pragma once

#include <QString>

namespace aprscope::gui {

/// Has the file manager show the folder that holds a file, or the folder itself that `path` names.
/// False where there is no file manager.
bool show_in_folder(const QString& path);

}  // namespace aprscope::gui
