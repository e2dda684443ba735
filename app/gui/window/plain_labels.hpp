#pragma once

namespace aprscope::gui {

/// From now on a label (those of message boxes and tool tips are some) shows its text as it is,
/// unless it was told to show rich text. Qt guesses otherwise, and a name from a file that looks
/// like HTML would be obeyed: "<img src=…>" even reads another file. Once an application.
void keep_labels_plain();

}  // namespace aprscope::gui
