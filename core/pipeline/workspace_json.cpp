#include "core/pipeline/workspace_json.hpp"

#include <utility>

#include "core/pipeline/recipe_json.hpp"
#include "core/pipeline/workspace_fields.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

// All fields of a part, see workspace_fields.hpp.
template <class Part>
Json fields_json(const Part& part) {
  // An object from the start: one that becomes it by its first key crashes where memory ends then.
  Json json = Json::object();
  visit_fields([&](const char* key, const auto& value) { json[key] = value; }, part);
  return json;
}

template <class Part>
void read_fields(JsonReader& in, Part& part) {
  visit_fields([&](const char* key, auto& value) { in.read(key, value); }, part);
}

Json to_json(const WorkspaceChannel& channel) {
  Json json{{"visible", channel.visible}, {"colour", channel.colour}};
  if (channel.contrast) json["contrast"] = fields_json(*channel.contrast);
  return json;
}

WorkspaceChannel read_channel(JsonReader& in) {
  WorkspaceChannel channel;
  in.read("visible", channel.visible);
  std::array<double, 3> parts{255, 255, 255};
  in.read("colour", parts);
  for (std::size_t c = 0; c < 3; ++c) {
    const bool sound = parts[c] >= 0.0 && parts[c] <= 255.0;
    if (!sound) in.fail("the parts of a colour must be from 0 to 255");
    channel.colour[c] = sound ? static_cast<std::uint8_t>(parts[c]) : 0;
  }
  if (in.json().contains("contrast")) {
    channel.contrast.emplace();
    in.object("contrast", [&](JsonReader& contrast) { read_fields(contrast, *channel.contrast); });
  }
  return channel;
}

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
  const WorkspaceDisplay& d = item.display;
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
  json["costs"] = Json::array();
  for (const StepCost& cost : item.costs) json["costs"].push_back(to_json(cost));
  json["display"] = {{"mode", d.mode},
                     {"contrast", fields_json(d.contrast)},
                     {"colormap", d.colormap},
                     {"scale_bar", d.scale_bar},
                     {"crosshair", d.crosshair}};
  if (d.composite) json["display"]["composite"] = true;
  if (!d.channels.empty()) {
    Json channels = Json::array();
    for (const WorkspaceChannel& channel : d.channels) channels.push_back(to_json(channel));
    json["display"]["channels"] = std::move(channels);
  }
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
  in.list("costs", [&](JsonReader& cost) { item.costs.push_back(read_cost(cost)); });
  in.object("display", [&](JsonReader& display) {
    display.read("mode", item.display.mode);
    display.object("contrast",
                   [&](JsonReader& contrast) { read_fields(contrast, item.display.contrast); });
    display.read("colormap", item.display.colormap);
    display.read("scale_bar", item.display.scale_bar);
    display.read("crosshair", item.display.crosshair);
    display.read("composite", item.display.composite);
    display.list("channels", [&](JsonReader& channel) {
      item.display.channels.push_back(read_channel(channel));
    });
  });
}

Json workspace_json(const WorkspaceViews& v) {
  Json json = fields_json(v);
  json["slices"] = Json::array();
  for (const WorkspaceCamera& c : v.slices) json["slices"].push_back(fields_json(c));
  if (v.camera) json["camera"] = fields_json(*v.camera);
  return json;
}

void read(JsonReader& in, WorkspaceViews& v) {
  read_fields(in, v);
  std::size_t next = 0;
  in.list("slices", [&](JsonReader& camera) {
    if (next == v.slices.size()) return camera.fail("is one slice view too many");
    WorkspaceCamera& c = v.slices[next++];
    read_fields(camera, c);
    if (!(c.scale > 0.0)) camera.fail("\"scale\" must be above 0");
  });
  in.object("camera", [&](JsonReader& camera) {
    RayCamera ray;
    read_fields(camera, ray);
    const bool sound =
        ray.height_world > 0.0 && ray.view_angle_degrees > 0.0 && ray.view_angle_degrees < 180.0;
    if (!sound) return camera.fail("\"height\" and \"view_angle\" must be above 0");
    v.camera = ray;
  });
}

Json workspace_json(const WorkspaceComparison& c) {
  Json json = fields_json(c);
  if (c.line) json["line"] = fields_json(*c.line);
  return json;
}

void read(JsonReader& in, WorkspaceComparison& c) {
  read_fields(in, c);
  in.object("line", [&](JsonReader& line) {
    PlaneLine ends;
    read_fields(line, ends);
    c.line = ends;
  });
}

}  // namespace aprscope
