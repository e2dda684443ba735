#pragma once

#include <QString>

namespace aprscope::gui {

/// The file patterns of all readable formats for the filters of dialogs: "*.tif *.tiff …".
QString readable_patterns();
/// The file patterns of the formats that contain pixels.
QString pixel_patterns();

}  // namespace aprscope::gui
