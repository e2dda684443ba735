#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/apr/sample/reconstruction.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope::cli {

/// Ends the program as wrong usage, with one sentence about an option.
[[noreturn]] void wrong_usage(const std::string& option, const std::string& what);
/// The value of a result, or wrong usage.
template <class T>
T or_wrong_usage(const std::string& option, Result<T> result) {
  if (!result) wrong_usage(option, result.error().message());
  return *std::move(result);
}

/// "1,2,3" → numbers; wrong usage unless there are `count` of them.
std::vector<double> numbers_from(const std::string& option, const std::string& text,
                                 std::size_t count);
/// "Z,X,Y" of a voxel; wrong usage unless each is from 1e-9 to 1e9, which all files can hold.
std::vector<double> voxel_steps_from(const std::string& option, const std::string& text);

/// A check for options that take one number: from `least` to `most`, where NaN is not.
std::function<std::string(const std::string&)> number_from_to(double least, double most);

/// "Z,X,Y" in pixels, each from 1.
Size3 size_from(const std::string& option, const std::string& text);

/// "Z0:Z1,X0:X1,Y0:Y1" in pixels, each from the first to before the second.
Region region_from(const std::string& option, const std::string& text);

/// Options of operations, made from their schemas: --rel-error, --auto-thresholds and
/// --no-auto-thresholds, … Operations may share options, by the ids of their parameters.
class SchemaOptions {
 public:
  /// Adds an option for each parameter but those in `leave_out`, and those that are there already.
  /// `positional`: a parameter that may also stand by itself, after what was added before.
  void add_to(CLI::App& command, const std::string& operation_id,
              const std::vector<std::string>& leave_out = {}, const std::string& positional = {});
  [[nodiscard]] bool given(const std::string& id) const;
  /// Ids of all that are given.
  [[nodiscard]] std::vector<std::string> all_given() const;
  /// The complete operation that was added first; wrong usage where values do not fit.
  [[nodiscard]] Operation operation() const;
  /// The parameters of one of the operations that are given; wrong usage where values do not fit.
  [[nodiscard]] Operation given_of(const std::string& operation_id) const;

 private:
  struct Value {
    std::string text;
    bool flag = false;
    CLI::Option* option = nullptr;
    // The help text of the first operation that has this parameter.
    std::string help;
    ParameterValue default_value{};
  };
  static void share(Value& value, const OperationSchema& schema, const ParameterSpec& spec);
  std::vector<const OperationSchema*> schemas_;
  std::map<std::string, Value> values_;
};

/// "rel_error" → "--rel-error".
std::string option_name(const std::string& parameter_id);

}  // namespace aprscope::cli
