#include "core/io/common/blosc_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include <blosc.h>

namespace aprscope {

bool has_room_for_blosc(std::size_t chunk_bytes) {
  // Room that c-blosc needs: three blocks of at most the chunk, and the codec's tables.
  constexpr std::size_t kLargestBlock = std::size_t{2} << 20U;
  constexpr std::size_t kTables = std::size_t{4} << 20U;
  void* const room = std::malloc(4 * std::min(chunk_bytes, kLargestBlock) + kTables);
  if (room == nullptr) return false;
  // Used, so that no compiler leaves it out.
  *static_cast<volatile char*>(room) = 1;
  std::free(room);
  return true;
}

std::size_t blosc_unpacked_size(std::span<const std::uint8_t> source) {
  std::size_t unpacked = 0;
  if (source.size() < BLOSC_MIN_HEADER_LENGTH ||
      blosc_cbuffer_validate(source.data(), source.size(), &unpacked) < 0) {
    return 0;
  }
  return unpacked;
}

bool blosc_unpack(std::span<const std::uint8_t> source, std::span<std::uint8_t> target) {
  if (blosc_unpacked_size(source) != target.size()) return false;
  if (!has_room_for_blosc(target.size())) throw std::bad_alloc();
  const int done = blosc_decompress_ctx(source.data(), target.data(), target.size(), 1);
  if (done == static_cast<int>(target.size())) return true;
  // Blosc does not tell damage from memory that it cannot have: some blocks and a codec's tables.
  std::size_t unpacked = 0;
  std::size_t packed = 0;
  std::size_t block = 0;
  blosc_cbuffer_sizes(source.data(), &unpacked, &packed, &block);
  std::vector<std::uint8_t> wanted(4 * std::min(block, target.size()) + (std::size_t{1} << 20));
  // Written, so that no compiler leaves it out.
  volatile std::uint8_t* const first = wanted.data();
  *first = 1;
  return false;
}

}  // namespace aprscope
