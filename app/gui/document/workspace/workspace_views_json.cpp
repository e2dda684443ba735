#include "app/gui/document/workspace/workspace_views_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/io/colours/colour_table_file.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/pipeline/json_fields.hpp"

// Each where fields_json() finds it: beside its struct.
namespace aprscope {

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, Contrast> {
  field("low", value.low);
  field("high", value.high);
  field("gamma", value.gamma);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, RayCamera> {
  field("eye", value.eye);
  field("forward", value.forward);
  field("up", value.up);
  field("perspective", value.perspective);
  field("height", value.height_world);
  field("view_angle", value.view_angle_degrees);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, PlaneLine> {
  field("from_row", value.from.row);
  field("from_col", value.from.col);
  field("to_row", value.to.row);
  field("to_col", value.to.col);
}

}  // namespace aprscope

namespace aprscope::gui {

template <class Field, class Value>
void visit_fields(Field&& field, Value&& value) requires
    std::same_as<std::remove_cvref_t<Value>, WorkspaceCamera> {
  field("fitted", value.fitted);
  field("row", value.row);
  field("col", value.col);
  field("scale", value.scale);
}

// Of views and comparisons what is no part of its own.
template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, WorkspaceViews> {
  field("shown", value.shown);
  field("captions", value.captions);
  field("heads_up", value.heads_up);
  field("box", value.box);
  field("planes", value.planes);
  field("slices_in_3d", value.slices_in_3d);
  field("translucent", value.translucent);
  field("depth", value.depth);
}

template <class Field, class Value>
void visit_fields(Field&& field, Value&& value) requires
    std::same_as<std::remove_cvref_t<Value>, WorkspaceComparison> {
  field("active", value.active);
  field("a", value.a);
  field("b", value.b);
  field("mode", value.mode);
  field("place", value.place);
  field("same_contrast", value.same_contrast);
  field("reveal", value.reveal);
  field("difference_range", value.difference_range);
  field("line_tool", value.line_tool);
  field("line_width", value.line_width);
}

namespace {

using Json = nlohmann::ordered_json;

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

constexpr std::size_t kColourBytes = 768;
constexpr std::string_view kDigits = "0123456789abcdef";

std::string hexadecimal(const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += kDigits[value / 16];
    out += kDigits[value % 16];
  }
  return out;
}

std::optional<std::string> bytes_from(const std::string& digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = kDigits.find(digits[i]);
    const auto low = kDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(16 * high + low);
  }
  return out;
}

}  // namespace

Json workspace_json(const WorkspaceDisplay& d) {
  Json json{{"mode", d.mode},
            {"contrast", fields_json(d.contrast)},
            {"colormap", d.colormap},
            {"scale_bar", d.scale_bar},
            {"crosshair", d.crosshair}};
  if (d.composite) json["composite"] = true;
  if (!d.channels.empty()) {
    Json channels = Json::array();
    for (const WorkspaceChannel& channel : d.channels) channels.push_back(to_json(channel));
    json["channels"] = std::move(channels);
  }
  if (d.colours) json["colours"] = hexadecimal(colour_table_bytes(*d.colours));
  return json;
}

void read(JsonReader& in, WorkspaceDisplay& d) {
  in.read("mode", d.mode);
  in.object("contrast", [&](JsonReader& contrast) { read_fields(contrast, d.contrast); });
  in.read("colormap", d.colormap);
  in.read("scale_bar", d.scale_bar);
  in.read("crosshair", d.crosshair);
  in.read("composite", d.composite);
  in.list("channels", [&](JsonReader& channel) { d.channels.push_back(read_channel(channel)); });
  std::string colours;
  in.read("colours", colours);
  if (colours.empty()) return;
  const auto bytes = bytes_from(colours);
  if (!bytes || bytes->size() != kColourBytes) {
    return in.fail("\"colours\" is no table of 768 bytes as hexadecimal digits");
  }
  constexpr std::size_t kLongestName = 100;
  if (d.colormap.empty() || d.colormap.size() > kLongestName) {
    return in.fail("\"colormap\" must have a name of at most 100 bytes");
  }
  d.colours = *colour_table_from(*bytes, "colours");
}

namespace {

// What views and bookmarks have alike: where the views look, and the clipping box.
template <class Place>
void write_place(const Place& place, Json& json) {
  json["slices"] = Json::array();
  for (const WorkspaceCamera& c : place.slices) json["slices"].push_back(fields_json(c));
  if (place.camera) json["camera"] = fields_json(*place.camera);
  if (place.clip) json["clip"] = region_text(*place.clip);
}

// Finds `right`, which is not in the file; false where the other directions lead to none. These
// stay as they were read, so that what is read and written again is the same.
bool find_right(RayCamera& ray) {
  const auto& f = ray.forward;
  const auto& u = ray.up;
  ray.right = {f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2], f[0] * u[1] - f[1] * u[0]};
  const double length = std::hypot(ray.right[0], ray.right[1], ray.right[2]);
  for (double& part : ray.right) part /= length;
  return std::isfinite(length) && length > 1e-9;
}

template <class Place>
void read_place(JsonReader& in, Place& place) {
  std::size_t next = 0;
  in.list("slices", [&](JsonReader& camera) {
    if (next == place.slices.size()) return camera.fail("is one slice view too many");
    WorkspaceCamera& c = place.slices[next++];
    read_fields(camera, c);
    if (!(c.scale > 0.0)) camera.fail("\"scale\" must be above 0");
  });
  in.object("camera", [&](JsonReader& camera) {
    RayCamera ray;
    read_fields(camera, ray);
    const bool sound =
        ray.height_world > 0.0 && ray.view_angle_degrees > 0.0 && ray.view_angle_degrees < 180.0;
    if (!sound) return camera.fail("\"height\" and \"view_angle\" must be above 0");
    if (!find_right(ray)) {
      return camera.fail("\"forward\" and \"up\" must point in different directions");
    }
    place.camera = ray;
  });
  std::string clip;
  in.read("clip", clip);
  if (clip.empty()) return;
  const auto box = region_from_text(clip);
  if (!box) return in.fail("\"clip\" is no box Z0:Z1,X0:X1,Y0:Y1");
  place.clip = *box;
}

Json to_json(const WorkspaceBookmark& bookmark) {
  Json json{{"name", bookmark.name}};
  const Size3& n = bookmark.size;
  json["size"] = {{"z", n.z}, {"x", n.x}, {"y", n.y}};
  const VoxelSize& v = bookmark.voxel;
  json["voxel"] = {{"z", v.z}, {"x", v.x}, {"y", v.y}, {"unit", v.unit}};
  json["crosshair"] = {
      {"z", bookmark.crosshair.z}, {"x", bookmark.crosshair.x}, {"y", bookmark.crosshair.y}};
  write_place(bookmark, json);
  return json;
}

WorkspaceBookmark read_bookmark(JsonReader& in) {
  WorkspaceBookmark bookmark;
  in.read("name", bookmark.name);
  in.object("size", [&](JsonReader& n) {
    n.read("z", bookmark.size.z);
    n.read("x", bookmark.size.x);
    n.read("y", bookmark.size.y);
    // As many as a region may reach to, see region_from_text().
    constexpr std::int64_t kMost = 1'000'000;
    const Size3& read = bookmark.size;
    if (std::max({read.z, read.x, read.y}) > kMost || std::min({read.z, read.x, read.y}) < 0) {
      bookmark.size = {0, 0, 0};
      n.fail("no side has more than a million pixels");
    }
  });
  in.object("voxel", [&](JsonReader& v) {
    v.read("z", bookmark.voxel.z);
    v.read("x", bookmark.voxel.x);
    v.read("y", bookmark.voxel.y);
    v.read("unit", bookmark.voxel.unit);
    const bool sound = bookmark.voxel.z > 0.0 && bookmark.voxel.x > 0.0 && bookmark.voxel.y > 0.0;
    if (!sound) v.fail("sides of a voxel must be above 0");
  });
  in.object("crosshair", [&](JsonReader& at) {
    at.read("z", bookmark.crosshair.z);
    at.read("x", bookmark.crosshair.x);
    at.read("y", bookmark.crosshair.y);
  });
  read_place(in, bookmark);
  return bookmark;
}

}  // namespace

Json workspace_json(const WorkspaceViews& v) {
  Json json = fields_json(v);
  write_place(v, json);
  if (v.bookmarks.empty()) return json;
  json["bookmarks"] = Json::array();
  for (const WorkspaceBookmark& one : v.bookmarks) json["bookmarks"].push_back(to_json(one));
  return json;
}

void read(JsonReader& in, WorkspaceViews& v) {
  read_fields(in, v);
  constexpr double kDeepest = 1000.0;  // far beyond where all shines through
  if (!(v.depth > 0.0 && v.depth <= kDeepest)) {
    in.fail("\"depth\" must be above 0 and at most 1000");
  }
  read_place(in, v);
  in.list("bookmarks", [&](JsonReader& one) { v.bookmarks.push_back(read_bookmark(one)); });
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

}  // namespace aprscope::gui
