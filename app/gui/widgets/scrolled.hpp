#pragma once

class QWidget;

namespace aprscope::gui {

/// Puts a whole panel into a vertical scroll area, which owns it: for panels without buttons that
/// must remain visible.
QWidget* scrolled(QWidget* panel);

}  // namespace aprscope::gui
