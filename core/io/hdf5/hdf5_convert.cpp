#include "core/io/hdf5/hdf5_convert.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace aprscope {
namespace {

constexpr std::array<std::size_t, 10> kBytes = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

template <std::size_t Bytes>
using Unsigned = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class U>
U swapped(U value) {
  if constexpr (sizeof(U) == 1) return value;
  if constexpr (sizeof(U) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(U) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(U) == 8) return __builtin_bswap64(value);
}

// Converts a half float (IEEE 754 binary16).
float half(std::uint16_t bits) {
  const int exponent = bits >> 10U & 31U;
  const int mantissa = bits & 1023U;
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return sign * (mantissa != 0 ? std::nanf("") : INFINITY);
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

struct Half {
  std::uint16_t bits;
  explicit operator float() const { return half(bits); }
  explicit operator double() const { return half(bits); }
};

// The bits that count, moved down; a negative number keeps its sign.
template <class T>
T bit_field(Unsigned<sizeof(T)> bits, const Hdf5Type& type) {
  using U = Unsigned<sizeof(T)>;
  constexpr unsigned kBits = 8 * sizeof(T);
  const unsigned above = kBits - type.precision - type.offset;
  const auto top = static_cast<T>(static_cast<U>(bits << above));
  return static_cast<T>(top >> (kBits - type.precision));
}

template <class From, class To, bool Swapped, bool Field>
void convert(const Hdf5Type& type, const std::uint8_t* in, std::size_t count, std::uint8_t* out) {
  using U = Unsigned<sizeof(From)>;
  for (std::size_t i = 0; i < count; ++i) {
    U bits;
    std::memcpy(&bits, in + i * sizeof(U), sizeof(U));
    if constexpr (Swapped) bits = swapped(bits);
    From value;
    if constexpr (Field) {
      value = bit_field<From>(bits, type);
    } else {
      value = std::bit_cast<From>(bits);
    }
    const To converted = static_cast<To>(value);
    std::memcpy(out + i * sizeof(To), &converted, sizeof(To));
  }
}

template <class From, class To>
Converter choose(const Hdf5Type& type) {
  if constexpr (std::is_integral_v<From>) {
    if (!type.plain()) {
      return type.big_endian ? convert<From, To, true, true> : convert<From, To, false, true>;
    }
  }
  return type.big_endian ? convert<From, To, true, false> : convert<From, To, false, false>;
}

template <class From>
Converter choose_target(const Hdf5Type& type, NumberType target) {
  if constexpr (!std::is_same_v<From, Half>) {
    if (target == own_type(type)) return choose<From, From>(type);
  }
  return target == NumberType::f32   ? choose<From, float>(type)
         : target == NumberType::f64 ? choose<From, double>(type)
                                     : nullptr;
}

}  // namespace

std::size_t bytes_of(NumberType type) { return kBytes[static_cast<std::size_t>(type)]; }

NumberType own_type(const Hdf5Type& type) {
  if (type.kind == Hdf5Kind::real) return type.size == 8 ? NumberType::f64 : NumberType::f32;
  const int width = std::countr_zero(type.size);
  return static_cast<NumberType>(type.is_signed ? 4 + width : width);
}

Converter converter(const Hdf5Type& type, NumberType target) {
  if (!type.sound()) return nullptr;
  if (type.kind == Hdf5Kind::real) {
    return type.size == 2   ? choose_target<Half>(type, target)
           : type.size == 4 ? choose_target<float>(type, target)
                            : choose_target<double>(type, target);
  }
  switch (own_type(type)) {
    case NumberType::u8:
      return choose_target<std::uint8_t>(type, target);
    case NumberType::u16:
      return choose_target<std::uint16_t>(type, target);
    case NumberType::u32:
      return choose_target<std::uint32_t>(type, target);
    case NumberType::u64:
      return choose_target<std::uint64_t>(type, target);
    case NumberType::i8:
      return choose_target<std::int8_t>(type, target);
    case NumberType::i16:
      return choose_target<std::int16_t>(type, target);
    case NumberType::i32:
      return choose_target<std::int32_t>(type, target);
    default:
      return choose_target<std::int64_t>(type, target);
  }
}

bool same_bytes(const Hdf5Type& type, NumberType target) {
  return type.plain() && (!type.big_endian || type.size == 1) && type.size == bytes_of(target) &&
         own_type(type) == target;
}

}  // namespace aprscope
