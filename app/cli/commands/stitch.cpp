#include <filesystem>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/pipeline/stitching.hpp"

namespace aprscope::cli {
namespace {

struct StitchOptions {
  std::vector<std::string> inputs;
  std::string output;
  SourceSelection selection;
  RegistrationOptions registration;
  bool as_placed = false;
};

Json numbers(const TilePosition& p) { return Json::array({p[0], p[1], p[2]}); }

std::string name_of(const TileFile& tile) {
  const std::string file = tile.info.path.filename().string();
  return tile.info.datasets.size() > 1 ? file + ":" + tile.info.dataset : file;
}

// Adds every tile with its place, every pair, and how well they fit.
void describe(const std::vector<TileFile>& tiles, const TileRegistration& found, Json& report) {
  Json list = Json::array();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    list.push_back({{"name", name_of(tiles[i])},
                    {"size", to_json(tiles[i].info.size)},
                    {"from", numbers(tiles[i].position)},
                    {"to", numbers(found.positions[i])}});
  }
  Json pairs = Json::array();
  for (const RegisteredPair& pair : found.pairs) {
    pairs.push_back({{"first", name_of(tiles[pair.link.first])},
                     {"second", name_of(tiles[pair.link.second])},
                     {"way", numbers(pair.link.way)},
                     {"correlation", pair.correlation},
                     {"off", pair.off},
                     {"counts", pair.link.weight > 0.0}});
  }
  const StitchFigures figures = figures_of(tiles, found);
  report["tiles"] = std::move(list);
  report["pairs"] = std::move(pairs);
  report["pairs_that_count"] = figures.counting;
  report["off_rms"] = figures.counting > 0 ? Json(figures.off_rms) : Json(nullptr);
  report["largest_move"] = figures.largest_move;
}

Status stitch(const StitchOptions& options, Session& session) {
  if (Status ok = check_output(options.output, options.inputs, session); !ok) return ok;
  const auto tiles = session.timed(
      "inspect", [&] { return find_tiles(options.inputs, options.selection, session.context()); });
  if (!tiles) return tiles.error();
  if (Status named = check_tile_list(*tiles, options.output); !named) return named;
  TileRegistration found;
  if (options.as_placed) {
    for (const TileFile& tile : *tiles) found.positions.push_back(tile.position);
  } else {
    auto registered = session.timed("register", [&] {
      return register_files(*tiles, options.selection, options.registration, session.context());
    });
    if (!registered) return registered.error();
    found = *std::move(registered);
  }
  describe(*tiles, found, session.report());
  if (Status saved = save_tile_list(*tiles, found.positions, options.output); !saved) return saved;
  describe_output(options.output, session);
  return {};
}

}  // namespace

void add_stitch(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "stitch", "Find where tiles lie, and list them as one image for other commands");
  auto options = std::make_shared<StitchOptions>();
  command
      ->add_option("inputs", options->inputs,
                   "The tiles: a list of them (TileConfiguration.txt), a BigDataViewer XML with "
                   "several, or their files, whose headers say where they lie")
      ->required()
      ->type_name("FILE");
  add_output(*command, options->output,
             "The list to write (.txt), in the folder of the tiles: convert and the window open it "
             "as one image, fused slice by slice");
  command->add_option("--channel", options->selection.channel, "The channel to register by, from 0")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--time", options->selection.time, "The time point to register by, from 0")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--max-shift", options->registration.most,
                   "Pixels that a tile may lie off the place that is said, in each direction")
      ->check(CLI::Range(1, 2000))
      ->capture_default_str();
  command
      ->add_option("--min-correlation", options->registration.least_correlation,
                   "Correlation of what two tiles share, from which on it counts")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_flag("--as-placed", options->as_placed,
                    "Do not register: list the tiles where they are said to lie");
  command->callback([options, &chosen] {
    if (std::filesystem::path(options->output).extension() != ".txt") {
      wrong_usage("-o", "needs a name that ends in .txt");
    }
    chosen.run = [options](Session& session) { return stitch(*options, session); };
  });
}

}  // namespace aprscope::cli
