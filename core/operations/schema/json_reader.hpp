#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"

namespace aprscope {

/// Reads members of one JSON object that are there and leaves the others as they are. The first
/// wrong member is kept as `error`, which names the object and the member; later calls do nothing.
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  /// `where`: how errors call the object. Both references must outlive the reader.
  JsonReader(const Json& json, std::string where, std::optional<Error>& error);

  void read(const char* key, std::string& out);
  void read(const char* key, bool& out);
  /// Reads a finite number.
  void read(const char* key, double& out);
  /// Reads a whole number from 0 on.
  void read(const char* key, std::uint64_t& out);
  void read(const char* key, std::int64_t& out);
  void read(const char* key, int& out);
  void read(const char* key, std::array<double, 3>& out);
  void read(const char* key, std::vector<double>& out);

  /// An inner object, if it is there.
  template <class Read>
  void object(const char* key, const Read& inner) {
    if (const Json* found = find(key, &Json::is_object, "must be an object")) {
      JsonReader reader(*found, where_ + ", " + key, error_);
      inner(reader);
    }
  }
  /// Calls `each` for each object of a list; errors count them from 1.
  template <class Read>
  void list(const char* key, const Read& each) {
    const Json* found = find(key, &Json::is_array, "must be a list");
    if (found == nullptr) return;
    for (std::size_t i = 0; i < found->size() && !error_; ++i) {
      JsonReader reader((*found)[i], where_ + ", " + key + " " + std::to_string(i + 1), error_);
      each(reader);
    }
  }

  [[nodiscard]] const Json& json() const { return json_; }
  void fail(const std::string& what);
  void fail(Error error);

 private:
  const Json* find(const char* key, bool (Json::*fits)() const noexcept, const char* wanted);

  const Json& json_;
  std::string where_;
  std::optional<Error>& error_;
};

}  // namespace aprscope
