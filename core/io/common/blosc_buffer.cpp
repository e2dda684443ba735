#include "core/io/common/blosc_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
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

namespace {

// Blosc does not tell damage from memory that it cannot have: some blocks and a codec's tables.
// Throws std::bad_alloc where there is none.
void try_room_of_blocks(std::span<const std::uint8_t> source, std::size_t unpacked) {
  std::size_t stated = 0;
  std::size_t packed = 0;
  std::size_t block = 0;
  blosc_cbuffer_sizes(source.data(), &stated, &packed, &block);
  std::vector<std::uint8_t> wanted(4 * std::min(block, unpacked) + (std::size_t{1} << 20));
  // Written, so that no compiler leaves it out.
  volatile std::uint8_t* const first = wanted.data();
  *first = 1;
}

}  // namespace

bool blosc_unpack(std::span<const std::uint8_t> source, std::span<std::uint8_t> target) {
  if (blosc_unpacked_size(source) != target.size()) return false;
  if (!has_room_for_blosc(target.size())) throw std::bad_alloc();
  const int done = blosc_decompress_ctx(source.data(), target.data(), target.size(), 1);
  if (done == static_cast<int>(target.size())) return true;
  try_room_of_blocks(source, target.size());
  return false;
}

bool blosc_unpack_part(std::span<const std::uint8_t> source, std::size_t begin,
                       std::span<std::uint8_t> target) {
  const std::size_t unpacked = blosc_unpacked_size(source);
  if (begin > unpacked || target.size() > unpacked - begin) return false;
  if (target.empty()) return true;
  std::size_t item = 0;
  int flags = 0;
  blosc_cbuffer_metainfo(source.data(), &item, &flags);
  std::size_t stated = 0;
  std::size_t packed = 0;
  std::size_t block = 0;
  blosc_cbuffer_sizes(source.data(), &stated, &packed, &block);
  // Blosc counts in items of the size that the buffer states. Of blocks that are no whole items it
  // would give bytes that nobody wrote, and a flag of later versions it would not see.
  constexpr unsigned kLaterVersions = 8;
  if (item == 0 || begin % item != 0 || target.size() % item != 0 || block % item != 0 ||
      (source[2] & kLaterVersions) != 0) {
    std::vector<std::uint8_t> all(unpacked);
    if (!blosc_unpack(source, all)) return false;
    std::memcpy(target.data(), all.data() + begin, target.size());
    return true;
  }
  if (!has_room_for_blosc(unpacked)) throw std::bad_alloc();
  const int done = blosc_getitem(source.data(), static_cast<int>(begin / item),
                                 static_cast<int>(target.size() / item), target.data());
  if (done == static_cast<int>(target.size())) return true;
  try_room_of_blocks(source, unpacked);
  return false;
}

}  // namespace aprscope
