#pragma once

#include <QString>

namespace aprscope::gui {

/// "*.tif *.tiff …": how files of all formats that are read are named, for the filters of dialogs.
QString readable_patterns();
/// The same of those that hold pixels.
QString pixel_patterns();

}  // namespace aprscope::gui
