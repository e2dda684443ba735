#include "core/io/em/em_file.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "core/base/system.hpp"
#include "core/io/common/read_limits.hpp"

namespace aprscope {

std::uint64_t EmPlanes::row_bytes() const {
  const auto bits = static_cast<std::uint64_t>(columns) * static_cast<std::uint64_t>(type.bits);
  return (bits + 7) / 8;
}

std::uint64_t EmPlanes::offset(std::int64_t section) const {
  const auto item = static_cast<std::uint64_t>(section / sections_per_item);
  const auto inside = static_cast<std::uint64_t>(section % sections_per_item);
  return first + item * item_stride + inside * plane_bytes();
}

std::int64_t EmPlanes::sections_in(std::uint64_t file_bytes) const {
  if (file_bytes <= first) return 0;
  const std::uint64_t items = (file_bytes - first) / item_stride;
  const std::uint64_t rest = (file_bytes - first) % item_stride / plane_bytes();
  const auto per_item = static_cast<std::uint64_t>(sections_per_item);
  return std::min(sections, static_cast<std::int64_t>(items * per_item + std::min(rest, per_item)));
}

Size3 EmHeader::size() const {
  const std::array<std::int64_t, 3> stored{planes.columns, planes.rows, planes.sections / maps};
  std::array<std::int64_t, 3> along{};
  for (std::size_t i = 0; i < 3; ++i) along[static_cast<std::size_t>(axes[i])] = stored[i];
  return {along[2], along[1], along[0]};
}

Status check_em_planes(const EmPlanes& planes, std::uint64_t file_bytes,
                       const std::filesystem::path& path) {
  const Size3 size{planes.sections, planes.rows, planes.columns};
  // 16 bytes a sample are more than any type has; headers between items are small beside that.
  const auto bytes = checked_bytes(size, 16, 1, path);
  if (!bytes) return bytes.error();
  const auto has = planes.sections_in(file_bytes);
  if (has == planes.sections) return {};
  return Error{"is cut off: it holds " + std::to_string(has) + " of " +
                   std::to_string(planes.sections) + " sections of " +
                   std::to_string(planes.columns) + " × " + std::to_string(planes.rows) + " in " +
                   format_bytes(file_bytes),
               path.string(), "get the file again from its source"};
}

StoredAs em_stored_as(const EmPlanes& planes) {
  return planes.nibbles ? StoredAs::u8 : stored_as(planes.type);
}

std::string em_dtype(const EmPlanes& planes) { return dtype_name(planes.type); }

void halves_to_floats(const std::uint8_t* halves, std::int64_t count, float* out) {
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + 2 * i));
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(eight));
  }
#endif
  for (; i < count; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, halves + 2 * i, 2);
    out[i] = half_to_float(half);
  }
}

namespace {

// A loop for one size of samples, which the compiler can vectorise.
template <class T>
void swap_all(std::uint8_t* raw, std::int64_t count, T (*swap)(T)) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value = 0;
    std::memcpy(&value, raw + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    value = swap(value);
    std::memcpy(raw + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
  }
}

void swap_samples(std::uint8_t* raw, std::int64_t count, int bits) {
  if (bits == 16) {
    swap_all<std::uint16_t>(raw, count, [](std::uint16_t v) { return __builtin_bswap16(v); });
  } else if (bits == 32) {
    swap_all<std::uint32_t>(raw, count, [](std::uint32_t v) { return __builtin_bswap32(v); });
  }
}

}  // namespace

template <class T>
void decode_em(std::uint8_t* raw, const EmPlanes& planes, std::int64_t rows, T* out) {
  const std::int64_t columns = planes.columns;
  if (planes.nibbles) {
    const auto row_bytes = static_cast<std::int64_t>(planes.row_bytes());
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::uint8_t* const in = raw + row * row_bytes;
      for (std::int64_t i = 0; i < columns; ++i) {
        const unsigned byte = in[i / 2];
        out[row * columns + i] = static_cast<T>(i % 2 == 0 ? byte & 15U : byte >> 4U);
      }
    }
    return;
  }
  const std::int64_t count = rows * columns;
  if (planes.swapped) swap_samples(raw, count, planes.type.bits);
  if constexpr (std::is_same_v<T, float>) {
    if (planes.type.kind == SampleType::Kind::floating && planes.type.bits == 16) {
      halves_to_floats(raw, count, out);
      return;
    }
    if (planes.type.kind == SampleType::Kind::floating && planes.type.bits == 32) {
      std::memcpy(out, raw, static_cast<std::size_t>(count) * sizeof(float));
      return;
    }
  }
  convert_row(raw, planes.type, 0, 1, count, out);
}

template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, std::uint8_t*);
template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, std::uint16_t*);
template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, float*);
template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, double*);

}  // namespace aprscope
