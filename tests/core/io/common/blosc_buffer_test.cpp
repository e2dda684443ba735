#include "core/io/common/blosc_buffer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <blosc.h>
#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

// Values that shrink, and differ from place to place.
std::vector<std::uint8_t> some_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  std::mt19937 random(11);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::uint8_t>(i / 100 + random() % 4);
  }
  return bytes;
}

struct Packer {
  const char* codec = "zstd";
  int shuffle = BLOSC_SHUFFLE;
};

std::vector<std::uint8_t> packed(const std::vector<std::uint8_t>& plain, std::size_t item,
                                 std::size_t block, int level = 3, const Packer& packer = {}) {
  std::vector<std::uint8_t> out(plain.size() + BLOSC_MAX_OVERHEAD);
  const int bytes = blosc_compress_ctx(level, packer.shuffle, item, plain.size(), plain.data(),
                                       out.data(), out.size(), packer.codec, block, 1);
  out.resize(static_cast<std::size_t>(std::max(bytes, 0)));
  return out;
}

void expect_parts(const std::vector<std::uint8_t>& plain, const std::vector<std::uint8_t>& source) {
  ASSERT_EQ(blosc_unpacked_size(source), plain.size());
  for (const auto& [begin, count] : std::vector<std::pair<std::size_t, std::size_t>>{{0, 100000},
                                                                                     {0, 24},
                                                                                     {48, 2400},
                                                                                     {32760, 48},
                                                                                     {99984, 16},
                                                                                     {4095, 2},
                                                                                     {50001, 777},
                                                                                     {100000, 0}}) {
    std::vector<std::uint8_t> part(count);
    ASSERT_TRUE(blosc_unpack_part(source, begin, part)) << begin;
    EXPECT_TRUE(
        std::equal(part.begin(), part.end(), plain.begin() + static_cast<std::ptrdiff_t>(begin)))
        << begin;
  }
}

TEST(BloscBuffer, APartIsWhatTheWholeHasThere) {
  const auto plain = some_bytes(100000);
  for (const Packer& packer :
       {Packer{}, Packer{"lz4"}, Packer{"lz4hc"}, Packer{"blosclz"}, Packer{"zlib"},
        Packer{"lz4", BLOSC_BITSHUFFLE}, Packer{"zstd", BLOSC_NOSHUFFLE}}) {
    for (const std::size_t item : {1U, 2U, 4U, 8U, 3U}) {
      // Level 0 keeps the bytes as they are.
      for (const int level : {0, 3}) {
        for (const std::size_t block : {0U, 4096U, 32768U}) {
          SCOPED_TRACE(testing::Message() << packer.codec << " " << packer.shuffle << " " << item
                                          << " " << level << " " << block);
          expect_parts(plain, packed(plain, item, block, level, packer));
        }
      }
    }
  }
}

// What a part costs is its own blocks: damage in others is not met.
TEST(BloscBuffer, OtherBlocksAreNotLookedAt) {
  const auto plain = some_bytes(500000);
  for (const Packer& packer : {Packer{}, Packer{"lz4"}}) {
    auto source = packed(plain, 4, 16384, 3, packer);
    std::fill(source.end() - 200, source.end(), std::uint8_t{0xFF});
    std::vector<std::uint8_t> part(1000);
    ASSERT_TRUE(blosc_unpack_part(source, 2000, part)) << packer.codec;
    EXPECT_TRUE(std::equal(part.begin(), part.end(), plain.begin() + 2000)) << packer.codec;
    EXPECT_FALSE(blosc_unpack_part(source, plain.size() - 1000, part) &&
                 std::equal(part.begin(), part.end(), plain.end() - 1000))
        << packer.codec;
  }
}

TEST(BloscBuffer, APartThatTheWholeHasNotIsRefused) {
  const auto source = packed(some_bytes(1000), 2, 0);
  std::vector<std::uint8_t> part(10);
  EXPECT_FALSE(blosc_unpack_part(source, 992, part));
  EXPECT_FALSE(blosc_unpack_part(source, static_cast<std::size_t>(-2), part));
  EXPECT_FALSE(blosc_unpack_part({}, 0, part));
}

// Blocks that are split by items of another size than they are made of: of each block some bytes at
// the end are never written, and what was in memory before must not be shown.
TEST(BloscBuffer, BlocksThatAreNoWholeItemsAreRefusedAsTheWholeIs) {
  const auto plain = some_bytes(200000);
  std::vector<std::uint8_t> source(plain.size() + BLOSC_MAX_OVERHEAD);
  const int bytes = blosc_compress_ctx(1, BLOSC_NOSHUFFLE, 4, plain.size(), plain.data(),
                                       source.data(), source.size(), "lz4", 0, 1);
  ASSERT_GT(bytes, 0);
  source.resize(static_cast<std::size_t>(bytes));
  std::vector<std::uint8_t> all(plain.size());
  ASSERT_TRUE(blosc_unpack(source, all));
  for (const std::uint8_t item : {3, 7, 15}) {
    auto other = source;
    other[3] = item;  // the size of an item
    std::vector<std::uint8_t> part(std::size_t{item} * 1000);
    const bool whole = blosc_unpack(other, all);
    EXPECT_EQ(blosc_unpack_part(other, 0, part), whole) << int{item};
  }
  auto later = source;
  later[2] |= 8U;
  std::vector<std::uint8_t> part(400);
  EXPECT_FALSE(blosc_unpack_part(later, 0, part));
}

// What is read is bytes of a file that anybody may have damaged.
TEST(BloscBuffer, DamageIsToldOrGivesOtherBytes) {
  const auto plain = some_bytes(20000);
  const auto source = packed(plain, 2, 4096);
  std::mt19937 random(3);
  int told = 0;
  for (int i = 0; i < 600; ++i) {
    auto damaged = source;
    for (std::uint32_t n = 1 + random() % 3; n > 0; --n) {
      // Half of the time in the header and the table of the blocks.
      const std::size_t within = random() % 2 == 0 ? 64 : damaged.size();
      damaged[random() % within] = static_cast<std::uint8_t>(random());
    }
    std::vector<std::uint8_t> part(2 * (random() % 2000));
    told += blosc_unpack_part(damaged, 2 * (random() % 8000), part) ? 0 : 1;
  }
  EXPECT_GT(told, 100);
}

}  // namespace
}  // namespace aprscope::test
