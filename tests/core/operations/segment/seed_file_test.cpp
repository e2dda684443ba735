// Watershed from seeds in files: images of labels and tables of points, over pixels and particles.
#include <set>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/segment/seed_points.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{3, 16, 30};

// Three rooms along y, with walls at 10 and 20.
std::shared_ptr<const Dataset> rooms() {
  Pixels<std::uint8_t> pixels(kSize, 10);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) pixels.at(z, x, 10) = pixels.at(z, x, 20) = 200;
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  volume.name = "rooms";
  return Dataset::create(std::move(volume));
}
std::size_t at(std::int64_t z, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>((z * kSize.x + x) * kSize.y + y);
}

class SeedFile : public ::testing::Test {
 protected:
  std::string path(const char* name) { return (folder_ / name).string(); }
  void write(const char* name, const std::string& text) {
    ASSERT_TRUE(write_text_atomically(path(name), text).ok());
  }
  void write(const char* name, const Labels& labels, const Size3& size = kSize) {
    ASSERT_TRUE(write_labels(labels, {size, {}}, path(name)).ok());
  }
  Result<Execution> flooded(const char* name, const std::string& points = {}) {
    const Operation flood{"watershed",
                          {{"seed_file", path(name)}, {"seeds", points}, {"smooth", 0.0}}};
    return execute({flood}, rooms(), *cpu_backend());
  }
  std::vector<std::uint32_t> labels(const char* name) {
    const auto run = flooded(name);
    EXPECT_TRUE(run.ok()) << run.error().message();
    return run ? run->data->labels()->values : std::vector<std::uint32_t>(at(2, 15, 29) + 1);
  }
  std::string refused(const char* name, const std::string& points = {}) {
    const auto run = flooded(name, points);
    EXPECT_FALSE(run.ok()) << name;
    return run ? std::string() : run.error().message();
  }

  test::TemporaryFolder folder_;
};

TEST_F(SeedFile, LabelsAreMarkersThatKeepTheirNumbers) {
  Labels seeds;
  seeds.values.assign(static_cast<std::size_t>(kSize.count()), 0);
  // Several pixels of one number, in two pieces, are one cell.
  for (std::int64_t y = 2; y < 6; ++y) seeds.values[at(1, 8, y)] = 70001;
  seeds.values[at(0, 3, 25)] = 70001;
  seeds.values[at(2, 4, 15)] = 5;
  seeds.largest = 70001;
  write("s.tif", seeds);
  const auto found = labels("s.tif");
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        if (y == 10 || y == 20) continue;
        ASSERT_EQ(found[at(z, x, y)], y < 10 || y > 20 ? 70001U : 5U) << z << " " << x << " " << y;
      }
    }
  }
  EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()),
            (std::set<std::uint32_t>{5, 70001}));
}

TEST_F(SeedFile, NumbersWithGapsTakeNoMemoryOfTheirOwn) {
  std::vector<FloodMarker> markers{{3, 60000000}, {4, 64}, {7, 63}, {9, 64}, {11, 1}};
  EXPECT_EQ(number_without_gaps(markers), (std::vector<std::uint32_t>{0, 1, 63, 64, 60000000}));
  EXPECT_EQ(markers, (std::vector<FloodMarker>{{3, 4}, {4, 3}, {7, 2}, {9, 3}, {11, 1}}));
  std::vector<FloodMarker> none;
  EXPECT_EQ(number_without_gaps(none), (std::vector<std::uint32_t>{0}));
  Labels seeds;
  seeds.values.assign(static_cast<std::size_t>(kSize.count()), 0);
  seeds.values[at(1, 8, 3)] = seeds.largest = 60000000;
  seeds.values[at(2, 4, 15)] = 5;
  write("far.tif", seeds);
  // What is kept between floods is bounded by the image, not by its numbers.
  const Operation flood =
      *complete({"watershed", {{"seed_file", path("far.tif")}, {"smooth", 0.0}}});
  const auto prepared = operations().find("watershed")->labels.prepare(flood, *rooms(), {});
  ASSERT_TRUE(prepared.ok()) << prepared.error().message();
  EXPECT_LT((*prepared)->bytes(), 1'000'000U);
  const auto found = labels("far.tif");
  EXPECT_EQ(found[at(0, 0, 0)], 60000000U);
  EXPECT_EQ(found[at(0, 0, 15)], 5U);
  EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()),
            (std::set<std::uint32_t>{5, 60000000}));
}

TEST_F(SeedFile, PointsOfATableAreThoseOfTheText) {
  const Operation typed{"watershed",
                        {{"seeds", std::string("1,8,25; 0,2,3; 2,9,15")}, {"smooth", 0.0}}};
  const auto expected = execute({typed}, rooms(), *cpu_backend());
  ASSERT_TRUE(expected.ok());
  write("px.csv", "1,8,25\n0,2,3\n2,9,15\n");
  write("um.csv", "x (µm),y (µm),z (µm)\n4,12.5,2\n1,1.5,0\n4.5,7.5,4\n");
  EXPECT_EQ(labels("px.csv"), expected->data->labels()->values);
  EXPECT_EQ(labels("um.csv"), expected->data->labels()->values);
  EXPECT_EQ(labels("px.csv")[at(1, 1, 1)], 2U);
}

TEST_F(SeedFile, ParticlesTakeThemToo) {
  write("px.csv", "1,8,25\n0,2,3\n2,9,15\n");
  const Operation convert{"convert", {{"rel_error", 0.01}}};
  const Operation flood{"watershed", {{"seed_file", path("px.csv")}, {"smooth", 0.0}}};
  const auto run = execute({convert, flood}, rooms(), *cpu_backend());
  ASSERT_TRUE(run.ok()) << run.error().message();
  const auto& found = run->data->labels()->values;
  EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()),
            (std::set<std::uint32_t>{1, 2, 3}));
}

TEST_F(SeedFile, TheStepKeepsThePathAndLeavesOutWhatHasNoSay) {
  write("px.csv", "1,8,25\n");
  const auto run = flooded("px.csv");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(parameter<std::string>(run->steps.front(), "seed_file"), path("px.csv"));
  const Operation whole = *complete({"watershed", {{"seed_file", std::string("s.tif")}}});
  for (const char* id : {"depth", "merge", "min_volume"}) {
    EXPECT_FALSE(find_schema("watershed")->counts(whole, id)) << id;
  }
}

TEST_F(SeedFile, WhatHasNoSeedsIsAnErrorThatNamesTheFile) {
  Labels none;
  none.values.assign(static_cast<std::size_t>(kSize.count()), 0);
  write("none.tif", none);
  EXPECT_NE(refused("none.tif").find("no seeds"), std::string::npos);
  Labels far = none;
  far.values[7] = far.largest = 4000000000U;
  write("far.tif", far);
  EXPECT_NE(refused("far.tif").find("4000000000"), std::string::npos);
  Labels other;
  other.values.assign(2 * 16 * 30, 1);
  other.largest = 1;
  write("other.tif", other, {2, 16, 30});
  EXPECT_NE(refused("other.tif").find("other.tif"), std::string::npos);
  write("outside.csv", "0,0,30\n");
  EXPECT_NE(refused("outside.csv").find("outside.csv"), std::string::npos);
  write("twice.csv", "0,0,3\n0,0,3.2\n");
  EXPECT_NE(refused("twice.csv").find("same pixel"), std::string::npos);
  EXPECT_NE(refused("missing.csv").find("missing.csv"), std::string::npos);
  EXPECT_NE(refused("missing.tif").find("missing.tif"), std::string::npos);
  write("px.csv", "1,8,25\n");
  EXPECT_NE(refused("px.csv", "0,0,0").find("both"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
