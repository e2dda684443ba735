#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

// Private to core/io: what the XML file of a BigDataViewer data set says.

namespace aprscope {

/// One image of every time point: a channel of a tile, seen from an angle.
struct BdvSetup {
  std::int64_t id = 0;
  std::string name;
  /// Size as far as the file says; else 0.
  Size3 size{0, 0, 0};
  /// Voxel size; 1 px if the file has none.
  VoxelSize voxel;
  /// "channel", "tile", "angle", "illumination" …, each the number of one of its kind.
  std::map<std::string, std::int64_t> attributes;
};

/// Pixels (in the order of the file: its x, y, z and 1) to the space that all views share, in
/// pixels of its own. Three rows of four.
using BdvAffine = std::array<double, 12>;

/// The file that holds the pixels of some views, if not all are in one file.
struct BdvPartition {
  std::string path;
  std::vector<std::int64_t> times;
  std::vector<std::int64_t> setups;
};

struct BdvProject {
  /// "bdv.hdf5", "bdv.n5", … and the file or folder that it names, relative to the XML's.
  std::string loader;
  std::string path;
  std::vector<BdvPartition> partitions;
  std::vector<BdvSetup> setups;
  /// Numbers of time points, in order.
  std::vector<std::int64_t> times;
  /// Names of the numbers of attributes: names[{"channel", 0}].
  std::map<std::pair<std::string, std::int64_t>, std::string> names;
  /// Affines by time point and setup; a view without one stands where its pixels are.
  std::map<std::pair<std::int64_t, std::int64_t>, BdvAffine> registrations;
  /// Views, by time point and setup, that were never recorded.
  std::vector<std::pair<std::int64_t, std::int64_t>> missing;
};

/// Parses the XML. Errors (without `where`): damaged XML, no setups, more setups, time points or
/// views than a million, paths that are not relative to the XML. Throws std::bad_alloc.
Result<BdvProject> parse_bdv(const std::string& xml);

/// Whether a text begins as such a file does: a root element SpimData, after what may stand before
/// it.
bool is_bdv_xml(std::string_view head);

/// Size and place of pixels: what a registration says of them. Where its scales stand to each other
/// as the sizes of the setup do, or it has none, the sizes are those of the setup; else they are
/// told from its scales, with the width of a pixel as the setup has it.
struct BdvPlace {
  VoxelSize voxel;
  /// See Volume::origin.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  /// Whether the registration also turns, shears or mirrors: then all of it is ignored.
  bool more = false;
};
BdvPlace place_of(const BdvSetup& setup, const BdvAffine* registration);

}  // namespace aprscope
