#pragma once

namespace aprscope::gui {

/// From now on tool tips of any widget are wrapped at a width that is read with ease, where Qt
/// makes plain text as wide as the screen. They stay plain text. Once an application.
void keep_tool_tips_narrow();

}  // namespace aprscope::gui
