#pragma once

namespace aprscope::gui {

/// The program: options, window, event loop. Returns its exit code.
int run(int argc, char** argv);

}  // namespace aprscope::gui
