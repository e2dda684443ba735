// Imaris files that lack parts, or say what cannot be true.
#include <gtest/gtest.h>

#include "tests/core/io/imaris/imaris_fixture.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class ImarisFileTest : public ImarisFiles {};

TEST_F(ImarisFileTest, WithoutADescriptionPixelsStillOpen) {
  ImarisMaker maker;
  maker.write(path());
  const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(file, "DataSetInfo", H5P_DEFAULT), 0);
  H5Fclose(file);
  const SourceInfo info = must_inspect();
  EXPECT_EQ(info.voxel, VoxelSize{});
  EXPECT_EQ(info.channels, (std::vector<std::string>{"0"}));
  EXPECT_TRUE(info.hints.empty());
  expect_imaris_values(must_load(path()), {5, 6, 7}, 0, 0, 0);
}

TEST_F(ImarisFileTest, TheImageSaysItsSizeWhereChannelsDoNot) {
  ImarisMaker maker;
  for (const char* name : {"ImageSizeX", "ImageSizeY", "ImageSizeZ"}) {
    maker.texts[kChannel0][name] = "-";
  }
  maker.write(path());
  expect_imaris_values(must_load(path()), {5, 6, 7}, 0, 0, 0);
  for (const char* name : {"X", "Y", "Z"}) maker.texts["DataSetInfo/Image"][name] = "-";
  expect_error(maker, "does not say how large it is");
}

TEST_F(ImarisFileTest, WhatIsNotThereIsSaid) {
  ImarisMaker maker = two_by_three();
  maker.times = {0, 4};
  maker.channels = {1};
  maker.texts["DataSetInfo/Channel 0"]["Name"] = "lost";
  maker.texts["DataSetInfo/TimeInfo"]["FileTimePoints"] = "5";
  maker.write(path());
  const SourceInfo info = must_inspect();
  EXPECT_EQ(info.format, "Imaris (holds 1 of 2 channels; holds 2 of 5 time points)");
  EXPECT_EQ(info.times, 2);
  EXPECT_EQ(info.channels, (std::vector<std::string>{"stain 1"}));
  // The second time point that there is.
  expect_imaris_values(must_load(path(), {0, 1}), {5, 6, 7}, 0, 4, 1);
}

TEST_F(ImarisFileTest, DatesSayTheStepOfTime) {
  ImarisMaker maker = two_by_three();
  auto& dates = maker.texts["DataSetInfo/TimeInfo"];
  const std::string last = "TimePoint" + std::to_string(maker.times.back() + 1);
  const int steps = maker.times.back() - maker.times.front();
  dates["TimePoint" + std::to_string(maker.times.front() + 1)] = "2005-05-31 23:59:30.000";
  dates[last] = "2005-06-01 00:00:00.500";
  maker.write(path());
  ASSERT_GT(steps, 0);
  EXPECT_DOUBLE_EQ(must_inspect().seconds.value_or(0.0), 30.5 / steps);
  // Dates that all say the same, as of images that a program made, are no step.
  dates[last] = "2005-05-31 23:59:30.000";
  maker.write(path());
  EXPECT_FALSE(must_inspect().seconds);
  dates[last] = "-";
  maker.write(path());
  EXPECT_FALSE(must_inspect().seconds);
}

TEST_F(ImarisFileTest, OfSeveralImagesTheFirstIsRead) {
  ImarisMaker().write(path());
  const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t made =
      H5Acreate2(file, "NumberOfDataSets", H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  const std::uint32_t two = 2;
  ASSERT_GE(H5Awrite(made, H5T_NATIVE_UINT32, &two), 0);
  H5Aclose(made);
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_EQ(must_inspect().format, "Imaris (the first of 2 images)");
}

TEST_F(ImarisFileTest, AViewThatIsMissingIsAnError) {
  ImarisMaker maker = two_by_three();
  maker.missing = {{1, 1}};
  expect_error(maker, "has no channel 1 at time point 1", {1, 1});
  expect_imaris_values(must_load(path(), {0, 1}), {5, 6, 7}, 0, 1, 0);
  expect_imaris_values(must_load(path(), {1, 2}), {5, 6, 7}, 0, 2, 1);
}

TEST_F(ImarisFileTest, MoreDatesThanAttributesAreReadDoNoHarm) {
  ImarisMaker maker;
  auto& info = maker.texts["DataSetInfo/TimeInfo"];
  for (int i = 0; i < 1100; ++i) info["TimePoint" + std::to_string(i + 1)] = "2020-01-02";
  maker.write(path(), true);
  expect_imaris_values(must_load(path()), {5, 6, 7}, 0, 0, 0);
}

TEST_F(ImarisFileTest, SizesThatCannotBeTrueAreSaid) {
  expect_error(kChannel0, "ImageSizeX", "9", "pixels (z, x, y), but the image is said to have");
  expect_error(kChannel0, "ImageSizeX", "0", "has an impossible size (ImageSizeX = \"0\")");
  expect_error(kChannel0, "ImageSizeY", "-6", "has an impossible size (ImageSizeY = \"-6\")");
  expect_error(kChannel0, "ImageSizeZ", "nan", "has an impossible size (ImageSizeZ = \"nan\")");
  expect_error(kChannel0, "ImageSizeZ", "-", "says its size but no ImageSizeZ");
  expect_error("DataSetInfo/Image", "Z", "0", "has an impossible size (Z = \"0\")");
  ImarisMaker beyond;
  beyond.levels = {{{5, 6, 7}, {4, 8, 8}}};
  expect_error(beyond, "holds 4 × 8 × 8 pixels (z, x, y), fewer than the 5 × 6 × 7 of its image");
  ImarisMaker uneven = two_by_three();
  for (const char* name : {"X", "Y", "Z"}) uneven.texts["DataSetInfo/Image"][name] = "-";
  uneven.texts["DataSet/ResolutionLevel 0/TimePoint 2/Channel 1"]["ImageSizeX"] = "6";
  expect_error(uneven, "but its first channel and time point 5 × 6 × 7", {1, 2});
  expect_imaris_values(must_load(path(), {0, 2}), {5, 6, 7}, 0, 2, 0);
}

TEST_F(ImarisFileTest, ExtentsThatCannotBeTrueAreSaid) {
  const std::string image = "DataSetInfo/Image";
  expect_error(image, "ExtMax0", "30", "ends where or before it begins (ExtMin0 and ExtMax0)");
  expect_error(image, "ExtMax1", "-20", "ends where or before it begins (ExtMin1 and ExtMax1)");
  expect_error(image, "ExtMax2", "nan", "has extents that are no lengths (ExtMax2 = \"nan\")");
  expect_error(image, "ExtMin2", "-", "says only some of its extents");
  // The pixels open by name as the sentence says.
  const Volume volume =
      must_load(path() + ":/DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data");
  EXPECT_EQ(volume.size(), (Size3{8, 8, 8}));
}

TEST_F(ImarisFileTest, StructuresThatLackPartsAreSaid) {
  const auto without = [&](const std::string& link, const std::string& words) {
    ImarisMaker().write(path());
    const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Ldelete(file, link.c_str(), H5P_DEFAULT), 0);
    H5Fclose(file);
    const std::string message = error_of(path());
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  without("DataSet", "has no image at full resolution (/DataSet/ResolutionLevel 0)");
  without("DataSet/ResolutionLevel 0", "has no image at full resolution");
  without("DataSet/ResolutionLevel 0/TimePoint 0", "has no time point");
  without(kChannel0, "has no channel");
  without(std::string(kChannel0) + "/Data", "is not a dataset of this file");
}

TEST_F(ImarisFileTest, AnArrayOfOtherDimensionsIsRefused) {
  ImarisMaker().write(path());
  const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const std::string name = std::string(kChannel0) + "/Data";
  ASSERT_GE(H5Ldelete(file, name.c_str(), H5P_DEFAULT), 0);
  const hsize_t sides[] = {8, 8};
  const std::vector<std::uint16_t> values(64, 7);
  const hid_t space = H5Screate_simple(2, sides, nullptr);
  const hid_t made =
      H5Dcreate2(file, name.c_str(), H5T_STD_U16LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(H5Dwrite(made, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(made);
  H5Sclose(space);
  H5Fclose(file);
  const std::string message = error_of(path());
  EXPECT_NE(message.find("is no image of three dimensions"), std::string::npos) << message;
}

TEST_F(ImarisFileTest, AFileThatChangesMeanwhileIsAnError) {
  two_by_three().write(path());
  auto slices = open_slices(must_inspect());
  ASSERT_TRUE(slices.ok());
  fs::resize_file(path(), fs::file_size(path()) + 1);
  std::vector<std::uint16_t> slice(42);
  const Status read = (*slices)->read(0, slice.data(), {});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message().find("was written to"), std::string::npos);
}

TEST_F(ImarisFileTest, EveryCutOffFileIsASentence) {
  two_by_three().write(path());
  const std::uintmax_t whole = fs::file_size(path());
  for (std::uintmax_t bytes = 600; bytes < whole; bytes += whole / 23) {
    fs::copy_file(path(), folder_ / "cut.ims", fs::copy_options::overwrite_existing);
    fs::resize_file(folder_ / "cut.ims", bytes);
    const auto info = inspect((folder_ / "cut.ims").string());
    ASSERT_FALSE(info.ok()) << bytes;
    EXPECT_FALSE(info.error().advice.empty());
  }
}

}  // namespace
}  // namespace aprscope::test
