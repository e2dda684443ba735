#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/operations/schema/operation.hpp"

namespace aprscope::schema {

/// Builds the description of a parameter, piece by piece:
///   vector3("sigma", "Sigma").value(2).range(0, 100).unit("px").help("…")
class ParameterBuilder {
 public:
  ParameterBuilder(std::string id, std::string label, ParameterType type, ParameterValue value) {
    spec_.id = std::move(id);
    spec_.label = std::move(label);
    spec_.type = type;
    spec_.default_value = std::move(value);
  }

  /// The default, of the parameter's type; of a vector also one number for all of it.
  ParameterBuilder value(ParameterValue value) && {
    if (const auto* one = std::get_if<double>(&value);
        one != nullptr && spec_.type == ParameterType::vector3) {
      value = std::array<double, 3>{*one, *one, *one};
    }
    spec_.default_value = std::move(value);
    return std::move(*this);
  }
  ParameterBuilder range(double minimum, double maximum) && {
    spec_.minimum = minimum;
    spec_.maximum = maximum;
    return std::move(*this);
  }
  ParameterBuilder unit(std::string unit) && {
    spec_.unit = std::move(unit);
    return std::move(*this);
  }
  /// One or two sentences for the tooltip and --help.
  ParameterBuilder help(std::string help) && {
    spec_.help = std::move(help);
    return std::move(*this);
  }
  ParameterBuilder lowest(std::string word) && {
    spec_.lowest = std::move(word);
    return std::move(*this);
  }
  ParameterBuilder odd() && {
    spec_.odd = true;
    return std::move(*this);
  }
  ParameterBuilder names_file() && {
    spec_.names_file = true;
    return std::move(*this);
  }
  ParameterBuilder alias(std::string name) && {
    spec_.aliases.push_back(std::move(name));
    return std::move(*this);
  }
  ParameterBuilder described(Described when) && {
    spec_.described = when;
    return std::move(*this);
  }
  ParameterBuilder lead(std::string words) && {
    spec_.lead = std::move(words);
    return std::move(*this);
  }
  ParameterBuilder main() && {
    spec_.main = true;
    return std::move(*this);
  }
  ParameterBuilder unlisted() && {
    spec_.unlisted = true;
    return std::move(*this);
  }
  operator ParameterSpec() && { return std::move(spec_); }  // NOLINT: that is what it is for

 private:
  friend ParameterBuilder choice(std::string id, std::string label, std::vector<std::string> words);
  ParameterSpec spec_;
};

inline ParameterBuilder boolean(std::string id, std::string label, bool value = false) {
  return ParameterBuilder(std::move(id), std::move(label), ParameterType::boolean, value)
      .range(0.0, 1.0);
}
inline ParameterBuilder integer(std::string id, std::string label, std::int64_t value = 0) {
  return {std::move(id), std::move(label), ParameterType::integer, value};
}
inline ParameterBuilder real(std::string id, std::string label, double value = 0.0) {
  return {std::move(id), std::move(label), ParameterType::real, value};
}
/// A vector parameter, in the order z, x, y.
inline ParameterBuilder vector3(std::string id, std::string label, double value = 0.0) {
  return {std::move(id), std::move(label), ParameterType::vector3,
          std::array<double, 3>{value, value, value}};
}
/// The first word is the default.
inline ParameterBuilder choice(std::string id, std::string label, std::vector<std::string> words) {
  ParameterBuilder made(std::move(id), std::move(label), ParameterType::choice, words.front());
  made.spec_.choices = std::move(words);
  return made;
}
inline ParameterBuilder text(std::string id, std::string label) {
  return {std::move(id), std::move(label), ParameterType::text, std::string()};
}
/// The default is the identity.
inline ParameterBuilder weights(std::string id, std::string label) {
  return {std::move(id), std::move(label), ParameterType::stencil,
          Stencil{{1, 1, 1}, {1.0}, "identity"}};
}

/// Builds a schema: operation_schema("box", "Box mean", "Smooth", {…kinds…}, "…").with(…).with(…).
class SchemaBuilder {
 public:
  explicit SchemaBuilder(OperationSchema schema) : schema_(std::move(schema)) {}
  SchemaBuilder with(ParameterSpec parameter) && {
    schema_.parameters.push_back(std::move(parameter));
    return std::move(*this);
  }
  SchemaBuilder with(std::vector<ParameterSpec> parameters) && {
    for (ParameterSpec& p : parameters) schema_.parameters.push_back(std::move(p));
    return std::move(*this);
  }
  operator OperationSchema() && { return std::move(schema_); }  // NOLINT: that is what it is for

 private:
  OperationSchema schema_;
};

inline SchemaBuilder operation_schema(std::string id, std::string label, std::string group,
                                      std::vector<DataKind> inputs, std::string help) {
  OperationSchema schema;
  schema.id = std::move(id);
  schema.label = std::move(label);
  schema.group = std::move(group);
  schema.help = std::move(help);
  schema.inputs = std::move(inputs);
  return SchemaBuilder(std::move(schema));
}

}  // namespace aprscope::schema
