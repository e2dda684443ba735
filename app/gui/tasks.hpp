#pragma once

#include <optional>
#include <string>

#include "app/gui/options.hpp"
#include "app/gui/window/main_window.hpp"
#include "core/base/result.hpp"

namespace aprscope::gui {

/// Runs the tasks of the command line in the window one after the other, as a user would: open,
/// convert, filter, export, screenshot. Handles events until all are done. Ends at the first
/// error.
class Tasks {
 public:
  Tasks(Document& document, MainWindow& window, const Options& options);

  /// Opens the files (or the demo image, if requested, or if a script has no file) without waiting
  /// for them.
  void open();
  /// Runs all tasks except for the screenshot.
  Status run();
  /// Takes a screenshot of the window, if one is requested.
  Status picture();

 private:
  [[nodiscard]] Status check_outputs() const;
  Status settle();
  Status show_channels();
  Status convert();
  Status filter();
  Status deconvolve();
  Status reconstruct();
  Status compare();
  Status export_current(const std::string& path);

  Document& document_;
  MainWindow& window_;
  const Options& options_;
  std::optional<std::string> failure_;
};

}  // namespace aprscope::gui
