// Every way in which a TIFF file can lay out its pixels, in files made with libtiff.
#include <cmath>
#include <limits>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>

#include "core/base/job_context.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

// Smooth enough to compress, different in every pixel, slice and sample.
double expected(std::int64_t z, std::int64_t x, std::int64_t y, int sample) {
  return static_cast<double>(7 * z + 3 * x + y + 50 * sample);
}

template <class T>
std::vector<T> page_data(const PageSpec& spec, std::int64_t z) {
  std::vector<T> data;
  for (std::int64_t x = 0; x < spec.rows; ++x) {
    for (std::int64_t y = 0; y < spec.cols; ++y) {
      for (int s = 0; s < spec.samples; ++s) data.push_back(static_cast<T>(expected(z, x, y, s)));
    }
  }
  return data;
}

template <class T>
void write_stack(const std::filesystem::path& path, const char* mode, PageSpec spec,
                 std::int64_t slices) {
  TIFFSetWarningHandler(nullptr);
  TiffMaker maker(path, mode);
  for (std::int64_t z = 0; z < slices; ++z) maker.add(spec, page_data<T>(spec, z));
}

void expect_stack(const std::string& path, const Size3& size, int samples) {
  for (int s = 0; s < samples; ++s) {
    const Volume volume = must_load(path, {s, 0});
    ASSERT_EQ(volume.size(), size);
    std::int64_t wrong = 0;
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          wrong += volume.value({z, x, y}) != static_cast<float>(expected(z, x, y, s));
        }
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

using Layout = std::tuple<int, const char*, bool, int>;  // compression, mode, tiled, bits

class TiffLayout : public testing::TestWithParam<Layout> {};

TEST_P(TiffLayout, ReadsEveryPixel) {
  const auto [compression, mode, tiled, bits] = GetParam();
  if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0) {
    GTEST_SKIP() << "this libtiff cannot write compression " << compression;
  }
  TemporaryFolder folder;
  const auto path = folder / "stack.tif";
  PageSpec spec;
  spec.compression = compression;
  spec.bits = bits;
  if (tiled) {
    spec.tile_cols = 16;
    spec.tile_rows = 32;
  }
  if (bits == 32) spec.format = SAMPLEFORMAT_IEEEFP;
  const bool predictable = compression == COMPRESSION_LZW ||
                           compression == COMPRESSION_ADOBE_DEFLATE ||
                           compression == COMPRESSION_ZSTD;
  // libtiff 4.5 writes wrong bytes with this predictor in the order that is not the machine's.
  const bool broken_writer = bits == 32 && std::string(mode).back() == 'b';
  if (predictable && !broken_writer) {
    spec.predictor = bits == 32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
  }
  if (bits == 8) write_stack<std::uint8_t>(path, mode, spec, 3);
  if (bits == 16) write_stack<std::uint16_t>(path, mode, spec, 3);
  if (bits == 32) write_stack<float>(path, mode, spec, 3);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->dtype, bits == 8 ? "u8" : bits == 16 ? "u16" : "f32");
  expect_stack(path.string(), {3, spec.rows, spec.cols}, 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, TiffLayout,
    testing::Combine(testing::Values(COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                     COMPRESSION_DEFLATE, COMPRESSION_ZSTD, COMPRESSION_PACKBITS),
                     testing::Values("wl", "wb", "w8l", "w8b"), testing::Bool(),
                     testing::Values(8, 16, 32)),
    [](const auto& layout) {
      std::ostringstream name;
      name << "compression" << std::get<0>(layout.param) << std::get<1>(layout.param)
           << (std::get<2>(layout.param) ? "Tiles" : "Strips") << std::get<3>(layout.param);
      return name.str();
    });

TEST(TiffSamples, ColoursInterleavedAndSeparate) {
  TemporaryFolder folder;
  for (const int samples : {3, 4}) {
    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
      for (const std::uint32_t tile : {0U, 16U}) {
        PageSpec spec;
        spec.samples = samples;
        spec.planar = planar;
        spec.tile_cols = spec.tile_rows = tile;
        spec.compression = COMPRESSION_LZW;
        const auto path = folder / "colours.tif";
        write_stack<std::uint16_t>(path, "w", spec, 2);
        const auto info = inspect(path.string());
        ASSERT_TRUE(info.ok()) << info.error().message();
        std::vector<std::string> names{"red", "green", "blue", "alpha"};
        names.resize(static_cast<std::size_t>(samples));
        EXPECT_EQ(info->channels, names);
        expect_stack(path.string(), {2, spec.rows, spec.cols}, samples);
      }
    }
  }
}

template <class T>
void expect_type(int format, const char* dtype, const std::vector<T>& values) {
  SCOPED_TRACE(dtype);
  TemporaryFolder folder;
  for (const char* mode : {"wl", "wb"}) {
    const auto path = folder / "typed.tif";
    PageSpec spec;
    spec.cols = static_cast<std::uint32_t>(values.size());
    spec.rows = 1;
    spec.bits = 8 * sizeof(T);
    spec.format = format;
    {
      TiffMaker maker(path, mode);
      maker.add(spec, values);
    }
    const auto info = inspect(path.string());
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->dtype, dtype);
    const Volume volume = must_load(path.string());
    ASSERT_EQ(volume.size(), (Size3{1, 1, std::ssize(values)}));
    EXPECT_STREQ(volume.dtype(), "f32");
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(volume.value({0, 0, static_cast<std::int64_t>(i)}), static_cast<float>(values[i]));
    }
  }
}

TEST(TiffSamples, OtherTypesBecomeFloat) {
  expect_type<std::int8_t>(SAMPLEFORMAT_INT, "i8", {-128, -1, 0, 1, 127});
  expect_type<std::int16_t>(SAMPLEFORMAT_INT, "i16", {-32768, -1, 0, 258, 32767});
  expect_type<std::int32_t>(SAMPLEFORMAT_INT, "i32", {-2147483647, -1, 0, 66051, 2147483647});
  expect_type<std::int64_t>(SAMPLEFORMAT_INT, "i64", {-(1LL << 60), -1, 0, 1LL << 50});
  expect_type<std::uint32_t>(SAMPLEFORMAT_UINT, "u32", {0, 1, 66051, 4294967295U});
  expect_type<std::uint64_t>(SAMPLEFORMAT_UINT, "u64", {0, 1, 1ULL << 63U});
  expect_type<double>(SAMPLEFORMAT_IEEEFP, "f64", {-1.5, 0.0, 3.25, 1e30});
}

TEST(TiffSamples, HalfFloats) {
  TemporaryFolder folder;
  const auto path = folder / "half.tif";
  // 1, -2, 65504 (largest), 2^-24 (smallest subnormal), 0.333251953125, infinity.
  const std::vector<std::uint16_t> bits{0x3C00, 0xC000, 0x7BFF, 0x0001, 0x3555, 0x7C00};
  const std::vector<float> values{1.0F,
                                  -2.0F,
                                  65504.0F,
                                  5.9604644775390625e-8F,
                                  0.333251953125F,
                                  std::numeric_limits<float>::infinity()};
  PageSpec spec;
  spec.cols = 6;
  spec.rows = 1;
  spec.format = SAMPLEFORMAT_IEEEFP;
  {
    TiffMaker maker(path, "wb");
    maker.add(spec, bits);
  }
  const Volume volume = must_load(path.string());
  ASSERT_EQ(volume.size(), (Size3{1, 1, 6}));
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(volume.value({0, 0, i}), values[static_cast<std::size_t>(i)]);
  }
}

TEST(TiffSamples, PackedBits) {
  struct Packed {
    std::uint16_t bits;
    std::uint32_t cols;
    std::string payload;
    std::vector<float> values;
    const char* dtype;
  };
  for (const Packed& p : {Packed{1, 10, "\xA5\x40", {1, 0, 1, 0, 0, 1, 0, 1, 0, 1}, "u8"},
                          Packed{4, 3, "\x1F\x70", {1, 15, 7}, "u8"},
                          Packed{12, 3, "\xFF\xF0\x01\x12\x30", {4095, 1, 0x123}, "u16"}}) {
    TemporaryFolder folder;
    const auto path = folder / "packed.tif";
    CraftedTiff crafted;
    crafted.cols = p.cols;
    crafted.rows = 1;
    crafted.bits = p.bits;
    crafted.payload = p.payload;
    crafted.strip_bytes = static_cast<std::uint32_t>(p.payload.size());
    write_bytes(path, crafted.bytes());
    const Volume volume = must_load(path.string());
    ASSERT_EQ(volume.size(), (Size3{1, 1, p.cols}));
    EXPECT_STREQ(volume.dtype(), p.dtype);
    for (std::size_t i = 0; i < p.values.size(); ++i) {
      EXPECT_EQ(volume.value({0, 0, static_cast<std::int64_t>(i)}), p.values[i]);
    }
  }
}

TEST(TiffLayouts, LargeStripsAreReadRowByRow) {
  TemporaryFolder folder;
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE}) {
    const auto path = folder / "large.tif";
    PageSpec spec;
    spec.cols = 1500;
    spec.rows = 1700;
    spec.rows_per_strip = 1700;  // 5.1 MB in one strip
    spec.compression = compression;
    write_stack<std::uint16_t>(path, "wb", spec, 1);
    expect_stack(path.string(), {1, 1700, 1500}, 1);
  }
}

TEST(TiffLayouts, ThumbnailsAndSmallerCopiesAreSkipped) {
  TemporaryFolder folder;
  const auto path = folder / "pyramid.tif";
  {
    TiffMaker maker(path, "w");
    PageSpec spec;
    PageSpec thumbnail;
    thumbnail.cols = 9;
    thumbnail.rows = 7;
    thumbnail.subfile = FILETYPE_REDUCEDIMAGE;
    for (std::int64_t z = 0; z < 2; ++z) {
      maker.add(thumbnail, page_data<std::uint16_t>(thumbnail, 90 + z));
      maker.add(spec, page_data<std::uint16_t>(spec, z));
    }
  }
  expect_stack(path.string(), {2, 29, 37}, 1);
}

TEST(TiffLayouts, PagesOfDifferentSizesAreRefused) {
  TemporaryFolder folder;
  const auto path = folder / "mixed.tif";
  {
    TiffMaker maker(path, "w");
    PageSpec spec;
    maker.add(spec, page_data<std::uint16_t>(spec, 0));
    spec.cols = 12;
    maker.add(spec, page_data<std::uint16_t>(spec, 1));
  }
  const auto info = inspect(path.string());
  ASSERT_FALSE(info.ok());
  EXPECT_NE(info.error().message().find("page 2 is 12 × 29"), std::string::npos)
      << info.error().message();
}

TEST(TiffLayouts, CancelAndProgress) {
  TemporaryFolder folder;
  const auto path = folder / "stack.tif";
  write_stack<std::uint16_t>(path, "w", PageSpec{}, 20);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  std::stop_source source;
  std::vector<double> fractions;
  const JobContext context(source.get_token(), [&](double fraction, std::string_view) {
    fractions.push_back(fraction);
    if (fraction >= 0.5) source.request_stop();
  });
  const auto data = load(*info, {}, context);
  ASSERT_FALSE(data.ok());
  EXPECT_TRUE(data.error().cancelled());
  ASSERT_GE(fractions.size(), 3U);
  EXPECT_LT(fractions.back(), 0.6);
  for (std::size_t i = 1; i < fractions.size(); ++i) EXPECT_GE(fractions[i], fractions[i - 1]);
}

}  // namespace
}  // namespace aprscope::test
