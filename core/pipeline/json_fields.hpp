#pragma once

#include <nlohmann/json.hpp>

#include "core/operations/schema/json_reader.hpp"

// Plain structs as JSON objects. visit_fields(field, value) beside a struct lists its keys and
// members, once for writing and reading: field(key, member).

namespace aprscope {

template <class Part>
nlohmann::ordered_json fields_json(const Part& part) {
  // An object from the start: one that becomes it by its first key crashes where memory ends then.
  auto json = nlohmann::ordered_json::object();
  visit_fields([&](const char* key, const auto& value) { json[key] = value; }, part);
  return json;
}

template <class Part>
void read_fields(JsonReader& in, Part& part) {
  visit_fields([&](const char* key, auto& value) { in.read(key, value); }, part);
}

}  // namespace aprscope
