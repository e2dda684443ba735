#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"

namespace aprscope {

/// What JSON from a file may hold. All that the program writes is far below these limits; more
/// would cost stack, memory or quadratic time.
struct JsonLimits {
  static constexpr int depth = 32;
  static constexpr std::size_t members = 100;           ///< of one object
  static constexpr std::size_t key_bytes = 100;         ///< of a member's name
  static constexpr std::size_t text_bytes = 1U << 16U;  ///< of a text
  static constexpr std::size_t lists = 1U << 20U;       ///< lists and objects in all
  static constexpr std::size_t values = 1U << 23U;      ///< values in all
};

/// Limits that other programs' files need wider, and what to do where they do not hold.
struct JsonBounds {
  std::size_t members = JsonLimits::members;
  std::size_t key_bytes = JsonLimits::key_bytes;
  std::size_t text_bytes = JsonLimits::text_bytes;
  const char* advice = "no file of this program does; choose another one";
};

/// The value that `text` holds; the only way from the bytes of a file to JSON. Every member's name
/// is there once, every number is finite, no text holds a zero byte. `where` names the source in
/// errors. Errors: no JSON, beyond JsonLimits (or `bounds`), out of memory.
Result<nlohmann::ordered_json> parse_json(std::string_view text, const std::string& where,
                                          const JsonBounds& bounds = {});

/// The number as a whole one, if it is one and fits.
std::optional<std::int64_t> whole_number(const nlohmann::ordered_json& json);

/// "has version 3, not 1 to 2" if the member `key` is a whole number beyond these two; other values
/// are never printed. None if the version is between them.
std::optional<std::string> wrong_version(const nlohmann::ordered_json& json, const char* key,
                                         std::int64_t newest, std::int64_t oldest);

}  // namespace aprscope
