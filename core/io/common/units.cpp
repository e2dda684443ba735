#include "core/io/common/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace aprscope {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n\0";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

// The code point at `at` of UTF-8 text, moving `at` past it; a byte that is not UTF-8 counts as
// Latin-1, which old software writes.
std::uint32_t next_code(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(at);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  std::uint32_t code = more == 3 ? lead & 7U : more == 2 ? lead & 15U : lead & 31U;
  for (int i = 1; i <= more; ++i) {
    const std::size_t next = at + static_cast<std::size_t>(i);
    if (next >= text.size() || (byte(next) & 0xC0U) != 0x80U) {
      ++at;
      return lead;
    }
    code = (code << 6U) | (byte(next) & 0x3FU);
  }
  at += static_cast<std::size_t>(more) + 1;
  return more == 0 ? lead : code;
}

std::optional<std::uint32_t> hex4(std::string_view text) {
  std::uint32_t code = 0;
  if (text.size() < 4) return {};
  const auto end = text.data() + 4;
  const auto [stop, error] = std::from_chars(text.data(), end, code, 16);
  if (error != std::errc() || stop != end) return {};
  return code;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::string normalized_unit(std::string_view unit) {
  // Latin-1 to UTF-8, and one sign for micro: U+00B5 (the Greek letter is U+03BC).
  std::string text;
  const std::string plain = unescape_properties(trimmed(unit));
  for (std::size_t at = 0; at < plain.size();) {
    const std::uint32_t code = next_code(plain, at);
    append_utf8(text, code == 0x3BC ? 0xB5 : code);
  }
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 34> names{{
      {"", "px"},
      {"pixel", "px"},
      {"pixels", "px"},
      {"px", "px"},
      {"voxel", "px"},
      {"um", "µm"},
      {"µm", "µm"},
      {"micron", "µm"},
      {"microns", "µm"},
      {"micrometer", "µm"},
      {"micrometers", "µm"},
      {"micrometre", "µm"},
      {"micrometres", "µm"},
      {"µ", "µm"},
      {"nm", "nm"},
      {"nanometer", "nm"},
      {"nanometers", "nm"},
      {"nanometre", "nm"},
      {"nanometres", "nm"},
      {"mm", "mm"},
      {"millimeter", "mm"},
      {"millimeters", "mm"},
      {"millimetre", "mm"},
      {"cm", "cm"},
      {"centimeter", "cm"},
      {"centimetre", "cm"},
      {"m", "m"},
      {"meter", "m"},
      {"metre", "m"},
      {"inch", "inch"},
      {"inches", "inch"},
      {"in", "inch"},
      {"Å", "Å"},
      {"angstrom", "Å"},
  }};
  for (const auto& [name, sign] : names) {
    if (lower == name) return std::string(sign);
  }
  return text;
}

std::optional<double> unit_in_micrometres(const std::string& normalized) {
  if (normalized == "µm") return 1.0;
  if (normalized == "nm") return 1e-3;
  if (normalized == "mm") return 1e3;
  if (normalized == "cm") return 1e4;
  if (normalized == "m") return 1e6;
  if (normalized == "inch") return 25400.0;
  if (normalized == "Å") return 1e-4;
  return {};
}

std::optional<double> unit_in_seconds(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 20> known{
      {{"s", 1.0},       {"sec", 1.0},          {"second", 1.0},       {"seconds", 1.0},
       {"ms", 1e-3},     {"msec", 1e-3},        {"millisecond", 1e-3}, {"µs", 1e-6},
       {"us", 1e-6},     {"microsecond", 1e-6}, {"ns", 1e-9},          {"nanosecond", 1e-9},
       {"min", 60.0},    {"minute", 60.0},      {"minutes", 60.0},     {"h", 3600.0},
       {"hour", 3600.0}, {"hours", 3600.0},     {"d", 86400.0},        {"day", 86400.0}}};
  for (const auto& [name, seconds] : known) {
    if (unit == name) return seconds;
  }
  return {};
}

std::optional<double> sane_step(std::optional<double> seconds) {
  if (!seconds || !std::isfinite(*seconds) || *seconds <= 0.0) return {};
  return seconds;
}

VoxelSize sane_voxel(VoxelSize voxel) {
  if (voxel.unit == "cm" || voxel.unit == "inch" || voxel.unit == "m") {
    const double factor = *unit_in_micrometres(voxel.unit);
    voxel.z *= factor;
    voxel.x *= factor;
    voxel.y *= factor;
    voxel.unit = "µm";
  }
  for (double* size : {&voxel.z, &voxel.x, &voxel.y}) {
    if (!std::isfinite(*size) || *size <= 0.0) *size = 1.0;
  }
  return voxel;
}

double shortest_decimal(double value) {
  if (!std::isfinite(value) || value == 0.0) return value;
  for (int digits = 1; digits <= 9; ++digits) {
    char text[40];
    const auto [end, error] =
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
    double rounded = 0;
    if (error != std::errc()) break;
    std::from_chars(text, end, rounded);
    if (std::abs(rounded - value) <= 1.2e-7 * std::abs(value)) return rounded;
  }
  return value;
}

std::string unescape_properties(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out.push_back(text[i]);
      continue;
    }
    const char kind = text[++i];
    if (kind != 'u') {
      out.push_back(kind == 'n' ? '\n' : kind == 't' ? '\t' : kind);
      continue;
    }
    const auto code = hex4(text.substr(i + 1));
    if (!code) {
      out += "\\u";
      continue;
    }
    i += 4;
    const bool lead = *code >= 0xD800 && *code < 0xDC00;
    const auto low = lead && text.substr(i + 1, 2) == "\\u" ? hex4(text.substr(i + 3))
                                                            : std::optional<std::uint32_t>();
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      i += 6;
      append_utf8(out, 0x10000U + ((*code - 0xD800U) << 10U) + (*low - 0xDC00U));
    } else {
      const bool lone_surrogate = *code >= 0xD800 && *code < 0xE000;
      append_utf8(out, lone_surrogate ? 0xFFFDU : *code);
    }
  }
  return out;
}

std::string escape_properties(std::string_view text) {
  std::string out;
  const auto put_unit = [&](std::uint32_t unit) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04X", unit & 0xFFFFU);
    out += escaped;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t code = next_code(text, at);
    if (code == '\\') {
      out += "\\\\";
    } else if (code >= 0x20 && code < 0x7F) {
      out.push_back(static_cast<char>(code));
    } else if (code < 0x10000) {
      put_unit(code);
    } else {
      put_unit(0xD800U + ((code - 0x10000U) >> 10U));
      put_unit(0xDC00U + ((code - 0x10000U) & 0x3FFU));
    }
  }
  return out;
}

}  // namespace aprscope
