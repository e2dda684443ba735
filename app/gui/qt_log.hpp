#pragma once

namespace aprscope::gui {

/// Sends what Qt says about itself to the log instead of stderr, where only messages for the user
/// belong. Call before QApplication.
void install_qt_log();

}  // namespace aprscope::gui
