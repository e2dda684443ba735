// write_tiff and write_png: what they write is read back by this program and by the libraries.
#include <csignal>
#include <cstring>

#include <gtest/gtest.h>
#include <png.h>
#include <sys/resource.h>

#include "core/base/system.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

template <class T>
Volume numbered(const Size3& size) {
  Pixels<T> pixels(size);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<T>(static_cast<double>(i * 2654435761U % 65536) / 1.5);
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {3.9473684210526314, 0.15, 0.235, "µm"};
  return volume;
}

template <class T>
class TiffRoundTrip : public testing::Test {};
using SampleTypes = testing::Types<std::uint8_t, std::uint16_t, float>;
TYPED_TEST_SUITE(TiffRoundTrip, SampleTypes);

TYPED_TEST(TiffRoundTrip, PixelsVoxelOriginAndChannelComeBack) {
  TemporaryFolder folder;
  for (const Size3& size :
       {Size3{5, 31, 67}, Size3{1, 40, 30}, Size3{1, 1, 63}, Size3{2, 700, 900}}) {
    Volume volume = numbered<TypeParam>(size);
    volume.origin = {-2.0 * volume.voxel.z, 0.0, 4.5};
    volume.channel = "GFP \\ α";
    const auto path = folder / "out.tif";
    const Status written = write_tiff(volume, path);
    ASSERT_TRUE(written.ok()) << written.error().message();
    const Volume back = must_load(path.string());
    ASSERT_EQ(back.size(), size);
    EXPECT_EQ(std::get<Pixels<TypeParam>>(back.pixels).values,
              std::get<Pixels<TypeParam>>(volume.pixels).values);
    EXPECT_EQ(back.voxel, volume.voxel);
    EXPECT_EQ(back.channel, volume.channel);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(back.origin[d], volume.origin[d], 1e-12);
  }
}

TEST(TiffWrite, PixelsReadWithLibtiffAlone) {
  TemporaryFolder folder;
  const Volume volume = numbered<std::uint16_t>({3, 20, 33});
  const auto path = folder / "out.tif";
  ASSERT_TRUE(write_tiff(volume, path).ok());
  TIFF* const tiff = TIFFOpen(path.c_str(), "r");
  ASSERT_NE(tiff, nullptr);
  const char* description = nullptr;
  ASSERT_EQ(TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &description), 1);
  const std::string text = description;
  EXPECT_EQ(text.find("ImageJ="), 0U);
  EXPECT_NE(text.find("\nimages=3\nslices=3\nunit=\\u00B5m\nspacing=3.9473684210526314\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || c >= ' '; }));
  float resolution = 0;
  std::uint16_t unit = 0;
  TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &resolution);
  EXPECT_FLOAT_EQ(resolution, 1.0F / 0.235F);
  TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &resolution);
  EXPECT_FLOAT_EQ(resolution, 1.0F / 0.15F);
  TIFFGetField(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  EXPECT_EQ(unit, RESUNIT_NONE);
  std::vector<std::uint16_t> row(33);
  for (std::int64_t z = 0; z < 3; ++z) {
    for (std::uint32_t x = 0; x < 20; ++x) {
      ASSERT_EQ(TIFFReadScanline(tiff, row.data(), x), 1);
      for (std::int64_t y = 0; y < 33; ++y) {
        ASSERT_EQ(row[static_cast<std::size_t>(y)], volume.value({z, x, y}));
      }
    }
    EXPECT_EQ(TIFFReadDirectory(tiff), z < 2 ? 1 : 0);
  }
  TIFFClose(tiff);
}

TEST(TiffWrite, UnitsRoundTrip) {
  TemporaryFolder folder;
  const auto path = folder / "out.tif";
  for (const VoxelSize& voxel :
       {VoxelSize{}, VoxelSize{2.0, 1.0, 1.0, "px"}, VoxelSize{200.0, 65.0, 65.0, "nm"},
        VoxelSize{0.3, 0.1083333, 0.1083333, "µm"}, VoxelSize{1e-3, 2e-4, 3e-4, "mm"},
        VoxelSize{1.0, 1.0, 1.0, "arcsec ″"}}) {
    Volume volume = numbered<std::uint8_t>({2, 3, 4});
    volume.voxel = voxel;
    ASSERT_TRUE(write_tiff(volume, path).ok());
    EXPECT_EQ(must_load(path.string()).voxel, voxel) << voxel.unit;
  }
}

TEST(TiffWrite, SameBytesTwice) {
  TemporaryFolder folder;
  const Volume volume = numbered<std::uint16_t>({3, 20, 33});
  ASSERT_TRUE(write_tiff(volume, folder / "a.tif").ok());
  ASSERT_TRUE(write_tiff(volume, folder / "b.tif").ok());
  EXPECT_EQ(read_bytes(folder / "a.tif"), read_bytes(folder / "b.tif"));
}

TEST(TiffWrite, SameBytesForAnyNumberOfThreads) {
  TemporaryFolder folder;
  // Two strips a page, the second one shorter.
  const Volume volume = numbered<std::uint16_t>({5, 700, 900});
  set_thread_count(1);
  ASSERT_TRUE(write_tiff(volume, folder / "one.tif").ok());
  for (const int threads : {2, 3, 7}) {
    set_thread_count(threads);
    ASSERT_TRUE(write_tiff(volume, folder / "many.tif").ok());
    EXPECT_EQ(read_bytes(folder / "many.tif"), read_bytes(folder / "one.tif")) << threads;
    EXPECT_EQ(
        std::get<Pixels<std::uint16_t>>(must_load((folder / "one.tif").string()).pixels).values,
        std::get<Pixels<std::uint16_t>>(volume.pixels).values);
  }
  set_thread_count(0);
}

TYPED_TEST(TiffRoundTrip, PackingsAreReadByLibtiffAlone) {
  TemporaryFolder folder;
  const Volume volume = numbered<TypeParam>({3, 40, 1000});
  const auto& values = std::get<Pixels<TypeParam>>(volume.pixels).values;
  for (const auto& [packing, scheme] : {std::pair{TiffPacking::deflate, COMPRESSION_ADOBE_DEFLATE},
                                        {TiffPacking::zstd, COMPRESSION_ZSTD},
                                        {TiffPacking::none, COMPRESSION_NONE}}) {
    const auto path = folder / "out.tif";
    ASSERT_TRUE(write_tiff(volume, path, {}, packing).ok());
    TIFF* const tiff = TIFFOpen(path.c_str(), "r");
    ASSERT_NE(tiff, nullptr);
    std::vector<TypeParam> row(1000);
    for (std::size_t at = 0; at < values.size(); at += row.size()) {
      const std::size_t x = at / row.size() % 40;
      if (at > 0 && x == 0) {
        ASSERT_EQ(TIFFReadDirectory(tiff), 1);
      }
      std::uint16_t stored = 0;
      TIFFGetField(tiff, TIFFTAG_COMPRESSION, &stored);
      ASSERT_EQ(stored, scheme);
      ASSERT_EQ(TIFFReadScanline(tiff, row.data(), static_cast<std::uint32_t>(x)), 1);
      ASSERT_TRUE(std::equal(row.begin(), row.end(), values.begin() + static_cast<long>(at)));
    }
    TIFFClose(tiff);
    EXPECT_EQ(std::get<Pixels<TypeParam>>(must_load(path.string()).pixels).values, values);
  }
}

TEST(TiffWrite, ImpossibleVolumesAreRefused) {
  TemporaryFolder folder;
  const auto path = folder / "out.tif";
  Volume volume = numbered<std::uint8_t>({2, 3, 4});
  volume.voxel.x = 0.0;
  EXPECT_FALSE(write_tiff(volume, path).ok());
  EXPECT_FALSE(write_tiff(Volume{}, path).ok());
  EXPECT_FALSE(write_tiff(numbered<std::uint8_t>({2, 3, 4}), folder / "no" / "out.tif").ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TiffWrite, CancelLeavesWhatWasThere) {
  TemporaryFolder folder;
  const auto path = folder / "out.tif";
  write_bytes(path, "before");
  std::stop_source source;
  const JobContext context(source.get_token(),
                           [&](double, std::string_view) { source.request_stop(); });
  const Status written = write_tiff(numbered<std::uint16_t>({9, 50, 50}), path, context);
  ASSERT_FALSE(written.ok());
  EXPECT_TRUE(written.error().cancelled());
  EXPECT_EQ(read_bytes(path), "before");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

// A disk that is full after `bytes`: the limit of a file's size, whose signal is ignored.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_{};
};

TEST(TiffWrite, FullDiskAtAnyPoint) {
  TemporaryFolder folder;
  const auto path = folder / "out.tif";
  const Volume volume = numbered<std::uint16_t>({4, 60, 70});
  ASSERT_TRUE(write_tiff(volume, path).ok());
  const auto whole = std::filesystem::file_size(path);
  write_bytes(path, "before");
  for (rlim_t limit = 0; limit < whole; limit += whole / 23 + 1) {
    testing::internal::CaptureStderr();
    Status written;
    {
      const FullDisk full(limit);
      written = write_tiff(volume, path);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    ASSERT_FALSE(written.ok()) << limit << " of " << whole;
    const std::string message = written.error().message();
    EXPECT_NE(message.find(path.string() + ": "), std::string::npos) << message;
    EXPECT_NE(message.find("free some space"), std::string::npos) << message;
    EXPECT_EQ(read_bytes(path), "before");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
}

TEST(PngWrite, PixelsReadWithLibpng) {
  TemporaryFolder folder;
  const auto path = folder / "out.png";
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 13 * 7 * 4; ++i)
    rgba.push_back(static_cast<std::uint8_t>(i * 37 + 255 * (i % 4 == 3)));
  ASSERT_TRUE(write_png(rgba, 13, 7, path).ok());
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0);
  EXPECT_EQ(image.width, 13U);
  EXPECT_EQ(image.height, 7U);
  image.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> back(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, back.data(), 0, nullptr), 0);
  EXPECT_EQ(back, rgba);
}

TEST(PngWrite, ErrorsNameTheFile) {
  TemporaryFolder folder;
  const auto path = folder / "out.png";
  const std::vector<std::uint8_t> rgba(400, 128);
  for (const auto& [width, height] : {std::pair{0, 10}, std::pair{10, 11}, std::pair{-10, -10}}) {
    const Status written = write_png(rgba, width, height, path);
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.error().message().find("out.png"), std::string::npos);
  }
  {
    testing::internal::CaptureStderr();
    const FullDisk full(20);
    const Status written = write_png(rgba, 10, 10, path);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.error().message().find("out.png"), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace aprscope::test
