// Folders of TIFF files, made with libtiff: values, sizes and places, and what is refused.
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

// A file of `pages` pages whose pixel (x, y) of page p is value + 10 p + x.
void write_pages(const fs::path& path, int value, int pages = 1, PageSpec spec = {}) {
  spec.cols = 5;
  spec.rows = 4;
  TiffMaker maker(path, "w");
  for (int p = 0; p < pages; ++p) {
    std::vector<std::uint16_t> pixels;
    for (int i = 0; i < 20; ++i) {
      pixels.push_back(static_cast<std::uint16_t>(value + 10 * p + i / 5));
    }
    maker.add(spec, pixels);
    spec.description.clear();
  }
}

std::vector<int> row_two(const std::string& path, SourceSelection selection = {}) {
  const Volume volume = must_load(path, selection);
  std::vector<int> values;
  for (std::int64_t z = 0; z < volume.size().z; ++z) {
    values.push_back(static_cast<int>(volume.value({z, 2, 3})));
  }
  return values;
}

std::string error_of(const std::string& path) {
  const auto info = inspect(path);
  EXPECT_FALSE(info.ok());
  return info ? "" : info.error().message();
}

void expect_error(const std::string& path, const std::vector<std::string>& words) {
  const std::string message = error_of(path);
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

TEST(TiffSlices, AFolderIsAnImageInNaturalOrder) {
  const TemporaryFolder folder;
  PageSpec spec;
  spec.x_resolution = 1e4 / 0.25;
  spec.y_resolution = 1e4 / 0.5;
  spec.resolution_unit = RESUNIT_CENTIMETER;
  fs::create_directory(folder / "stack");
  for (int z = 1; z <= 12; ++z) {
    write_pages(folder / ("stack/slice" + std::to_string(z) + ".tif"), 100 * z, 1, spec);
  }
  // What lies beside is no slice.
  write_bytes(folder / "stack/notes.txt", "nothing");
  write_bytes(folder / "stack/._slice1.tif", "a file manager's");
  const auto info = inspect((folder / "stack").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "slices");
  EXPECT_EQ(info->format, "TIFF slices");
  EXPECT_EQ(info->size, (Size3{12, 4, 5}));
  EXPECT_EQ(info->dtype, "u16");
  EXPECT_EQ(info->voxel, (VoxelSize{0.5, 0.5, 0.25, "µm"}));
  EXPECT_EQ(info->datasets, std::vector<std::string>{"/slice#.tif"});
  std::vector<int> wanted;
  for (int z = 1; z <= 12; ++z) wanted.push_back(100 * z + 2);
  EXPECT_EQ(row_two((folder / "stack").string()), wanted);
  EXPECT_EQ(row_two((folder / "stack").string() + "/"), wanted);
  EXPECT_EQ(must_load((folder / "stack").string()).name, "stack");
}

TEST(TiffSlices, ChannelsAndTimePointsStandInTheNames) {
  const TemporaryFolder folder;
  for (int c = 1; c <= 2; ++c) {
    for (int t = 0; t < 3; ++t) {
      for (int z = 0; z < 2; ++z) {
        write_pages(folder / ("a_c" + std::to_string(c) + "_t00" + std::to_string(t) + "_z000" +
                              std::to_string(z) + ".TIF"),
                    1000 * c + 100 * t + 10 * z);
      }
    }
  }
  const auto info = inspect(folder.path().string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->channels, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(info->times, 3);
  EXPECT_EQ(info->size, (Size3{2, 4, 5}));
  EXPECT_EQ(row_two(folder.path().string(), {1, 2}), (std::vector{2202, 2212}));
  EXPECT_EQ(row_two(folder.path().string(), {0, 1}), (std::vector{1102, 1112}));
  EXPECT_FALSE(load(*info, {2, 0}).ok());
  EXPECT_FALSE(load(*info, {0, 3}).ok());
}

TEST(TiffSlices, SeveralImagesAreChosenByName) {
  const TemporaryFolder folder;
  for (int i = 1; i <= 2; ++i) write_pages(folder / ("a" + std::to_string(i) + ".tif"), 100 * i);
  for (int i = 1; i <= 3; ++i) write_pages(folder / ("b" + std::to_string(i) + ".tif"), 1000 * i);
  const auto info = inspect(folder.path().string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets, (std::vector<std::string>{"/a#.tif", "/b#.tif"}));
  EXPECT_EQ(info->dataset, "/b#.tif");
  EXPECT_EQ(row_two(folder.path().string() + ":/a#.tif"), (std::vector{102, 202}));
  expect_error(folder.path().string() + ":/c#.tif", {"no images called", "c#.tif"});
}

// Files that hold stacks, or images of any size, stand by themselves.
TEST(TiffSlices, StacksInAFolderAreImagesOfTheirOwn) {
  const TemporaryFolder folder;
  write_pages(folder / "cell1.tif", 100, 3);
  write_pages(folder / "cell2.tif", 200, 2);
  const auto info = inspect(folder.path().string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets, (std::vector<std::string>{"/cell1.tif", "/cell2.tif"}));
  EXPECT_EQ(row_two(folder.path().string() + ":/cell2.tif"), (std::vector{202, 212}));
}

TEST(TiffSlices, FilesThatAreUnlikeAreNamed) {
  const TemporaryFolder folder;
  for (int z = 1; z <= 3; ++z) write_pages(folder / ("z" + std::to_string(z) + ".tif"), z);
  const auto spoil = [&](const char* name, const PageSpec& spec, int bytes) {
    TiffMaker maker(folder / name, "w");
    maker.add(spec, std::vector<std::uint8_t>(static_cast<std::size_t>(bytes)));
  };
  PageSpec spec;
  spec.cols = 6;
  spec.rows = 4;
  spoil("z2.tif", spec, 48);
  expect_error(folder.path().string(), {"z2.tif", "6 × 4 u16", "unlike 5 × 4 u16 of z1.tif"});
  spec.cols = 5;
  spec.bits = 8;
  spoil("z2.tif", spec, 20);
  expect_error(folder.path().string(), {"z2.tif", "5 × 4 u8"});
  write_pages(folder / "z2.tif", 2, 2);
  expect_error(folder.path().string(), {"z2.tif", "has 2 pages, and z1.tif has 1"});
  write_bytes(folder / "z2.tif", "no TIFF");
  expect_error(folder.path().string(), {"z2.tif", "TIFF"});
  fs::remove(folder / "z2.tif");
  fs::rename(folder / "z3.tif", folder / "z4.tif");
  write_pages(folder / "z2.tif", 2);
  expect_error(folder.path().string(), {"lacks slice 3"});
  // No number of slices that lack makes these even.
  fs::rename(folder / "z1.tif", folder / "z0.tif");
  fs::rename(folder / "z2.tif", folder / "z10.tif");
  fs::rename(folder / "z4.tif", folder / "z20.tif");
  write_pages(folder / "z25.tif", 25);
  expect_error(folder.path().string(), {"uneven steps (10, 20, 25)"});
}

TEST(TiffSlices, LinksThatLeadOutAreRefused) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "stack");
  write_pages(folder / "elsewhere.tif", 7);
  for (int z = 1; z <= 3; ++z) write_pages(folder / ("stack/z" + std::to_string(z) + ".tif"), z);
  for (const char* name : {"stack/z1.tif", "stack/z3.tif"}) {
    const TemporaryFolder kept;
    fs::rename(folder / name, folder / "kept.tif");
    fs::create_symlink(folder / "elsewhere.tif", folder / name);
    expect_error((folder / "stack").string(), {name, "is a link out of its folder"});
    fs::remove(folder / name);
    fs::rename(folder / "kept.tif", folder / name);
  }
  fs::create_symlink("gone.tif", folder / "stack/z4.tif");
  expect_error((folder / "stack").string(), {"z4.tif", "not in its folder"});
  // One that stays inside is a file as any other.
  fs::remove(folder / "stack/z4.tif");
  fs::create_symlink("z1.tif", folder / "stack/z4.tif");
  EXPECT_EQ(row_two((folder / "stack").string()), (std::vector{3, 4, 5, 3}));
}

TEST(TiffSlices, AFileThatChangesMeanwhileIsAnError) {
  const TemporaryFolder folder;
  for (int z = 1; z <= 9; ++z) write_pages(folder / ("z" + std::to_string(z) + ".tif"), z);
  const auto info = inspect(folder.path().string());
  ASSERT_TRUE(info.ok());
  auto slices = open_slices(*info);
  ASSERT_TRUE(slices.ok());
  std::vector<std::uint16_t> slice(20);
  ASSERT_TRUE((*slices)->read(0, slice.data(), {}).ok());
  // Not open at this moment: another size comes to light, and a file that is gone; and another file
  // of the same size.
  write_pages(folder / "new", 4);
  fs::rename(folder / "new", folder / "z4.tif");
  write_pages(folder / "z5.tif", 5, 3);
  fs::remove(folder / "z6.tif");
  EXPECT_TRUE((*slices)->read(1, slice.data(), {}).ok());
  const Status replaced = (*slices)->read(3, slice.data(), {});
  ASSERT_FALSE(replaced.ok());
  EXPECT_NE(replaced.error().message().find("z4.tif: was removed or replaced"), std::string::npos)
      << replaced.error().message();
  const Status gone = (*slices)->read(5, slice.data(), {});
  ASSERT_FALSE(gone.ok());
  EXPECT_NE(gone.error().message().find("z6.tif"), std::string::npos) << gone.error().message();
}

TEST(TiffSlices, FilesOfSeveralChannelsStandByThemselves) {
  const TemporaryFolder folder;
  PageSpec spec;
  spec.description = "ImageJ=1.53t\nimages=2\nchannels=2\nslices=1\nhyperstack=true\n";
  for (int z = 1; z <= 2; ++z) {
    write_pages(folder / ("z" + std::to_string(z) + ".tif"), 100 * z, 2, spec);
  }
  const auto info = inspect(folder.path().string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets, (std::vector<std::string>{"/z1.tif", "/z2.tif"}));
  EXPECT_EQ(row_two(folder.path().string() + ":/z2.tif", {1, 0}), std::vector{212});
}

TEST(TiffSlices, OneFileBesideAStoreIsNoImageOfSlices) {
  const TemporaryFolder folder;
  Volume volume;
  volume.pixels = Pixels<std::uint8_t>({2, 3, 7});
  ASSERT_TRUE(write_image(volume, folder / "img.zarr").ok());
  write_pages(folder / "thumb.tif", 1);
  const auto info = inspect(folder.path().string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "zarr");
  EXPECT_EQ(info->size, (Size3{2, 3, 7}));
  // Several are slices, whose result may lie beside them.
  write_pages(folder / "thumc.tif", 1);
  const auto slices = inspect(folder.path().string());
  ASSERT_TRUE(slices.ok()) << slices.error().message();
  EXPECT_EQ(slices->format_id, "slices");
}

TEST(TiffSlices, AFolderWithoutImagesSaysSo) {
  const TemporaryFolder folder;
  write_bytes(folder / "notes.txt", "nothing");
  expect_error(folder.path().string(), {"holds no image as TIFF slices, Zarr or N5"});
}

}  // namespace
}  // namespace aprscope::test
