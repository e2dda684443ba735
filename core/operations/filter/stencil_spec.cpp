#include "core/operations/filter/stencil_spec.hpp"

#include <algorithm>
#include <map>

#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/stencil_file.hpp"

namespace aprscope {
namespace {

struct Argument {
  std::string key;
  std::string value;
};

// "sigma=1,2,2,size=5" → {sigma, "1,2,2"}, {size, "5"}: a piece without "=" continues a vector.
Result<std::vector<Argument>> split(const std::string& text, const std::string& spec) {
  std::vector<Argument> arguments;
  std::string::size_type start = 0;
  while (start <= text.size()) {
    const auto end = std::min(text.find(',', start), text.size());
    const std::string piece = text.substr(start, end - start);
    const auto equals = piece.find('=');
    if (equals != std::string::npos && equals > 0) {
      arguments.push_back({piece.substr(0, equals), piece.substr(equals + 1)});
    } else if (!arguments.empty() && !piece.empty() && equals == std::string::npos) {
      arguments.back().value += "," + piece;
    } else {
      return Error{"\"" + piece + "\" is not of the form name=value", "stencil " + spec,
                   "write for example gaussian:sigma=2,size=13"};
    }
    start = end + 1;
  }
  return arguments;
}

// Names by which a spec may call an operation, and what they stand for.
Operation named(const std::string& name) {
  const auto gradient = [](const char* kind) {
    return Operation{"gradient", {{"kind", std::string(kind)}}};
  };
  static const std::map<std::string, Operation> aliases{
      {"sobel", gradient("sobel")},
      {"central", gradient("central")},
      {"std", Operation{"standard_deviation", {}}},
      {"identity", Operation{"custom", {{"stencil", Stencil{{1, 1, 1}, {1.0}, "identity"}}}}}};
  const auto found = aliases.find(name);
  return found == aliases.end() ? Operation{name, {}} : found->second;
}

// Finds a parameter by its id, or by another of its names.
const ParameterSpec* named_parameter(const OperationSchema& schema, const std::string& name) {
  if (const ParameterSpec* spec = schema.parameter(name)) return spec;
  for (const ParameterSpec& spec : schema.parameters) {
    if (std::find(spec.aliases.begin(), spec.aliases.end(), name) != spec.aliases.end()) {
      return &spec;
    }
  }
  return nullptr;
}

}  // namespace

Result<Operation> parse_stencil_spec(const std::string& spec) {
  const auto colon = std::min(spec.find(':'), spec.size());
  const std::string name = spec.substr(0, colon);
  if (name == "file") {
    const std::string path = colon < spec.size() ? spec.substr(colon + 1) : "";
    if (path.empty()) return Error{"names no file", "stencil " + spec, "write file:PATH"};
    auto stencil = load_stencil(path);
    if (!stencil) return stencil.error();
    return complete({"custom", {{"stencil", *std::move(stencil)}}});
  }
  Operation operation = named(name);
  const OperationSchema* schema = find_schema(operation.id);
  if (schema == nullptr || !is_filter(operation) || name == "custom") {
    return Error{"\"" + name + "\" is not a filter", "stencil " + spec,
                 "use gaussian, box, sharpen, laplacian, log, gradient, sobel, mean, "
                 "standard_deviation, median, min, max or file:PATH"};
  }
  if (colon < spec.size()) {
    const auto arguments = split(spec.substr(colon + 1), spec);
    if (!arguments) return arguments.error();
    for (auto [key, value] : *arguments) {
      const ParameterSpec* parameter = named_parameter(*schema, key);
      if (parameter == nullptr) {
        std::string known;
        for (const ParameterSpec& p : schema->parameters) {
          known += (known.empty() ? "" : ", ") + p.id;
        }
        return Error{name + " has no \"" + key + "\"", "stencil " + spec, "use " + known};
      }
      auto read = value_from_text(*parameter, value);
      if (!read) {
        Error error = read.error();
        error.where = "stencil " + spec;
        return error;
      }
      operation.parameters[parameter->id] = *std::move(read);
    }
  }
  auto whole = complete(operation);
  if (whole) return whole;
  Error error = whole.error();
  error.where = "stencil " + spec;
  return error;
}

}  // namespace aprscope
