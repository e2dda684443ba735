#pragma once

#include <cstdint>
#include <string>

// Private to core/io: the sample types of files of pixels and their conversion to ours.

namespace aprscope {

/// How a sample lies in a file.
struct SampleType {
  enum class Kind { unsigned_integer, signed_integer, floating } kind = Kind::unsigned_integer;
  /// 1 … 16 for unsigned integers; 8, 16, 32, 64 for signed ones, 32, 64 too for unsigned ones; 16,
  /// 32, 64 for floats.
  int bits = 8;

  friend bool operator==(const SampleType&, const SampleType&) = default;
};

/// Which of the three types of Volume holds such samples.
enum class StoredAs { u8, u16, f32 };

/// True for the combinations listed at SampleType.
bool supported(const SampleType& type);
StoredAs stored_as(const SampleType& type);
/// "u8", "i16", "f32", "u12" …
std::string dtype_name(const SampleType& type);

/// Samples of one row: takes every `stride`-th sample from number `first` on, `count` of them.
/// `row` is in the machine's byte order (samples of 8, 16, 32, 64 bits) or packed, most significant
/// bit first (other numbers of bits). T is the type that stored_as() names, or f64, which holds all
/// but integers beyond 2^53.
template <class T>
void convert_row(const std::uint8_t* row, const SampleType& type, std::int64_t first,
                 std::int64_t stride, std::int64_t count, T* out);

extern template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                                 std::int64_t, std::uint8_t*);
extern template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                                 std::int64_t, std::uint16_t*);
extern template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                                 std::int64_t, float*);
extern template void convert_row(const std::uint8_t*, const SampleType&, std::int64_t, std::int64_t,
                                 std::int64_t, double*);

/// IEEE 754 binary16 to binary32.
float half_to_float(std::uint16_t half);

/// Reverses the bytes of each of `count` samples of `sample_bytes` (1, 2, 4 or 8).
void swap_bytes(std::uint8_t* data, std::int64_t count, int sample_bytes);

}  // namespace aprscope
