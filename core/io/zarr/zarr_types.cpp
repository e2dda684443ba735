#include "core/io/zarr/zarr_types.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>

#include "core/io/common/json_parser.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little,
              "fill values are written as they lie here");

std::vector<std::uint8_t> bytes_of(std::uint64_t bits, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::memcpy(bytes.data(), &bits, size);
  return bytes;
}

std::uint16_t to_half(double value) {
  if (std::isnan(value)) return 0x7E00;
  if (std::isinf(value)) return value < 0 ? 0xFC00 : 0x7C00;
  // Fill values that a half holds are few and small; the nearest of all 65536 is exact enough.
  std::uint16_t best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float candidate = half_to_float(static_cast<std::uint16_t>(bits));
    if (!std::isfinite(candidate)) continue;
    const double d = std::abs(static_cast<double>(candidate) - value);
    if (d < distance) {
      distance = d;
      best = static_cast<std::uint16_t>(bits);
    }
  }
  return best;
}

std::uint64_t real_bits(double value, int bits) {
  if (bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return to_half(value);
}

}  // namespace

std::optional<SampleType> zarr_type_of_letters(char letter, int bytes) {
  SampleType type;
  type.bits = 8 * bytes;
  if (letter == 'u' || letter == 'b') {
    type.kind = SampleType::Kind::unsigned_integer;
  } else if (letter == 'i') {
    type.kind = SampleType::Kind::signed_integer;
  } else if (letter == 'f') {
    type.kind = SampleType::Kind::floating;
  } else {
    return {};
  }
  if (letter == 'b' && bytes != 1) return {};
  if (!supported(type) || type.bits < 8) return {};
  return type;
}

std::optional<SampleType> zarr_type_of_name(const std::string& name) {
  if (name == "bool") return zarr_type_of_letters('b', 1);
  for (const std::string_view base : {"uint", "int", "float"}) {
    if (name.rfind(base, 0) != 0) continue;
    const std::string bits = name.substr(base.size());
    for (const int bytes : {1, 2, 4, 8}) {
      if (bits == std::to_string(8 * bytes)) return zarr_type_of_letters(base[0], bytes);
    }
  }
  return {};
}

std::optional<std::vector<std::uint8_t>> zarr_fill(const Json& json, const SampleType& type) {
  const std::size_t size = static_cast<std::size_t>(type.bits) / 8;
  const bool real = type.kind == SampleType::Kind::floating;
  if (json.is_null()) return bytes_of(0, size);
  if (json.is_boolean()) return bytes_of(json.get<bool>() ? 1 : 0, size);
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    if (text.rfind("0x", 0) == 0 && text.size() == 2 + 2 * size) {
      std::uint64_t bits = 0;
      for (const char c : text.substr(2)) {
        const std::size_t digit =
            std::string_view("0123456789abcdef")
                .find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
        if (digit == std::string_view::npos) return {};
        bits = bits << 4U | digit;
      }
      return bytes_of(bits, size);
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!real) return {};
    if (text == "NaN") return bytes_of(real_bits(std::nan(""), type.bits), size);
    if (text == "Infinity") return bytes_of(real_bits(kInfinity, type.bits), size);
    if (text == "-Infinity") return bytes_of(real_bits(-kInfinity, type.bits), size);
    return {};
  }
  if (!json.is_number()) return {};
  if (real) return bytes_of(real_bits(json.get<double>(), type.bits), size);
  if (json.is_number_unsigned()) return bytes_of(json.get<std::uint64_t>(), size);
  if (const auto whole = whole_number(json)) {
    return bytes_of(static_cast<std::uint64_t>(*whole), size);
  }
  return {};
}

}  // namespace aprscope
