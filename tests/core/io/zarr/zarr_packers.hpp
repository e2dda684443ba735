#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include <blosc.h>
#include <bzlib.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/support/zarr_maker.hpp"

// Chunks packed by the codecs' own libraries.

namespace aprscope::test {

inline ZarrBytes with_zlib(const ZarrBytes& plain, int window) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  ZarrBytes packed(deflateBound(&stream, plain.size()) + 64);
  stream.next_in = const_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}
inline ZarrBytes zlib(const ZarrBytes& plain) { return with_zlib(plain, 15); }
inline ZarrBytes gzip(const ZarrBytes& plain) { return with_zlib(plain, 15 + 16); }

inline ZarrBytes bzip2(const ZarrBytes& plain) {
  ZarrBytes packed(plain.size() * 2 + 1000);
  auto size = static_cast<unsigned>(packed.size());
  BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(packed.data()), &size,
                           const_cast<char*>(reinterpret_cast<const char*>(plain.data())),
                           static_cast<unsigned>(plain.size()), 5, 0, 0);
  packed.resize(size);
  return packed;
}

inline ZarrBytes zstd(const ZarrBytes& plain) {
  ZarrBytes packed(ZSTD_compressBound(plain.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

inline void add_little_endian(ZarrBytes& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

inline ZarrBytes lz4_block(const ZarrBytes& plain) {
  ZarrBytes packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))));
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      reinterpret_cast<const char*>(plain.data()), reinterpret_cast<char*>(packed.data()),
      static_cast<int>(plain.size()), static_cast<int>(packed.size()))));
  return packed;
}

inline ZarrBytes lz4(const ZarrBytes& plain) {
  ZarrBytes bytes;
  add_little_endian(bytes, plain.size(), 4);
  const ZarrBytes block = lz4_block(plain);
  bytes.insert(bytes.end(), block.begin(), block.end());
  return bytes;
}

// As lz4-java writes them: the first half packed, the second as it is.
inline ZarrBytes lz4_java(const ZarrBytes& plain) {
  const std::string magic = "LZ4Block";
  ZarrBytes bytes;
  const auto add = [&](std::uint8_t token, const ZarrBytes& packed, std::size_t size) {
    bytes.insert(bytes.end(), magic.begin(), magic.end());
    bytes.push_back(token);
    add_little_endian(bytes, packed.size(), 4);
    add_little_endian(bytes, size, 4);
    add_little_endian(bytes, 0, 4);
    bytes.insert(bytes.end(), packed.begin(), packed.end());
  };
  const auto half = plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2);
  const ZarrBytes first(plain.begin(), half);
  const ZarrBytes second(half, plain.end());
  add(0x25, lz4_block(first), first.size());
  add(0x15, second, second.size());
  add(0x15, {}, 0);
  return bytes;
}

inline ZarrBytes blosc(const ZarrBytes& plain) {
  ZarrBytes packed(plain.size() + BLOSC_MAX_OVERHEAD);
  packed.resize(static_cast<std::size_t>(blosc_compress_ctx(
      5, BLOSC_SHUFFLE, 2, plain.size(), plain.data(), packed.data(), packed.size(), "lz4", 0, 1)));
  return packed;
}

// Bit by bit, by its polynomial (RFC 3720).
inline std::uint32_t naive_crc32c(const ZarrBytes& bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ (0x82F63B78U & (0U - (crc & 1U)));
  }
  return ~crc;
}
inline ZarrBytes with_crc32c(ZarrBytes bytes) {
  add_little_endian(bytes, naive_crc32c(bytes), 4);
  return bytes;
}

}  // namespace aprscope::test
