#pragma once

#include <string>

#include <nlohmann/json.hpp>

// Private to core/io: metadata of Zarr and N5, of which anything may be missing.

namespace aprscope {

/// The member of an object; null where there is none, and of what is no object.
inline const nlohmann::ordered_json& member(const nlohmann::ordered_json& object,
                                            const char* name) {
  static const nlohmann::ordered_json none;
  if (!object.is_object()) return none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

/// A JSON text; "" for anything else.
inline std::string text_of(const nlohmann::ordered_json& json) {
  return json.is_string() ? json.get<std::string>() : std::string();
}

}  // namespace aprscope
