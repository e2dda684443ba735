#include "core/base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace aprscope {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The character of UTF-8 that a text begins with: none for what is too long for its code, cut off,
// half of a pair, or beyond Unicode.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80U) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (lead < 0xC2U || lead > 0xF4U || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10FFFFU || (code >= 0xD800U && code < 0xE000U)) return {};
  return {code, bytes, true};
}

// Whether a terminal or a reader might be led by it.
bool acts(std::uint32_t code) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20U || within(0x7F, 0x9F) ||
         // Marks, embeddings, overrides and isolates of the direction of writing.
         code == 0x61CU || within(0x200E, 0x200F) || within(0x202A, 0x202E) ||
         within(0x2066, 0x2069) ||
         // Separators of lines and paragraphs.
         within(0x2028, 0x2029);
}

void append(std::string& out, const char* format, std::uint32_t code) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, code);
  out += text.data();
}

// Copies a text; `escape` writes control characters and each byte that is not UTF-8.
template <class Escape>
std::string escaped(std::string_view text, const Escape& escape) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_of(text);
    if (c.valid && !acts(c.code)) {
      out += text.substr(0, c.bytes);
    } else {
      escape(out, c.valid ? c.code : static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, [](std::string& out, std::uint32_t code) {
    if (code == '\n') {
      out += "\\n";
    } else if (code == '\r') {
      out += "\\r";
    } else if (code == '\t') {
      out += "\\t";
    } else {
      append(out, code < 0x100U ? "\\x%02x" : "\\u%04x", code);
    }
  });
}

std::string printable_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return printable(line);
}

std::string printable_json(std::string_view json) {
  return escaped(json, [](std::string& out, std::uint32_t code) {
    // Between the values, where it may stand.
    if (code == '\n') {
      out += '\n';
    } else {
      append(out, "\\u%04x", code);
    }
  });
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

}  // namespace aprscope
