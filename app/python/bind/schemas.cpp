// The schemas of operations, from which Python functions, their signatures and their documentation
// are made.
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "app/python/bind/bind.hpp"
#include "app/python/bind/errors.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/operations/schema/parameter_json.hpp"
#include "core/operations/schema/words.hpp"
#include "core/pipeline/recipe.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

using Json = nlohmann::ordered_json;

constexpr schema::Word<ParameterType> kTypes[] = {
    {"boolean", ParameterType::boolean}, {"integer", ParameterType::integer},
    {"real", ParameterType::real},       {"choice", ParameterType::choice},
    {"vector3", ParameterType::vector3}, {"stencil", ParameterType::stencil},
    {"text", ParameterType::text}};

constexpr schema::Word<Gives> kGives[] = {{"kind of input", Gives::kind_of_input},
                                          {"pixels", Gives::pixels},
                                          {"apr", Gives::apr},
                                          {"labels", Gives::labels},
                                          {"measurement", Gives::measurement}};

Json described(const ParameterSpec& spec) {
  Json json = Json::object();
  json["id"] = spec.id;
  json["label"] = spec.label;
  json["type"] = schema::word_of(kTypes, spec.type);
  json["default"] = to_json(spec.default_value);
  json["minimum"] = spec.minimum;
  json["maximum"] = spec.maximum;
  json["unit"] = spec.unit == kFiles ? "" : spec.unit;
  json["choices"] = spec.choices;
  json["help"] = spec.help;
  json["odd"] = spec.odd;
  json["lowest"] = spec.lowest;
  json["names_file"] = spec.names_file;
  json["lists_files"] = spec.unit == kFiles;
  return json;
}

Json described(const OperationType& type) {
  Json json = Json::object();
  json["id"] = type.schema.id;
  json["label"] = type.schema.label;
  json["group"] = type.schema.group;
  json["help"] = type.schema.help;
  json["takes_pixels"] = false;
  json["takes_apr"] = false;
  for (const DataKind kind : type.schema.inputs) {
    json[kind == DataKind::pixels ? "takes_pixels" : "takes_apr"] = true;
  }
  json["gives"] = schema::word_of(kGives, type.traits.gives);
  json["family"] = type.traits.family;
  json["iterates"] = type.traits.iterates;
  json["takes_labels"] = type.traits.takes_labels;
  json["takes_projections"] = type.traits.takes_projections;
  json["parameters"] = Json::array();
  for (const ParameterSpec& spec : type.schema.parameters) {
    json["parameters"].push_back(described(spec));
  }
  return json;
}

nb::str schemas() {
  Json all = Json::array();
  for (const auto& type : operations().all()) all.push_back(described(*type));
  return python_text(dump(all, -1));
}

// The recipe in this text, completed and checked, as text again.
nb::str checked_recipe(const std::string& text) {
  return python_text(to_json(or_throw(recipe_from_json(text))));
}

nb::str recipe_in_file(const nb::bytes& path) {
  return python_text(to_json(or_throw(load_recipe(std::string(path.c_str(), path.size())))));
}

// Those parameters in `ids` that have no effect with the other values of the recipe's only step.
std::vector<std::string> without_say(const std::string& recipe,
                                     const std::vector<std::string>& ids) {
  std::vector<std::string> idle;
  for (const Operation& step : or_throw(recipe_from_json(recipe)).steps) {
    const Operation whole = or_throw(complete(step));
    for (const std::string& id : ids) {
      if (!counts(whole, id)) idle.push_back(id);
    }
  }
  return idle;
}

}  // namespace

void bind_schemas(nb::module_& module) {
  module.def("schemas", schemas);
  module.def("empty_recipe", [] { return python_text(to_json(Recipe{})); });
  module.def("checked_recipe", checked_recipe, "text"_a);
  module.def("recipe_in_file", recipe_in_file, "path"_a);
  module.def("without_say", without_say, "recipe"_a, "ids"_a);
}

}  // namespace aprscope::python
