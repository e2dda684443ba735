#include "core/pipeline/recipe.hpp"

#include <algorithm>

#include "core/base/atomic_file.hpp"
#include "core/base/memory_error.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/operations/schema/parameter_json.hpp"
#include "core/pipeline/recipe_json.hpp"

namespace aprscope {
namespace {

// Version 2: a conversion without PSF width means 2 px; in version 1 it meant 1 px.
constexpr int kVersion = 2;

// "step 2 (gaussian)", counted from 1 as a reader does.
std::string step_name(std::size_t index, const std::string& id) {
  return "step " + std::to_string(index + 1) + (id.empty() ? "" : " (" + id + ")");
}

Error located(Error error, const std::string& where) {
  error.where = where + (error.where.empty() ? "" : ", " + error.where);
  return error;
}

Result<Operation> step_from_json(const nlohmann::ordered_json& json, std::size_t index,
                                 std::int64_t version) {
  const auto wrong = [&](const std::string& id, std::string what, std::string advice) {
    return Error{std::move(what), step_name(index, id), std::move(advice)};
  };
  if (!json.is_object()) return wrong("", "is not an object", "write {\"operation\": …}");
  const auto id = json.find("operation");
  // A name that is longer than any would only fill the message.
  if (id == json.end() || !id->is_string() || id->get_ref<const std::string&>().size() > 100) {
    return wrong("", "has no \"operation\"", "name the operation in quotes");
  }
  Operation operation{id->get<std::string>(), {}};
  const OperationSchema* schema = find_schema(operation.id);
  for (const auto& [key, value] : json.items()) {
    if (key != "operation" && key != "parameters") {
      return wrong(operation.id, "\"" + key + "\" means nothing here",
                   "use \"operation\" and \"parameters\"");
    }
  }
  const auto parameters = json.find("parameters");
  if (schema != nullptr && parameters != json.end()) {
    if (!parameters->is_object()) {
      return wrong(operation.id, "\"parameters\" is not an object", "write {\"name\": value, …}");
    }
    for (const auto& [key, value] : parameters->items()) {
      const ParameterSpec* spec = schema->parameter(key);
      // complete() below names parameters that do not exist; a placeholder takes it there.
      if (spec == nullptr) {
        operation.parameters[key] = false;
        continue;
      }
      auto read = value_from_json(*spec, value);
      if (!read) return located(read.error(), step_name(index, operation.id));
      operation.parameters[key] = *std::move(read);
    }
  }
  // Parameters that an older recipe omits get the defaults of its version.
  if (schema != nullptr && schema->upgrade) schema->upgrade(operation, version);
  if (auto whole = complete(operation); !whole) {
    Error error = whole.error();
    error.where.clear();
    return located(std::move(error), step_name(index, operation.id));
  }
  return operation;
}

Status read_index(const nlohmann::ordered_json& json, const char* key, int& value) {
  const auto found = json.find(key);
  if (found == json.end()) return {};
  const auto number = whole_number(*found);
  if (!number || *number < 0 || *number > 1'000'000'000) {
    return Error{std::string("\"") + key + "\" must be a whole number from 0 to 1000000000",
                 "recipe", "correct it or leave it out"};
  }
  value = static_cast<int>(*number);
  return {};
}

}  // namespace

nlohmann::ordered_json recipe_json(const Recipe& recipe) {
  // Made an object at once: if memory runs out while null turns into an object, the library leaves
  // a half-made one.
  auto json = nlohmann::ordered_json::object();
  json["aprscope"] = kVersion;
  json["input"] = recipe.input;
  json["channel"] = recipe.channel;
  json["time"] = recipe.time;
  json["steps"] = nlohmann::ordered_json::array();
  for (const Operation& operation : recipe.steps) {
    auto step = nlohmann::ordered_json::object();
    step["operation"] = operation.id;
    step["parameters"] = nlohmann::ordered_json::object();
    for (const auto& [id, value] : operation.parameters) step["parameters"][id] = to_json(value);
    json["steps"].push_back(std::move(step));
  }
  return json;
}

namespace {

// The steps with one name in the place of another, in parameters that list files.
std::vector<Operation> renamed(std::vector<Operation> steps, const std::string& from,
                               const std::string& to) {
  for (Operation& step : steps) {
    const OperationSchema* const schema = find_schema(step.id);
    if (schema == nullptr) continue;
    for (auto& [id, value] : step.parameters) {
      const ParameterSpec* const spec = schema->parameter(id);
      auto* const text = std::get_if<std::string>(&value);
      if (spec == nullptr || text == nullptr || spec->unit != kFiles) continue;
      std::vector<std::string> files = files_in_list(*text);
      if (std::find(files.begin(), files.end(), from) == files.end()) continue;
      std::replace(files.begin(), files.end(), from, to);
      *text = list_of_files(files);
    }
  }
  return steps;
}

// A saved recipe measures the channels of whichever file it is run on.
Recipe with_input_unnamed(Recipe recipe) {
  if (!recipe.input.empty())
    recipe.steps = renamed(std::move(recipe.steps), recipe.input, kInputFile);
  return recipe;
}

}  // namespace

std::vector<Operation> steps_for(std::vector<Operation> steps, const std::string& input) {
  return renamed(std::move(steps), kInputFile, input);
}

std::vector<std::string> files_of(const Operation& operation) {
  std::vector<std::string> files;
  const OperationSchema* schema = find_schema(operation.id);
  for (const auto& [id, value] : operation.parameters) {
    const ParameterSpec* spec = schema != nullptr ? schema->parameter(id) : nullptr;
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || spec == nullptr || !spec->names_file) continue;
    if (spec->unit != kFiles) {
      files.push_back(*text);
      continue;
    }
    for (std::string& file : files_in_list(*text)) files.push_back(std::move(file));
  }
  return files;
}

std::string to_json(const Recipe& recipe) { return dump(recipe_json(recipe), 2) + "\n"; }

Result<Recipe> recipe_from(const nlohmann::ordered_json& json) {
  if (!json.is_object() || !json.contains("aprscope")) {
    return Error{"is not a recipe of aprscope", "recipe", "it must begin with {\"aprscope\": 2"};
  }
  if (auto wrong = wrong_version(json, "aprscope", kVersion, 1)) {
    return Error{*std::move(wrong), "recipe", "use a program as new as the recipe"};
  }
  for (const auto& [key, value] : json.items()) {
    if (key != "aprscope" && key != "input" && key != "channel" && key != "time" &&
        key != "steps") {
      return Error{"\"" + key + "\" means nothing here", "recipe",
                   "use \"input\", \"channel\", \"time\" and \"steps\""};
    }
  }
  const std::int64_t version = whole_number(json.at("aprscope")).value_or(kVersion);
  Recipe recipe;
  if (const auto input = json.find("input"); input != json.end()) {
    if (!input->is_string()) return Error{"\"input\" must be a path in quotes", "recipe", ""};
    recipe.input = input->get<std::string>();
  }
  if (Status ok = read_index(json, "channel", recipe.channel); !ok) return ok.error();
  if (Status ok = read_index(json, "time", recipe.time); !ok) return ok.error();
  const auto steps = json.find("steps");
  if (steps == json.end() || !steps->is_array()) {
    return Error{"has no list of \"steps\"", "recipe", "write \"steps\": […]"};
  }
  for (std::size_t i = 0; i < steps->size(); ++i) {
    auto step = step_from_json((*steps)[i], i, version);
    if (!step) return step.error();
    recipe.steps.push_back(*std::move(step));
  }
  return recipe;
}

Result<Recipe> recipe_from_json(const std::string& text) {
  const auto json = parse_json(text, "recipe");
  if (!json) return json.error();
  return with_memory_errors("recipe", [&] { return recipe_from(*json); });
}

Status save_recipe(const Recipe& recipe, const std::filesystem::path& path) {
  return write_text_atomically(path, to_json(with_input_unnamed(recipe)));
}

Result<Recipe> load_recipe(const std::filesystem::path& path) {
  const auto text = read_text(path);
  if (!text) return text.error();
  auto recipe = recipe_from_json(*text);
  if (recipe) return recipe;
  Error error = recipe.error();
  error.where = path.string() + (error.where == "recipe" ? "" : ", " + error.where);
  return error;
}

}  // namespace aprscope
