#include "core/io/zarr/zarr_multiscale.hpp"

#include <cctype>
#include <utility>

#include "core/base/printable.hpp"
#include "core/io/zarr/zarr_json.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

std::vector<ZarrAxis> axes_of(const Json& list) {
  std::vector<ZarrAxis> axes;
  if (!list.is_array()) return axes;
  for (const Json& item : list) {
    // 0.3 names them alone.
    if (item.is_string()) {
      axes.push_back({lower_case(text_of(item)), "", ""});
    } else {
      axes.push_back({lower_case(text_of(member(item, "name"))),
                      lower_case(text_of(member(item, "type"))), text_of(member(item, "unit"))});
    }
  }
  return axes;
}

// Follows scales and translations in their order. Errors: what is neither.
Status follow(const Json& list, ZarrLevel& level, const std::string& where) {
  if (!list.is_array()) return {};
  for (const Json& item : list) {
    const std::string type = text_of(member(item, "type"));
    const std::size_t count = level.scale.size();
    const auto values = zarr_numbers(member(item, type.c_str()), count);
    if (type == "identity") continue;
    if (type == "sequence") {
      if (Status inner = follow(member(item, "transformations"), level, where); !inner)
        return inner;
    } else if (type == "scale" && values) {
      for (std::size_t d = 0; d < count; ++d) {
        level.scale[d] *= (*values)[d];
        level.translation[d] *= (*values)[d];
      }
    } else if (type == "translation" && values) {
      for (std::size_t d = 0; d < count; ++d) level.translation[d] += (*values)[d];
    } else {
      return Error{
          "has a coordinate transformation of the kind \"" + printable(type.substr(0, 40)) +
              "\", which is not supported",
          where, "name the array (stack.zarr:/…) to open its pixels without what transforms them"};
    }
  }
  return {};
}

}  // namespace

const Json& ome_attributes(const ZarrNode& node) {
  const Json& ome = member(node.attributes, "ome");
  return ome.is_object() ? ome : node.attributes;
}

std::optional<std::vector<double>> zarr_numbers(const Json& list, std::size_t count) {
  if (!list.is_array() || list.size() != count) return {};
  std::vector<double> values;
  for (const Json& item : list) {
    if (!item.is_number()) return {};
    values.push_back(item.get<double>());
  }
  return values;
}

Result<std::optional<ZarrMultiscale>> zarr_multiscale(const ZarrStore& store,
                                                      const std::string& key,
                                                      const ZarrNode& node) {
  using Found = std::optional<ZarrMultiscale>;
  const Json& ome = ome_attributes(node);
  const Json& list = member(ome, "multiscales");
  if (!list.is_array() || list.empty()) return Found();
  const Json& json = list.front();
  ZarrMultiscale made;
  made.version = text_of(member(json, "version"));
  if (made.version.empty()) made.version = text_of(member(ome, "version"));
  made.axes = axes_of(member(json, "axes"));
  const Json& systems = member(json, "coordinateSystems");
  const bool has_systems = systems.is_array() && !systems.empty();
  if (made.axes.empty() && has_systems) made.axes = axes_of(member(systems.front(), "axes"));
  const Json& datasets = member(json, "datasets");
  if (!datasets.is_array()) return Found();
  const std::string where = (key.empty() ? store.path() : store.path() / key).string();
  for (const Json& item : datasets) {
    const std::string path = text_of(member(item, "path"));
    if (!stays_inside(path)) {
      return Error{"names an array outside of its folder", where,
                   "get the data again from its source"};
    }
    ZarrLevel level{joined_key(key, path), {}, {}, {}};
    level.scale.assign(made.axes.size(), 1.0);
    level.translation.assign(made.axes.size(), 0.0);
    Status followed = follow(member(item, "coordinateTransformations"), level, where);
    // From 0.6 on those of the whole lead to other systems, which are not asked for.
    if (followed && !has_systems) {
      followed = follow(member(json, "coordinateTransformations"), level, where);
    }
    if (!followed) level.problem = followed.error();
    made.levels.push_back(std::move(level));
    if (made.levels.size() == kMostZarrDatasets) break;
  }
  if (made.levels.empty()) return Found();
  return Found(std::move(made));
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace aprscope
