#include "core/pipeline/stitching.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/printable.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"
#include "core/io/tiles/alike_tiles.hpp"
#include "core/io/tiles/tile_list.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = std::size_t{4} << 20U;
// Pixels; see parse_tile_list().
constexpr double kFarthest = 1e9;

// Where the header of an image says that it lies, in pixels.
Result<TilePosition> position_in_header(const SourceInfo& info, const SourceSelection& selection) {
  const auto source = open_slices(info, selection);
  if (!source) return source.error();
  const Volume& header = (*source)->header();
  const std::array<double, 3> sides{header.voxel.z, header.voxel.x, header.voxel.y};
  TilePosition out{};
  for (std::size_t d = 0; d < 3; ++d) {
    out[d] = sides[d] > 0.0 ? header.origin[d] / sides[d] : 0.0;
    if (!(std::abs(out[d]) <= kFarthest)) {
      return Error{"says that it lies where no image can", info.path.string(),
                   "list the tiles and their positions in a TileConfiguration.txt"};
    }
  }
  return out;
}

Status add_listed(const SourceInfo& list, std::vector<TileFile>& out, const JobContext& context) {
  const auto text = read_text(list.path, kMostText);
  if (!text) return text.error();
  const auto listed = parse_tile_list(*text);
  if (!listed) {
    Error error = listed.error();
    error.where = list.path.string();
    return error;
  }
  for (const ListedTile& tile : *listed) {
    auto info = inspect((list.path.parent_path() / tile.name).string(), context);
    if (!info) return info.error();
    out.push_back({*std::move(info), tile.position});
  }
  return {};
}

Status add_images(const SourceInfo& file, const SourceSelection& selection, bool all,
                  std::vector<TileFile>& out, const JobContext& context) {
  std::vector<std::string> datasets{file.dataset};
  if (all && file.datasets.size() > 1) datasets = file.datasets;
  for (const std::string& dataset : datasets) {
    auto info = inspect(file.path.string() + (dataset.empty() ? "" : ":" + dataset), context);
    if (!info) return info.error();
    const auto position = position_in_header(*info, selection);
    if (!position) return position.error();
    out.push_back({*std::move(info), *position});
  }
  return {};
}

// The names that a list at `path` has for tiles.
Result<std::vector<std::string>> names_in_list(const std::vector<TileFile>& tiles,
                                               const fs::path& path) {
  std::error_code code;
  const fs::path folder =
      fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), code);
  if (code) return Error{"is in a folder that is not there", path.string(), "check its name"};
  std::vector<std::string> names;
  for (const TileFile& tile : tiles) {
    const SourceInfo& info = tile.info;
    const fs::path file = fs::canonical(info.path, code);
    const fs::path within = code ? fs::path() : file.lexically_relative(folder);
    if (within.empty() || *within.begin() == "..") {
      return Error{"is not in the folder of the tiles, or above it", path.string(),
                   "write the list beside " + printable(info.path.filename().string())};
    }
    const bool several = info.datasets.size() > 1 || !info.dataset.empty();
    names.push_back(within.string() + (several ? ":" + info.dataset : ""));
    const auto again = parse_tile_list(tile_list_text({{names.back(), {}}}));
    if (!again || again->size() != 1 || again->front().name != names.back()) {
      return Error{"cannot name " + printable(names.back()), path.string(),
                   "rename that file: no semicolon, no # at its beginning, no blanks at its ends"};
    }
  }
  return names;
}

}  // namespace

Result<std::vector<TileFile>> find_tiles(const std::vector<std::string>& paths,
                                         const SourceSelection& selection,
                                         const JobContext& context) {
  std::vector<TileFile> out;
  for (const std::string& path : paths) {
    if (context.stop_requested()) return cancelled_error();
    const auto info = inspect(path, context);
    if (!info) return info.error();
    if (info->is_apr || !reads_slices(*info)) {
      return Error{"is no image of pixels", info->path.string(), "choose the recorded tiles"};
    }
    const bool named = names_dataset(path);
    Status added = is_tile_set(*info) ? add_listed(*info, out, context)
                                      : add_images(*info, selection, !named, out, context);
    if (!added) return added.error();
  }
  if (out.size() < 2) {
    return Error{"is a single tile", paths.empty() ? "" : paths.front(),
                 "name several, or a list of them"};
  }
  for (const TileFile& tile : out) {
    const std::string other = tile_difference(out.front().info, tile.info);
    if (!other.empty()) {
      return Error{
          "has " + other + " beside " + printable(out.front().info.path.filename().string()),
          tile.info.path.string(), "choose tiles of one recording"};
    }
  }
  return out;
}

Result<TileRegistration> register_files(const std::vector<TileFile>& tiles,
                                        const SourceSelection& selection,
                                        const RegistrationOptions& options,
                                        const JobContext& context) {
  std::vector<TileToPlace> placed;
  for (const TileFile& tile : tiles) {
    placed.push_back({tile.info.size, tile.position,
                      [&tile, selection] { return open_slices(tile.info, selection); }});
  }
  return register_tiles(placed, options, context);
}

StitchFigures figures_of(const std::vector<TileFile>& tiles, const TileRegistration& found) {
  StitchFigures out;
  out.tiles = tiles.size();
  out.pairs = found.pairs.size();
  double square = 0.0;
  for (const RegisteredPair& pair : found.pairs) {
    if (pair.link.weight <= 0.0) continue;
    ++out.counting;
    square += pair.off * pair.off;
  }
  if (out.counting > 0) out.off_rms = std::sqrt(square / static_cast<double>(out.counting));
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      out.largest_move =
          std::max(out.largest_move, std::abs(found.positions[i][d] - tiles[i].position[d]));
    }
  }
  return out;
}

bool is_tile_set(const SourceInfo& info) { return info.format_id == "tiles"; }

bool holds_tiles(const SourceInfo& info) {
  // They are named by what they differ in.
  const auto is_tile = [](const std::string& name) {
    const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
    return has("tile") && !has("angle") && !has("illumination");
  };
  return info.format_id == "bdv" && info.datasets.size() > 1 &&
         std::all_of(info.datasets.begin(), info.datasets.end(), is_tile);
}

Result<std::size_t> list_tiles(const SourceInfo& file, const SourceSelection& selection,
                               const fs::path& output, const JobContext& context) {
  if (is_same_file(output, file.path.string())) {
    return Error{"is the file of the tiles itself", output.string(), "choose another name"};
  }
  const auto tiles = find_tiles({file.path.string()}, selection, context);
  if (!tiles) return tiles.error();
  std::vector<TilePosition> places;
  for (const TileFile& tile : *tiles) {
    if (tile.info.turned) {
      return Error{"has tiles that are turned or sheared, which is not done here",
                   file.path.string(), "open them one at a time, or fuse them in BigStitcher"};
    }
    places.push_back(tile.position);
  }
  if (Status saved = save_tile_list(*tiles, places, output); !saved) return saved.error();
  return tiles->size();
}

Result<StitchFigures> stitch_list(const SourceInfo& list, const SourceSelection& selection,
                                  const RegistrationOptions& options, const fs::path& output,
                                  const JobContext& context) {
  if (is_same_file(output, list.path.string())) {
    return Error{"is the list that is read", output.string(), "choose another name"};
  }
  const auto tiles = find_tiles({list.path.string()}, selection, context);
  if (!tiles) return tiles.error();
  if (Status named = check_tile_list(*tiles, output); !named) return named.error();
  const auto found = register_files(*tiles, selection, options, context);
  if (!found) return found.error();
  if (Status saved = save_tile_list(*tiles, found->positions, output); !saved) return saved.error();
  return figures_of(*tiles, *found);
}

Status check_tile_list(const std::vector<TileFile>& tiles, const fs::path& path) {
  const auto names = names_in_list(tiles, path);
  return names ? Status() : names.error();
}

Status save_tile_list(const std::vector<TileFile>& tiles,
                      const std::vector<TilePosition>& positions, const fs::path& path) {
  const auto names = names_in_list(tiles, path);
  if (!names) return names.error();
  std::vector<ListedTile> listed;
  for (std::size_t i = 0; i < tiles.size(); ++i) listed.push_back({(*names)[i], positions[i]});
  return write_text_atomically(path, tile_list_text(listed));
}

}  // namespace aprscope
