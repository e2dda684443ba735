#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

// Private to core/io: sizes that files claim are checked before memory is taken.

namespace aprscope {

/// Bytes of `size` samples of `sample_bytes` each times `planes`; errors when a dimension is not
/// positive or the number of bytes does not fit 63 bits.
Result<std::uint64_t> checked_bytes(const Size3& size, std::uint64_t sample_bytes,
                                    std::uint64_t planes, const std::filesystem::path& path);

/// An error when `bytes` is more than the system can still give to this process.
Status check_memory(std::uint64_t bytes, const std::filesystem::path& path);

/// "57 × 256 × 256" for messages, order z, x, y.
std::string size_text(const Size3& size);

/// An empty volume of `size` with samples of type T; out of memory is an error.
template <class T>
Result<Pixels<T>> allocate_pixels(const Size3& size, const std::filesystem::path& path);

extern template Result<Pixels<std::uint8_t>> allocate_pixels(const Size3&,
                                                             const std::filesystem::path&);
extern template Result<Pixels<std::uint16_t>> allocate_pixels(const Size3&,
                                                              const std::filesystem::path&);
extern template Result<Pixels<float>> allocate_pixels(const Size3&, const std::filesystem::path&);
extern template Result<Pixels<std::uint32_t>> allocate_pixels(const Size3&,
                                                              const std::filesystem::path&);
extern template Result<Pixels<double>> allocate_pixels(const Size3&, const std::filesystem::path&);

}  // namespace aprscope
