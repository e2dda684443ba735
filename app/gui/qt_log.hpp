#pragma once

namespace aprscope::gui {

/// Sends Qt's own messages to the log instead of stderr, which is for messages to the user. Call
/// before QApplication is constructed.
void install_qt_log();

}  // namespace aprscope::gui
