#include "core/operations/schema/json_reader.hpp"

#include <cmath>
#include <utility>

namespace aprscope {
namespace {

std::string quoted(const char* key) { return "\"" + std::string(key) + "\""; }

}  // namespace

JsonReader::JsonReader(const Json& json, std::string where, std::optional<Error>& error)
    : json_(json), where_(std::move(where)), error_(error) {
  if (!json_.is_object()) fail("is not an object");
}

void JsonReader::read(const char* key, std::string& out) {
  if (const Json* found = find(key, &Json::is_string, "must be a text in quotes")) {
    out = found->get<std::string>();
  }
}

void JsonReader::read(const char* key, bool& out) {
  if (const Json* found = find(key, &Json::is_boolean, "must be true or false")) {
    out = found->get<bool>();
  }
}

void JsonReader::read(const char* key, double& out) {
  if (const Json* found = find(key, &Json::is_number, "must be a number")) {
    out = found->get<double>();
    if (!std::isfinite(out)) fail(quoted(key) + " must be a finite number");
  }
}

void JsonReader::read(const char* key, std::uint64_t& out) {
  if (const Json* found = find(key, &Json::is_number_unsigned, "must be a whole number from 0")) {
    out = found->get<std::uint64_t>();
  }
}

void JsonReader::read(const char* key, std::int64_t& out) {
  if (!json_.is_object() || !json_.contains(key)) return;
  std::uint64_t value = 0;
  read(key, value);
  if (value > 1'000'000'000'000) return fail(quoted(key) + " is too large");
  out = static_cast<std::int64_t>(value);
}

void JsonReader::read(const char* key, int& out) {
  std::int64_t value = out;
  read(key, value);
  if (value > 1'000'000'000) return fail(quoted(key) + " is too large");
  out = static_cast<int>(value);
}

void JsonReader::read(const char* key, std::array<double, 3>& out) {
  const Json* found = find(key, &Json::is_array, "must be three numbers");
  if (found == nullptr) return;
  if (found->size() != 3) return fail(quoted(key) + " must be three numbers");
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(*found)[i].is_number()) return fail(quoted(key) + " must be three numbers");
    out[i] = (*found)[i].get<double>();
  }
}

void JsonReader::read(const char* key, std::vector<double>& out) {
  const Json* found = find(key, &Json::is_array, "must be a list of numbers");
  if (found == nullptr) return;
  out.clear();
  for (const Json& number : *found) {
    if (!number.is_number()) return fail(quoted(key) + " must be a list of numbers");
    out.push_back(number.get<double>());
  }
}

void JsonReader::fail(const std::string& what) {
  if (!error_) error_ = Error{what, where_, "repair the file or save the workspace anew"};
}

void JsonReader::fail(Error error) {
  error.where = where_ + (error.where.empty() ? "" : ", " + error.where);
  if (!error_) error_ = std::move(error);
}

const JsonReader::Json* JsonReader::find(const char* key, bool (Json::*fits)() const noexcept,
                                         const char* wanted) {
  if (error_ || !json_.is_object()) return nullptr;
  const auto found = json_.find(key);
  if (found == json_.end()) return nullptr;
  if (((*found).*fits)()) return &*found;
  fail(quoted(key) + " " + wanted);
  return nullptr;
}

}  // namespace aprscope
