// Volume against closing radius as an operation: units, marks, what is said.
#include <cmath>

#include <gtest/gtest.h>

#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/cells/phantoms.hpp"

namespace aprscope {
namespace {

// A stained shell of radii 6 and 7.5 µm with a hole along z, in voxels of 0.5 µm.
std::shared_ptr<const Dataset> shell(double hole, bool dark = false) {
  const VoxelSize voxel{0.5, 0.5, 0.5, "µm"};
  const auto mask = test::phantom({41, 41, 41}, voxel, 5, [&](const test::Point& p) {
    const bool in_hole = p[0] > 0.0 && std::hypot(p[1], p[2]) < hole;
    return test::in_shell(p, 6.0, 7.5) && !in_hole;
  });
  Pixels<std::uint8_t> pixels(mask.size);
  for (std::size_t i = 0; i < mask.values.size(); ++i) {
    pixels.values[i] = (mask.values[i] != 0) != dark ? 200 : 20;
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  volume.name = "shell";
  return Dataset::create(std::move(volume));
}

Result<Measurement> measured(const Dataset& input, std::map<std::string, ParameterValue> given) {
  return cpu_backend()->measure(*complete({"closing", std::move(given)}), input, {});
}

TEST(ClosingOperation, MarksTheRadiusAtWhichTheShellIsClosed) {
  for (const bool dark : {false, true}) {
    const auto found = measured(*shell(1.0, dark), {{"dark", dark}, {"largest", 4.0}});
    ASSERT_TRUE(found.ok()) << found.error().message();
    ASSERT_EQ(found->curves.size(), 2U);
    const Curve& curve = found->curves.front();
    EXPECT_EQ(curve.id, "volume");
    EXPECT_EQ(curve.x.unit, "µm");
    EXPECT_EQ(curve.ys.front().unit, "µm³");
    ASSERT_EQ(curve.x.values.size(), 13U);
    EXPECT_EQ(curve.x.values.front(), 0.0);
    EXPECT_DOUBLE_EQ(curve.x.values.back(), 4.0);
    ASSERT_EQ(curve.marks.size(), 1U);
    EXPECT_EQ(curve.marks.front().words, "stops changing");
    EXPECT_NEAR(curve.marks.front().x, 1.0, 0.5);
    // A ball of radius 6 µm; with its shell one of 7.5 µm.
    constexpr double kBall = 4.0 / 3.0 * 3.14159265358979;
    EXPECT_NEAR(curve.ys[0].values.back(), kBall * 216.0, 0.02 * kBall * 216.0);
    EXPECT_NEAR(curve.ys[1].values.back(), kBall * 421.9, 0.02 * kBall * 421.9);
    EXPECT_EQ(curve.ys[0].values.front(), 0.0);
    EXPECT_EQ(found->curves[1].ys.front().values.back(), 1.0);
    EXPECT_TRUE(found->notes.empty());
    const Table& table = found->tables.front();
    EXPECT_EQ(table.rows(), 13U);
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(table.column("cells")->cells).back(), 1);
  }
}

TEST(ClosingOperation, ACellThatIsClosedIsLevelFromTheStart) {
  const auto found = measured(*shell(0.0), {{"steps", std::int64_t{6}}});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->curves.front().marks.size(), 1U);
  EXPECT_EQ(found->curves.front().marks.front().x, 0.0);
  // By itself up to twelve pixels.
  EXPECT_DOUBLE_EQ(found->curves.front().x.values.back(), 6.0);
}

TEST(ClosingOperation, SaysWhereNothingIsEnclosed) {
  const auto found = measured(*shell(5.0), {{"largest", 0.4}, {"steps", std::int64_t{2}}});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->curves.front().marks.empty());
  ASSERT_EQ(found->notes.size(), 1U);
  EXPECT_EQ(found->notes.front().rfind("nothing is enclosed", 0), 0U);
}

TEST(ClosingOperation, WritesDownTheThresholdThatItChose) {
  const auto run = execute({*complete({"closing", {{"steps", std::int64_t{2}}}})}, shell(1.0),
                           *cpu_backend(), {});
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(std::get<std::string>(run->steps.front().parameters.at("method")), "value");
  const double at = std::get<double>(run->steps.front().parameters.at("value"));
  EXPECT_GT(at, 20.0);
  EXPECT_LE(at, 200.0);
}

}  // namespace
}  // namespace aprscope
