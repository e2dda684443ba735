#pragma once

#include <optional>
#include <string>

#include "app/gui/options.hpp"
#include "app/gui/window/main_window.hpp"
#include "core/base/result.hpp"

namespace aprscope::gui {

/// Does in the window what the command line asks for, as a user would, one step after the other:
/// open, convert, filter, export, picture. Handles events until it is done. The first error ends
/// it.
class Tasks {
 public:
  Tasks(Document& document, MainWindow& window, const Options& options);

  /// Opens the files (or the demo image, where that is asked for or a script has none) without
  /// waiting for them.
  void open();
  /// Everything else but the picture.
  Status run();
  /// The picture of the window, if one is wanted.
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
