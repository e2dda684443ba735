#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace aprscope {

/// A tile as a list names it.
struct ListedTile {
  /// The image's file, relative to the folder of the list; after ":/" an image in it.
  std::string name;
  /// Where its first pixel lies, in pixels, order z, x, y.
  std::array<double, 3> position{0.0, 0.0, 0.0};
};

/// A list of tiles and their positions as Fiji's stitching plugin writes it (TileConfiguration.txt,
/// Preibisch, Saalfeld, Tomancak, Bioinformatics 25, 2009): "dim = 3", then a line
/// "name; ; (x, y, z)" for each tile, whose x are columns (y here) and y rows (x here). Errors
/// (without `where`) name the line: a series of a file, numbers missing, no tile, more than ten
/// thousand.
Result<std::vector<ListedTile>> parse_tile_list(std::string_view text);

/// The text of such a list, positions to a hundredth of a pixel.
std::string tile_list_text(const std::vector<ListedTile>& tiles);

/// Whether a text begins as such a list does.
bool is_tile_list(std::string_view head);

}  // namespace aprscope
