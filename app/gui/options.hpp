#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace aprscope::gui {

/// What the command line asks for.
struct Options {
  std::vector<std::string> files;
  /// Open the built-in image where there is no file.
  bool demo = false;
  std::string device = "auto";
  int threads = 0;
  /// Bytes that data may take to be shown; 0: what is free.
  std::uint64_t memory = 0;
  /// "dark", "light"; empty: as it was.
  std::string theme;
  /// "all", "xy", "3d", "yz", "xz": which view fills the window.
  std::string view = "all";
  /// Show all channels of the (last) file over each other.
  bool channels = false;
  /// Id of a panel that can be opened by itself; empty: as it was.
  std::string panel;
  /// Id of an operation that measures, to be shown in its panel; empty: none.
  std::string measure;
  /// Id of an operation of the Cells panel that finds cells; empty: none.
  std::string cells;
  /// Symmetry that a map is reconstructed with from the (last) file, a table of projections; empty:
  /// none is.
  std::string reconstruct;
  /// Convert the (last) file / filter the result / write what came of it.
  bool convert = false;
  std::string filter;
  /// "side", "reveal", "difference", "three": compare the two files, or the result with its pixels.
  std::string compare;
  /// The PSF of a deconvolution, its iterations, and after how many to take the picture (0: at the
  /// end).
  std::string deconvolve;
  int iterations = 20;
  int watch = 0;
  std::string export_converted;
  std::string export_result;
  /// Save a picture of the window there and leave.
  std::string screenshot;
  /// Print the longest time that the user interface stood still.
  bool measure_stalls = false;
  /// Print how long edits of a filter take to be seen.
  bool measure_previews = false;

  /// Work to be done before the user takes over (or before the program leaves).
  [[nodiscard]] bool has_tasks() const {
    return convert || channels || !filter.empty() || !export_result.empty() ||
           !export_converted.empty() || !compare.empty() || !deconvolve.empty() || !cells.empty() ||
           !reconstruct.empty() || !screenshot.empty() || measure_previews;
  }
  /// Nothing is asked for: somebody just starts the program.
  [[nodiscard]] bool plain_start() const {
    return files.empty() && !has_tasks() && !measure_stalls && panel.empty() && measure.empty() &&
           view == "all";
  }
};

/// The options, or the exit code of a program that has nothing to show (--help, wrong usage).
std::variant<Options, int> parse_options(int argc, char** argv);

}  // namespace aprscope::gui
