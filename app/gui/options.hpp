#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace aprscope::gui {

/// What the command line asks for.
struct Options {
  std::vector<std::string> files;
  /// Open the built-in image if no file is given.
  bool demo = false;
  std::string device = "auto";
  int threads = 0;
  /// Memory that shown data may take, in bytes; 0: as much as is free.
  std::uint64_t memory = 0;
  /// The theme: "dark", "light"; empty: as last time.
  std::string theme;
  /// The view that fills the window: "all", "xy", "3d", "yz", "xz".
  std::string view = "all";
  /// Show all channels of the (last) file over each other.
  bool channels = false;
  /// The panel to open, by id; empty: as last time.
  std::string panel;
  /// The operation to show in the Measure panel, by id; empty: none.
  std::string measure;
  /// The operation to show in the Cells panel, by id; empty: none.
  std::string cells;
  /// The symmetry for a reconstruction from the (last) file, a table of projections; empty: no
  /// reconstruction.
  std::string reconstruct;
  /// Convert the (last) file / filter the result / export the result of that.
  bool convert = false;
  std::string filter;
  /// "side", "reveal", "difference", "three": compare the two files, or the result with its pixels.
  std::string compare;
  /// The PSF for a deconvolution, the number of iterations, and the iteration at which to take the
  /// screenshot (0: at the end).
  std::string deconvolve;
  int iterations = 20;
  int watch = 0;
  std::string export_converted;
  std::string export_result;
  /// Save a screenshot of the window to this file and quit.
  std::string screenshot;
  /// Print the longest time for which the window did not respond.
  bool measure_stalls = false;
  /// Print how long it takes until edits of a filter are visible.
  bool measure_previews = false;

  /// Whether there is work to do before the user takes over (or before the program quits).
  [[nodiscard]] bool has_tasks() const {
    return convert || channels || !filter.empty() || !export_result.empty() ||
           !export_converted.empty() || !compare.empty() || !deconvolve.empty() || !cells.empty() ||
           !reconstruct.empty() || !screenshot.empty() || measure_previews;
  }
  /// Whether no options are given: the user has just started the program.
  [[nodiscard]] bool plain_start() const {
    return files.empty() && !has_tasks() && !measure_stalls && panel.empty() && measure.empty() &&
           view == "all";
  }
};

/// The options, or the exit code if there is nothing to show (--help, wrong usage).
std::variant<Options, int> parse_options(int argc, char** argv);

}  // namespace aprscope::gui
