// Boxes of .apr files: what crop() makes of the whole, and read from a part.
#include "core/io/apr/apr_file_crop.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "core/apr/structure/crop.hpp"
#include "core/image/labels.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

SourceInfo written(const Apr& apr, const std::filesystem::path& path) {
  AprWriteOptions options;
  options.with_tree = true;
  const Status done = write_apr(apr, path, options);
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message());
  const auto info = inspect_apr(path);
  EXPECT_TRUE(info.ok());
  return info.ok() ? *info : SourceInfo{};
}

TEST(AprFileCrop, IsThatOfTheWholeFileWithAllItsFields) {
  const TemporaryFolder folder;
  const Size3 size{29, 50, 43};
  Apr apr = rich_apr(size);
  Labels labels;
  labels.values.resize(apr.access->count());
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    labels.values[i] = static_cast<std::uint32_t>(i % 50);
  }
  labels.largest = 49;
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  const SourceInfo info = written(apr, folder / "a.apr");
  for (const Region& box :
       {whole(size), Region{{8, 16, 0}, {24, 48, 43}}, Region{{3, 5, 7}, {28, 41, 40}},
        Region{{28, 49, 42}, size}, Region{{0, 20, 20}, {29, 24, 24}}}) {
    const auto part = load_apr_crop(info, {}, box);
    ASSERT_TRUE(part.ok()) << part.error().message();
    ASSERT_TRUE(part->has_value());
    const auto expected = crop(load(folder / "a.apr"), box);
    ASSERT_TRUE(expected.ok());
    expect_same(*expected, **part);
    ASSERT_TRUE((*part)->labels);
    EXPECT_EQ(*(*part)->labels, *expected->labels);
  }
}

TEST(AprFileCrop, IsOfTheChannelAndTimeThatAreAsked) {
  const TemporaryFolder folder;
  Apr a = rich_apr({9, 9, 9}, 1);
  Apr b = rich_apr({9, 9, 9}, 2);
  b.channel = "other";
  ASSERT_TRUE(write_apr_series({a, b}, folder / "two.apr").ok());
  const auto info = inspect_apr(folder / "two.apr");
  ASSERT_TRUE(info.ok());
  const Region box{{0, 0, 0}, {8, 8, 8}};
  const auto part = load_apr_crop(*info, {1, 0}, box);
  ASSERT_TRUE(part.ok() && part->has_value());
  const auto expected = crop(load(folder / "two.apr", {1, 0}), box);
  expect_same(*expected, **part);
  EXPECT_EQ((*part)->channel_index, 1);
  // What is not there is for load() to say.
  const auto none = load_apr_crop(*info, {7, 0}, box);
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
}

TEST(AprFileCrop, RefusesABoxOutsideAndADamagedFile) {
  const TemporaryFolder folder;
  const SourceInfo info = written(rich_apr({16, 16, 16}), folder / "a.apr");
  const auto outside = load_apr_crop(info, {}, {{0, 0, 0}, {17, 16, 16}});
  ASSERT_FALSE(outside.ok());
  EXPECT_NE(outside.error().message().find("a.apr"), std::string::npos);
  EXPECT_NE(outside.error().message().find("16 × 16 × 16"), std::string::npos);
  std::filesystem::resize_file(folder / "a.apr", 3000);
  EXPECT_FALSE(load_apr_crop(info, {}, {{0, 0, 0}, {8, 8, 8}}).ok());
}

TEST(AprFileCrop, OfTheOlderLayoutIsNotReadInParts) {
  APRSCOPE_NEEDS_DATA();
  const auto info = inspect_apr(data_dir() / "apr" / "benchmark" / "cr_1000.apr");
  ASSERT_TRUE(info.ok()) << info.error().message();
  const auto part = load_apr_crop(*info, {}, {{0, 0, 0}, {1, 4, 4}});
  ASSERT_TRUE(part.ok()) << part.error().message();
  EXPECT_FALSE(part->has_value());
}

}  // namespace
}  // namespace aprscope::test
