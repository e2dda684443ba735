// Cells of particles beside those of an image: particles as fine as pixels have the same, so that
// only what is made to differ does.
#include "core/pipeline/cell_check.hpp"

#include <cmath>

#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{32, 32, 32};
const VoxelSize kVoxel{0.5, 0.5, 0.5, "µm"};

// A shell of radii 8 to 11 round the middle; `hole`: the radius of a round one in its wall.
test::PixelFunction shell(double hole) {
  return [hole](std::int64_t z, std::int64_t x, std::int64_t y) {
    const auto d = [](std::int64_t i) { return static_cast<double>(i) - 15.5; };
    const double r = std::hypot(d(z), d(x), d(y));
    const bool open = d(z) > 0.0 && std::hypot(d(x), d(y)) < hole;
    return r >= 8.0 && r <= 11.0 && !open ? 1000.0 : 10.0;
  };
}

std::shared_ptr<const Dataset> pixels(double hole, const VoxelSize& voxel = kVoxel) {
  Volume volume = test::image_of(kSize, shell(hole));
  volume.voxel = voxel;
  return Dataset::create(std::move(volume));
}

std::shared_ptr<const Dataset> particles(double hole) {
  Apr apr = test::uniform_apr(kSize, finest_level(kSize), shell(hole));
  apr.voxel = kVoxel;
  return Dataset::create(Data(std::move(apr)));
}

std::vector<Operation> filling() {
  return {*complete({"fill_exterior", {{"method", std::string("value")}, {"value", 500.0}}})};
}

std::shared_ptr<const Dataset> with_cells(const std::shared_ptr<const Dataset>& data,
                                          const std::vector<Operation>& steps) {
  const auto run = execute(steps, data, *cpu_backend());
  EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message());
  return run.ok() ? run->data : data;
}

CellCheck checked(double hole_of_particles, const std::shared_ptr<const Dataset>& image,
                  const std::vector<Operation>& steps = filling()) {
  const auto labelled = with_cells(particles(hole_of_particles), steps);
  const auto check = check_cells(*labelled, steps, image, *cpu_backend());
  EXPECT_TRUE(check.ok()) << (check.ok() ? "" : check.error().message());
  return check.ok() ? *check : CellCheck{};
}

TEST(CellCheck, TheSameDataAgree) {
  const CellCheck check = checked(0.0, pixels(0.0));
  EXPECT_EQ(check.particles.cells, 1U);
  EXPECT_EQ(check.pixels.cells, 1U);
  EXPECT_EQ(check.particles.volume, check.pixels.volume);
  // 4π/3 · 11³ · 0.5³ µm³.
  EXPECT_NEAR(check.pixels.volume, 697.0, 20.0);
  EXPECT_EQ(check.unit, "µm³");
  EXPECT_EQ(check.length_unit, "µm");
  EXPECT_EQ(check.overlap, 1.0);
  EXPECT_EQ(check.matched, 1U);
  EXPECT_EQ(check.particles.widest_leak, 0.0);
  EXPECT_EQ(check.pixels.widest_leak, 0.0);
  EXPECT_TRUE(check.agrees);
  EXPECT_EQ(check.finding, "particles and pixels agree");
}

TEST(CellCheck, AHoleOfTheParticlesIsSaid) {
  const CellCheck check = checked(2.0, pixels(0.0));
  EXPECT_FALSE(check.agrees);
  EXPECT_LT(check.particles.volume, 0.7 * check.pixels.volume);
  EXPECT_EQ(check.pixels.widest_leak, 0.0);
  ASSERT_TRUE(check.particles.widest_leak);
  EXPECT_NEAR(*check.particles.widest_leak, 1.0, 0.5);
  for (const char* part : {"wider holes", "volumes differ by -", "convert with a smaller error"}) {
    EXPECT_NE(check.finding.find(part), std::string::npos) << check.finding;
  }
}

TEST(CellCheck, LengthsAreThoseOfTheParticles) {
  // An image that does not know its voxels.
  const CellCheck check = checked(2.0, pixels(2.0, {}));
  EXPECT_EQ(check.unit, "µm³");
  EXPECT_EQ(check.particles.volume, check.pixels.volume);
  ASSERT_TRUE(check.particles.widest_leak && check.pixels.widest_leak);
  EXPECT_GT(*check.pixels.widest_leak, 0.0);
  EXPECT_EQ(*check.particles.widest_leak, *check.pixels.widest_leak);
  EXPECT_TRUE(check.agrees) << check.finding;
}

TEST(CellCheck, StepsThatLookForNoLeaksHaveNone) {
  const std::vector<Operation> flood{
      *complete({"watershed", {{"smooth", 0.0}, {"depth", 50.0}, {"merge", 0.0}}})};
  const CellCheck check = checked(0.0, pixels(0.0), flood);
  EXPECT_EQ(check.particles.cells, check.pixels.cells);
  EXPECT_FALSE(check.particles.widest_leak);
  EXPECT_FALSE(check.pixels.widest_leak);
}

TEST(CellCheck, WhatCannotBeCheckedIsRefused) {
  const auto refused = [](const Dataset& labelled, const std::vector<Operation>& steps,
                          const std::shared_ptr<const Dataset>& image, const char* words) {
    const auto check = check_cells(labelled, steps, image, *cpu_backend());
    ASSERT_FALSE(check.ok());
    EXPECT_NE(check.error().message().find(words), std::string::npos) << check.error().message();
  };
  const auto labelled = with_cells(particles(0.0), filling());
  refused(*particles(0.0), filling(), pixels(0.0), "no particles with cells");
  refused(*with_cells(pixels(0.0), filling()), filling(), pixels(0.0), "no particles with cells");
  refused(*labelled, {}, pixels(0.0), "found elsewhere");
  refused(*labelled, filling(), particles(0.0), "are particles, too");
  const auto other = Dataset::create(test::image_of({8, 8, 8}, test::rough));
  refused(*labelled, filling(), other, "another size");
}

TEST(CellCheck, ACancelledOneEnds) {
  const auto labelled = with_cells(particles(0.0), filling());
  std::stop_source stop;
  stop.request_stop();
  const auto check =
      check_cells(*labelled, filling(), pixels(0.0), *cpu_backend(), JobContext(stop.get_token()));
  ASSERT_FALSE(check.ok());
  EXPECT_TRUE(check.error().cancelled());
}

}  // namespace
}  // namespace aprscope
