// Images of BigDataViewer: pixels by the HDF5 library and byte by byte, a set of another program.
#include <gtest/gtest.h>

#include "tests/core/io/bdv/bdv_maker.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/zarr_maker.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

constexpr int kBase = 33000;  // beyond signed numbers of 16 bits

// Pixel i of setup s at time point t, at a level.
int value_at(int s, int t, int level, int i) {
  return kBase + 1000 * s + 100 * t + 500 * level + i;
}

void write_view(const Hdf5Made& file, int s, int t) {
  char name[100];
  std::snprintf(name, sizeof name, "t%05d", t);
  if (H5Lexists(file.id(), name, H5P_DEFAULT) <= 0) file.group(name);
  std::snprintf(name, sizeof name, "t%05d/s%02d", t, s);
  file.group(name);
  for (int level = 0; level < 2; ++level) {
    const std::string at = std::string(name) + "/" + std::to_string(level);
    file.group(at);
    const std::vector<hsize_t> extent =
        level == 0 ? std::vector<hsize_t>{3, 4, 5} : std::vector<hsize_t>{3, 2, 2};
    std::vector<std::int16_t> pixels;
    for (hsize_t i = 0; i < extent[0] * extent[1] * extent[2]; ++i) {
      pixels.push_back(static_cast<std::int16_t>(
          static_cast<std::uint16_t>(value_at(s, t, level, static_cast<int>(i)))));
    }
    file.dataset(at + "/cells", H5T_STD_I16LE, extent, pixels);
  }
}

void write_setup(const Hdf5Made& file, int s) {
  char name[100];
  std::snprintf(name, sizeof name, "s%02d", s);
  file.group(name);
  file.dataset(std::string(name) + "/resolutions", H5T_IEEE_F64LE, {2, 3},
               std::vector<double>{1, 1, 1, 2, 2, 1});
}

// Two channels, time points 0 and 3.
BdvXmlMaker two_by_two() {
  BdvXmlMaker maker;
  for (int s = 0; s < 2; ++s) {
    maker.setup(s, "<channel>" + std::to_string(s) + "</channel>");
    maker.registration(0, s, {"0.25 0 0 1 0 0.5 0 2 0 0 2 3"});
  }
  maker.times = "<Timepoints type=\"pattern\"><integerpattern>0,3</integerpattern></Timepoints>";
  return maker;
}

void write_pixels(const fs::path& path) {
  const Hdf5Made file(path);
  for (int s = 0; s < 2; ++s) {
    write_setup(file, s);
    for (const int t : {0, 3}) write_view(file, s, t);
  }
}

void expect_values(const Volume& volume, int s, int t, int level) {
  const Size3 size = volume.size();
  ASSERT_EQ(size, level == 0 ? (Size3{3, 4, 5}) : (Size3{3, 2, 2}));
  for (std::int64_t i = 0; i < size.count(); ++i) {
    const Index3 at{i / (size.x * size.y), i / size.y % size.x, i % size.y};
    ASSERT_EQ(volume.value(at), static_cast<float>(value_at(s, t, level, static_cast<int>(i))));
  }
}

std::string error_of(const fs::path& path, SourceSelection selection = {}) {
  const auto info = inspect(path.string());
  if (!info) return info.error().message();
  const auto data = load(*info, selection);
  EXPECT_FALSE(data.ok());
  return data ? "" : data.error().message();
}

void expect_error(const fs::path& path, const std::string& words, SourceSelection selection = {}) {
  const std::string message = error_of(path, selection);
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(Bdv, ChannelsAndTimePointsOfHdf5) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  write_bytes(folder / "a.xml", two_by_two().text());
  const auto info = inspect((folder / "a.xml").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "bdv");
  EXPECT_EQ(info->format, "BigDataViewer, HDF5");
  EXPECT_EQ(info->size, (Size3{3, 4, 5}));
  EXPECT_EQ(info->dtype, "u16");
  EXPECT_EQ(info->times, 2);
  EXPECT_EQ(info->channels, (std::vector<std::string>{"0", "1"}));
  EXPECT_TRUE(info->datasets.empty());
  for (int c = 0; c < 2; ++c) {
    for (int t = 0; t < 2; ++t) {
      const Volume volume = must_load((folder / "a.xml").string(), {c, t});
      expect_values(volume, c, 3 * t, 0);
      EXPECT_EQ(volume.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
      // Only time point 0 is registered.
      EXPECT_EQ(volume.origin, t == 0 ? (std::array{3.0, 2.0, 1.0}) : (std::array{0.0, 0.0, 0.0}));
      EXPECT_EQ(volume.name, "a");
      EXPECT_EQ(volume.channel, std::to_string(c));
    }
  }
  EXPECT_FALSE(load(*info, {2, 0}).ok());
  EXPECT_FALSE(load(*info, {0, 2}).ok());
}

TEST(Bdv, PixelsOpenByTheXmlOfTheirNameBesideThem) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  const std::string pixels = (folder / "a.h5").string();
  // Alone they say what they lack.
  auto info = inspect(pixels);
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "hdf5");
  EXPECT_NE(info->format.find("open its XML file to get all channels and the voxel size"),
            std::string::npos)
      << info->format;
  EXPECT_EQ(info->datasets.size(), 10U);  // cells, and resolutions of two setups
  // A file that is no XML of BigDataViewer, and one that names other pixels.
  BdvXmlMaker other = two_by_two();
  other.loader =
      "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"relative\">b.h5</hdf5></ImageLoader>";
  for (const std::string& text : {std::string("<a/>"), other.text()}) {
    write_bytes(folder / "a.xml", text);
    info = inspect(pixels);
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->format_id, "hdf5");
  }
  write_bytes(folder / "a.xml", two_by_two().text());
  info = inspect(pixels);
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "bdv");
  EXPECT_EQ(info->path, folder / "a.xml");
  EXPECT_EQ(info->channels.size(), 2U);
  EXPECT_EQ(info->voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  expect_values(must_load(pixels, {1, 1}), 1, 3, 0);
  // An array that is named opens as it lies there.
  info = inspect(pixels + ":/t00003/s01/1/cells");
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "hdf5");
  EXPECT_EQ(info->format, "HDF5");
  EXPECT_EQ(info->dataset, "/t00003/s01/1/cells");
}

TEST(Bdv, LevelsHaveLargerPixels) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  write_bytes(folder / "a.xml", two_by_two().text());
  const Volume volume = must_load((folder / "a.xml").string() + ":/1", {1, 0});
  expect_values(volume, 1, 0, 1);
  EXPECT_EQ(volume.voxel, (VoxelSize{2.0, 1.0, 0.5, "µm"}));
  // The centre of the first is that of the pixels that it covers.
  EXPECT_EQ(volume.origin, (std::array{3.0, 2.25, 1.125}));
  expect_error((folder / "a.xml").string() + ":/2", "has no level 2");
  expect_error((folder / "a.xml").string() + ":/tile3", "has no image");
}

// One block: its head and numbers, high bytes first, x fastest.
void write_n5(const fs::path& array, int s, int t, int level) {
  const std::vector<int> shape = level == 0 ? std::vector{5, 4, 3} : std::vector{2, 2, 3};
  const nlohmann::ordered_json dimensions(shape);
  write_json(array / "attributes.json", {{"dimensions", dimensions},
                                         {"blockSize", dimensions},
                                         {"dataType", "uint16"},
                                         {"compression", {{"type", "raw"}}}});
  ZarrBytes bytes{0, 0, 0, 3};
  int count = 1;
  for (const int side : shape) {
    bytes.insert(bytes.end(), {0, 0, 0, static_cast<std::uint8_t>(side)});
    count *= side;
  }
  for (int i = 0; i < count; ++i) {
    const int value = value_at(s, t, level, i);
    bytes.push_back(static_cast<std::uint8_t>(value >> 8));
    bytes.push_back(static_cast<std::uint8_t>(value & 0xFF));
  }
  write_file(array / "0/0/0", bytes);
}

TEST(Bdv, PixelsInN5) {
  const TemporaryFolder folder;
  auto xml = two_by_two();
  xml.loader = "<ImageLoader format=\"bdv.n5\"><n5 type=\"relative\">p/a.n5</n5></ImageLoader>";
  write_bytes(folder / "a.xml", xml.text());
  write_file(folder / "p/a.n5/attributes.json", std::string(R"({"n5":"2.0.0"})"));
  for (int s = 0; s < 2; ++s) {
    const std::string setup = "p/a.n5/setup" + std::to_string(s);
    write_file(folder / (setup + "/attributes.json"),
               std::string(R"({"downsamplingFactors":[[1,1,1],[2,2,1]],"dataType":"uint16"})"));
    for (const int t : {0, 3}) {
      for (int level = 0; level < 2; ++level) {
        write_n5(folder / (setup + "/timepoint" + std::to_string(t) + "/s" + std::to_string(level)),
                 s, t, level);
      }
    }
  }
  const auto info = inspect((folder / "a.xml").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format, "BigDataViewer, N5");
  const Volume volume = must_load((folder / "a.xml").string(), {1, 1});
  expect_values(volume, 1, 3, 0);
  EXPECT_EQ(volume.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  expect_values(must_load((folder / "a.xml").string() + ":/1", {0, 1}), 0, 3, 1);
}

TEST(Bdv, PixelsInSeveralFiles) {
  const TemporaryFolder folder;
  {
    const Hdf5Made first(folder / "a-00.h5");
    write_setup(first, 0);
    write_view(first, 0, 0);
    write_view(first, 0, 3);
    const Hdf5Made second(folder / "a-01.h5");
    write_setup(second, 1);
    write_view(second, 1, 0);
    write_view(second, 1, 3);
  }
  auto xml = two_by_two();
  xml.loader = "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"relative\">a.h5</hdf5>";
  for (const char* s : {"0", "1"}) {
    xml.loader += std::string("<partition><path type=\"relative\">a-0") + s +
                  ".h5</path><timepoints>0 3</timepoints><setups>" + s + "</setups></partition>";
  }
  xml.loader += "</ImageLoader>";
  write_bytes(folder / "a.xml", xml.text());
  expect_values(must_load((folder / "a.xml").string(), {0, 1}), 0, 3, 0);
  expect_values(must_load((folder / "a.xml").string(), {1, 0}), 1, 0, 0);
  fs::remove(folder / "a-01.h5");
  expect_error(folder / "a.xml", "needs a-01.h5, which is not in its folder", {1, 0});
}

TEST(Bdv, TilesAreImagesOfTheirOwn) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  BdvXmlMaker xml;
  xml.setup(0, "<tile>0</tile><channel>0</channel>").setup(1, "<tile>1</tile><channel>0</channel>");
  write_bytes(folder / "a.xml", xml.text());
  const auto info = inspect((folder / "a.xml").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets, (std::vector<std::string>{"/tile0", "/tile1"}));
  EXPECT_EQ(info->dataset, "/tile0");
  expect_values(must_load((folder / "a.xml").string() + ":/tile1"), 1, 0, 0);
  expect_values(must_load((folder / "a.xml").string() + ":/tile1/1"), 1, 0, 1);
}

TEST(Bdv, WhatIsNotFollowedIsSaid) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  BdvXmlMaker turned;
  turned.setup(0, "").registration(0, 0, {"0 -1 0 0 1 0 0 0 0 0 1 0"});
  write_bytes(folder / "a.xml", turned.text());
  const auto info = inspect((folder / "a.xml").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_NE(info->format.find("turned or sheared"), std::string::npos) << info->format;
  auto xml = two_by_two();
  xml.missing = "<MissingView timepoint=\"3\" setup=\"1\"/>";
  write_bytes(folder / "a.xml", xml.text());
  expect_error(folder / "a.xml", "were not recorded", {1, 1});
  expect_values(must_load((folder / "a.xml").string(), {1, 0}), 1, 0, 0);
  xml.loader = "<ImageLoader format=\"bdv.multimg.zarr\"/>";
  write_bytes(folder / "a.xml", xml.text());
  expect_error(folder / "a.xml", "keeps its pixels as \"bdv.multimg.zarr\"");
}

TEST(Bdv, TheFirstViewNeedNotBeThere) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  auto xml = two_by_two();
  const auto miss = [&](int s, int t) {
    xml.missing += "<MissingView timepoint=\"" + std::to_string(t) + "\" setup=\"" +
                   std::to_string(s) + "\"/>";
    write_bytes(folder / "a.xml", xml.text());
  };
  const fs::path path = folder / "a.xml";
  miss(0, 0);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->size, (Size3{3, 4, 5}));
  EXPECT_EQ(info->further, std::vector{fs::canonical(folder / "a.h5")});
  expect_error(path, "were not recorded");
  expect_values(must_load(path.string(), {1, 0}), 1, 0, 0);
  miss(1, 0);
  expect_values(must_load(path.string(), {0, 1}), 0, 3, 0);
  miss(0, 3);
  miss(1, 3);
  EXPECT_FALSE(inspect(path.string()).ok());
  // Its pixels are there all the same.
  const auto pixels = inspect((folder / "a.h5").string());
  ASSERT_TRUE(pixels.ok()) << pixels.error().message();
  EXPECT_EQ(pixels->path, folder / "a.h5");
}

TEST(Bdv, XmlOfNoSizeThatItHasIsRefused) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  write_bytes(folder / "a.xml", two_by_two().text());
  fs::resize_file(folder / "a.xml", 33U << 20U);
  expect_error(folder / "a.xml", "more than such a file has");
}

TEST(Bdv, NoPathLeavesTheFolder) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "in");
  write_pixels(folder / "a.h5");
  const auto with_path = [&](const std::string& path) {
    auto xml = two_by_two();
    xml.loader = "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"relative\">" + path +
                 "</hdf5></ImageLoader>";
    write_bytes(folder / "in/a.xml", xml.text());
  };
  for (const std::string& path : {std::string("../a.h5"), (folder / "a.h5").string()}) {
    with_path(path);
    expect_error(folder / "in/a.xml", "outside of its folder");
  }
  with_path("link.h5");
  fs::create_symlink(folder / "a.h5", folder / "in/link.h5");
  expect_error(folder / "in/a.xml", "outside of its folder");
  with_path("none.h5");
  expect_error(folder / "in/a.xml", "needs none.h5");
  auto xml = two_by_two();
  xml.base = "<BasePath type=\"relative\">..</BasePath>";
  write_bytes(folder / "in/a.xml", xml.text());
  expect_error(folder / "in/a.xml", "outside of its folder");
}

TEST(Bdv, PixelsThatChangeMeanwhileAreAnError) {
  const TemporaryFolder folder;
  write_pixels(folder / "a.h5");
  write_bytes(folder / "a.xml", two_by_two().text());
  const auto info = inspect((folder / "a.xml").string());
  ASSERT_TRUE(info.ok());
  auto slices = open_slices(*info);
  ASSERT_TRUE(slices.ok());
  fs::resize_file(folder / "a.h5", fs::file_size(folder / "a.h5") + 1);
  std::vector<std::uint16_t> slice(20);
  const Status read = (*slices)->read(0, slice.data(), {});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message().find("a.h5: was written to"), std::string::npos)
      << read.error().message();
}

// npy2bdv's own file: three channels, one time point.
TEST(Bdv, ARealSetOpens) {
  APRSCOPE_NEEDS_DATA();
  const fs::path path = data_dir() / "formats/bdv/kidney.xml";
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  const auto by_pixels = inspect((data_dir() / "formats/bdv/kidney.h5").string());
  ASSERT_TRUE(by_pixels.ok()) << by_pixels.error().message();
  EXPECT_EQ(by_pixels->path, info->path);
  EXPECT_EQ(info->size, (Size3{32, 172, 111}));
  EXPECT_EQ(info->times, 1);
  EXPECT_EQ(info->channels, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(info->dtype, "u16");
  for (int c = 0; c < 3; ++c) {
    const Volume volume = must_load(path.string(), {c, 0});
    EXPECT_NEAR(volume.voxel.z, 160.0, 1e-9);
    EXPECT_NEAR(volume.voxel.x, 65.603883749918, 1e-9);
    EXPECT_NEAR(volume.voxel.y, 65.62110374696502, 1e-9);
    EXPECT_EQ(volume.voxel.unit, "µm");
    const auto wanted = values_by_library(data_dir() / "formats/bdv/kidney.h5",
                                          "/t00000/s0" + std::to_string(c) + "/0/cells");
    ASSERT_EQ(static_cast<std::int64_t>(wanted.size()), volume.size().count());
    const auto& pixels = std::get<Pixels<std::uint16_t>>(volume.pixels).values;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      // Unsigned numbers are kept as the signed ones of the same bits.
      const auto meant = static_cast<std::uint16_t>(static_cast<std::int16_t>(wanted[i]));
      ASSERT_EQ(pixels[i], meant) << i;
    }
  }
}

}  // namespace
}  // namespace aprscope::test
