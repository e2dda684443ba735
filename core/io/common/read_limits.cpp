#include "core/io/common/read_limits.hpp"

#include <limits>
#include <new>
#include <stdexcept>

#include "core/base/system.hpp"

namespace aprscope {

std::string size_text(const Size3& size) {
  return std::to_string(size.z) + " × " + std::to_string(size.x) + " × " + std::to_string(size.y);
}

Result<std::uint64_t> checked_bytes(const Size3& size, std::uint64_t sample_bytes,
                                    std::uint64_t planes, const std::filesystem::path& path) {
  if (size.z <= 0 || size.x <= 0 || size.y <= 0 || planes == 0 || sample_bytes == 0) {
    return Error{"holds no pixels (its size is " + size_text(size) + ")", path.string(),
                 "open another file"};
  }
  std::uint64_t bytes = 1;
  for (const std::uint64_t factor :
       {static_cast<std::uint64_t>(size.z), static_cast<std::uint64_t>(size.x),
        static_cast<std::uint64_t>(size.y), sample_bytes, planes}) {
    if (__builtin_mul_overflow(bytes, factor, &bytes) ||
        bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return Error{"claims an impossible size (" + size_text(size) + ")", path.string(),
                   "the file is damaged; get it again from its source"};
    }
  }
  return bytes;
}

Status check_memory(std::uint64_t bytes, const std::filesystem::path& path) {
  const std::uint64_t available = available_bytes();
  if (available == 0 || bytes <= available) return {};
  return Error{"needs " + format_bytes(bytes) + " of memory and only " + format_bytes(available) +
                   " are free",
               path.string(), "close other data or crop the image"};
}

template <class T>
Result<Pixels<T>> allocate_pixels(const Size3& size, const std::filesystem::path& path) {
  auto bytes = checked_bytes(size, sizeof(T), 1, path);
  if (!bytes) return bytes.error();
  if (auto fits = check_memory(*bytes, path); !fits) return fits.error();
  try {
    return Pixels<T>(size);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return Error{"needs " + format_bytes(*bytes) + " of memory, which the system refuses",
               path.string(), "close other data or crop the image"};
}

template Result<Pixels<std::uint8_t>> allocate_pixels(const Size3&, const std::filesystem::path&);
template Result<Pixels<std::uint16_t>> allocate_pixels(const Size3&, const std::filesystem::path&);
template Result<Pixels<float>> allocate_pixels(const Size3&, const std::filesystem::path&);
template Result<Pixels<std::uint32_t>> allocate_pixels(const Size3&, const std::filesystem::path&);
template Result<Pixels<double>> allocate_pixels(const Size3&, const std::filesystem::path&);

}  // namespace aprscope
