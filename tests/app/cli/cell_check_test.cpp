// Cells of particles checked against the image that they were made from, by the real program.
#include <cmath>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

constexpr Size3 kSize{40, 40, 40};

// A shell of radii 10 to 13 round the middle; `hole`: a round one of radius 3 in its wall.
Volume shell(bool hole) {
  Pixels<std::uint16_t> pixels(kSize, 100);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        const auto d = [](std::int64_t i) { return static_cast<double>(i) - 19.5; };
        const double r = std::hypot(d(z), d(x), d(y));
        const bool in_hole = hole && d(z) > 0 && std::hypot(d(x), d(y)) < 3.0;
        if (r >= 10.0 && r <= 13.0 && !in_hole) pixels.at(z, x, y) = 3000;
      }
    }
  }
  Volume out;
  out.pixels = std::move(pixels);
  out.voxel = {0.5, 0.5, 0.5, "µm"};
  return out;
}

class CellCheck : public Chain {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_tiff(shell(false), path("whole.tif")).ok());
    ASSERT_TRUE(write_tiff(shell(true), path("open.tif")).ok());
    for (const std::string name : {"whole", "open"}) {
      run({"convert", path(name + ".tif"), "-o", path(name + ".apr")});
    }
  }
  nlohmann::json check(const std::string& particles, const std::string& image) {
    return run({"cells", path(particles), "--method", "fill", "--threshold", "1500", "--check",
                path(image)})["check"];
  }
  static double ratio(const nlohmann::json& found) {
    return found["particles"]["volume"].get<double>() / found["pixels"]["volume"].get<double>();
  }
  void expect_refused(const std::vector<std::string>& arguments, int code,
                      const std::string& words) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << done.out;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
};

TEST_F(CellCheck, AGoodConversionAgrees) {
  const auto found = check("whole.apr", "whole.tif");
  EXPECT_EQ(found["particles"]["cells"], 1);
  EXPECT_EQ(found["pixels"]["cells"], 1);
  EXPECT_NEAR(ratio(found), 1.0, 0.01);
  EXPECT_GT(found["overlap"].get<double>(), 0.99);
  EXPECT_EQ(found["particles"]["leak_radius"], 0.0);
  EXPECT_EQ(found["pixels"]["leak_radius"], 0.0);
  EXPECT_EQ(found["agrees"], true);
  EXPECT_EQ(found["finding"], "particles and pixels agree");
}

// As if conversion had opened the wall.
TEST_F(CellCheck, AHoleThatOnlyParticlesHaveIsFound) {
  const auto found = check("open.apr", "whole.tif");
  // What water reaches is no cell: the wall is left, less than (13³ − 10³) ÷ 13³ of it.
  EXPECT_LT(ratio(found), 0.55);
  EXPECT_GT(ratio(found), 0.50);
  EXPECT_LT(found["overlap"].get<double>(), 0.55);
  EXPECT_EQ(found["pixels"]["leak_radius"], 0.0);
  // In µm; the hole is 1.5 µm wide.
  EXPECT_NEAR(found["particles"]["leak_radius"].get<double>(), 1.5, 0.5);
  const auto text = found["finding"].get<std::string>();
  for (const char* part : {"wider holes", "volumes differ", "convert with a smaller error"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST_F(CellCheck, AHoleOfBothIsNoDifference) {
  const auto found = check("open.apr", "open.tif");
  EXPECT_NEAR(found["particles"]["leak_radius"].get<double>(),
              found["pixels"]["leak_radius"].get<double>(), 0.25);
  EXPECT_EQ(found["finding"], "particles and pixels agree");
}

TEST_F(CellCheck, WatershedIsCheckedWithoutLeaks) {
  const auto found =
      run({"cells", path("whole.apr"), "--check", path("whole.tif"), "--method", "watershed"});
  EXPECT_EQ(found["check"]["pixels"]["cells"], found["check"]["particles"]["cells"]);
  EXPECT_TRUE(found["check"]["pixels"]["leak_radius"].is_null());
  const ProgramResult text =
      run_cli({"cells", path("whole.apr"), "--check", path("whole.tif"), "--method", "watershed"});
  EXPECT_NE(text.out.find("on particles; "), std::string::npos) << text.out;
}

TEST_F(CellCheck, WhatCannotBeCheckedIsRefused) {
  const std::vector<std::string> fill{"--method", "fill", "--threshold", "1500"};
  const auto with = [&](std::vector<std::string> first) {
    first.insert(first.end(), fill.begin(), fill.end());
    return first;
  };
  expect_refused(with({"cells", path("whole.tif"), "--check", path("open.tif")}), 1, "is pixels");
  expect_refused(with({"cells", path("whole.apr"), "--check", path("open.apr")}), 1,
                 "are particles, too");
  run({"synth", "spheres", "-o", path("small.tif"), "--size", "8,8,8"});
  expect_refused(with({"cells", path("whole.apr"), "--check", path("small.tif")}), 1,
                 "another size");
  expect_refused(with({"cells", path("whole.apr"), path("open.apr"), "--check", path("whole.tif")}),
                 2, "--check");
  expect_refused(with({"cells", path("whole.apr"), "--as-pixels", "--check", path("whole.tif")}), 2,
                 "--as-pixels");
  // Whatever labels the file has, they are not found on the image.
  run(with({"cells", path("whole.apr"), "-o", path("kept.apr")}));
  expect_refused({"cells", path("kept.apr"), "--method", "kept", "--check", path("whole.tif")}, 1,
                 "found elsewhere");
}

}  // namespace
}  // namespace aprscope::test
