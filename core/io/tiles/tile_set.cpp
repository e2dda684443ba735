#include "core/io/tiles/tile_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/base/printable.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/common/path_inside.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/tiles/alike_tiles.hpp"
#include "core/io/tiles/tile_list.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// Ten thousand tiles with long names.
constexpr std::uint64_t kMostText = std::uint64_t{4} << 20U;
// What tells a list.
constexpr std::size_t kListHead = 4096;
// Pixels of the whole for each one of a tile.
constexpr double kMostRoom = 1000.0;

Result<std::string> read_text(const fs::path& path) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  if (state->bytes > kMostText) {
    return Error{"has " + std::to_string(state->bytes) + " bytes, more than a list of tiles has",
                 path.string(), "get the list again from its source"};
  }
  std::string text(state->bytes, '\0');
  const auto got = file->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  return text;
}

// The path of a tile in the form that readers take.
Result<std::string> tile_path(const fs::path& list, const std::string& name) {
  const auto colon = name.find(":/");
  const auto file = path_inside(list.parent_path(), name.substr(0, colon), list.string());
  if (!file) return file.error();
  if (colon == std::string::npos) return file->string();
  // What readers would take for a path as a whole was not looked at: a folder may be called "a:".
  std::string whole = file->string() + name.substr(colon);
  std::error_code code;
  if (name.find(":/", colon + 1) != std::string::npos || fs::exists(whole, code)) {
    return Error{"names a tile by a path with a colon (" + printable(name.substr(0, 200)) +
                     "), which is not read",
                 list.string(), "rename what has a colon in its name"};
  }
  return whole;
}

// Lists of lists would have no end.
bool names_tiles(const std::string& path) {
  const auto file = open_regular(path);
  if (!file) return false;
  std::string head(kListHead, '\0');
  const auto got = file->read_at(0, head.data(), head.size());
  return got && is_tile_list(std::string_view(head).substr(0, *got));
}

}  // namespace

Result<TileSet> open_tile_set(const fs::path& list, const TileReaders& readers,
                              const JobContext& context) {
  const auto text = read_text(list);
  if (!text) return text.error();
  auto listed = parse_tile_list(*text);
  if (!listed) {
    Error error = listed.error();
    error.where = list.string();
    return error;
  }
  TileSet out;
  std::array<std::int64_t, 3> least{INT64_MAX, INT64_MAX, INT64_MAX};
  std::array<std::int64_t, 3> most{INT64_MIN, INT64_MIN, INT64_MIN};
  double pixels = 0.0;
  for (const ListedTile& one : *listed) {
    if (context.stop_requested()) return cancelled_error();
    const auto path = tile_path(list, one.name);
    if (!path) return path.error();
    const std::string name = printable(one.name.substr(0, 200));
    const bool list_of_lists = names_tiles(*path);
    auto info = list_of_lists ? Result<SourceInfo>(SourceInfo()) : readers.inspect(*path, context);
    if (!info) return info.error();
    if (list_of_lists || info->is_apr) {
      return Error{"names " + name + ", which is no image of pixels of its own", list.string(),
                   "list the images that tiles were recorded as"};
    }
    if (!out.tiles.empty()) {
      const std::string other = tile_difference(out.tiles.front().info, *info);
      if (!other.empty()) {
        return Error{"has a tile " + name + " with " + other + " beside others", list.string(),
                     "list tiles of one recording"};
      }
    }
    const Size3 size = info->size;
    const std::array<std::int64_t, 3> sides{size.z, size.x, size.y};
    std::array<std::int64_t, 3> at{};
    for (std::size_t d = 0; d < 3; ++d) {
      at[d] = std::llround(one.position[d]);
      least[d] = std::min(least[d], at[d]);
      most[d] = std::max(most[d], at[d] + sides[d]);
    }
    pixels +=
        static_cast<double>(size.z) * static_cast<double>(size.x) * static_cast<double>(size.y);
    out.tiles.push_back({*std::move(info), {at[0], at[1], at[2]}});
  }
  out.size = {most[0] - least[0], most[1] - least[1], most[2] - least[2]};
  for (PlacedTile& tile : out.tiles) {
    tile.at = {tile.at.z - least[0], tile.at.x - least[1], tile.at.y - least[2]};
  }
  const double room = static_cast<double>(out.size.z) * static_cast<double>(out.size.x) *
                      static_cast<double>(out.size.y);
  if (room > kMostRoom * pixels) {
    return Error{
        "has tiles that lie too far apart: all of them would be " + size_text(out.size) + " pixels",
        list.string(), "check their positions, which count pixels"};
  }
  const auto bytes = checked_bytes(out.size, sizeof(float), 1, list);
  if (!bytes) return bytes.error();
  return out;
}

}  // namespace aprscope
