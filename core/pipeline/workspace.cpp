#include "core/pipeline/workspace.hpp"

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/pipeline/parameter_json.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr const char* kKey = "aprscope_workspace";

// Reads members of one object; the first wrong one is kept, and later calls do nothing.
class Reader {
 public:
  Reader(const Json& json, std::string where, std::optional<Error>& error)
      : json_(json), where_(std::move(where)), error_(error) {
    if (!json_.is_object()) fail("is not an object");
  }

  void read(const char* key, std::string& out) {
    if (const Json* found = find(key, &Json::is_string, "must be a text in quotes")) {
      out = found->get<std::string>();
    }
  }
  void read(const char* key, bool& out) {
    if (const Json* found = find(key, &Json::is_boolean, "must be true or false")) {
      out = found->get<bool>();
    }
  }
  void read(const char* key, double& out) {
    if (const Json* found = find(key, &Json::is_number, "must be a number")) {
      out = found->get<double>();
      if (!std::isfinite(out)) fail(quoted(key) + " must be a finite number");
    }
  }
  void read(const char* key, std::uint64_t& out) {
    if (const Json* found = find(key, &Json::is_number_unsigned, "must be a whole number from 0")) {
      out = found->get<std::uint64_t>();
    }
  }
  void read(const char* key, std::int64_t& out) {
    if (!json_.is_object() || !json_.contains(key)) return;
    std::uint64_t value = 0;
    read(key, value);
    if (value > 1'000'000'000'000) return fail(quoted(key) + " is too large");
    out = static_cast<std::int64_t>(value);
  }
  void read(const char* key, int& out) {
    std::int64_t value = out;
    read(key, value);
    if (value > 1'000'000'000) return fail(quoted(key) + " is too large");
    out = static_cast<int>(value);
  }
  void read(const char* key, std::array<double, 3>& out) {
    const Json* found = find(key, &Json::is_array, "must be three numbers");
    if (found == nullptr) return;
    if (found->size() != 3) return fail(quoted(key) + " must be three numbers");
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(*found)[i].is_number()) return fail(quoted(key) + " must be three numbers");
      out[i] = (*found)[i].get<double>();
    }
  }
  // An inner object, if it is there.
  template <class Read>
  void object(const char* key, const Read& inner) {
    if (const Json* found = find(key, &Json::is_object, "must be an object")) {
      Reader reader(*found, where_ + ", " + key, error_);
      inner(reader);
    }
  }
  template <class Read>
  void list(const char* key, const Read& each) {
    const Json* found = find(key, &Json::is_array, "must be a list");
    if (found == nullptr) return;
    for (std::size_t i = 0; i < found->size() && !error_; ++i) {
      Reader reader((*found)[i], where_ + ", " + key + " " + std::to_string(i + 1), error_);
      each(reader);
    }
  }
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  void fail(const std::string& what) {
    if (!error_) error_ = Error{what, where_, "repair the file or save the workspace anew"};
  }
  void fail(Error error) {
    error.where = where_ + (error.where.empty() ? "" : ", " + error.where);
    if (!error_) error_ = std::move(error);
  }
  [[nodiscard]] bool failed() const { return error_.has_value(); }

 private:
  static std::string quoted(const char* key) { return "\"" + std::string(key) + "\""; }

  const Json* find(const char* key, bool (Json::*fits)() const noexcept, const char* wanted) {
    if (error_ || !json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    if (found == json_.end()) return nullptr;
    if (((*found).*fits)()) return &*found;
    fail(quoted(key) + " " + wanted);
    return nullptr;
  }

  const Json& json_;
  std::string where_;
  std::optional<Error>& error_;
};

Json to_json(const Contrast& c) { return {{"low", c.low}, {"high", c.high}, {"gamma", c.gamma}}; }

void read(Reader& in, Contrast& c) {
  in.read("low", c.low);
  in.read("high", c.high);
  in.read("gamma", c.gamma);
}

Json to_json(const StepCost& cost) {
  Json json{{"operation", cost.operation}, {"seconds", cost.seconds}, {"bytes", cost.bytes}};
  if (cost.peak_bytes) json["peak_bytes"] = *cost.peak_bytes;
  json["backend"] = cost.backend;
  return json;
}

StepCost read_cost(Reader& in) {
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
  return cost;
}

Json to_json(const WorkspaceItem& item) {
  const WorkspaceDisplay& d = item.display;
  Json json{{"id", item.id}, {"parent", item.parent}, {"name", item.name}};
  json["recipe"] = Json::parse(aprscope::to_json(item.recipe));
  if (!item.file.empty()) {
    json["file"] = item.file;
    json["file_bytes"] = item.file_bytes;
  }
  json["costs"] = Json::array();
  for (const StepCost& cost : item.costs) json["costs"].push_back(to_json(cost));
  json["display"] = {{"mode", d.mode},
                     {"contrast", to_json(d.contrast)},
                     {"colormap", d.colormap},
                     {"scale_bar", d.scale_bar},
                     {"crosshair", d.crosshair}};
  return json;
}

WorkspaceItem read_item(Reader& in) {
  WorkspaceItem item;
  in.read("id", item.id);
  in.read("parent", item.parent);
  in.read("name", item.name);
  in.object("recipe", [&](Reader& recipe) {
    auto steps = recipe_from_json(dump(recipe.json(), -1));
    if (!steps) return recipe.fail(steps.error());
    item.recipe = *std::move(steps);
  });
  in.read("file", item.file);
  in.read("file_bytes", item.file_bytes);
  in.list("costs", [&](Reader& cost) { item.costs.push_back(read_cost(cost)); });
  in.object("display", [&](Reader& display) {
    display.read("mode", item.display.mode);
    display.object("contrast", [&](Reader& contrast) { read(contrast, item.display.contrast); });
    display.read("colormap", item.display.colormap);
    display.read("scale_bar", item.display.scale_bar);
    display.read("crosshair", item.display.crosshair);
  });
  return item;
}

Json to_json(const WorkspaceViews& v) {
  Json json{{"shown", v.shown},
            {"captions", v.captions},
            {"heads_up", v.heads_up},
            {"box", v.box},
            {"planes", v.planes}};
  json["slices"] = Json::array();
  for (const WorkspaceCamera& c : v.slices) {
    json["slices"].push_back(
        {{"fitted", c.fitted}, {"row", c.row}, {"col", c.col}, {"scale", c.scale}});
  }
  if (v.camera) {
    json["camera"] = {{"eye", v.camera->eye},
                      {"forward", v.camera->forward},
                      {"up", v.camera->up},
                      {"perspective", v.camera->perspective},
                      {"height", v.camera->height_world},
                      {"view_angle", v.camera->view_angle_degrees}};
  }
  return json;
}

void read(Reader& in, WorkspaceViews& v) {
  in.read("shown", v.shown);
  in.read("captions", v.captions);
  in.read("heads_up", v.heads_up);
  in.read("box", v.box);
  in.read("planes", v.planes);
  std::size_t next = 0;
  in.list("slices", [&](Reader& camera) {
    if (next == v.slices.size()) return camera.fail("is one slice view too many");
    WorkspaceCamera& c = v.slices[next++];
    camera.read("fitted", c.fitted);
    camera.read("row", c.row);
    camera.read("col", c.col);
    camera.read("scale", c.scale);
    if (!(c.scale > 0.0)) camera.fail("\"scale\" must be above 0");
  });
  in.object("camera", [&](Reader& camera) {
    RayCamera ray;
    camera.read("eye", ray.eye);
    camera.read("forward", ray.forward);
    camera.read("up", ray.up);
    camera.read("perspective", ray.perspective);
    camera.read("height", ray.height_world);
    camera.read("view_angle", ray.view_angle_degrees);
    const bool sound =
        ray.height_world > 0.0 && ray.view_angle_degrees > 0.0 && ray.view_angle_degrees < 180.0;
    if (!sound) return camera.fail("\"height\" and \"view_angle\" must be above 0");
    v.camera = ray;
  });
}

Json to_json(const WorkspaceComparison& c) {
  Json json{{"active", c.active},
            {"a", c.a},
            {"b", c.b},
            {"mode", c.mode},
            {"place", c.place},
            {"same_contrast", c.same_contrast},
            {"reveal", c.reveal},
            {"difference_range", c.difference_range},
            {"line_tool", c.line_tool},
            {"line_width", c.line_width}};
  if (c.line) {
    json["line"] = {{"from_row", c.line->from.row},
                    {"from_col", c.line->from.col},
                    {"to_row", c.line->to.row},
                    {"to_col", c.line->to.col}};
  }
  return json;
}

void read(Reader& in, WorkspaceComparison& c) {
  in.read("active", c.active);
  in.read("a", c.a);
  in.read("b", c.b);
  in.read("mode", c.mode);
  in.read("place", c.place);
  in.read("same_contrast", c.same_contrast);
  in.read("reveal", c.reveal);
  in.read("difference_range", c.difference_range);
  in.read("line_tool", c.line_tool);
  in.read("line_width", c.line_width);
  in.object("line", [&](Reader& line) {
    PlaneLine ends;
    line.read("from_row", ends.from.row);
    line.read("from_col", ends.from.col);
    line.read("to_row", ends.to.row);
    line.read("to_col", ends.to.col);
    c.line = ends;
  });
}

// "file.h5:/path" → "file.h5" and ":/path".
std::pair<std::string, std::string> split_dataset(const std::string& path) {
  const auto colon = path.find(":/");
  if (colon == std::string::npos) return {path, ""};
  return {path.substr(0, colon), path.substr(colon)};
}

std::string seen_from(const std::string& path, const fs::path& folder) {
  if (path.empty()) return "";
  const auto [file, inside] = split_dataset(path);
  std::error_code code;
  const fs::path relative = fs::relative(file, folder, code);
  return code || relative.empty() ? "" : relative.generic_string() + inside;
}

// The path itself, or where it lies beside the workspace now.
std::string found(const std::string& path, const std::string& beside, const fs::path& folder) {
  if (path.empty() || beside.empty()) return path;
  std::error_code code;
  const auto [file, inside] = split_dataset(path);
  if (fs::exists(file, code)) return path;
  const auto [near, near_inside] = split_dataset(beside);
  const fs::path there = (folder / near).lexically_normal();
  return fs::exists(there, code) ? there.string() + near_inside : path;
}

Json as_json(const Workspace& w) {
  Json json;
  json[kKey] = kVersion;
  json["items"] = Json::array();
  for (const WorkspaceItem& item : w.items) json["items"].push_back(to_json(item));
  json["current"] = w.current;
  json["crosshair"] = {{"z", w.crosshair.z}, {"x", w.crosshair.x}, {"y", w.crosshair.y}};
  json["views"] = to_json(w.views);
  json["comparison"] = to_json(w.comparison);
  return json;
}

// Each item once, parents before their children.
void check_ids(const Workspace& w, std::optional<Error>& error) {
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < w.items.size() && !error; ++i) {
    const WorkspaceItem& item = w.items[i];
    const std::string where = "workspace, items " + std::to_string(i + 1);
    if (item.id == 0 || !seen.insert(item.id).second) {
      error = Error{"\"id\" must be a number of its own, from 1", where, ""};
    } else if (item.parent != 0 && (item.parent == item.id || seen.count(item.parent) == 0)) {
      error = Error{"\"parent\" must be an earlier item", where, ""};
    }
  }
}

}  // namespace

std::string to_json(const Workspace& workspace) { return dump(as_json(workspace), 2) + "\n"; }

Result<Workspace> workspace_from_json(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    return Error{"is not valid JSON", "workspace", "check brackets and commas"};
  }
  if (!json.is_object() || !json.contains(kKey)) {
    return Error{"is not a workspace of aprscope", "workspace",
                 "open it as data, or apply it as a recipe"};
  }
  if (json[kKey] != kVersion) {
    return Error{"has version " + json[kKey].dump(-1, ' ', true) + ", not 1", "workspace",
                 "use a program as new as the workspace"};
  }
  Workspace w;
  std::optional<Error> error;
  Reader in(json, "workspace", error);
  in.list("items", [&](Reader& item) { w.items.push_back(read_item(item)); });
  in.read("current", w.current);
  in.object("crosshair", [&](Reader& crosshair) {
    crosshair.read("z", w.crosshair.z);
    crosshair.read("x", w.crosshair.x);
    crosshair.read("y", w.crosshair.y);
  });
  in.object("views", [&](Reader& views) { read(views, w.views); });
  in.object("comparison", [&](Reader& comparison) { read(comparison, w.comparison); });
  check_ids(w, error);
  if (error) return *error;
  return w;
}

Status save_workspace(const Workspace& workspace, const fs::path& path) {
  std::error_code code;
  const fs::path folder = fs::absolute(path, code).parent_path();
  Json json = as_json(workspace);
  for (std::size_t i = 0; i < workspace.items.size(); ++i) {
    const WorkspaceItem& item = workspace.items[i];
    Json& out = json["items"][i];
    if (const auto near = seen_from(item.recipe.input, folder); !near.empty()) {
      out["input_beside"] = near;
    }
    if (const auto near = seen_from(item.file, folder); !near.empty()) out["file_beside"] = near;
  }
  return write_text_atomically(path, dump(json, 2) + "\n");
}

Result<Workspace> load_workspace(const fs::path& path) {
  const auto text = read_text(path);
  if (!text) return text.error();
  auto workspace = workspace_from_json(*text);
  if (!workspace) {
    Error error = workspace.error();
    error.where = path.string() + (error.where == "workspace" ? "" : ", " + error.where);
    return error;
  }
  std::error_code code;
  const fs::path folder = fs::absolute(path, code).parent_path();
  const Json json = Json::parse(*text, nullptr, false);
  for (std::size_t i = 0; i < workspace->items.size(); ++i) {
    WorkspaceItem& item = workspace->items[i];
    const Json& in = json["items"][i];
    const auto beside = [&](const char* key) {
      const auto it = in.find(key);
      return it != in.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    item.recipe.input = found(item.recipe.input, beside("input_beside"), folder);
    item.file = found(item.file, beside("file_beside"), folder);
  }
  return workspace;
}

}  // namespace aprscope
