#include "core/pipeline/zarr_series.hpp"

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/series.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// An image of two channels at three times; every value is 100 · channel + 10 · time + 1.
fs::path write_film(const test::TemporaryFolder& folder) {
  OmeZarrSeries series;
  series.channels = {{"a", {Rgb{0, 0, 255}, std::array<double, 2>{0.0, 50.0}}, true},
                     {"b", {Rgb{255, 255, 0}, std::array<double, 2>{90.0, 150.0}}, true}};
  series.times = 3;
  series.seconds = 4.0;
  const MakeOmeZarrPart make = [](int channel, int time, const JobContext&) -> Result<OmeZarrPart> {
    Volume volume;
    volume.pixels = Pixels<std::uint16_t>(
        {6, 8, 10}, static_cast<std::uint16_t>(100 * channel + 10 * time + 1));
    volume.voxel = {2.0, 1.0, 1.0, "µm"};
    return OmeZarrPart(std::make_shared<const Volume>(std::move(volume)));
  };
  auto path = folder / "film.zarr";
  EXPECT_TRUE(write_ome_zarr(series, make, path, OmeZarrVersion::v04));
  return path;
}

float first_of(const SourceInfo& info, SourceSelection part) {
  const auto data = load(info, part);
  EXPECT_TRUE(data) << data.error().message();
  return data ? std::get<Volume>(*data).value({0, 0, 0}) : -1.0F;
}

TEST(ZarrSeries, SaysWhatTheFileSaysAsLongAsStepsLeaveIt) {
  const test::TemporaryFolder folder;
  const auto info = inspect(write_film(folder).string());
  ASSERT_TRUE(info);
  const auto all = all_parts(*info);
  const OmeZarrSeries same = zarr_series(*info, all, {{"convert", {}}});
  ASSERT_EQ(same.channels.size(), 2U);
  EXPECT_EQ(same.times, 3);
  EXPECT_EQ(same.seconds, 4.0);
  EXPECT_EQ(same.channels[1].name, "b");
  EXPECT_EQ(same.channels[1].look, info->hints[1]);
  const OmeZarrSeries edges = zarr_series(*info, all, {{"gradient", {}}});
  EXPECT_EQ(edges.channels[1].look, (ChannelHint{Rgb{255, 255, 0}, std::nullopt}));
  const std::vector<SourceSelection> some{{1, 1}, {1, 2}};
  const OmeZarrSeries part = zarr_series(*info, some, {});
  ASSERT_EQ(part.channels.size(), 1U);
  EXPECT_EQ(part.channels[0].name, "b");
  EXPECT_EQ(part.times, 2);
}

TEST(ZarrSeries, EachPartIsMadeByItsSteps) {
  const test::TemporaryFolder folder;
  const auto info = inspect(write_film(folder).string());
  ASSERT_TRUE(info);
  const auto all = all_parts(*info);
  ZarrExport how;
  how.voxel = VoxelSize{3.0, 2.0, 1.0, "nm"};
  // Pixels of one channel, particles of the other: a file holds either.
  how.other_steps[1] = {{"convert", {}}};
  how.series = zarr_series(*info, all, {});
  how.version = OmeZarrVersion::v05;
  const Status written = write_zarr_series(how, *info, all, *cpu_backend(), folder / "out.zarr");
  ASSERT_TRUE(written) << written.error().message();
  const auto made = inspect((folder / "out.zarr").string());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->format, "OME-Zarr 0.5");
  EXPECT_EQ(made->voxel, *how.voxel);
  EXPECT_EQ(made->hints, info->hints);
  for (const SourceSelection& one : all) {
    EXPECT_EQ(first_of(*made, one), static_cast<float>(100 * one.channel + 10 * one.time + 1));
  }
}

TEST(ZarrSeries, ErrorsSayWhichPartAndNothingIsLeft) {
  const test::TemporaryFolder folder;
  const fs::path path = write_film(folder);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info);
  const auto all = all_parts(*info);
  ZarrExport how;
  how.series = zarr_series(*info, all, {});
  // Of pixels nothing is reconstructed.
  how.other_steps[1] = {{"reconstruct", {}}};
  const Status failed = write_zarr_series(how, *info, all, *cpu_backend(), folder / "out.zarr");
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().where.find("(channel 1, time point 0)"), std::string::npos)
      << failed.error().message();
  EXPECT_FALSE(fs::exists(folder / "out.zarr"));
  const Status onto_itself = write_zarr_series(how, *info, all, *cpu_backend(), path);
  ASSERT_FALSE(onto_itself);
  EXPECT_NE(onto_itself.error().what.find("the image that is read"), std::string::npos);
  EXPECT_EQ(first_of(*info, {1, 2}), 121.0F);
}

}  // namespace
}  // namespace aprscope
