// Labels written to files, and read from those of any tool.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/label_read.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

class LabelFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  Labels made(std::uint32_t largest) const {
    Labels labels;
    for (std::int64_t i = 0; i < size_.count(); ++i) {
      labels.values.push_back(static_cast<std::uint32_t>(i * 7919 % 11 == 0 ? 0 : i % 5 + 1));
    }
    labels.values.back() = largest;
    labels.largest = largest;
    return labels;
  }

  void expect_error(const std::string& file, const Size3& size, const std::string& words) {
    const auto read = read_labels(path(file), size);
    ASSERT_FALSE(read.ok()) << file;
    EXPECT_NE(read.error().message().find(words), std::string::npos) << read.error().message();
    EXPECT_NE(read.error().message().find(file), std::string::npos) << read.error().message();
  }

  // An image of f32 values.
  void write_values(const std::string& file, float last) {
    Volume volume;
    Pixels<float> pixels(size_, 3.0F);
    pixels.values.back() = last;
    volume.pixels = std::move(pixels);
    ASSERT_TRUE(write_tiff(volume, path(file)).ok());
  }

  Size3 size_{3, 4, 5};
  TemporaryFolder folder_;
};

TEST_F(LabelFiles, ComeBackAsTheyWere) {
  for (const std::uint32_t largest : {5U, 65535U, 65536U, 16777217U, 4294967295U}) {
    const Labels labels = made(largest);
    ASSERT_TRUE(write_labels(labels, {size_, {2.0, 0.5, 0.25, "µm"}}, path("l.tif")).ok());
    const auto info = inspect(path("l.tif"));
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(info->dtype, largest <= 65535 ? "u16" : "u32");
    EXPECT_EQ(info->size, size_);
    EXPECT_EQ(info->voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
    const auto read = read_labels(path("l.tif"), size_);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(*read, labels);
  }
}

TEST_F(LabelFiles, AreU16WhereTheLargestIsNotThere) {
  Labels labels = made(9);
  labels.largest = 100000;
  ASSERT_TRUE(write_labels(labels, {size_, {}}, path("l.tif")).ok());
  EXPECT_EQ(inspect(path("l.tif"))->dtype, "u16");
  EXPECT_EQ(read_labels(path("l.tif"), size_)->largest, 9U);
}

TEST_F(LabelFiles, OfAnotherSizeAreRefused) {
  ASSERT_TRUE(write_labels(made(9), {size_, {}}, path("l.tif")).ok());
  expect_error("l.tif", {3, 5, 4}, "3 × 4 × 5");
  expect_error("l.tif", {3, 5, 4}, "3 × 5 × 4");
  Labels few = made(9);
  few.values.pop_back();
  EXPECT_FALSE(write_labels(few, {size_, {}}, path("few.tif")).ok());
  EXPECT_FALSE(std::filesystem::exists(path("few.tif")));
}

TEST_F(LabelFiles, WholeFloatsAreLabelsAndOthersAreNot) {
  write_values("whole.tif", 16777216.0F);
  const auto read = read_labels(path("whole.tif"), size_);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->largest, 16777216U);
  EXPECT_EQ(read->values.front(), 3U);
  write_values("negative.tif", -1.0F);
  expect_error("negative.tif", size_, "negative value at z 2, x 3, y 4");
  write_values("broken.tif", 1.5F);
  expect_error("broken.tif", size_, "not whole");
  write_values("nan.tif", std::nanf(""));
  expect_error("nan.tif", size_, "no number");
  write_values("infinite.tif", -INFINITY);
  expect_error("infinite.tif", size_, "no number");
  write_values("large.tif", 4294967296.0F);
  expect_error("large.tif", size_, "beyond 4294967295");
}

TEST_F(LabelFiles, OfHdf5AreExact) {
  const std::vector<hsize_t> extent{3, 4, 5};
  {
    Hdf5Made file(path("l.h5"));
    std::vector<std::int64_t> values(60, 7);
    values[1] = 4294967295;
    values[2] = 16777217;
    file.dataset("/u32", H5T_STD_U32LE, extent, values);
    file.dataset("/i64", H5T_STD_I64BE, extent, values, [](hid_t creation) {
      const hsize_t chunk[] = {2, 3, 4};
      H5Pset_chunk(creation, 3, chunk);
      H5Pset_deflate(creation, 4);
    });
    values[3] = -1;
    file.dataset("/negative", H5T_STD_I32LE, extent, values);
    values[3] = 4294967296;
    file.dataset("/large", H5T_STD_I64LE, extent, values);
    file.dataset("/half", H5T_IEEE_F64LE, extent, std::vector<double>(60, 2.5));
  }
  for (const char* name : {"l.h5:/u32", "l.h5:/i64"}) {
    const auto read = read_labels(path(name), size_);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->largest, 4294967295U);
    EXPECT_EQ(read->values[1], 4294967295U);
    EXPECT_EQ(read->values[2], 16777217U);
    EXPECT_EQ(read->values[59], 7U);
  }
  expect_error("l.h5:/negative", size_, "negative value at z 0, x 0, y 3");
  expect_error("l.h5:/large", size_, "beyond 4294967295");
  expect_error("l.h5:/half", size_, "not whole");
  expect_error("l.h5:/u32", {3, 4, 6}, "3 × 4 × 6");
}

TEST_F(LabelFiles, OfPlainPagesAndOfChannelsAreSlices) {
  PageSpec page;
  page.cols = 5;
  page.rows = 4;
  page.bits = 32;
  std::vector<std::uint32_t> all;
  {
    TiffMaker plain(path("plain.tif"), "wb");
    TiffMaker channels(path("channels.tif"), "w");
    TiffMaker times(path("times.tif"), "w");
    for (std::uint32_t z = 0; z < 3; ++z) {
      std::vector<std::uint32_t> values(20);
      for (std::uint32_t i = 0; i < 20; ++i) values[i] = 16777217 * z + i;
      all.insert(all.end(), values.begin(), values.end());
      page.description = "";
      plain.add(page, values);
      // As tools write a stack whose dimensions they do not know.
      page.description = z == 0 ? "ImageJ=1.11a\nimages=3\nchannels=3\nhyperstack=true\n" : "";
      channels.add(page, values);
      page.description = z == 0 ? "ImageJ=1.11a\nimages=3\nframes=3\n" : "";
      times.add(page, values);
    }
  }
  for (const char* name : {"plain.tif", "channels.tif", "times.tif"}) {
    const auto read = read_labels(path(name), size_);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->values, all) << name;
  }
}

TEST_F(LabelFiles, CutOffFilesAndCancelsAreErrors) {
  ASSERT_TRUE(write_labels(made(70000), {size_, {}}, path("l.tif")).ok());
  const auto bytes = std::filesystem::file_size(path("l.tif"));
  std::filesystem::copy_file(path("l.tif"), path("cut.tif"));
  std::filesystem::resize_file(path("cut.tif"), bytes / 2);
  EXPECT_FALSE(read_labels(path("cut.tif"), size_).ok());
  EXPECT_FALSE(read_labels(path("none.tif"), size_).ok());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = read_labels(path("l.tif"), size_, {}, JobContext(stop.get_token()));
  ASSERT_FALSE(stopped.ok());
  EXPECT_TRUE(stopped.error().cancelled());
  const Status unwritten =
      write_labels(made(9), {size_, {}}, path("l.tif"), JobContext(stop.get_token()));
  EXPECT_TRUE(unwritten.error().cancelled());
  EXPECT_EQ(std::filesystem::file_size(path("l.tif")), bytes);
}

}  // namespace
}  // namespace aprscope::test
