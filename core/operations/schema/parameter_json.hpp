#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// A parameter's value as JSON: true, 3, 0.1, "reflect", [z, x, y], {"size": […], "weights": […]}.
nlohmann::ordered_json to_json(const ParameterValue& value);

/// The value of parameter `spec` from JSON; a vector may be one number for all three. Checks the
/// type only, complete() checks ranges.
Result<ParameterValue> value_from_json(const ParameterSpec& spec,
                                       const nlohmann::ordered_json& json);

/// A stencil as {"size": [z, x, y], "weights": […]}, and back; checked.
nlohmann::ordered_json stencil_json(const Stencil& stencil);
Result<Stencil> stencil_from(const nlohmann::ordered_json& json);

/// Text of JSON, with bytes that are no UTF-8 (in file names) replaced instead of an exception.
std::string dump(const nlohmann::ordered_json& json, int indent);

}  // namespace aprscope
