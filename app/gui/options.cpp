#include "app/gui/options.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>

#include "app/gui/panels/panel_table.hpp"
#include "core/base/printable.hpp"
#include "core/io/formats.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

std::vector<std::string> cell_words() {
  std::vector<std::string> words;
  for (const auto& type : operations().all()) {
    if (type->traits.panel == "cells" && type->traits.gives == Gives::labels &&
        !type->traits.takes_labels) {
      words.push_back(type->schema.id);
    }
  }
  return words;
}

std::vector<std::string> measure_words() {
  std::vector<std::string> words;
  for (const auto& type : operations().all()) {
    if (type->traits.panel == "measure") words.push_back(type->schema.id);
  }
  return words;
}

std::vector<std::string> panel_words() {
  std::vector<std::string> words;
  for (const Panel& panel : panel_table()) {
    if (panel.opens_by_itself()) words.push_back(panel.id.toStdString());
  }
  return words;
}

// Joins words: "a | b | c".
std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " | ") + word;
  return text;
}

}  // namespace

std::variant<Options, int> parse_options(int argc, char** argv) {
  constexpr int kWrongUsage = 2;
  CLI::App app{"A viewer and filter workbench for Adaptive Particle Representations of 3-D images.",
               "aprscope"};
  Options options;
  app.add_option("FILE", options.files,
                 format_list() +
                     "; FILE.h5:/path picks a volume. None: the start page, or for "
                     "the options below the demo image");
  app.add_flag("--demo", options.demo, "Open the demo image where no file is given");
  app.add_option("--device", options.device,
                 "auto | cpu | cuda:N | cuda:0,1 | cuda:all (default auto)")
      ->type_name("DEVICE");
  app.add_option("--threads", options.threads, "Threads to use; 0 = all cores (default)")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  app.add_option("--memory", options.memory,
                 "Memory that data may take to be shown, e.g. 4GB; larger files are shown in part "
                 "(default: what Process > Memory for large files says, at first what is free)")
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(true));
  app.add_option("--theme", options.theme, "dark | light")->check(CLI::IsMember({"dark", "light"}));
  app.add_option("--view", options.view,
                 "View that fills the window, or is compared: all | xy | 3d | yz | xz")
      ->check(CLI::IsMember({"all", "xy", "3d", "yz", "xz"}));
  app.add_flag("--channels", options.channels, "Show all channels of the file over each other");
  const std::vector<std::string> panels = panel_words();
  app.add_option("--panel", options.panel, "Panel to open: " + one_of(panels))
      ->check(CLI::IsMember(panels));
  const std::vector<std::string> measures = measure_words();
  app.add_option("--measure", options.measure, "What to measure: " + one_of(measures))
      ->check(CLI::IsMember(measures));
  const std::vector<std::string> cells = cell_words();
  app.add_option("--cells", options.cells, "Find cells: " + one_of(cells))
      ->check(CLI::IsMember(cells));
  app.add_option("--reconstruct", options.reconstruct,
                 "Reconstruct a map from a table of projections, with this symmetry (C1 for none)")
      ->type_name("SYMMETRY");
  app.add_flag("--convert", options.convert, "Convert the file to particles");
  app.add_option("--filter", options.filter, "Filter it, e.g. gaussian:sigma=2")->type_name("SPEC");
  app.add_option("--compare", options.compare,
                 "Compare two files, or the result with the same steps on pixels: side | reveal | "
                 "difference | three")
      ->check(CLI::IsMember({"side", "reveal", "difference", "three"}));
  app.add_option("--deconvolve", options.deconvolve,
                 "Deconvolve the result with this PSF, e.g. gaussian:sigma=2")
      ->type_name("SPEC");
  app.add_option("--iterations", options.iterations, "Iterations of --deconvolve (default 20)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  app.add_option("--watch", options.watch,
                 "Take the picture after this many iterations, while it goes on")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  app.add_option("--export-converted", options.export_converted, "Write the particles here (.apr)")
      ->type_name("OUT");
  app.add_option("--export", options.export_result, "Write the result here (.apr, .tif, .json)")
      ->type_name("OUT");
  app.add_option("--screenshot", options.screenshot,
                 "Save a picture of the window when all of it is shown, and leave")
      ->type_name("OUT.png");
  app.add_flag("--measure-stalls", options.measure_stalls,
               "Print the longest time that the window stood still");
  app.add_flag("--measure-previews", options.measure_previews,
               "Print how long edits of a stencil take to be seen in the slices");
  app.set_version_flag("--version", APRSCOPE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "aprscope: %s (see --help)\n", printable_line(error.what()).c_str());
    return kWrongUsage;
  }
  return options;
}

}  // namespace aprscope::gui
