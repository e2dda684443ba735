#include "core/operations/particles/file_conversion.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/report.hpp"
#include "core/apr/convert/structure_union.hpp"
#include "core/dataset/dataset.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using test::VolumeSlices;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Operation kConvert{"convert", {}};

FileConversion with_tree(bool tree, const std::optional<VoxelSize>& voxel = std::nullopt) {
  FileConversion how;
  how.convert = kConvert;
  how.voxel = voxel;
  how.file.with_tree = tree;
  return how;
}

void expect_the_file(const Volume& volume, const test::TemporaryFolder& folder) {
  const VoxelSize voxel{2.0, 0.5, 0.5, "µm"};
  VolumeSlices whole(volume);
  const auto apr = convert_source(kConvert, whole, voxel);
  ASSERT_TRUE(apr) << apr.error().message();
  // Before writing keeps more than it holds now.
  const AprReport facts = report(*apr);
  for (const bool tree : {false, true}) {
    AprWriteOptions options;
    options.with_tree = tree;
    ASSERT_TRUE(write_apr(*apr, folder / "whole.apr", options));
    VolumeSlices slices(volume);
    const auto made = convert_to_file(with_tree(tree, voxel), slices, folder / "pieces.apr");
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_TRUE(bytes_of(folder / "pieces.apr") == bytes_of(folder / "whole.apr"));
    EXPECT_EQ(made->particles, facts.particles);
    EXPECT_EQ(made->particles_per_level, facts.particles_per_level);
    EXPECT_EQ(made->bytes, facts.bytes_apr);
    EXPECT_EQ(made->facts.voxel, voxel);
  }
}

TEST(FileConversion, WritesTheFileOfTheConversionInMemory) {
  const test::TemporaryFolder folder;
  // The first has several chunks of values.
  expect_the_file(test::blobs<std::uint16_t>({80, 90, 100}, 0.0, 60000.0), folder);
  expect_the_file(test::blobs<float>({17, 40, 35}, -10.0, 10.0), folder);
  expect_the_file(test::blobs<std::uint8_t>({3, 3, 4}, 0.0, 255.0), folder);
}

TEST(FileConversion, IsForImagesWithCellsToChooseFrom) {
  EXPECT_FALSE(converts_to_file({1, 1, 1}));
  EXPECT_FALSE(converts_to_file({2, 2, 1}));
  EXPECT_TRUE(converts_to_file({1, 1, 3}));
}

TEST(FileConversion, WritesTheFileOfASeries) {
  const test::TemporaryFolder folder;
  std::vector<Volume> parts;
  for (int i = 0; i < 3; ++i) {
    parts.push_back(test::blobs<std::uint16_t>({20 + i, 33, 40}, 0.0, 1000.0 * (i + 1)));
    parts.back().channel_index = i % 2;
    parts.back().channel = i % 2 == 0 ? "a" : "b";
    parts.back().time = i / 2;
  }
  std::vector<Apr> whole;
  for (const Volume& part : parts) {
    VolumeSlices slices(part);
    auto apr = convert_source(kConvert, slices, {});
    ASSERT_TRUE(apr);
    whole.push_back(*std::move(apr));
  }
  ASSERT_TRUE(write_apr_series(whole, folder / "whole.apr", {.with_tree = true}));
  const std::vector<SourceSelection> places{{0, 0}, {1, 0}, {0, 1}};
  const auto number = [](const SourceSelection& part) {
    return static_cast<std::size_t>(part.channel + 2 * part.time);
  };
  const OpenPart open = [&](const SourceSelection& part) -> Result<std::shared_ptr<SliceSource>> {
    return std::shared_ptr<SliceSource>(std::make_shared<VolumeSlices>(parts[number(part)]));
  };
  test::Progress progress;
  const test::Threads threads(1);
  const auto made = convert_series_to_file(with_tree(true, VoxelSize{}), places, open,
                                           folder / "pieces.apr", progress.context());
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(bytes_of(folder / "pieces.apr") == bytes_of(folder / "whole.apr"));
  EXPECT_TRUE(std::ranges::is_sorted(progress.fractions()));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(made->at(i).particles, whole[i].access->count());
  // A part that cannot be opened leaves the old file.
  const OpenPart broken = [&](const SourceSelection& part) -> Result<std::shared_ptr<SliceSource>> {
    return part.time == 1
               ? Result<std::shared_ptr<SliceSource>>(Error{"is gone", "c.tif", "look for it"})
               : open(part);
  };
  const auto failed =
      convert_series_to_file(with_tree(true), places, broken, folder / "pieces.apr");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().where, "c.tif (channel 0, time point 1)");
  EXPECT_TRUE(bytes_of(folder / "pieces.apr") == bytes_of(folder / "whole.apr"));
}

TEST(FileConversion, WritesTheFileOfChannelsThatShareAStructure) {
  const test::TemporaryFolder folder;
  std::vector<Volume> parts;
  for (int i = 0; i < 4; ++i) {
    parts.push_back(
        test::blobs<std::uint16_t>({20, 33, 40}, 0.0, 1000.0, static_cast<unsigned>(i + 1)));
    parts.back().channel_index = i % 2;
    parts.back().channel = i % 2 == 0 ? "a" : "b";
    parts.back().time = i / 2;
  }
  FileConversion how = with_tree(true, VoxelSize{});
  how.convert.parameters["structure"] = std::string("shared");
  // In memory: the union at each time point, and the values there.
  std::vector<Apr> whole;
  for (const std::size_t time : {0U, 2U}) {
    StructureUnion all(parts[time].size());
    std::vector<Apr> own;
    for (std::size_t i = time; i < time + 2; ++i) {
      VolumeSlices slices(parts[i]);
      auto apr = convert_source(how.convert, slices, {});
      ASSERT_TRUE(apr);
      ASSERT_TRUE(all.add(*apr->access));
      own.push_back(*std::move(apr));
    }
    const auto access = all.access();
    ASSERT_TRUE(access);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto image = Dataset::create(Data{Volume(parts[time + i])});
      auto made = particles_at(own[i], *access, *image, {});
      ASSERT_TRUE(made);
      whole.push_back(std::get<Apr>(*std::move(made)));
    }
  }
  ASSERT_TRUE(write_apr_series(whole, folder / "whole.apr", {.with_tree = true}));
  const std::vector<SourceSelection> places{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const OpenPart open = [&](const SourceSelection& part) -> Result<std::shared_ptr<SliceSource>> {
    const auto i = static_cast<std::size_t>(part.channel + 2 * part.time);
    return std::shared_ptr<SliceSource>(std::make_shared<VolumeSlices>(parts[i]));
  };
  test::Progress progress;
  const test::Threads threads(1);
  const auto made =
      convert_series_to_file(how, places, open, folder / "pieces.apr", progress.context());
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(bytes_of(folder / "pieces.apr") == bytes_of(folder / "whole.apr"));
  EXPECT_TRUE(std::ranges::is_sorted(progress.fractions()));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(made->at(i).particles, whole[i].access->count());
  EXPECT_EQ(made->at(0).particles, made->at(1).particles);
  EXPECT_NE(made->at(0).particles, made->at(2).particles);
  // Channels of other sizes cannot share; the old file stays.
  parts[3] = test::blobs<std::uint16_t>({20, 33, 41}, 0.0, 1000.0);
  const auto refused = convert_series_to_file(how, places, open, folder / "pieces.apr");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("differ in size"), std::string::npos);
  EXPECT_NE(refused.error().where.find("(channel 1, time point 1)"), std::string::npos);
  EXPECT_TRUE(bytes_of(folder / "pieces.apr") == bytes_of(folder / "whole.apr"));
}

// An image that is another when its values are read than it was when its cells were chosen.
TEST(FileConversion, RefusesASharingChannelThatChangesMeanwhile) {
  const test::TemporaryFolder folder;
  const Volume before = test::blobs<std::uint16_t>({12, 20, 24}, 0.0, 1000.0, 1);
  const Volume after = test::blobs<std::uint16_t>({12, 20, 24}, 0.0, 1000.0, 2);
  FileConversion how = with_tree(false);
  how.convert.parameters["structure"] = std::string("shared");
  how.kept_from = 0;
  // Once the cells of the last channel are chosen, what is read next are values.
  bool chosen = false;
  const OpenPart changing =
      [&](const SourceSelection& part) -> Result<std::shared_ptr<SliceSource>> {
    auto source = std::make_shared<VolumeSlices>(chosen ? after : before);
    chosen = chosen || part.channel == 1;
    return std::shared_ptr<SliceSource>(std::move(source));
  };
  const std::vector<SourceSelection> places{{0, 0}, {1, 0}};
  const auto made = convert_series_to_file(how, places, changing, folder / "out.apr");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().where.find("(channel 0, time point 0)"), std::string::npos)
      << made.error().message();
  EXPECT_FALSE(std::filesystem::exists(folder / "out.apr"));
}

TEST(FileConversion, LeavesTheOldFileWhereReadingFailsOrIsCancelled) {
  const test::TemporaryFolder folder;
  const auto path = folder / "out.apr";
  std::ofstream(path) << "old";
  // One thread: several may report at the same time, in any order.
  const test::Threads threads(1);
  const Volume volume = test::blobs<std::uint16_t>({40, 41, 42}, 0.0, 1000.0);
  test::Progress whole;
  VolumeSlices all(volume);
  ASSERT_TRUE(convert_to_file(with_tree(true), all, folder / "other.apr", whole.context()));
  EXPECT_TRUE(std::ranges::is_sorted(whole.fractions()));
  for (const int after : {0, 45, all.reads() - 1}) {
    VolumeSlices slices(volume);
    slices.fail_after(after);
    const auto made = convert_to_file(with_tree(true), slices, path);
    ASSERT_FALSE(made) << after;
    EXPECT_EQ(made.error().where, "stack.tif");
    EXPECT_EQ(bytes_of(path), "old");
  }
  const auto reports = static_cast<int>(whole.fractions().size());
  for (int after = 0; after < reports - 8; after += std::max(1, reports / 7)) {
    test::Progress progress(after);
    VolumeSlices slices(volume);
    const auto made = convert_to_file(with_tree(true), slices, path, progress.context());
    ASSERT_FALSE(made) << "after " << after << " of " << reports << " reports";
    EXPECT_TRUE(made.error().cancelled());
    EXPECT_EQ(bytes_of(path), "old");
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

}  // namespace
}  // namespace aprscope
