#include "core/io/tiles/tile_list.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/base/printable.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kMostTiles = 10'000;
// Beyond this no image has pixels.
constexpr double kFarthest = 1e9;
constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Takes the next line off a text.
std::string_view next_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return trimmed(line);
}

bool says_nothing(std::string_view line) { return line.empty() || line.front() == '#'; }

// "dim = 3": the number behind a word and an equals sign.
std::optional<std::string_view> setting(std::string_view line, std::string_view name) {
  if (!line.starts_with(name)) return std::nullopt;
  line = trimmed(line.substr(name.size()));
  if (!line.starts_with('=')) return std::nullopt;
  return trimmed(line.substr(1));
}

std::optional<double> number(std::string_view text) {
  text = trimmed(text);
  double value = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !(std::abs(value) <= kFarthest)) {
    return std::nullopt;
  }
  return value;
}

// "(1.0, 2.5, 3)" as so many numbers.
std::optional<std::array<double, 3>> numbers(std::string_view text, int dimensions) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::array<double, 3> out{0.0, 0.0, 0.0};
  for (int d = 0; d < dimensions; ++d) {
    const bool last = d + 1 == dimensions;
    const auto comma = text.find(',');
    if (last != (comma == std::string_view::npos)) return std::nullopt;
    const auto one = number(text.substr(0, comma));
    if (!one) return std::nullopt;
    out[static_cast<std::size_t>(d)] = *one;
    if (!last) text.remove_prefix(comma + 1);
  }
  return out;
}

Error bad_line(int line, const char* what) {
  return {"line " + std::to_string(line) + " " + what, "",
          R"t(write each tile as "name; ; (x, y, z)")t"};
}

}  // namespace

Result<std::vector<ListedTile>> parse_tile_list(std::string_view text) {
  std::vector<ListedTile> tiles;
  int dimensions = 0;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::string_view line = next_line(text);
    if (says_nothing(line)) continue;
    if (const auto dim = setting(line, "dim")) {
      if (*dim != "2" && *dim != "3") return bad_line(line_number, "has no dimension of 2 or 3");
      dimensions = *dim == "3" ? 3 : 2;
      continue;
    }
    if (setting(line, "multiseries")) continue;
    if (dimensions == 0) return bad_line(line_number, "comes before the dimension");
    const auto first = line.find(';');
    const auto second = first == std::string_view::npos ? first : line.find(';', first + 1);
    if (second == std::string_view::npos) return bad_line(line_number, "names no tile");
    ListedTile tile;
    tile.name = trimmed(line.substr(0, first));
    if (tile.name.empty()) return bad_line(line_number, "names no file");
    const std::string_view series = trimmed(line.substr(first + 1, second - first - 1));
    if (!series.empty() && series != "0") {
      return Error{"line " + std::to_string(line_number) + " names series " +
                       printable(std::string(series.substr(0, 40))) +
                       " of a file, which is not read",
                   "", "save each tile as a file of its own"};
    }
    const auto place = numbers(line.substr(second + 1), dimensions);
    if (!place) return bad_line(line_number, "has no numbers where a tile lies");
    tile.position = {(*place)[2], (*place)[1], (*place)[0]};
    if (tiles.size() == kMostTiles) {
      return Error{"lists more than " + std::to_string(kMostTiles) + " tiles", "",
                   "fuse parts of them first"};
    }
    tiles.push_back(std::move(tile));
  }
  if (tiles.empty()) return Error{"lists no tiles", "", "get the list again from its source"};
  return tiles;
}

namespace {

// With a point, whatever the language of the system.
std::string fixed(double value) {
  char text[400];
  const auto [end, code] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 2);
  return code == std::errc() ? std::string(text, end) : "0";
}

}  // namespace

std::string tile_list_text(const std::vector<ListedTile>& tiles) {
  std::string out =
      "# Define the number of dimensions we are working on\ndim = 3\n\n"
      "# Define the image coordinates\n";
  for (const ListedTile& tile : tiles) {
    out += tile.name + "; ; (" + fixed(tile.position[2]) + ", " + fixed(tile.position[1]) + ", " +
           fixed(tile.position[0]) + ")\n";
  }
  return out;
}

bool is_tile_list(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = next_line(head);
    if (says_nothing(line) || setting(line, "multiseries")) continue;
    const auto dim = setting(line, "dim");
    return dim && (*dim == "2" || *dim == "3");
  }
  return false;
}

}  // namespace aprscope
