// StripPacker: libtiff's own libraries unpack what it packs.
#include "core/io/tiff/strip_packer.hpp"

#include <array>
#include <random>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace aprscope::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes noise(std::size_t bytes) {
  std::mt19937 random(7);
  Bytes values(bytes);
  for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(random());
  return values;
}

Bytes strips(int kind, std::size_t bytes) {
  Bytes values = kind == 0 ? Bytes(bytes, 9) : noise(bytes);
  if (kind == 2) {
    for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(value % 11);
  }
  return values;
}

Bytes unpacked(TiffPacking packing, const Bytes& packed, std::size_t bytes) {
  Bytes back(bytes);
  if (packing == TiffPacking::none) return packed;
  if (packing == TiffPacking::zstd) {
    EXPECT_EQ(ZSTD_decompress(back.data(), bytes, packed.data(), packed.size()), bytes);
    return back;
  }
  uLongf got = bytes;
  EXPECT_EQ(uncompress(back.data(), &got, packed.data(), packed.size()), Z_OK);
  EXPECT_EQ(got, bytes);
  return back;
}

TEST(StripPacker, TheLibrariesUnpackIt) {
  for (const TiffPacking packing : {TiffPacking::deflate, TiffPacking::zstd, TiffPacking::none}) {
    StripPacker packer(packing);
    Bytes packed;
    for (const std::size_t bytes : std::array<std::size_t, 6>{1, 2, 257, 65536, 70001, 1 << 20}) {
      for (int kind = 0; kind < 3; ++kind) {
        const Bytes strip = strips(kind, bytes);
        ASSERT_TRUE(packer.pack(strip, packed));
        EXPECT_EQ(unpacked(packing, packed, bytes), strip);
        // What does not shrink hardly grows.
        EXPECT_LE(packed.size(), bytes + bytes / 1024 + 64);
        if (kind == 2 && bytes > 1000 && packing != TiffPacking::none) {
          EXPECT_LT(packed.size(), bytes * 6 / 10);
        }
      }
    }
  }
}

TEST(StripPacker, WhatWasPackedBeforeDoesNotMatter) {
  for (const TiffPacking packing : {TiffPacking::deflate, TiffPacking::zstd}) {
    StripPacker used(packing);
    Bytes packed;
    ASSERT_TRUE(used.pack(noise(300'000), packed));
    const Bytes strip = strips(2, 200'000);
    ASSERT_TRUE(used.pack(strip, packed));
    Bytes fresh;
    ASSERT_TRUE(StripPacker(packing).pack(strip, fresh));
    EXPECT_EQ(packed, fresh);
  }
}

TEST(DifferenceRow, IsUndoneByASum) {
  std::array<std::uint8_t, 5> row{250, 3, 3, 255, 0};
  difference_row(std::span<std::uint8_t>(row));
  EXPECT_EQ(row, (std::array<std::uint8_t, 5>{250, 9, 0, 252, 1}));
  std::array<std::uint16_t, 1> single{7};
  difference_row(std::span<std::uint16_t>(single));
  EXPECT_EQ(single[0], 7);
}

}  // namespace
}  // namespace aprscope::test
