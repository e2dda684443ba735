// Real TIFF files; the expected numbers were read from them with tifffile and NumPy.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

struct Sample {
  Index3 at;
  float value;
};
struct RealFile {
  const char* name;
  const char* format;
  Size3 size;
  const char* dtype;
  double sum;
  double weighted;
  std::vector<Sample> samples;
};

void PrintTo(const RealFile& file, std::ostream* out) { *out << file.name; }

class TiffRealFile : public testing::TestWithParam<RealFile> {};

TEST_P(TiffRealFile, HasTheValuesThatTifffileReads) {
  APRSCOPE_NEEDS_DATA();
  const RealFile& file = GetParam();
  const std::string path = (data_dir() / file.name).string();
  const auto info = inspect(path);
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format, file.format);
  EXPECT_EQ(info->size, file.size);
  EXPECT_EQ(info->dtype, file.dtype);
  EXPECT_FALSE(info->is_apr);
  EXPECT_EQ(info->file_bytes, std::filesystem::file_size(path));
  const Volume volume = must_load(path);
  ASSERT_EQ(volume.size(), file.size);
  EXPECT_STREQ(volume.dtype(), file.dtype);
  const Sums s = sums(volume);
  EXPECT_NEAR(s.plain, file.sum, 1e-9 * file.sum);
  EXPECT_NEAR(s.weighted, file.weighted, 1e-9 * file.weighted);
  for (const Sample& sample : file.samples) {
    EXPECT_EQ(volume.value(sample.at), sample.value)
        << sample.at.z << ' ' << sample.at.x << ' ' << sample.at.y;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, TiffRealFile,
    testing::Values(RealFile{"fluo/flybrain.tif",
                             "ImageJ TIFF",
                             {57, 256, 256},
                             "u8",
                             48742078.0,
                             24565510344.0,
                             {{{28, 128, 128}, 74}, {{19, 85, 85}, 51}, {{56, 255, 255}, 0}}},
                    RealFile{"fluo/img3d.tif",
                             "TIFF",
                             {31, 61, 57},
                             "u16",
                             21342435.0,
                             10737823638.0,
                             {{{15, 30, 28}, 181}, {{10, 20, 19}, 169}, {{30, 60, 56}, 219}}},
                    RealFile{"fluo/lls_psf.tif",
                             "TIFF",
                             {61, 128, 128},
                             "u16",
                             143016022.0,
                             72059470368.0,
                             {{{30, 64, 64}, 167}, {{20, 42, 42}, 140}, {{60, 127, 127}, 170}}},
                    RealFile{"fluo/Bead_Image1_crop.tif",
                             "ImageJ TIFF",
                             {41, 150, 150},
                             "u8",
                             1443760.0,
                             726180739.0,
                             {{{20, 75, 75}, 8}, {{13, 50, 50}, 1}, {{40, 149, 149}, 2}}},
                    RealFile{"fluo/DeconvolutionSampleVerticalGrid1AU-crop.tif",
                             "ImageJ TIFF",
                             {21, 150, 150},
                             "u8",
                             1012917.0,
                             510310982.0,
                             {{{10, 75, 75}, 4}, {{7, 50, 50}, 3}, {{20, 149, 149}, 2}}},
                    RealFile{"tiff/2x4x3xfloat.tif",
                             "ImageJ TIFF",
                             {3, 4, 2},
                             "f32",
                             300.0,
                             4600.0,
                             {{{1, 2, 1}, 14}, {{2, 3, 1}, 24}, {{0, 0, 0}, 1}}},
                    RealFile{"tiff/3x2x4x16bit.tif",
                             "ImageJ TIFF",
                             {4, 2, 3},
                             "u16",
                             300.0,
                             4600.0,
                             {{{2, 1, 1}, 17}, {{1, 0, 1}, 8}, {{3, 1, 2}, 24}}},
                    RealFile{"tiff/4x3x2x8bit.tif",
                             "ImageJ TIFF",
                             {2, 3, 4},
                             "u8",
                             300.0,
                             4600.0,
                             {{{1, 1, 2}, 19}, {{0, 1, 1}, 6}, {{1, 2, 3}, 24}}},
                    RealFile{"apr/sphere_1D/original.tif",
                             "ImageJ TIFF",
                             {1, 1, 63},
                             "u16",
                             153980.0,
                             5368255.0,
                             {{{0, 0, 31}, 3453}, {{0, 0, 21}, 1735}, {{0, 0, 62}, 1000}}},
                    RealFile{"apr/sphere_2D/scale_saved.tif",
                             "TIFF",
                             {1, 32, 32},
                             "f32",
                             800921.5529619362,
                             385818241.2129729,
                             {{{0, 16, 16}, 2372.2112F}, {{0, 10, 10}, 1119.4384F}}}));

TEST(TiffRealFiles, VoxelSizesOfImageJ) {
  APRSCOPE_NEEDS_DATA();
  const auto voxel = [](const char* name) {
    const auto info = inspect((data_dir() / "fluo" / name).string());
    EXPECT_TRUE(info.ok());
    return info ? info->voxel : VoxelSize{};
  };
  const VoxelSize fly = voxel("flybrain.tif");
  EXPECT_EQ(fly.unit, "µm");
  EXPECT_DOUBLE_EQ(fly.z, 3.9473684210526314);
  EXPECT_NEAR(fly.x, 1.0 / 0.373759, 1e-6);
  EXPECT_NEAR(fly.y, 1.0 / 0.373759, 1e-6);
  const VoxelSize bead = voxel("Bead_Image1_crop.tif");
  EXPECT_EQ(bead.unit, "µm");
  EXPECT_DOUBLE_EQ(bead.z, 0.125);
  EXPECT_NEAR(bead.y, 1.0 / 44.460534, 1e-8);
  const VoxelSize hyper = voxel("image_tzcyx.tif");
  EXPECT_EQ(hyper.unit, "µm");  // written with the Greek letter in the file
  EXPECT_DOUBLE_EQ(hyper.z, 0.38);
  EXPECT_NEAR(hyper.x, 930590687.0 / 4294967295.0, 1e-7);
  // Resolution tags of 1 without a unit say nothing.
  EXPECT_EQ(voxel("lls_psf.tif"), VoxelSize{});
  EXPECT_EQ(voxel("img3d.tif"), VoxelSize{});
}

TEST(TiffRealFiles, HyperstackChannelsAndTimes) {
  APRSCOPE_NEEDS_DATA();
  const std::string path = (data_dir() / "fluo/image_tzcyx.tif").string();
  const auto info = inspect(path);
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->size, (Size3{10, 77, 79}));
  EXPECT_EQ(info->channels, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(info->times, 4);
  struct Expected {
    int t;
    int c;
    double sum;
    double weighted;
    float inner;
    float corner;
  };
  for (const Expected& e : {Expected{0, 0, 25288480, 12706313517, 421, 413},
                            Expected{0, 1, 25272125, 12697617518, 412, 409},
                            Expected{3, 0, 25405197, 12764047804, 423, 413},
                            Expected{3, 1, 25454434, 12787261586, 418, 411}}) {
    const Volume volume = must_load(path, {e.c, e.t});
    ASSERT_EQ(volume.size(), info->size);
    const Sums s = sums(volume);
    EXPECT_EQ(s.plain, e.sum);
    EXPECT_EQ(s.weighted, e.weighted);
    EXPECT_EQ(volume.value({5, 30, 40}), e.inner);
    EXPECT_EQ(volume.value({9, 0, 78}), e.corner);
    EXPECT_EQ(volume.channel_index, e.c);
    EXPECT_EQ(volume.time, e.t);
    EXPECT_EQ(volume.name, "image_tzcyx");
  }
  for (const SourceSelection& wrong : {SourceSelection{2, 0}, SourceSelection{0, 4},
                                       SourceSelection{-1, 0}, SourceSelection{0, -1}}) {
    const auto data = load(*info, wrong);
    ASSERT_FALSE(data.ok());
    EXPECT_NE(data.error().message().find("image_tzcyx.tif"), std::string::npos);
  }
}

TEST(TiffRealFiles, NotANumberIsLoadedAsItIs) {
  APRSCOPE_NEEDS_DATA();
  const Volume volume = must_load((data_dir() / "tiff/all_nan_float.tif").string());
  ASSERT_EQ(volume.size(), (Size3{41, 150, 150}));
  EXPECT_EQ(count_non_finite(volume).count, 41U * 150U * 150U);
}

}  // namespace
}  // namespace aprscope::test
