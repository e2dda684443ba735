#pragma once

#include <QString>

namespace aprscope::gui {

/// "all 2 channels and 5 time points": all parts of a file of several.
QString all_parts_words(int channels, int times);

}  // namespace aprscope::gui
