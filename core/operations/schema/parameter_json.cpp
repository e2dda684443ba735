#include "core/operations/schema/parameter_json.hpp"

#include "core/io/common/json_parser.hpp"

namespace aprscope {
namespace {

Error wrong_type(const ParameterSpec& spec, const char* wanted) {
  return {"parameter " + spec.id + " must be " + wanted, "", ""};
}

}  // namespace

nlohmann::ordered_json stencil_json(const Stencil& stencil) {
  // Made an object at once, see recipe_json().
  auto json = nlohmann::ordered_json::object();
  if (!stencil.name.empty()) json["name"] = stencil.name;
  json["size"] = {stencil.size.z, stencil.size.x, stencil.size.y};
  json["weights"] = stencil.weights;
  return json;
}

Result<Stencil> stencil_from(const nlohmann::ordered_json& json) {
  const Error shape{"is not a stencil", "", "write {\"size\": [z, x, y], \"weights\": [numbers]}"};
  if (!json.is_object()) return shape;
  Stencil stencil;
  const auto size = json.find("size");
  const auto weights = json.find("weights");
  const auto name = json.find("name");
  if (size == json.end() || !size->is_array() || size->size() != 3) return shape;
  if (weights == json.end() || !weights->is_array()) return shape;
  const auto z = whole_number((*size)[0]);
  const auto x = whole_number((*size)[1]);
  const auto y = whole_number((*size)[2]);
  if (!z || !x || !y) return shape;
  stencil.size = {*z, *x, *y};
  stencil.weights.clear();
  stencil.weights.reserve(weights->size());
  for (const auto& w : *weights) {
    if (!w.is_number()) return shape;
    stencil.weights.push_back(w.get<double>());
  }
  if (name != json.end() && name->is_string()) stencil.name = name->get<std::string>();
  if (Status ok = check(stencil); !ok) return ok.error();
  return stencil;
}

nlohmann::ordered_json to_json(const ParameterValue& value) {
  struct Visitor {
    nlohmann::ordered_json operator()(bool v) const { return v; }
    nlohmann::ordered_json operator()(std::int64_t v) const { return v; }
    nlohmann::ordered_json operator()(double v) const { return v; }
    nlohmann::ordered_json operator()(const std::string& v) const { return v; }
    nlohmann::ordered_json operator()(const std::array<double, 3>& v) const { return v; }
    nlohmann::ordered_json operator()(const Stencil& v) const { return stencil_json(v); }
  };
  return std::visit(Visitor{}, value);
}

Result<ParameterValue> value_from_json(const ParameterSpec& spec,
                                       const nlohmann::ordered_json& json) {
  switch (spec.type) {
    case ParameterType::boolean:
      if (!json.is_boolean()) return wrong_type(spec, "true or false");
      return ParameterValue{json.get<bool>()};
    case ParameterType::integer:
      if (const auto number = whole_number(json)) return ParameterValue{*number};
      return wrong_type(spec, "a whole number");
    case ParameterType::real:
      if (!json.is_number()) return wrong_type(spec, "a number");
      return ParameterValue{json.get<double>()};
    case ParameterType::choice:
      if (!json.is_string() || json.get_ref<const std::string&>().size() > 100) {
        return wrong_type(spec, "a word in quotes");
      }
      return ParameterValue{json.get<std::string>()};
    case ParameterType::text:
      if (!json.is_string()) return wrong_type(spec, "a text in quotes");
      return ParameterValue{json.get<std::string>()};
    case ParameterType::vector3: {
      if (json.is_number()) {
        const auto v = json.get<double>();
        return ParameterValue{std::array<double, 3>{v, v, v}};
      }
      if (!json.is_array() || json.size() != 3 || !json[0].is_number() || !json[1].is_number() ||
          !json[2].is_number()) {
        return wrong_type(spec, "one number, or three in the order z, x, y");
      }
      return ParameterValue{std::array<double, 3>{json[0].get<double>(), json[1].get<double>(),
                                                  json[2].get<double>()}};
    }
    case ParameterType::stencil: {
      auto stencil = stencil_from(json);
      if (stencil) return ParameterValue{*std::move(stencil)};
      Error error = stencil.error();
      error.where = "parameter " + spec.id;
      return error;
    }
  }
  return wrong_type(spec, "of a known type");
}

std::string dump(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace aprscope
