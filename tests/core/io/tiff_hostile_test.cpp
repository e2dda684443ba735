#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/io/formats.hpp"
#include "core/io/image_source.hpp"
#include "tests/support/paths.hpp"

// TIFF files and names that are made to hold a reader up.

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A little-endian TIFF file of `pages` pages of one column and `strips` rows, a strip a row, which
// all use one table of strips and one description of `text` bytes.
void make_shared_tables(const fs::path& path, std::uint32_t pages, std::uint32_t strips,
                        std::uint32_t text = 8) {
  std::vector<std::uint8_t> bytes;
  const auto put = [&](std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  };
  const std::uint32_t pixels = 8;
  const std::uint32_t offsets = pixels + strips;
  const std::uint32_t counts = offsets + 4 * strips;
  const std::uint32_t description = counts + 4 * strips;
  const std::uint32_t first = description + text;
  put(0x002A4949, 4);
  put(first, 4);
  for (std::uint32_t i = 0; i < strips; ++i) put(i, 1);
  for (std::uint32_t i = 0; i < strips; ++i) put(pixels + i, 4);
  for (std::uint32_t i = 0; i < strips; ++i) put(1, 4);
  bytes.insert(bytes.end(), text - 1, 'x');
  bytes.push_back(0);
  constexpr std::uint32_t kDirectory = 2 + 10 * 12 + 4;
  for (std::uint32_t page = 0; page < pages; ++page) {
    put(10, 2);
    const auto entry = [&](int tag, int type, std::uint32_t count, std::uint32_t value) {
      put(static_cast<std::uint64_t>(tag), 2);
      put(static_cast<std::uint64_t>(type), 2);
      put(count, 4);
      put(value, 4);
    };
    entry(256, 4, 1, 1);
    entry(257, 4, 1, strips);
    entry(258, 3, 1, 8);
    entry(259, 3, 1, 1);
    entry(262, 3, 1, 1);
    entry(270, 2, text, description);
    // The only one lies in the entry itself.
    entry(273, 4, strips, strips == 1 ? pixels : offsets);
    entry(277, 3, 1, 1);
    entry(278, 4, 1, 1);
    entry(279, 4, strips, strips == 1 ? 1 : counts);
    put(page + 1 == pages ? 0 : first + (page + 1) * kDirectory, 4);
  }
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

TEST(TiffHostile, OneTableOfOnePageIsRead) {
  const TemporaryFolder folder;
  make_shared_tables(folder / "one.tif", 1, 200);
  const auto data = load_file((folder / "one.tif").string());
  ASSERT_TRUE(data.ok()) << data.error().message();
  const auto& pixels = std::get<Pixels<std::uint8_t>>(std::get<Volume>(*data).pixels);
  ASSERT_EQ(pixels.size, (Size3{1, 200, 1}));
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(pixels.values[i], i);
}

TEST(TiffHostile, TablesThatPagesShareDoNotTakeTimeAsTheSquare) {
  const TemporaryFolder folder;
  // 4 MB: 2000 pages × 400 000 strips would be looked at.
  make_shared_tables(folder / "shared.tif", 2000, 400'000);
  const double seconds = seconds_of([&] {
    const auto info = inspect((folder / "shared.tif").string());
    ASSERT_FALSE(info.ok());
    EXPECT_NE(info.error().message().find("share tables"), std::string::npos)
        << info.error().message();
  });
  EXPECT_LT(seconds, 2.0);
}

TEST(TiffHostile, TextsThatPagesShareDoNotTakeTimeAsTheSquare) {
  const TemporaryFolder folder;
  // 20000 pages with one description of 3 MB: 60 GB would be read.
  make_shared_tables(folder / "texts.tif", 20'000, 1, 3'000'000);
  const double seconds = seconds_of([&] {
    const auto info = inspect((folder / "texts.tif").string());
    ASSERT_FALSE(info.ok());
    EXPECT_NE(info.error().message().find("share tables or texts"), std::string::npos)
        << info.error().message();
  });
  EXPECT_LT(seconds, 4.0);
  // Small ones are read.
  make_shared_tables(folder / "small.tif", 50, 1, 300);
  const auto info = inspect((folder / "small.tif").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->size.z, 50);
}

TEST(TiffHostile, TheFileOfTheAttackGetsASentence) {
  APRSCOPE_NEEDS_DATA();
  const fs::path path = data_dir() / "hostile" / "quad_small.tif";
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  EXPECT_LT(seconds_of([&] {
              const auto info = inspect(path.string());
              ASSERT_FALSE(info.ok());
              EXPECT_NE(info.error().message().find("quad_small.tif"), std::string::npos);
            }),
            2.0);
}

TEST(TiffHostile, InspectingCanBeStopped) {
  const TemporaryFolder folder;
  make_shared_tables(folder / "one.tif", 1, 200);
  std::stop_source stop;
  stop.request_stop();
  const auto info = inspect((folder / "one.tif").string(), JobContext(stop.get_token()));
  ASSERT_FALSE(info.ok());
  EXPECT_TRUE(info.error().cancelled());
}

TEST(TiffHostile, WhatIsNoFileIsNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", folder / "image.tif");
  fs::create_symlink("/dev/zero", folder / "zero.tif");
  fs::create_symlink("nowhere", folder / "broken.tif");
  EXPECT_LT(seconds_of([&] {
              for (const char* name : {"fifo", "image.tif", "zero.tif", "broken.tif"}) {
                for (const char* dataset : {"", ":/volume"}) {
                  const auto info = inspect((folder / name).string() + dataset);
                  ASSERT_FALSE(info.ok()) << name;
                  EXPECT_NE(info.error().message().find(name), std::string::npos);
                }
              }
              // A file that was inspected and then replaced.
              SourceInfo info;
              info.path = folder / "image.tif";
              for (const Format& format : formats()) {
                info.format_id = format.id;
                info.is_apr = format.particles;
                EXPECT_FALSE(load(info).ok()) << format.id;
                EXPECT_FALSE(open_slices(info).ok()) << format.id;
              }
            }),
            1.0);
}

}  // namespace
}  // namespace aprscope::test
