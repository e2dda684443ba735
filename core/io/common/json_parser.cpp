#include "core/io/common/json_parser.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "core/base/memory_error.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

std::string with_number(const char* what, std::size_t number) {
  return what + std::to_string(number);
}

// Builds the value from the parser's events, so that what is too much is refused before it is made.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const JsonBounds& bounds) : bounds_(bounds) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*digits*/) override {
    if (!std::isfinite(value)) return refuse("holds a number that is too large for this machine");
    return add(value);
  }
  bool string(string_t& value) override {
    if (value.size() > bounds_.text_bytes) {
      return refuse(with_number("holds a text of more bytes than ", bounds_.text_bytes));
    }
    if (value.find('\0') != string_t::npos) return refuse("holds a text with a zero byte");
    return add(std::move(value));
  }
  bool binary(binary_t& /*value*/) override { return refuse("holds binary data"); }

  bool start_object(std::size_t /*unknown*/) override { return open(Json::object()); }
  bool key(string_t& name) override {
    if (name.size() > bounds_.key_bytes) {
      return refuse(with_number("holds a name of more bytes than ", bounds_.key_bytes));
    }
    const Json& object = *open_.back();
    if (object.contains(name)) return refuse("holds \"" + name + "\" twice in one object");
    if (object.size() == bounds_.members) {
      return refuse(with_number("holds an object of more members than ", bounds_.members));
    }
    key_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*unknown*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      return refuse("holds a number that is too large for this machine");
    }
    return refuse("is not valid JSON at byte " + std::to_string(position));
  }

  [[nodiscard]] Json take() { return std::move(root_); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  // The place of the new value; lists and objects that are open do not move while they are.
  Json* place(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *open_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    return &(parent[key_] = std::move(value));
  }

  bool add(Json value) {
    if (++values_ > JsonLimits::values) {
      return refuse(with_number("holds more values than ", JsonLimits::values));
    }
    place(std::move(value));
    return true;
  }

  bool open(Json container) {
    if (open_.size() == static_cast<std::size_t>(JsonLimits::depth)) {
      return refuse(with_number("is nested deeper than ", JsonLimits::depth) + " levels");
    }
    if (++lists_ > JsonLimits::lists) {
      return refuse(with_number("holds more lists and objects than ", JsonLimits::lists));
    }
    open_.push_back(place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  std::string key_;
  std::size_t values_ = 0;
  std::size_t lists_ = 0;
  std::string problem_;
  JsonBounds bounds_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& where, const JsonBounds& bounds) {
  return with_memory_errors(where, [&]() -> Result<Json> {
    Builder builder(bounds);
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
    return Error{builder.problem(), where,
                 builder.problem().find("not valid") == std::string::npos
                     ? bounds.advice
                     : "check brackets and commas"};
  });
}

std::optional<std::int64_t> whole_number(const Json& json) {
  // 2^53: beyond it doubles skip whole numbers.
  constexpr double kExact = 9007199254740992.0;
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return {};
    return static_cast<std::int64_t>(value);
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (!json.is_number()) return {};
  const auto value = json.get<double>();
  if (value != std::floor(value) || std::abs(value) >= kExact) return {};
  return static_cast<std::int64_t>(value);
}

std::optional<std::string> wrong_version(const Json& json, const char* key, std::int64_t newest,
                                         std::int64_t oldest) {
  const auto found = json.find(key);
  const auto number = found == json.end() ? std::nullopt : whole_number(*found);
  if (!number) return "has a version that is not a whole number";
  if (*number >= oldest && *number <= newest) return {};
  return "has version " + std::to_string(*number) + ", not " +
         (oldest == newest ? "" : std::to_string(oldest) + " to ") + std::to_string(newest);
}

}  // namespace aprscope
