#pragma once

namespace aprscope::gui {

class MainWindow;
struct Options;

/// Brings views and panels of a new window to what the options ask for.
void arrange(MainWindow& window, const Options& options);

/// The program: options, window, event loop. Returns its exit code.
int run(int argc, char** argv);

}  // namespace aprscope::gui
