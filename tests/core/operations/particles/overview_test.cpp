#include "core/operations/particles/overview.hpp"

#include <gtest/gtest.h>

#include "core/apr/structure/linear_access.hpp"
#include "core/io/apr/apr_file.hpp"
#include "core/io/write.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

TEST(OverviewLevel, IsTheFinestOfSoManyPixelsAndBytes) {
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 50;
  // 2048³: level 11; 256³ has 2^24 pixels, 512³ 2^27.
  EXPECT_EQ(overview_level({2048, 2048, 2048}, kPlenty), 8);
  EXPECT_EQ(overview_level({2000, 1000, 1000}, kPlenty), 9);  // 500 × 250 × 250
  // Never the finest, which is the whole.
  EXPECT_EQ(overview_level({16, 16, 16}, kPlenty), 3);
  EXPECT_EQ(overview_level({1, 1, 1}, kPlenty), 1);
  // Less memory, a coarser level: 8 bytes a pixel.
  EXPECT_EQ(overview_level({2048, 2048, 2048}, 128 * 128 * 128 * 8), 7);
  EXPECT_EQ(overview_level({2048, 2048, 2048}, 128 * 128 * 128 * 8 - 1), 6);
  EXPECT_EQ(overview_level({2048, 2048, 2048}, 0), 1);
}

TEST(LevelStep, IsKnownAgain) {
  EXPECT_EQ(level_of(level_step(7)), 7);
  EXPECT_EQ(level_of({"reconstruct", {}}), std::nullopt);
  EXPECT_EQ(level_of({"reconstruct", {{"mode", std::string("smooth")}}}), std::nullopt);
  EXPECT_EQ(level_of({"convert", {}}), std::nullopt);
}

TEST(BytesToShow, CountTheF32CopyToo) {
  EXPECT_EQ(bytes_to_show({2, 3, 4}, "u8"), 24U * 5);
  EXPECT_EQ(bytes_to_show({2, 3, 4}, "u16"), 24U * 6);
  EXPECT_EQ(bytes_to_show({2, 3, 4}, "f64"), 24U * 8);
}

TEST(ParticleBytesToShow, FollowTheHeaders) {
  const test::TemporaryFolder folder;
  const Apr apr = test::random_apr({.size = {16, 16, 16}});
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const auto bytes = particle_bytes_to_show(*info, {});
  ASSERT_TRUE(bytes.ok()) << bytes.error().message();
  const std::uint64_t n = apr.access->count();
  // y, u16 values, the rows of the levels; f32 and tree.
  EXPECT_EQ(*bytes, n * 4 + row_entries({16, 16, 16}, 4, 1, 4) * 8 + n * 8);
}

}  // namespace
}  // namespace aprscope
