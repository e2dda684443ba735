#pragma once

#include <array>
#include <cstdint>
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

/// What kind of control a parameter gets; a text is any, a choice one of some words.
enum class ParameterType { boolean, integer, real, choice, vector3, stencil, text };

/// One parameter: everything that a dialog, the command line and a recipe need to know.
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
  /// One sentence for the tooltip and --help.
  std::string help;
  /// Sizes: whole odd numbers only; 0 too (automatic) where `minimum` is 0.
  bool odd = false;
};

enum class DataKind { pixels, apr };

struct OperationSchema {
  std::string id;
  std::string label;
  /// Where a menu lists it: "Convert", "Smooth", "Edges", "Statistics", "Deconvolve",
  /// "Stencil".
  std::string group;
  std::string help;
  std::vector<DataKind> inputs;
  std::vector<ParameterSpec> parameters;

  [[nodiscard]] const ParameterSpec* parameter(const std::string& id) const;
};

/// All operations, in menu order: convert, reconstruct, gaussian, box, sharpen, laplacian, log,
/// gradient (kind central | sobel; component magnitude | z | x | y), mean, standard_deviation,
/// median, min, max, deconvolve, custom (a stencil by hand). Filters that convolve also take mode
/// (same | restricted | rescaled), boundary (reflect | zero) and normalize.
const std::vector<OperationSchema>& operation_schemas();
const OperationSchema* find_schema(const std::string& id);

/// An operation to do: a pure value. Parameters that are not named have their defaults.
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
/// "true", "on", "yes", "1" and their opposites for a boolean. Errors name the parameter.
Result<ParameterValue> value_from_text(const ParameterSpec& spec, const std::string& text);

/// "gaussian sigma=2,2,2 px, restricted" for lists and provenance.
std::string describe(const Operation& operation);

/// The stencil that a convolving operation applies at the finest level, in pixels of an image with
/// this voxel size (sigmas given in physical units are divided by it). Error: not a convolution.
/// For gradient: one stencil a component.
Result<std::vector<Stencil>> stencils_of(const Operation& operation, const VoxelSize& voxel,
                                         const Size3& size);

/// "gaussian:sigma=2,size=13", "sobel:axis=x", "box:size=5", "laplacian", "log:sigma=2",
/// "gradient", "file:w.json", "file:psf.tif" → operation. Errors name the offending part.
Result<Operation> parse_stencil_spec(const std::string& spec);

}  // namespace aprscope
