#pragma once

namespace aprscope::gui {

/// Makes all labels (also of message boxes and tool tips) show their text literally, unless they
/// were explicitly set to rich text. By default Qt guesses, and would interpret a name from a file
/// that looks like HTML: "<img src=…>" even reads another file. Call once for the application.
void keep_labels_plain();

}  // namespace aprscope::gui
