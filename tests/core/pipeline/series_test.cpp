#include "core/pipeline/series.hpp"

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/io/image_source.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

// A file of two channels at two times; every value is 100 · channel + 10 · time + 1.
std::filesystem::path write_parts(const test::TemporaryFolder& folder) {
  std::vector<Apr> parts;
  for (int channel = 0; channel < 2; ++channel) {
    for (int time = 0; time < 2; ++time) {
      Volume volume;
      volume.pixels = Pixels<std::uint16_t>(
          {6, 8, 10}, static_cast<std::uint16_t>(100 * channel + 10 * time + 1));
      auto apr = convert(volume, {});
      apr->channel = channel == 0 ? "a" : "b";
      apr->channel_index = channel;
      apr->time = time;
      parts.push_back(*std::move(apr));
    }
  }
  auto path = folder / "parts.apr";
  EXPECT_TRUE(write_apr_series(parts, path));
  return path;
}

TEST(Series, HasAllChannelsAndTimes) {
  const test::TemporaryFolder folder;
  const auto info = inspect(write_parts(folder).string());
  ASSERT_TRUE(info);
  const auto all = all_parts(*info);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1], (SourceSelection{1, 0}));
  EXPECT_EQ(all[2], (SourceSelection{0, 1}));
  const VoxelSize voxel{3.0, 2.0, 1.0, "µm"};
  // Out of pixels of the particles, so that something is computed for each.
  const std::vector<Operation> steps{{"reconstruct", {}}, {"convert", {}}};
  ASSERT_TRUE(write_series(steps, *info, all, voxel, *cpu_backend(), folder / "out.apr"));
  const auto made = inspect((folder / "out.apr").string());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->channels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(made->times, 2);
  for (const SourceSelection& one : all) {
    const auto part = load(*made, one);
    ASSERT_TRUE(part);
    const Apr& apr = std::get<Apr>(*part);
    EXPECT_EQ(apr.voxel, voxel);
    for (const float v : apr.main_field()->to_float()) {
      EXPECT_EQ(v, static_cast<float>(100 * one.channel + 10 * one.time + 1));
    }
  }
}

TEST(Series, ChannelsOfOneNameAreToldBeforeAnythingIsDone) {
  const test::TemporaryFolder folder;
  auto info = inspect(write_parts(folder).string());
  ASSERT_TRUE(info);
  EXPECT_TRUE(check_parts(*info, all_parts(*info)));
  info->channels[1] = "a";
  const auto made = convert_series({}, *info, all_parts(*info), folder / "out.apr");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().what.find("two channels that are called \"a\" (0 and 1)"),
            std::string::npos)
      << made.error().message();
  // One of them alone is none of two.
  const std::vector<SourceSelection> one{{1, 0}, {1, 1}};
  EXPECT_TRUE(check_parts(*info, one));
}

TEST(Series, BoxesAreCutFromEachPart) {
  const test::TemporaryFolder folder;
  const auto info = inspect(write_parts(folder).string());
  ASSERT_TRUE(info);
  const std::vector<Operation> steps{{"crop", {{"region", std::string("0:4,2:8,0:10")}}}};
  ASSERT_TRUE(write_series(steps, *info, all_parts(*info), {}, *cpu_backend(), folder / "out.apr"));
  const auto made = inspect((folder / "out.apr").string());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size, (Size3{4, 6, 10}));
  const auto part = load(*made, {1, 1});
  ASSERT_TRUE(part);
  EXPECT_EQ(std::get<Apr>(*part).main_field()->to_float().front(), 111.0F);
}

TEST(Series, ErrorsSayWhichPart) {
  const test::TemporaryFolder folder;
  const auto path = write_parts(folder);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info);
  const std::vector<SourceSelection> parts{{1, 1}};
  const Status pixels =
      write_series({{"reconstruct", {}}}, *info, parts, {}, *cpu_backend(), folder / "out.apr");
  ASSERT_FALSE(pixels);
  EXPECT_NE(pixels.error().where.find("(channel 1, time point 1)"), std::string::npos);
  EXPECT_NE(pixels.error().what.find("pixel image"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.apr"));
  EXPECT_FALSE(write_series({}, *info, parts, {}, *cpu_backend(), path));
  EXPECT_EQ(in_part(cancelled_error(), {0, 1}).where, cancelled_error().where);
}

}  // namespace
}  // namespace aprscope
