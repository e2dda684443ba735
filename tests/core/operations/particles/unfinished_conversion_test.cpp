#include "core/operations/particles/unfinished_conversion.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/file_conversion.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using test::VolumeSlices;

const Operation kPlain{"convert", {}};

// However short the work is, it can be continued.
FileConversion kept(const Operation& how = kPlain) { return {how, {}, {.with_tree = true}, 1}; }

std::string all_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Volume image() { return test::blobs<std::uint16_t>({41, 42, 50}, 0.0, 1000.0); }

// A source that copies the file of cells as soon as the particles' values are read: what a process
// that dies then leaves behind.
class CopyingSlices final : public SliceSource {
 public:
  CopyingSlices(const Volume& volume, std::filesystem::path from, std::filesystem::path to)
      : slices_(volume), from_(std::move(from)), to_(std::move(to)) {}
  [[nodiscard]] Size3 size() const override { return slices_.size(); }
  [[nodiscard]] SampleKind kind() const override { return slices_.kind(); }
  [[nodiscard]] const Volume& header() const override { return slices_.header(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    std::error_code ignored;
    std::filesystem::copy_file(from_, to_, ignored);
    return slices_.read(z, out, context);
  }

 private:
  VolumeSlices slices_;
  std::filesystem::path from_, to_;
};

// An image with the particles that a conversion without interruption gives, and what another one
// leaves if it dies.
class Unfinished : public testing::Test {
 protected:
  void SetUp() override {
    left_ = UnfinishedConversion::file_beside(folder_ / "out.apr");
    CopyingSlices slices(volume_, left_, folder_ / "kept");
    ASSERT_TRUE(convert_to_file(kept(), slices, folder_ / "out.apr"));
    wanted_ = all_bytes(folder_ / "out.apr");
    ASSERT_FALSE(std::filesystem::exists(left_));
    ASSERT_TRUE(std::filesystem::exists(folder_ / "kept"));
    VolumeSlices plain(volume_);
    ASSERT_TRUE(convert_to_file(kept(), plain, folder_ / "out.apr"));
    reads_ = plain.reads();
    ASSERT_TRUE(all_bytes(folder_ / "out.apr") == wanted_);
    std::filesystem::remove(folder_ / "out.apr");
  }
  // A process has died here.
  void leave() { std::filesystem::copy_file(folder_ / "kept", left_); }
  Result<FileConversionReport> convert(VolumeSlices& slices, const Operation& how = kPlain) {
    return convert_to_file(kept(how), slices, folder_ / "out.apr");
  }
  // Nothing of what was left is used, and it is gone afterwards.
  void expect_from_the_beginning(VolumeSlices& slices) {
    const auto made = convert(slices);
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_FALSE(made->continued);
    EXPECT_EQ(slices.reads(), reads_);
    EXPECT_FALSE(std::filesystem::exists(left_));
  }

  test::TemporaryFolder folder_;
  Volume volume_ = image();
  std::filesystem::path left_;
  std::string wanted_;
  int reads_ = 0;
};

TEST_F(Unfinished, GoesOnWhereTheCellsWereChosen) {
  leave();
  VolumeSlices slices(volume_);
  const auto made = convert(slices);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(made->continued);
  // Only the values are read.
  EXPECT_EQ(slices.reads(), volume_.size().z);
  EXPECT_LT(slices.reads(), reads_);
  EXPECT_TRUE(all_bytes(folder_ / "out.apr") == wanted_);
  EXPECT_FALSE(std::filesystem::exists(left_));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(Unfinished, IsForTheSameConversionAlone) {
  leave();
  VolumeSlices slices(volume_);
  Operation other = kPlain;
  other.parameters["rel_error"] = 0.2;
  const auto made = convert(slices, other);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_FALSE(made->continued);
  EXPECT_FALSE(std::filesystem::exists(left_));
}

TEST_F(Unfinished, IsForTheSameImageAlone) {
  leave();
  Volume other = volume_;
  other.channel_index = 1;
  VolumeSlices slices(other);
  expect_from_the_beginning(slices);
}

TEST_F(Unfinished, RefusesAnImageThatHasChanged) {
  leave();
  auto& pixels = std::get<Pixels<std::uint16_t>>(volume_.pixels);
  ++pixels.at(20, 7, 13);
  VolumeSlices slices(volume_);
  const auto made = convert(slices);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().what.find("slice 20"), std::string::npos) << made.error().message();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.apr"));
  // The next run begins from the beginning.
  VolumeSlices again(volume_);
  expect_from_the_beginning(again);
}

TEST_F(Unfinished, DamagedFilesCountForNothing) {
  const std::string whole = all_bytes(folder_ / "kept");
  for (const std::size_t at : {std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    std::ofstream(left_, std::ios::binary) << damaged;
    VolumeSlices slices(volume_);
    expect_from_the_beginning(slices);
    EXPECT_TRUE(all_bytes(folder_ / "out.apr") == wanted_);
  }
  for (const std::size_t bytes : {std::size_t{32}, whole.size() - 8}) {
    std::ofstream(left_, std::ios::binary) << whole.substr(0, bytes);
    VolumeSlices slices(volume_);
    expect_from_the_beginning(slices);
  }
  // A file of somebody else with that name stays as it is.
  std::ofstream(left_) << "my cells";
  VolumeSlices slices(volume_);
  ASSERT_TRUE(convert(slices));
  EXPECT_EQ(all_bytes(left_), "my cells");
}

TEST_F(Unfinished, LeavesNothingAfterErrors) {
  for (const int after : {0, 30}) {
    leave();
    VolumeSlices slices(volume_);
    slices.fail_after(after);
    EXPECT_FALSE(convert(slices)) << after;
    EXPECT_FALSE(std::filesystem::exists(left_));
  }
  // After the cells were kept.
  VolumeSlices slices(volume_);
  slices.fail_after(reads_ - 2);
  EXPECT_FALSE(convert(slices));
  EXPECT_FALSE(std::filesystem::exists(left_));
}

// Two channels, whose cells are kept side by side.
class UnfinishedSeries : public Unfinished {
 protected:
  void SetUp() override {
    Unfinished::SetUp();
    second_ = volume_;
    second_.channel_index = 1;
    second_.channel = "second";
    auto& pixels = std::get<Pixels<std::uint16_t>>(second_.pixels);
    std::reverse(pixels.values.begin(), pixels.values.end());
    // Copies the cells while the values of the second part are read.
    const OpenPart watched = [&](const SourceSelection& part) -> Opened {
      return std::shared_ptr<SliceSource>(
          std::make_shared<CopyingSlices>(volume(part), cells(part), copy(part)));
    };
    const auto first = convert_series_to_file(kept(), parts_, watched, out_);
    ASSERT_TRUE(first) << first.error().message();
    all_ = all_bytes(out_);
    std::filesystem::remove(out_);
    for (const SourceSelection& part : parts_) {
      EXPECT_FALSE(std::filesystem::exists(cells(part)));
      std::filesystem::rename(copy(part), cells(part));
    }
  }
  using Opened = Result<std::shared_ptr<SliceSource>>;
  const Volume& volume(const SourceSelection& part) {
    return part.channel == 0 ? volume_ : second_;
  }
  std::filesystem::path cells(const SourceSelection& part) {
    return UnfinishedConversion::file_beside(out_, static_cast<std::size_t>(part.channel));
  }
  std::filesystem::path copy(const SourceSelection& part) {
    return folder_ / ("kept" + std::to_string(part.channel));
  }

  Volume second_;
  std::filesystem::path out_ = folder_ / "out.apr";
  std::vector<SourceSelection> parts_{{0, 0}, {1, 0}};
  std::string all_;
};

TEST_F(UnfinishedSeries, ContinuesAllParts) {
  std::vector<std::shared_ptr<VolumeSlices>> opened;
  const OpenPart plain = [&](const SourceSelection& part) -> Opened {
    opened.push_back(std::make_shared<VolumeSlices>(volume(part)));
    return std::shared_ptr<SliceSource>(opened.back());
  };
  const auto made = convert_series_to_file(kept(), parts_, plain, out_);
  ASSERT_TRUE(made) << made.error().message();
  int reads = 0;
  for (const auto& one : opened) reads += one->reads();
  EXPECT_TRUE(made->at(0).continued && made->at(1).continued);
  EXPECT_EQ(reads, 2 * volume_.size().z);
  EXPECT_TRUE(all_bytes(out_) == all_);
  for (const SourceSelection& part : parts_) EXPECT_FALSE(std::filesystem::exists(cells(part)));
}

// Channels that share a structure go on with what was chosen for each, and read the image once.
TEST_F(UnfinishedSeries, ContinuesChannelsThatShareAStructure) {
  FileConversion how = kept();
  how.convert.parameters["structure"] = std::string("shared");
  std::vector<std::shared_ptr<VolumeSlices>> opened;
  const OpenPart plain = [&](const SourceSelection& part) -> Opened {
    opened.push_back(std::make_shared<VolumeSlices>(volume(part)));
    return std::shared_ptr<SliceSource>(opened.back());
  };
  const auto made = convert_series_to_file(how, parts_, plain, out_);
  ASSERT_TRUE(made) << made.error().message();
  int reads = 0;
  for (const auto& one : opened) reads += one->reads();
  EXPECT_TRUE(made->at(0).continued && made->at(1).continued);
  EXPECT_EQ(reads, 2 * volume_.size().z);
  EXPECT_EQ(made->at(0).particles, made->at(1).particles);
  for (const SourceSelection& part : parts_) EXPECT_FALSE(std::filesystem::exists(cells(part)));
  const auto again = convert_series_to_file(how, parts_, plain, folder_ / "again.apr");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_FALSE(again->at(0).continued);
  EXPECT_TRUE(all_bytes(out_) == all_bytes(folder_ / "again.apr"));
}

TEST_F(UnfinishedSeries, LeavesNothingOfPartsThatWereNotReached) {
  const auto third = UnfinishedConversion::file_beside(out_, 2);
  std::filesystem::copy_file(cells(parts_[1]), third);
  const auto others = UnfinishedConversion::file_beside(out_, 3);
  std::ofstream(others) << "my cells";
  const OpenPart broken = [&](const SourceSelection& part) -> Opened {
    auto slices = std::make_shared<VolumeSlices>(volume(part));
    slices->fail_after(3);
    return std::shared_ptr<SliceSource>(std::move(slices));
  };
  // The error tells of which part it is.
  const auto made = convert_series_to_file(kept(), parts_, broken, out_);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().where.find("(channel 0, time point 0)"), std::string::npos)
      << made.error().message();
  for (const SourceSelection& part : parts_) EXPECT_FALSE(std::filesystem::exists(cells(part)));
  EXPECT_FALSE(std::filesystem::exists(third));
  EXPECT_EQ(all_bytes(others), "my cells");
}

TEST(WitnessedSlices, TellsWhichSliceIsAnother) {
  Volume volume = image();
  VolumeSlices source(volume);
  WitnessedSlices first(source);
  const Size3 n = volume.size();
  std::vector<std::uint16_t> slice(static_cast<std::size_t>(n.x * n.y));
  for (std::int64_t z = 0; z < n.z; ++z) ASSERT_TRUE(first.read(z, slice.data(), {}));
  // Slices of random numbers have numbers of their own.
  std::vector<std::uint64_t> sorted = first.numbers();
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  auto& pixels = std::get<Pixels<std::uint16_t>>(volume.pixels);
  ++pixels.at(9, 41, 49);
  VolumeSlices changed(volume);
  WitnessedSlices second(changed, first.numbers());
  for (std::int64_t z = 0; z < n.z; ++z) {
    EXPECT_EQ(second.read(z, slice.data(), {}).ok(), z != 9) << z;
  }
}

}  // namespace
}  // namespace aprscope
