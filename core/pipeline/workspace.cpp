#include "core/pipeline/workspace.hpp"

#include <set>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/memory_error.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/operations/schema/parameter_json.hpp"
#include "core/pipeline/workspace_extras.hpp"
#include "core/pipeline/workspace_item_json.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kWorkspaceVersion = 1;
constexpr const char* kKey = "aprscope_workspace";

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
  throw_without_memory(code);
  return code || relative.empty() ? "" : relative.generic_string() + inside;
}

// The path itself, or where it lies beside the workspace now.
std::string found(const std::string& path, const std::string& beside, const fs::path& folder) {
  if (path.empty() || beside.empty()) return path;
  std::error_code code;
  const auto [file, inside] = split_dataset(path);
  if (fs::exists(file, code)) return path;
  throw_without_memory(code);
  const auto [near, near_inside] = split_dataset(beside);
  const fs::path there = (folder / near).lexically_normal();
  const bool exists = fs::exists(there, code);
  throw_without_memory(code);
  return exists ? there.string() + near_inside : path;
}

Json as_json(const Workspace& w, const WorkspaceExtras* extras) {
  // See recipe_json().
  auto json = Json::object();
  json[kKey] = kWorkspaceVersion;
  json["items"] = Json::array();
  for (std::size_t i = 0; i < w.items.size(); ++i) {
    Json item = workspace_json(w.items[i]);
    if (extras != nullptr) extras->write_item(i, item);
    json["items"].push_back(std::move(item));
  }
  json["current"] = w.current;
  if (extras != nullptr) extras->write(json);
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

Result<Workspace> workspace_from(const Json& json, WorkspaceExtras* extras) {
  if (!json.is_object() || !json.contains(kKey)) {
    return Error{"is not a workspace of aprscope", "workspace",
                 "open it as data, or apply it as a recipe"};
  }
  if (auto wrong = wrong_version(json, kKey, kWorkspaceVersion, kWorkspaceVersion)) {
    return Error{*std::move(wrong), "workspace", "use a program as new as the workspace"};
  }
  Workspace w;
  std::optional<Error> error;
  JsonReader in(json, "workspace", error);
  in.list("items", [&](JsonReader& item) {
    read(item, w.items.emplace_back());
    if (extras != nullptr) extras->read_item(w.items.size() - 1, item);
  });
  in.read("current", w.current);
  if (extras != nullptr) extras->read(in);
  check_ids(w, error);
  if (error) return *error;
  return w;
}

// Calls each(key, path) for the files that steps name; of each step and parameter one key.
template <class Each>
void each_step_file(Recipe& recipe, const Each& each) {
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    Operation& step = recipe.steps[i];
    const OperationSchema* schema = find_schema(step.id);
    if (schema == nullptr) continue;
    for (const ParameterSpec& spec : schema->parameters) {
      const auto value = step.parameters.find(spec.id);
      if (!spec.names_file || value == step.parameters.end()) continue;
      auto* const path = std::get_if<std::string>(&value->second);
      if (path == nullptr || path->empty()) continue;
      const std::string key = std::to_string(i + 1) + "." + spec.id;
      if (spec.unit != kFiles) {
        each(key, *path);
        continue;
      }
      std::vector<std::string> files = files_in_list(*path);
      for (std::size_t k = 0; k < files.size(); ++k) {
        each(key + "." + std::to_string(k + 1), files[k]);
      }
      *path = list_of_files(files);
    }
  }
}

// Where the file's data lie now, if they moved with it.
void find_data(const Json& json, const fs::path& folder, Workspace& workspace) {
  for (std::size_t i = 0; i < workspace.items.size(); ++i) {
    WorkspaceItem& item = workspace.items[i];
    const Json& in = json["items"][i];
    const auto beside = [&](const char* key) {
      const auto it = in.find(key);
      return it != in.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    item.recipe.input = found(item.recipe.input, beside("input_beside"), folder);
    item.file = found(item.file, beside("file_beside"), folder);
    const auto files = in.find("step_files_beside");
    if (files == in.end() || !files->is_object()) continue;
    each_step_file(item.recipe, [&](const std::string& key, std::string& path) {
      const auto it = files->find(key);
      if (it != files->end() && it->is_string()) {
        path = found(path, it->get<std::string>(), folder);
      }
    });
  }
}

}  // namespace

std::string to_json(const Workspace& workspace, const WorkspaceExtras* extras) {
  return dump(as_json(workspace, extras), 2) + "\n";
}

Result<Workspace> workspace_from_json(const std::string& text, WorkspaceExtras* extras) {
  const auto json = parse_json(text, "workspace");
  if (!json) return json.error();
  return with_memory_errors("workspace", [&] { return workspace_from(*json, extras); });
}

Status save_workspace(const Workspace& workspace, const fs::path& path,
                      const WorkspaceExtras* extras) {
  std::error_code code;
  const fs::path folder = fs::absolute(path, code).parent_path();
  throw_without_memory(code);
  Json json = as_json(workspace, extras);
  for (std::size_t i = 0; i < workspace.items.size(); ++i) {
    const WorkspaceItem& item = workspace.items[i];
    Json& out = json["items"][i];
    if (const auto near = seen_from(item.recipe.input, folder); !near.empty()) {
      out["input_beside"] = near;
    }
    if (const auto near = seen_from(item.file, folder); !near.empty()) out["file_beside"] = near;
    Recipe recipe = item.recipe;
    each_step_file(recipe, [&](const std::string& key, const std::string& file) {
      if (const auto near = seen_from(file, folder); !near.empty()) {
        out["step_files_beside"][key] = near;
      }
    });
  }
  return write_text_atomically(path, dump(json, 2) + "\n");
}

Result<Workspace> load_workspace(const fs::path& path, WorkspaceExtras* extras) {
  return with_memory_errors(path.string(), [&]() -> Result<Workspace> {
    const auto text = read_text(path);
    if (!text) return text.error();
    const auto json = parse_json(*text, "workspace");
    auto workspace = json ? workspace_from(*json, extras) : Result<Workspace>(json.error());
    if (!workspace) {
      Error error = workspace.error();
      error.where = path.string() + (error.where == "workspace" ? "" : ", " + error.where);
      return error;
    }
    std::error_code code;
    const fs::path folder = fs::absolute(path, code).parent_path();
    throw_without_memory(code);
    find_data(*json, folder, *workspace);
    return workspace;
  });
}

}  // namespace aprscope
