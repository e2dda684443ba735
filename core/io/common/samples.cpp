#include "core/io/common/samples.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace aprscope {

using Kind = SampleType::Kind;

bool supported(const SampleType& type) {
  const int b = type.bits;
  switch (type.kind) {
    case Kind::unsigned_integer:
      return (b >= 1 && b <= 16) || b == 32 || b == 64;
    case Kind::signed_integer:
      return b == 8 || b == 16 || b == 32 || b == 64;
    case Kind::floating:
      return b == 16 || b == 32 || b == 64;
  }
  return false;
}

StoredAs stored_as(const SampleType& type) {
  if (type.kind != Kind::unsigned_integer || type.bits > 16) return StoredAs::f32;
  return type.bits <= 8 ? StoredAs::u8 : StoredAs::u16;
}

std::string dtype_name(const SampleType& type) {
  const char* letter = type.kind == Kind::unsigned_integer ? "u"
                       : type.kind == Kind::signed_integer ? "i"
                                                           : "f";
  return letter + std::to_string(type.bits);
}

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    // Zero and subnormal numbers are fraction · 2^-24, which is exact in binary32.
    const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
  const std::uint32_t bits = sign | (wide << 23U) | (fraction << 13U);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void swap_bytes(std::uint8_t* data, std::int64_t count, int sample_bytes) {
  if (sample_bytes < 2) return;
  for (std::int64_t i = 0; i < count; ++i, data += sample_bytes) {
    std::reverse(data, data + sample_bytes);
  }
}

namespace {

template <class From, class T>
void convert_as(const std::uint8_t* row, std::int64_t first, std::int64_t stride,
                std::int64_t count, T* out) {
  row += first * static_cast<std::int64_t>(sizeof(From));
  if constexpr (std::is_same_v<From, T>) {
    if (stride == 1) {
      std::memcpy(out, row, static_cast<std::size_t>(count) * sizeof(T));
      return;
    }
  }
  const std::int64_t step = stride * static_cast<std::int64_t>(sizeof(From));
  for (std::int64_t i = 0; i < count; ++i, row += step) {
    From value;
    std::memcpy(&value, row, sizeof value);
    out[i] = static_cast<T>(value);
  }
}

template <class T>
void convert_packed(const std::uint8_t* row, int bits, std::int64_t first, std::int64_t stride,
                    std::int64_t count, T* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = (first + i * stride) * bits;
    std::uint32_t value = 0;
    for (std::int64_t b = begin; b < begin + bits; ++b) {
      value = (value << 1U) | ((row[b / 8] >> static_cast<unsigned>(7 - b % 8)) & 1U);
    }
    out[i] = static_cast<T>(value);
  }
}

template <class T>
void convert_half(const std::uint8_t* row, std::int64_t first, std::int64_t stride,
                  std::int64_t count, T* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, row + (first + i * stride) * 2, sizeof half);
    out[i] = half_to_float(half);
  }
}

}  // namespace

template <class T>
void convert_row(const std::uint8_t* row, const SampleType& type, std::int64_t first,
                 std::int64_t stride, std::int64_t count, T* out) {
  const int bits = type.bits;
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    if (bits == 8) return convert_as<std::uint8_t>(row, first, stride, count, out);
    convert_packed(row, bits, first, stride, count, out);
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    if (bits == 16) return convert_as<std::uint16_t>(row, first, stride, count, out);
    convert_packed(row, bits, first, stride, count, out);
  } else {
    switch (type.kind) {
      case Kind::unsigned_integer:
        if (bits == 8) return convert_as<std::uint8_t>(row, first, stride, count, out);
        if (bits == 16) return convert_as<std::uint16_t>(row, first, stride, count, out);
        if (bits < 16) return convert_packed(row, bits, first, stride, count, out);
        if (bits == 32) return convert_as<std::uint32_t>(row, first, stride, count, out);
        return convert_as<std::uint64_t>(row, first, stride, count, out);
      case Kind::signed_integer:
        if (bits == 8) return convert_as<std::int8_t>(row, first, stride, count, out);
        if (bits == 16) return convert_as<std::int16_t>(row, first, stride, count, out);
        if (bits == 32) return convert_as<std::int32_t>(row, first, stride, count, out);
        return convert_as<std::int64_t>(row, first, stride, count, out);
      case Kind::floating:
        if (bits == 16) return convert_half(row, first, stride, count, out);
        if (bits == 32) return convert_as<float>(row, first, stride, count, out);
        return convert_as<double>(row, first, stride, count, out);
    }
  }
}

template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                          std::int64_t, std::uint8_t*);
template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                          std::int64_t, std::uint16_t*);
template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                          std::int64_t, float*);
template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                          std::int64_t, double*);

}  // namespace aprscope
