// Pages are read by several threads at once: the same pixels and errors as with one.
#include "core/io/tiff/tiff_volume.hpp"

#include "core/base/system.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

constexpr std::int64_t kSlices = 9;
constexpr Size3 kSize{kSlices, 150, 200};

class Threads {
 public:
  explicit Threads(int count) { set_thread_count(count); }
  ~Threads() { set_thread_count(0); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
};

std::uint16_t value_at(std::int64_t z, std::int64_t x, std::int64_t y) {
  return static_cast<std::uint16_t>(z * 4001 + x * 13 + y * 7 + x * y % 5);
}

// Where each page's first strip begins.
std::vector<std::uint64_t> write_pages(const std::filesystem::path& path, int compression) {
  PageSpec spec;
  spec.rows = static_cast<std::uint32_t>(kSize.x);
  spec.cols = static_cast<std::uint32_t>(kSize.y);
  spec.compression = compression;
  std::vector<std::uint64_t> starts;
  {
    TiffMaker maker(path, "w");
    for (std::int64_t z = 0; z < kSlices; ++z) {
      std::vector<std::uint16_t> page;
      for (std::int64_t x = 0; x < kSize.x; ++x) {
        for (std::int64_t y = 0; y < kSize.y; ++y) page.push_back(value_at(z, x, y));
      }
      maker.add(spec, page);
    }
  }
  TIFF* const tiff = TIFFOpen(path.c_str(), "r");
  do {
    starts.push_back(TIFFGetStrileOffset(tiff, 0));
  } while (TIFFReadDirectory(tiff) == 1);
  TIFFClose(tiff);
  return starts;
}

TEST(TiffVolume, AnyNumberOfThreadsReadsTheSame) {
  TemporaryFolder folder;
  for (const int compression :
       {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD}) {
    const auto path = folder / "stack.tif";
    write_pages(path, compression);
    for (const int count : {1, 2, 5, 16}) {
      const Threads threads(count);
      const Volume volume = must_load(path.string());
      ASSERT_EQ(volume.size(), kSize);
      std::int64_t wrong = 0;
      for (std::int64_t z = 0; z < kSlices; ++z) {
        for (std::int64_t x = 0; x < kSize.x; ++x) {
          for (std::int64_t y = 0; y < kSize.y; ++y) {
            wrong += volume.value({z, x, y}) != static_cast<float>(value_at(z, x, y));
          }
        }
      }
      EXPECT_EQ(wrong, 0) << compression << " with " << count << " threads";
    }
  }
}

TEST(TiffVolume, SlicesComeInAnyOrder) {
  TemporaryFolder folder;
  const auto path = folder / "stack.tif";
  write_pages(path, COMPRESSION_ADOBE_DEFLATE);
  const Threads threads(4);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  auto slices = open_slices(*info);
  ASSERT_TRUE(slices.ok());
  std::vector<std::uint16_t> slice(static_cast<std::size_t>(kSize.x * kSize.y));
  for (const std::int64_t z : {0, 1, 2, 3, 4, 2, 3, 8, 0, 1, 7, 8, 5}) {
    ASSERT_TRUE((*slices)->read(z, slice.data(), {}).ok());
    EXPECT_EQ(slice.front(), value_at(z, 0, 0));
    EXPECT_EQ(slice.back(), value_at(z, kSize.x - 1, kSize.y - 1));
  }
}

TEST(TiffVolume, TheFirstDamagedSliceIsNamedByAnyNumberOfThreads) {
  TemporaryFolder folder;
  const auto path = folder / "stack.tif";
  const auto starts = write_pages(path, COMPRESSION_ADOBE_DEFLATE);
  std::string bytes = read_bytes(path);
  for (const std::size_t z : {std::size_t{5}, std::size_t{7}}) {
    for (std::size_t i = 0; i < 20; ++i) bytes[starts[z] + i] = '\xAA';
  }
  write_bytes(path, bytes);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  std::string first;
  for (const int count : {1, 2, 5, 16}) {
    const Threads threads(count);
    const auto volume = load(*info);
    ASSERT_FALSE(volume.ok());
    if (count == 1) first = volume.error().message();
    EXPECT_NE(first.find("is damaged or cut off near row 0"), std::string::npos) << first;
    EXPECT_EQ(volume.error().message(), first) << count;
    // Those before it are still had one by one.
    auto slices = open_slices(*info);
    ASSERT_TRUE(slices.ok());
    std::vector<std::uint16_t> slice(static_cast<std::size_t>(kSize.x * kSize.y));
    for (std::int64_t z = 0; z < kSlices; ++z) {
      EXPECT_EQ((*slices)->read(z, slice.data(), {}).ok(), z != 5 && z != 7) << z;
    }
  }
}

TEST(TiffVolume, CancelIsHeeded) {
  TemporaryFolder folder;
  const auto path = folder / "stack.tif";
  write_pages(path, COMPRESSION_LZW);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  for (const int count : {1, 4}) {
    const Threads threads(count);
    std::stop_source source;
    source.request_stop();
    const auto volume = load(*info, {}, JobContext(source.get_token()));
    ASSERT_FALSE(volume.ok());
    EXPECT_TRUE(volume.error().cancelled());
  }
}

}  // namespace
}  // namespace aprscope::test
