#pragma once

namespace aprscope::gui {

class MainWindow;
struct Options;

/// Applies the options to the views and panels of a new window.
void arrange(MainWindow& window, const Options& options);

/// Runs the program: options, window, event loop. Returns its exit code.
int run(int argc, char** argv);

}  // namespace aprscope::gui
