#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/filter/stencil.hpp"

namespace aprscope {

/// The value of a parameter of an operation.
using ParameterValue =
    std::variant<bool, std::int64_t, double, std::string, std::array<double, 3>, Stencil>;

/// What kind of control a parameter gets; a text may be any, a choice is one of some words.
enum class ParameterType { boolean, integer, real, choice, vector3, stencil, text };

/// When describe() names a parameter. by_type: numbers and choices always, switches and texts where
/// they are not the default; changed: only where it is not the default.
enum class Described { by_type, always, changed };

/// Units of parameters that are lengths and volumes in the unit of the data, whichever that is.
inline constexpr const char* kLengthUnit = "units of the voxel size";
inline constexpr const char* kVolumeUnit = "cubic units of the voxel size";

/// One parameter: everything that a dialog, the command line and a recipe need to know. Made with
/// schema_builder.hpp.
struct ParameterSpec {
  std::string id;
  std::string label;
  ParameterType type = ParameterType::real;
  ParameterValue default_value = 0.0;
  double minimum = 0.0;
  double maximum = 0.0;
  /// "px", "grey values", "" …
  std::string unit;
  std::vector<std::string> choices;
  /// One or two sentences for the tooltip and --help.
  std::string help;
  /// Whether only odd numbers are allowed (sizes), and 0 (automatic) if `minimum` is 0.
  bool odd = false;
  /// Text shown for a real number at its `minimum`, such as "automatic"; empty: the number.
  std::string lowest;
  /// A text that is the path of a file.
  bool names_file = false;
  /// Other names in the text of a filter ("axis" for component), and of its switch on the command
  /// line.
  std::vector<std::string> aliases;
  Described described = Described::by_type;
  /// Word before the value in describe(): "start" in "start previous".
  std::string lead;
  /// Lists name it even where it has its default.
  bool main = false;
  /// Whether the value is too long to be shown in lists.
  bool unlisted = false;
};

enum class DataKind { pixels, apr };

struct Operation;

struct OperationSchema {
  std::string id;
  std::string label;
  /// Heading of the menu that lists the operation: "Smooth", "Edges" … It has no other meaning.
  std::string group;
  std::string help;
  std::vector<DataKind> inputs;
  std::vector<ParameterSpec> parameters;
  /// Whether a parameter has an effect with the other values of a complete operation; empty: all
  /// have.
  std::function<bool(const Operation&, const std::string& id)> counts{};
  /// Sets what a recipe of an older version omits to the defaults of that version; empty: nothing.
  std::function<void(Operation&, std::int64_t version)> upgrade{};

  [[nodiscard]] const ParameterSpec* parameter(const std::string& id) const;
};

/// The schemas of all operations in use, in menu order; see registry.hpp.
std::vector<const OperationSchema*> operation_schemas();
const OperationSchema* find_schema(const std::string& id);

/// An operation with its parameters: a pure value. Missing parameters have their defaults.
struct Operation {
  std::string id;
  std::map<std::string, ParameterValue> parameters;
  friend bool operator==(const Operation&, const Operation&) = default;
};

/// Checks id, names, types and ranges and fills in the defaults.
Result<Operation> complete(const Operation& operation);

/// A value of a complete operation; the type must fit (programming error otherwise).
template <class T>
const T& parameter(const Operation& operation, const std::string& id) {
  return std::get<T>(operation.parameters.at(id));
}

/// The value as the command line takes it: "2", "1,2,2", "true", "3x3x3 stencil".
std::string to_text(const ParameterValue& value);

/// The value of parameter `spec` written as text: "2" or "1,2,2" (also "1x2x2") for a vector,
/// "true", "on", "yes", "1" and their opposites for a boolean; a word also with - for _. Errors
/// name the parameter.
Result<ParameterValue> value_from_text(const ParameterSpec& spec, const std::string& text);

/// "gaussian sigma=2,2,2 px, restricted" for lists and provenance.
std::string describe(const Operation& operation);

}  // namespace aprscope
