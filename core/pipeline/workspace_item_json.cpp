#include "core/pipeline/workspace_item_json.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "core/pipeline/json_fields.hpp"
#include "core/pipeline/recipe_json.hpp"

namespace aprscope {

// Where fields_json() finds them.

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, DeviceMove> {
  field("asked", value.asked);
  field("device", value.device);
  field("name", value.name);
  field("reason", value.reason);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, VoxelSize> {
  field("z", value.z);
  field("x", value.x);
  field("y", value.y);
  field("unit", value.unit);
}

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const StepCost& cost) {
  Json json{{"operation", cost.operation}, {"seconds", cost.seconds}, {"bytes", cost.bytes}};
  if (cost.peak_bytes) json["peak_bytes"] = *cost.peak_bytes;
  json["backend"] = cost.backend;
  if (cost.moved) json["moved"] = fields_json(*cost.moved);
  return json;
}

StepCost read_cost(JsonReader& in) {
  StepCost cost;
  in.read("operation", cost.operation);
  in.read("seconds", cost.seconds);
  in.read("bytes", cost.bytes);
  in.read("backend", cost.backend);
  if (in.json().contains("peak_bytes")) {
    std::uint64_t peak = 0;
    in.read("peak_bytes", peak);
    cost.peak_bytes = peak;
  }
  if (in.json().contains("moved")) {
    in.object("moved", [&](JsonReader& inner) {
      DeviceMove move;
      read_fields(inner, move);
      cost.moved = std::move(move);
    });
  }
  return cost;
}

}  // namespace

Json workspace_json(const WorkspaceItem& item) {
  Json json{{"id", item.id}, {"parent", item.parent}, {"name", item.name}};
  if (!item.origin.empty()) json["origin"] = item.origin;
  json["recipe"] = recipe_json(item.recipe);
  if (!item.file.empty()) {
    json["file"] = item.file;
    if (item.file_stamp) {
      json["file_bytes"] = item.file_stamp->bytes;
      json["file_crc32"] = item.file_stamp->crc;
    }
  }
  if (item.voxel) json["voxel_size"] = fields_json(*item.voxel);
  if (!item.left_out.empty()) json["left_out"] = item.left_out;
  if (item.beside_level != 0) json["beside_level"] = item.beside_level;
  json["costs"] = Json::array();
  for (const StepCost& cost : item.costs) json["costs"].push_back(to_json(cost));
  return json;
}

void read(JsonReader& in, WorkspaceItem& item) {
  in.read("id", item.id);
  in.read("parent", item.parent);
  in.read("name", item.name);
  in.read("origin", item.origin);
  in.object("recipe", [&](JsonReader& recipe) {
    auto steps = recipe_from(recipe.json());
    if (!steps) return recipe.fail(steps.error());
    item.recipe = *std::move(steps);
  });
  in.read("file", item.file);
  if (in.json().contains("file_crc32")) {
    FileStamp stamp;
    std::uint64_t crc = 0;
    in.read("file_bytes", stamp.bytes);
    in.read("file_crc32", crc);
    if (crc > 0xFFFFFFFFU) return in.fail("\"file_crc32\" is too large");
    stamp.crc = static_cast<std::uint32_t>(crc);
    item.file_stamp = stamp;
  }
  if (in.json().contains("voxel_size")) {
    in.object("voxel_size", [&](JsonReader& sides) {
      VoxelSize voxel;
      read_fields(sides, voxel);
      constexpr std::size_t kLongestUnit = 16;
      const bool sound = voxel.z > 0.0 && voxel.x > 0.0 && voxel.y > 0.0;
      if (!sound) return sides.fail("the sides of a voxel must be above 0");
      if (voxel.unit.size() > kLongestUnit) return sides.fail("\"unit\" is too long");
      item.voxel = voxel;
    });
  }
  in.read("left_out", item.left_out);
  in.read("beside_level", item.beside_level);
  constexpr std::int64_t kFinest = 32;
  if (item.beside_level < 0 || item.beside_level > kFinest) {
    return in.fail("\"beside_level\" is no level");
  }
  in.list("costs", [&](JsonReader& cost) { item.costs.push_back(read_cost(cost)); });
}

}  // namespace aprscope
