#pragma once

namespace aprscope::gui {

/// Wraps the tool tips of all widgets at a width that is easy to read; Qt makes plain text as wide
/// as the screen. They remain plain text. Call once for the application.
void keep_tool_tips_narrow();

}  // namespace aprscope::gui
