// Stacks that a table names: large ones, and those whose headers lie.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/projections/projection_file.hpp"
#include "core/io/projections/projection_format.hpp"
#include "core/projections/projections.hpp"
#include "tests/support/em_maker.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class StacksOfATable : public testing::Test {
 protected:
  // One row for each name, "3@s.mrcs".
  Projections open(const std::vector<std::string>& names) {
    std::string rows;
    for (const std::string& name : names) rows += name + " 10 20 30\n";
    write_text_file(folder_ / "set.star",
                    "data_optics\nloop_\n_rlnOpticsGroup\n_rlnImagePixelSize\n1 2\n\n"
                    "data_particles\nloop_\n_rlnImageName\n_rlnAngleRot\n_rlnAngleTilt\n"
                    "_rlnAnglePsi\n" +
                        rows);
    auto opened = open_projections((folder_ / "set.star").string());
    EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.error().message());
    return opened ? *std::move(opened) : Projections{};
  }
  static std::string read_error(const Projections& all, std::size_t row) {
    std::vector<float> out(static_cast<std::size_t>(all.table.side * all.table.side));
    const Status read = all.images->read(std::span(all.table.rows).subspan(row, 1), out, {});
    return read ? std::string() : read.error().message();
  }

  TemporaryFolder folder_;
};

// More images than are in memory at a time: any of them can be the first slice.
TEST_F(StacksOfATable, ManyImagesAreShownSomeAtATime) {
  constexpr std::int64_t kImages = 3;
  constexpr std::int64_t kTimes = 350;
  constexpr std::int64_t kSide = 256;
  write_projection_set(folder_.path(),
                       {.images = kImages, .side = kSide, .noise = 1.0, .times = kTimes});
  const auto info = inspect((folder_ / "molecule.star").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  const std::int64_t at_a_time = info->size.z;
  ASSERT_LT(at_a_time, kImages * kTimes) << "all are shown at once";
  const auto shown = [&](std::int64_t first) {
    auto data = load(*info, {0, 0, first});
    EXPECT_TRUE(data.ok()) << data.error().message();
    return data ? std::get<Volume>(*std::move(data)) : Volume{};
  };
  const auto value = [](const Volume& volume, std::int64_t z) {
    return std::get<Pixels<float>>(volume.pixels)
        .values[static_cast<std::size_t>(z * kSide * kSide + kSide * kSide / 2)];
  };
  const Volume start = shown(0);
  const Volume later = shown(at_a_time + 1);
  ASSERT_NE(later.projections, nullptr);
  EXPECT_EQ(later.projections->first_shown, at_a_time + 1);
  EXPECT_EQ(later.size().z, std::min(at_a_time, kImages * kTimes - at_a_time - 1));
  EXPECT_EQ(later.projections->table.rows.size(), start.projections->table.rows.size());
  for (std::int64_t z = 0; z < kImages; ++z) {
    EXPECT_EQ(value(later, z), value(start, (at_a_time + 1 + z) % kImages)) << z;
  }
  EXPECT_NE(value(start, 0), value(start, 1));
  // Without reading the table anew.
  const auto others = other_images(start, at_a_time + 1, {});
  ASSERT_TRUE(others.ok()) << others.error().message();
  EXPECT_TRUE(std::get<Pixels<float>>(others->pixels).values ==
              std::get<Pixels<float>>(later.pixels).values);
  EXPECT_EQ(others->projections->first_shown, at_a_time + 1);
  EXPECT_FALSE(other_images(start, kImages * kTimes, {}).ok());
  const auto beyond = load(*info, {0, 0, kImages * kTimes});
  ASSERT_FALSE(beyond.ok());
  EXPECT_NE(beyond.error().message().find("1050"), std::string::npos) << beyond.error().message();
}

// Offsets of 32 bits would come back to the beginning of the file.
TEST_F(StacksOfATable, ImagesBeyondFourGigabytesAreTheirOwn) {
  constexpr std::int32_t kSide = 256;
  constexpr std::int32_t kCount = 20000;
  constexpr std::uint64_t kImage = std::uint64_t{4} * kSide * kSide;
  const fs::path path = folder_ / "large.mrcs";
  EmMaker::mrc({kSide, kSide, kCount}, 2, 2.0F).integer(23, 0).write(path);
  std::error_code code;
  // Holes take no room.
  fs::resize_file(path, 1024 + kCount * kImage, code);
  if (code) GTEST_SKIP() << "no file of 5 GB can be made: " << code.message();
  ASSERT_GT(fs::file_size(path), std::uint64_t{5'000'000'000});
  const std::vector<std::uint64_t> images = {1, 16384, 16385, 20000};
  std::vector<std::string> names;
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    for (const std::uint64_t image : images) {
      const auto value = static_cast<float>(image);
      file.seekp(static_cast<std::streamoff>(1024 + (image - 1) * kImage));
      file.write(reinterpret_cast<const char*>(&value), sizeof(value));
      // And the last pixel.
      file.seekp(static_cast<std::streamoff>(1024 + image * kImage - sizeof(value)));
      file.write(reinterpret_cast<const char*>(&value), sizeof(value));
      names.push_back(std::to_string(image) + "@large.mrcs");
    }
    ASSERT_TRUE(file.good());
  }
  names.emplace_back("20001@large.mrcs");
  const Projections all = open(names);
  ASSERT_EQ(all.table.rows.size(), 5U);
  ASSERT_EQ(all.table.side, kSide);
  const auto pixels = static_cast<std::size_t>(kSide) * kSide;
  std::vector<float> read(4 * pixels);
  ASSERT_TRUE(all.images->read(std::span(all.table.rows).first(4), read, {}));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = static_cast<float>(images[i]);
    EXPECT_EQ(read[i * pixels], value);
    EXPECT_EQ(read[i * pixels + 1], 0.0F);
    EXPECT_EQ(read[(i + 1) * pixels - 1], value);
  }
  ASSERT_EQ(all.table.unusable.size(), 1U);
  EXPECT_EQ(all.table.unusable[0].row, 4);
  EXPECT_NE(read_error(all, 4).find("has 20000 images and no image 20001"), std::string::npos);
}

TEST_F(StacksOfATable, HeadersThatLieAreTold) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto stack = [&](const std::string& name) {
    EmMaker made = EmMaker::mrc({4, 4, 2}, 2, 2.0F);
    made.integer(23, 0).append(std::vector<float>(32, 1.0F));
    return std::pair(made, folder_ / name);
  };
  const auto write = [](std::pair<EmMaker, fs::path> made, std::size_t word, std::int32_t value) {
    made.first.integer(word, value).write(made.second);
  };
  write(stack("sound.mrcs"), 4, 2);
  write(stack("many.mrcs"), 3, 100'000);
  write(stack("endless.mrcs"), 3, kMost);
  write(stack("extended.mrcs"), 24, kMost);
  write(stack("before.mrcs"), 24, -8);
  write(stack("mode.mrcs"), 4, 77);
  write(stack("transform.mrcs"), 4, 4);
  write(stack("wide.mrcs"), 1, 1 << 30);
  write(stack("negative.mrcs"), 2, -4);
  auto [shorter, name] = stack("short.mrcs");
  shorter.bytes().resize(700);
  shorter.write(name);
  const Projections all = open({"2@sound.mrcs", "2@many.mrcs", "3@many.mrcs", "1@extended.mrcs",
                                "1@before.mrcs", "1@mode.mrcs", "1@transform.mrcs", "1@wide.mrcs",
                                "1@negative.mrcs", "1@short.mrcs", "1@endless.mrcs"});
  ASSERT_EQ(all.table.rows.size(), 11U);
  ASSERT_EQ(all.table.side, 4);
  EXPECT_EQ(read_error(all, 0), "");
  // What is there of it can be used.
  EXPECT_EQ(read_error(all, 1), "");
  const std::vector<std::pair<std::size_t, const char*>> told = {
      {2, "is cut off after image 2"},
      {3, "is cut off after image 0"},
      {4, "is no MRC or SPIDER stack"},
      {5, "unknown kind (mode 77)"},
      {6, "complex numbers"},
      {7, "impossible size (1073741824 × 4 × 2)"},
      {8, "impossible size"},
      {9, "too short"},
      {10, "impossible size (4 × 4 × 2147483647)"}};
  for (const auto& [row, words] : told) {
    const std::string error = read_error(all, row);
    SCOPED_TRACE(error);
    EXPECT_NE(error.find(words), std::string::npos);
    // The file and the row.
    EXPECT_NE(error.find(".mrcs"), std::string::npos);
    EXPECT_NE(error.find("line " + std::to_string(13 + row) + " of set.star"), std::string::npos);
  }
}

}  // namespace
}  // namespace aprscope::test
