#include "core/io/zarr/zarr_codec.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include <bzlib.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include "core/io/common/blosc_buffer.hpp"

namespace aprscope {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Unpacked = std::vector<std::uint8_t>;

// How much room a stream gets at a time.
constexpr std::size_t kStep = std::size_t{1} << 20;

std::uint64_t little_endian(Bytes bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | bytes[i];
  return value;
}

// Asks `step(room)` for bytes until it says that it is done: it fills the room that it is given and
// returns how much of it is used, or nothing where the bytes are damaged.
struct Filled {
  std::size_t bytes = 0;
  bool done = false;
};
template <class Step>
bool grow(std::size_t most, Unpacked& out, const Step& step) {
  out.clear();
  while (true) {
    const std::size_t at = out.size();
    // One byte more than allowed, to notice data that are too long.
    out.resize(std::min(at + kStep, most + 1));
    const std::optional<Filled> filled = step(std::span(out).subspan(at));
    if (!filled) return false;
    out.resize(at + filled->bytes);
    if (out.size() > most) return false;
    if (filled->done) return true;
    if (filled->bytes == 0) return false;  // the stream ends too early
  }
}

bool unpack_gzip(Bytes in, std::size_t most, Unpacked& out) {
  if (in.size() > UINT_MAX) return false;
  z_stream stream{};
  // The largest window, and either header.
  if (inflateInit2(&stream, 15 + 32) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  // zlib does not write to it.
  stream.next_in = const_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  return grow(most, out, [&](std::span<std::uint8_t> room) -> std::optional<Filled> {
    stream.next_out = room.data();
    stream.avail_out = static_cast<uInt>(room.size());
    const int code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return {};
    return Filled{room.size() - stream.avail_out, code == Z_STREAM_END};
  });
}

bool unpack_bzip2(Bytes in, std::size_t most, Unpacked& out) {
  if (in.size() > UINT_MAX) return false;
  bz_stream stream{};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
  const std::unique_ptr<bz_stream, decltype(&BZ2_bzDecompressEnd)> end(&stream,
                                                                       BZ2_bzDecompressEnd);
  // bzlib does not write to its input either, though it takes a mutable pointer.
  stream.next_in = const_cast<char*>(reinterpret_cast<const char*>(in.data()));
  stream.avail_in = static_cast<unsigned>(in.size());
  return grow(most, out, [&](std::span<std::uint8_t> room) -> std::optional<Filled> {
    stream.next_out = reinterpret_cast<char*>(room.data());
    stream.avail_out = static_cast<unsigned>(room.size());
    const int code = BZ2_bzDecompress(&stream);
    if (code == BZ_MEM_ERROR) throw std::bad_alloc();
    if (code != BZ_OK && code != BZ_STREAM_END) return {};
    return Filled{room.size() - stream.avail_out, code == BZ_STREAM_END};
  });
}

bool unpack_zstd(Bytes in, std::size_t most, Unpacked& out) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  if (stream == nullptr) throw std::bad_alloc();
  // The window of 128 MB that the format asks decoders to accept.
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, 27);
  ZSTD_inBuffer source{in.data(), in.size(), 0};
  return grow(most, out, [&](std::span<std::uint8_t> room) -> std::optional<Filled> {
    ZSTD_outBuffer target{room.data(), room.size(), 0};
    // The data may hold several frames, one after the other.
    std::size_t left = 1;
    while (target.pos < target.size && (source.pos < source.size || left > 0)) {
      const std::size_t before = source.pos + target.pos;
      left = ZSTD_decompressStream(stream.get(), &target, &source);
      if (ZSTD_isError(left) != 0) return {};
      if (left == 0 && source.pos == source.size) return Filled{target.pos, true};
      if (source.pos + target.pos == before) break;
    }
    return Filled{target.pos, false};
  });
}

// Four bytes that tell how many there are, then one block.
bool unpack_lz4(Bytes in, std::size_t most, Unpacked& out) {
  if (in.size() < 4 || in.size() > INT_MAX) return false;
  const std::uint64_t bytes = little_endian(in.first(4));
  // A byte of a block makes no more than 255.
  if (bytes > most || bytes > INT_MAX || bytes / 255 > in.size()) return false;
  out.resize(bytes);
  const Bytes packed = in.subspan(4);
  return LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()),
                             reinterpret_cast<char*>(out.data()), static_cast<int>(packed.size()),
                             static_cast<int>(bytes)) == static_cast<int>(bytes);
}

// LZ4BlockOutputStream of lz4-java: blocks of a magic, a token (method and size), packed and plain
// sizes and a checksum; the last one is empty.
bool unpack_lz4_blocks(Bytes in, std::size_t most, Unpacked& out) {
  constexpr std::string_view kMagic = "LZ4Block";
  constexpr std::size_t kHead = 8 + 1 + 4 + 4 + 4;
  constexpr unsigned kRaw = 0x10;
  constexpr unsigned kPacked = 0x20;
  out.clear();
  while (in.size() >= kHead) {
    if (std::memcmp(in.data(), kMagic.data(), kMagic.size()) != 0) return false;
    const unsigned method = in[8] & 0xF0U;
    const std::uint64_t packed = little_endian(in.subspan(9, 4));
    const std::uint64_t plain = little_endian(in.subspan(13, 4));
    in = in.subspan(kHead);
    if (packed > in.size() || packed > INT_MAX || plain > most - out.size()) return false;
    if (plain == 0) return packed == 0;
    const std::size_t at = out.size();
    out.resize(at + plain);
    if (method == kRaw) {
      if (packed != plain) return false;
      std::memcpy(out.data() + at, in.data(), plain);
    } else if (method != kPacked ||
               LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()),
                                   reinterpret_cast<char*>(out.data() + at),
                                   static_cast<int>(packed),
                                   static_cast<int>(plain)) != static_cast<int>(plain)) {
      return false;
    }
    in = in.subspan(packed);
  }
  // Some writers leave the empty block out.
  return in.empty();
}

bool unpack_blosc(Bytes in, std::size_t most, Unpacked& out) {
  const std::size_t bytes = blosc_unpacked_size(in);
  if (bytes == 0 || bytes > most) return false;
  out.resize(bytes);
  return blosc_unpack(in, out);
}

bool take_checksum_off(Bytes in, std::size_t most, Unpacked& out) {
  if (in.size() < 4 || in.size() - 4 > most) return false;
  const Bytes plain = in.first(in.size() - 4);
  if (crc32c(plain) != little_endian(in.last(4))) return false;
  out.assign(plain.begin(), plain.end());
  return true;
}

}  // namespace

std::optional<ZarrCodec> zarr_codec(const std::string& name) {
  if (name == "blosc") return ZarrCodec::blosc;
  if (name == "zstd") return ZarrCodec::zstd;
  if (name == "gzip" || name == "zlib") return ZarrCodec::gzip;
  if (name == "bz2") return ZarrCodec::bzip2;
  if (name == "lz4") return ZarrCodec::lz4;
  if (name == "crc32c") return ZarrCodec::crc32c;
  return {};
}

std::optional<ZarrCodec> n5_codec(const std::string& name) {
  if (name == "blosc") return ZarrCodec::blosc;
  if (name == "zstd" || name == "zstandard") return ZarrCodec::zstd;
  if (name == "gzip") return ZarrCodec::gzip;
  if (name == "bzip2") return ZarrCodec::bzip2;
  if (name == "lz4") return ZarrCodec::lz4_blocks;
  return {};
}

bool unpack(ZarrCodec codec, Bytes in, std::size_t most, Unpacked& out) {
  switch (codec) {
    case ZarrCodec::blosc:
      return unpack_blosc(in, most, out);
    case ZarrCodec::zstd:
      return unpack_zstd(in, most, out);
    case ZarrCodec::gzip:
      return unpack_gzip(in, most, out);
    case ZarrCodec::bzip2:
      return unpack_bzip2(in, most, out);
    case ZarrCodec::lz4:
      return unpack_lz4(in, most, out);
    case ZarrCodec::lz4_blocks:
      return unpack_lz4_blocks(in, most, out);
    case ZarrCodec::crc32c:
      return take_checksum_off(in, most, out);
  }
  return false;
}

std::uint32_t crc32c(Bytes bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1U ^ (value % 2 != 0 ? 0x82F63B78U : 0U);
      made[i] = value;
    }
    return made;
  }();
  std::uint32_t value = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) value = table[(value ^ byte) & 0xFFU] ^ value >> 8U;
  return ~value;
}

}  // namespace aprscope
