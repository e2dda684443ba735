#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Private to core/io: bytes that blosc packed.

namespace aprscope {

/// Whether there is memory for the blocks and tables of blosc, which crashes where it gets none,
/// for chunks of so many bytes. By trying, so that limits of the process count.
bool has_room_for_blosc(std::size_t chunk_bytes);

/// Bytes that the blosc buffer `source` unpacks to; 0 when its header is not valid or tells of more
/// bytes than it has.
std::size_t blosc_unpacked_size(std::span<const std::uint8_t> source);

/// Unpacks `source` into `target`, whose size is blosc_unpacked_size(). False for damaged bytes;
/// throws std::bad_alloc where memory is short. Thread-safe.
bool blosc_unpack(std::span<const std::uint8_t> source, std::span<std::uint8_t> target);

/// Unpacks only the bytes [begin, begin + target.size()) of what `source` unpacks to, which must
/// have them, and of its blocks only those that hold some. Otherwise as blosc_unpack().
bool blosc_unpack_part(std::span<const std::uint8_t> source, std::size_t begin,
                       std::span<std::uint8_t> target);

}  // namespace aprscope
