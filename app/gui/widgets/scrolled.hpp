#pragma once

class QWidget;

namespace aprscope::gui {

/// A panel as a whole in a vertical scroll area, which takes it over: for panels without buttons
/// that have to stay in sight.
QWidget* scrolled(QWidget* panel);

}  // namespace aprscope::gui
