#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Private to core/io: how the bytes of a chunk of Zarr or N5 are packed.

namespace aprscope {

/// gzip includes zlib: the bytes tell. lz4 is the form that numcodecs writes, lz4_blocks Java's.
enum class ZarrCodec { blosc, zstd, gzip, bzip2, lz4, lz4_blocks, crc32c };

/// The codec that Zarr 2 and 3 call by this name; none for other names.
std::optional<ZarrCodec> zarr_codec(const std::string& name);
/// The codec that N5 calls by this name; none for others. "raw" (no codec) is not asked for.
std::optional<ZarrCodec> n5_codec(const std::string& name);

/// Unpacks `in` to at most `most` bytes. False for damaged bytes or more bytes than that; throws
/// std::bad_alloc.
bool unpack(ZarrCodec codec, std::span<const std::uint8_t> in, std::size_t most,
            std::vector<std::uint8_t>& out);

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::span<const std::uint8_t> bytes);

}  // namespace aprscope
