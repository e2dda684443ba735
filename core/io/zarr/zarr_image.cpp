#include "core/io/zarr/zarr_image.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/printable.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/io/common/units.hpp"
#include "core/io/zarr/zarr_channels.hpp"
#include "core/io/zarr/zarr_json.hpp"
#include "core/io/zarr/zarr_multiscale.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

// A plate of wells of fields of levels lies four folders deep.
constexpr int kMostDepth = 5;
constexpr std::size_t kMostFolders = 2000;

// ---- which arrays there are

struct Walk {
  const ZarrStore& store;
  const JobContext& context;
  std::vector<std::string> arrays;
  // Levels of pyramids, which are no images of their own.
  std::set<std::string> levels;
  std::size_t folders = 0;
  // What made the first node unreadable.
  std::optional<Error> problem;
};

// Arrays in and below a folder, of a pyramid the one at full resolution.
void walk(Walk& at, const std::string& key, int depth) {
  if (++at.folders > kMostFolders || at.arrays.size() >= kMostZarrDatasets ||
      at.context.stop_requested()) {
    return;
  }
  const auto node = zarr_node(at.store, key);
  if (!node) {
    if (!at.problem) at.problem = node.error();
    return;
  }
  if (*node && (*node)->is_array) {
    at.arrays.push_back(key);
    return;
  }
  if (depth == kMostDepth) return;
  if (*node) {
    const auto image = zarr_multiscale(at.store, key, **node);
    if (!image) {
      if (!at.problem) at.problem = image.error();
    } else if (*image) {
      at.arrays.push_back((*image)->levels.front().key);
      for (const ZarrLevel& level : (*image)->levels) at.levels.insert(level.key);
    }
  }
  for (const std::string& name : at.store.folders(key, kMostFolders)) {
    const std::string below = joined_key(key, name);
    // Levels, and folders of levels.
    const auto level = at.levels.lower_bound(below);
    if (level != at.levels.end() && (*level == below || level->rfind(below + "/", 0) == 0))
      continue;
    walk(at, below, depth + 1);
  }
}

// ---- an array as an image

// Which axis a dimension is, by its name and type: t, c, z, y or x; 0 for none. Colours are
// channels.
char letter_of(const ZarrAxis& axis) {
  const std::string& name = axis.name;
  if (name == "t" || name == "time" || axis.type == "time") return 't';
  if (name == "c" || name == "channel" || name == "channels" || name == "rgb" || name == "band" ||
      name == "s" || axis.type == "channel") {
    return 'c';
  }
  if (name == "z" || name == "depth" || name == "plane") return 'z';
  if (name == "y" || name == "row" || name == "height") return 'y';
  if (name == "x" || name == "column" || name == "width") return 'x';
  return 0;
}

int& place_of(ZarrAxes& axes, char letter) {
  switch (letter) {
    case 't':
      return axes.time;
    case 'c':
      return axes.channel;
    case 'z':
      return axes.z;
    case 'y':
      return axes.x;
    default:
      return axes.y;
  }
}

Result<ZarrAxes> axes_by_name(const std::vector<ZarrAxis>& named, const ZarrArray& array,
                              const std::string& where) {
  ZarrAxes axes;
  for (std::size_t d = 0; d < named.size(); ++d) {
    const char letter = letter_of(named[d]);
    int& place = place_of(axes, letter == 0 ? 'x' : letter);
    if (letter != 0 && place < 0) {
      place = static_cast<int>(d);
    } else if (array.shape[d] != 1) {
      return Error{"has an axis \"" + printable(named[d].name.substr(0, 40)) + "\" of " +
                       std::to_string(array.shape[d]) + ", which is neither t, c, z, y nor x",
                   where, "save the part of it that is an image"};
    }
  }
  if (axes.x < 0 || axes.y < 0) {
    return Error{"has no axes y and x", where, "choose another array"};
  }
  return axes;
}

Result<ZarrAxes> axes_by_order(const ZarrArray& array, const std::string& where) {
  const int rank = static_cast<int>(array.shape.size());
  if (rank < 2 || rank > 5) {
    return Error{"has " + std::to_string(rank) + " dimensions, not 2 to 5", where,
                 "choose another array"};
  }
  ZarrAxes axes;
  axes.y = rank - 1;
  axes.x = rank - 2;
  axes.z = rank >= 3 ? rank - 3 : -1;
  axes.channel = rank >= 4 ? rank - 4 : -1;
  axes.time = rank == 5 ? 0 : -1;
  return axes;
}

// The step of the axis of time, where its unit is known: without one, steps are but counted.
void take_time(const std::vector<ZarrAxis>& named, const ZarrLevel& level, ZarrImage& image) {
  if (image.axes.time < 0) return;
  const auto d = static_cast<std::size_t>(image.axes.time);
  const auto unit = unit_in_seconds(named[d].unit);
  if (unit) image.seconds = sane_step(level.scale[d] * *unit);
}

// Sizes of pixels and the first one's place, in one unit: the one that all lengths share, else µm.
void take_lengths(const std::vector<ZarrAxis>& named, const ZarrLevel& level, ZarrImage& image) {
  const std::array<int, 3> places{image.axes.z, image.axes.x, image.axes.y};
  std::optional<std::string> shared;
  bool alike = true;
  for (const int place : places) {
    if (place < 0) continue;
    const std::string unit = normalized_unit(named[static_cast<std::size_t>(place)].unit);
    if (shared && *shared != unit) alike = false;
    if (!shared) shared = unit;
  }
  std::array<double, 3> steps{1.0, 1.0, 1.0};
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    const auto d = static_cast<std::size_t>(places[i]);
    double factor = 1.0;
    if (!alike) {
      factor = unit_in_micrometres(normalized_unit(named[d].unit)).value_or(1.0);
    }
    steps[i] = std::abs(level.scale[d]) * factor;
    const double first = level.translation[d] * factor;
    if (std::isfinite(first)) image.origin[i] = first;
  }
  // A single slice is as thick as its pixels are wide.
  if (places[0] < 0) steps[0] = std::min(steps[1], steps[2]);
  const VoxelSize told{steps[0], steps[1], steps[2],
                       alike ? shared.value_or("px") : std::string("µm")};
  image.voxel = sane_voxel(told);
  if (image.voxel.unit == told.unit) return;
  // The first pixel's place is told in the same unit.
  const double factor = unit_in_micrometres(told.unit).value_or(1.0) /
                        unit_in_micrometres(image.voxel.unit).value_or(1.0);
  for (double& place : image.origin) place *= factor;
}

std::string parent_of(const std::string& key) {
  const auto slash = key.rfind('/');
  return slash == std::string::npos ? std::string() : key.substr(0, slash);
}

// Sizes of pixels that attributes of N5 state, in the order of the file's dimensions or of x, y and
// z alone: those of BigDataViewer and n5-viewer.
struct N5Lengths {
  std::vector<double> sizes;
  std::string unit;
};
N5Lengths n5_lengths(const Json& attributes) {
  const Json* sizes = &member(attributes, "resolution");
  N5Lengths out;
  const Json& resolution = member(attributes, "pixelResolution");
  if (resolution.is_object()) {
    sizes = &member(resolution, "dimensions");
    out.unit = text_of(member(resolution, "unit"));
  } else if (resolution.is_array()) {
    sizes = &resolution;
  }
  const Json& units = member(attributes, "units");
  if (out.unit.empty() && units.is_array() && !units.empty()) out.unit = text_of(units.front());
  if (sizes->is_array()) out.sizes = zarr_numbers(*sizes, sizes->size()).value_or(out.sizes);
  return out;
}

// How many pixels of the finest level one of the array covers: its own attributes say so, or those
// of the folder of which it is the level "s0", "s1", …
std::vector<double> n5_factors(const Json& own, const Json& above, const std::string& key,
                               std::size_t count) {
  if (const auto given = zarr_numbers(member(own, "downsamplingFactors"), count)) return *given;
  const std::string name = key.substr(key.rfind('/') + 1);
  const Json& scales = member(above, "scales");
  std::size_t level = 0;
  const auto [end, code] = std::from_chars(name.data() + std::min<std::size_t>(1, name.size()),
                                           name.data() + name.size(), level);
  if (name.starts_with('s') && code == std::errc() && end == name.data() + name.size() &&
      scales.is_array() && level < scales.size()) {
    if (const auto given = zarr_numbers(scales[level], count)) return *given;
  }
  return std::vector<double>(count, 1.0);
}

// Sizes may be stated by the array, or once for all levels by the folder above.
void take_n5_lengths(const Json& own, const Json& above, const std::string& key, ZarrImage& image) {
  N5Lengths lengths = n5_lengths(own);
  if (lengths.sizes.size() < 2) lengths = n5_lengths(above);
  if (lengths.sizes.size() < 2) return;
  const auto factors = n5_factors(own, above, key, lengths.sizes.size());
  const std::size_t rank = image.array.shape.size();
  const bool of_all = lengths.sizes.size() == rank;
  const auto step = [&](int axis, std::size_t plain) {
    if (axis < 0) return 1.0;
    const std::size_t d = of_all ? rank - 1 - static_cast<std::size_t>(axis) : plain;
    return d < lengths.sizes.size() ? lengths.sizes[d] * factors[d] : 1.0;
  };
  image.voxel = sane_voxel({step(image.axes.z, 2), step(image.axes.x, 1), step(image.axes.y, 0),
                            normalized_unit(lengths.unit)});
}

// The pyramid that lists an array, in the folders above it.
struct Owner {
  ZarrNode node;
  ZarrMultiscale image;
  ZarrLevel level;
};
Result<std::optional<Owner>> owner_of(const ZarrStore& store, const std::string& key) {
  std::string folder = key;
  while (!folder.empty()) {
    folder = parent_of(folder);
    auto node = zarr_node(store, folder);
    if (!node) return node.error();
    if (!*node) continue;
    auto image = zarr_multiscale(store, folder, **node);
    if (!image) return image.error();
    if (!*image) continue;
    for (const ZarrLevel& level : (*image)->levels) {
      if (level.key == key) {
        ZarrLevel found = level;
        return std::optional<Owner>(Owner{**std::move(node), **std::move(image), std::move(found)});
      }
    }
  }
  return std::optional<Owner>();
}

std::int64_t extent(const ZarrArray& array, int place) {
  return place < 0 ? 1 : array.shape[static_cast<std::size_t>(place)];
}

// Fewer than 2^31, so that what counts them does not overflow.
constexpr std::int64_t kMostPlanes = std::int64_t{1} << 31;

// `by_name`: the array was asked for, whatever transforms the pyramid that it belongs to.
Status describe(const ZarrStore& store, const std::string& key, bool by_name, ZarrImage& image) {
  const std::string where = (key.empty() ? store.path() : store.path() / key).string();
  const auto node = zarr_node(store, key);
  if (!node) return node.error();
  if (!*node || !(*node)->is_array) {
    return Error{"has no array " + printable(key.empty() ? "in it" : "\"" + key + "\""),
                 store.path().string(), "choose one that it lists"};
  }
  auto array = zarr_array(store, key, **node);
  if (!array) return array.error();
  image.array = *std::move(array);
  image.described_in = (*node)->described_in;
  const auto owner = owner_of(store, key);
  if (!owner) return owner.error();
  const bool placed = *owner && !(*owner)->level.problem;
  if (*owner && !placed && !by_name) return *(*owner)->level.problem;

  const std::size_t rank = image.array.shape.size();
  // Names of their own ("dim_0") tell nothing, and the order is asked.
  std::vector<ZarrAxis> named;
  for (const std::string& name : image.array.dimension_names)
    named.push_back({lower_case(name), "", ""});
  Result<ZarrAxes> axes = Error{};
  if (*owner && (*owner)->image.axes.size() == rank) {
    axes = axes_by_name((*owner)->image.axes, image.array, where);
  } else if (std::any_of(named.begin(), named.end(),
                         [](const ZarrAxis& a) { return letter_of(a) != 0; })) {
    axes = axes_by_name(named, image.array, where);
  } else {
    axes = axes_by_order(image.array, where);
  }
  if (!axes) return axes.error();
  image.axes = *axes;
  if (placed && (*owner)->image.axes.size() == rank) {
    take_lengths((*owner)->image.axes, (*owner)->level, image);
    take_time((*owner)->image.axes, (*owner)->level, image);
  } else if (image.array.kind == ZarrKind::n5) {
    const auto above = key.empty() ? Result<std::optional<ZarrNode>>(std::nullopt)
                                   : zarr_node(store, parent_of(key));
    if (!above) return above.error();
    take_n5_lengths((*node)->attributes, *above ? (*above)->attributes : Json(), key, image);
  }
  for (const int place : {image.axes.time, image.axes.channel}) {
    if (extent(image.array, place) > 1000000) {
      return Error{"has more than a million channels or time points", where,
                   "choose another array"};
    }
  }
  for (const int place : {image.axes.z, image.axes.x, image.axes.y}) {
    if (extent(image.array, place) >= kMostPlanes) {
      return Error{"has a side of more than 2^31 pixels", where, "choose another array"};
    }
  }
  ZarrChannels channels = zarr_channels(*owner ? ome_attributes((*owner)->node) : Json(),
                                        extent(image.array, image.axes.channel));
  image.channels = std::move(channels.names);
  image.hints = std::move(channels.hints);
  image.format = image.array.kind == ZarrKind::n5      ? "N5"
                 : image.array.kind == ZarrKind::zarr3 ? "Zarr 3"
                                                       : "Zarr 2";
  if (*owner && image.array.kind != ZarrKind::n5) {
    const std::string& version = (*owner)->image.version;
    image.format = "OME-Zarr" + (version.empty() ? "" : " " + printable(version.substr(0, 20)));
  }
  return {};
}

}  // namespace

Size3 ZarrImage::size() const {
  return {extent(array, axes.z), extent(array, axes.x), extent(array, axes.y)};
}

int ZarrImage::times() const { return static_cast<int>(extent(array, axes.time)); }

bool lists_level(const ZarrStore& store, const std::string& key) {
  const auto node = zarr_node(store, "");
  if (!node || !*node) return false;
  const auto image = zarr_multiscale(store, "", **node);
  return image && *image &&
         std::any_of((*image)->levels.begin(), (*image)->levels.end(),
                     [&](const ZarrLevel& level) { return level.key == key; });
}

Result<ZarrImage> zarr_image(const ZarrStore& store, const std::string& dataset,
                             const JobContext& context) {
  std::string asked = dataset;
  while (!asked.empty() && asked.front() == '/') asked.erase(0, 1);
  while (!asked.empty() && asked.back() == '/') asked.pop_back();
  const Error missing{"has no array \"" + printable(dataset) + "\"", store.path().string(),
                      "choose one that it lists"};
  if (!asked.empty() && !stays_inside(asked)) return missing;
  Walk at{store, context, {}, {}, 0, {}};
  // An array that is named stands for itself, and no other is looked for.
  walk(at, asked, 0);
  if (context.stop_requested()) return cancelled_error();
  const bool by_name = !asked.empty() && at.arrays == std::vector{asked};
  if (at.arrays.empty()) {
    if (at.problem) return *at.problem;
    const auto database = store.find("manifest.ocdbt");
    if (database && *database) return ocdbt_error(store.path());
    if (!asked.empty()) return missing;
    return Error{"is a folder that holds no image as TIFF slices, Zarr or N5",
                 store.path().string(), "choose a file in it"};
  }
  // The largest, and the first of several: pyramids begin with it, others need not.
  ZarrImage best;
  std::optional<Error> problem = at.problem;
  bool found = false;
  for (const std::string& key : at.arrays) {
    if (context.stop_requested()) return cancelled_error();
    ZarrImage image;
    Status described = describe(store, key, by_name, image);
    if (!described) {
      if (!problem) problem = described.error();
      continue;
    }
    const auto pixels = [](const ZarrImage& i) {
      const Size3 size = i.size();
      return static_cast<double>(size.z) * static_cast<double>(size.x) *
             static_cast<double>(size.y);
    };
    if (found && pixels(image) <= pixels(best)) continue;
    best = std::move(image);
    found = true;
  }
  if (!found) return *problem;
  best.datasets = at.arrays;
  return best;
}

}  // namespace aprscope
