// Which dimension is which, and how large pixels are: OME-NGFF.
#include "core/io/zarr/zarr_image.hpp"

#include <gtest/gtest.h>

#include "tests/core/io/zarr/zarr_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

TEST(OmeZarr, AxesAreFoundByNameInWhateverOrder) {
  const TemporaryFolder folder;
  const fs::path root = folder / "embryo.ome.zarr";
  // x before y before z, and the channel last.
  ZarrArrayMaker<std::uint16_t> made{root / "0", {6, 5, 4, 2}, {4, 2, 3, 1}, sample};
  made.write_2("<u2", nullptr, "/");
  write_json(root / ".zgroup", {{"zarr_format", 2}});
  write_json(
      root / ".zattrs",
      {{"multiscales",
        Json::array(
            {{{"version", "0.4"},
              {"axes",
               {axis("x", "space", "micrometer"), axis("y", "space", "micrometer"),
                axis("z", "space", "micrometer"), axis("c", "channel")}},
              {"datasets", Json::array({transformed("0", {0.1, 0.2, 0.5, 1}, {3, 4, 5, 0})})},
              {"coordinateTransformations",
               Json::array({{{"type", "scale"}, {"scale", {2, 2, 2, 1}}}})}}})},
       {"omero",
        {{"channels",
          Json::array({{{"label", "DAPI"},
                        {"color", "1e90FF"},
                        {"window", {{"min", 0}, {"max", 65535}, {"start", 12}, {"end", 90}}}},
                       {{"label", "GFP"}, {"color", "no colour"}, {"window", 7}}})}}}});
  const auto info = inspect(root.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format, "OME-Zarr 0.4");
  EXPECT_EQ(info->size, (Size3{4, 5, 6}));
  EXPECT_EQ(info->channels, (std::vector<std::string>{"DAPI", "GFP"}));
  EXPECT_EQ(info->hints, (std::vector<ChannelHint>{
                             {Rgb{0x1E, 0x90, 0xFF}, std::array<double, 2>{12.0, 90.0}}, {}}));
  EXPECT_EQ(info->voxel, (VoxelSize{1.0, 0.4, 0.2, "µm"}));
  const Volume volume = load_ok(root, {1, 0});
  EXPECT_EQ(volume.channel, "GFP");
  EXPECT_EQ(volume.name, "embryo");
  EXPECT_EQ(volume.origin, (std::array<double, 3>{10.0, 8.0, 6.0}));
  expect_samples(volume, [](std::int64_t z, std::int64_t x, std::int64_t y) {
    return sample({y, x, z, 1});
  });
}

// Five dimensions, Zarr 3, two levels.

TEST(OmeZarr, TimesChannelsAndLevels) {
  for (const char* version : {"0.5", "0.6"}) {
    const TemporaryFolder folder;
    const fs::path root = make_movie(folder / "m.zarr", version);
    const auto info = inspect(root.string());
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->format, std::string("OME-Zarr ") + version);
    EXPECT_EQ(info->times, 3);
    EXPECT_EQ(info->channels.size(), 2U);
    // Nothing is said of how they look.
    EXPECT_TRUE(info->hints.empty());
    EXPECT_EQ(info->datasets, std::vector<std::string>{"/0"});
    EXPECT_EQ(info->dataset, "/0");
    EXPECT_EQ(info->voxel, (VoxelSize{500, 200, 100, "nm"}));
    expect_samples(load_ok(root, {1, 2}), [](std::int64_t z, std::int64_t x, std::int64_t y) {
      return sample({2, 1, z, x, y});
    });
    // A level by its name, as a folder of the path and behind a colon.
    const auto level = inspect(root.string() + ":/1");
    ASSERT_TRUE(level.ok()) << level.error().message();
    EXPECT_EQ(level->size, (Size3{2, 4, 3}));
    EXPECT_EQ(level->voxel, (VoxelSize{1000, 400, 200, "nm"}));
    const auto volume = load(*level);
    ASSERT_TRUE(volume.ok());
    EXPECT_EQ(std::get<Volume>(*volume).origin, (std::array<double, 3>{250, 100, 50}));
    EXPECT_FALSE(inspect(root.string() + ":/7").ok());
    // A part of it, its metadata, with a slash at the end: the same image.
    for (const std::string name : {"/", "/zarr.json", "/0", "/0/", "/0/zarr.json"}) {
      SCOPED_TRACE(name);
      const auto same = inspect(root.string() + name);
      ASSERT_TRUE(same.ok()) << same.error().message();
      EXPECT_EQ(same->path, root);
      EXPECT_EQ(same->dataset, "/0");
      EXPECT_EQ(same->voxel, info->voxel);
    }
    const auto half = inspect((root / "1").string());
    ASSERT_TRUE(half.ok());
    EXPECT_EQ(half->dataset, "/1");
    EXPECT_EQ(half->voxel, level->voxel);
    SourceSelection beyond{2, 0};
    EXPECT_NE(load(*info, beyond).error().message().find("has no channel 2"), std::string::npos);
  }
}

TEST(OmeZarr, SlicesOfTwoDimensionsAndPlatesOfWells) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint16_t> made{folder / "p/A/1/0/0", {7, 9}, {4, 4}, sample};
  made.write_2("<u2");
  write_json(folder / "p/.zgroup", {{"zarr_format", 2}});
  write_json(folder / "p/.zattrs", {{"plate", {{"name", "p"}}}});
  write_json(folder / "p/A/1/0/.zgroup", {{"zarr_format", 2}});
  write_json(
      folder / "p/A/1/0/.zattrs",
      {{"multiscales", Json::array({{{"version", "0.4"},
                                     {"axes", {axis("y", "space"), axis("x", "space")}},
                                     {"datasets", Json::array({transformed("0", {1, 1})})}}})}});
  const auto info = inspect((folder / "p").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets, std::vector<std::string>{"/A/1/0/0"});
  EXPECT_EQ(info->size, (Size3{1, 7, 9}));
  expect_samples(load_ok(folder / "p"), [](std::int64_t, std::int64_t x, std::int64_t y) {
    return sample({x, y});
  });
}

TEST(OmeZarr, LengthsThatNobodyMeasuresVoxelsInBecomeMicrometres) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint16_t> made{folder / "m/0", {4, 5}, {4, 5}, sample};
  made.write_2("<u2");
  write_json(folder / "m/.zgroup", {{"zarr_format", 2}});
  write_json(folder / "m/.zattrs",
             {{"multiscales",
               Json::array({{{"version", "0.4"},
                             {"axes", {axis("y", "space", "meter"), axis("x", "space", "meter")}},
                             {"datasets",
                              Json::array({transformed("0", {1e-6, 2e-6}, {3e-6, 4e-6})})}}})}});
  const Volume volume = load_ok(folder / "m");
  EXPECT_EQ(volume.voxel.unit, "µm");
  EXPECT_NEAR(volume.voxel.x, 1.0, 1e-12);
  EXPECT_NEAR(volume.voxel.y, 2.0, 1e-12);
  EXPECT_NEAR(volume.origin[1], 3.0, 1e-12);
  EXPECT_NEAR(volume.origin[2], 4.0, 1e-12);
}

TEST(OmeZarr, RealDraftsOfTheNextVersion) {
  APRSCOPE_NEEDS_DATA();
  const fs::path root = data_dir() / "formats" / "zarr" / "ome_zarr" / "all_0.6";
  const TemporaryFolder folder;
  const auto hydrated = [&](const std::string& name) {
    fs::path copy = folder / fs::path(name).filename().string();
    fs::copy(root / name, copy, fs::copy_options::recursive);
    fs::permissions(copy / "array/c/0/0/0", fs::perms::owner_all);
    fs::permissions(copy / "array/c/0/0", fs::perms::owner_all);
    fs::remove(copy / "array/c/0/0/0");
    fs::copy_file(root / "base_array" / "0", copy / "array/c/0/0/0");
    return copy;
  };
  const Volume plain = load_ok(hydrated("basic/identity.zarr"));
  EXPECT_EQ(plain.size(), (Size3{27, 226, 186}));
  EXPECT_STREQ(plain.dtype(), "u8");
  EXPECT_EQ(plain.voxel.unit, "µm");
  for (const char* name :
       {"basic/scale.zarr", "basic/translation.zarr", "basic/sequenceScaleTranslation.zarr"}) {
    SCOPED_TRACE(name);
    const Volume moved = load_ok(hydrated(name));
    EXPECT_EQ(std::get<Pixels<std::uint8_t>>(moved.pixels).values,
              std::get<Pixels<std::uint8_t>>(plain.pixels).values);
    EXPECT_TRUE(moved.voxel != plain.voxel || moved.origin != plain.origin);
  }
  for (const char* name : {"simple/rotation.zarr", "simple/affine.zarr"}) {
    EXPECT_NE(error_of(hydrated(name)).find("coordinate transformation"), std::string::npos);
  }
}

}  // namespace
}  // namespace aprscope::test
