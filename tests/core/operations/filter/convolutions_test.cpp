#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/operations/filter/filter_plan.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

TEST(StencilsOf, PhysicalSigmaIsDividedByTheVoxelSize) {
  const VoxelSize voxel{2.0, 0.5, 0.25, "µm"};
  const Size3 size{32, 32, 32};
  const auto physical = stencils_of(
      {"gaussian", {{"sigma", Vector{1, 1, 1}}, {"sigma_unit", std::string("physical")}}}, voxel,
      size);
  const auto pixels = stencils_of({"gaussian", {{"sigma", Vector{0.5, 2, 4}}}}, voxel, size);
  ASSERT_TRUE(physical.ok() && pixels.ok());
  EXPECT_EQ(physical->front().size, pixels->front().size);
  EXPECT_EQ(physical->front().weights, pixels->front().weights);
  // Automatic size: 2·ceil(3σ) + 1.
  EXPECT_EQ(pixels->front().size, (Size3{5, 13, 25}));
}

TEST(StencilsOf, GaussianHasTheRatiosOfAGaussian) {
  const auto made = stencils_of(
      {"gaussian", {{"sigma", Vector{2, 2, 2}}, {"size", Vector{5, 5, 5}}}}, {}, {9, 9, 9});
  ASSERT_TRUE(made.ok());
  const Stencil& s = made->front();
  ASSERT_EQ(s.size, (Size3{5, 5, 5}));
  const double centre = s.weights[62];
  EXPECT_NEAR(s.weights[63] / centre, std::exp(-1.0 / 8.0), 1e-12);
  EXPECT_NEAR(s.weights[0] / centre, std::exp(-12.0 / 8.0), 1e-12);
}

TEST(StencilsOf, LeavesOutDimensionsOfOnePixel) {
  const auto made = stencils_of({"gaussian", {{"size", Vector{13, 13, 13}}}}, {}, {1, 64, 64});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->front().size, (Size3{1, 13, 13}));
  const auto sobel =
      stencils_of({"gradient", {{"kind", std::string("sobel")}, {"component", std::string("y")}}},
                  {}, {1, 64, 64});
  ASSERT_TRUE(sobel.ok());
  ASSERT_EQ(sobel->front().size, (Size3{1, 3, 3}));
  // [1 2 1]/4 across x, [-1 0 1]/2 along y.
  const std::vector<double> expected{-0.125, 0, 0.125, -0.25, 0, 0.25, -0.125, 0, 0.125};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(sobel->front().weights[i], expected[i], 1e-15);
}

TEST(StencilsOf, GradientGivesOneStencilAComponent) {
  const VoxelSize voxel{2.0, 1.0, 0.5, "µm"};
  const Operation all{"gradient", {{"distance_unit", std::string("physical")}}};
  const auto three = stencils_of(all, voxel, {8, 8, 8});
  ASSERT_TRUE(three.ok());
  ASSERT_EQ(three->size(), 3U);
  for (std::size_t d = 0; d < 3; ++d) {
    const double distance = std::array{2.0, 1.0, 0.5}[d];
    EXPECT_NEAR((*three)[d].weights.back(), 0.5 / distance, 1e-15);
  }
  Operation one = all;
  one.parameters["component"] = std::string("x");
  EXPECT_EQ(stencils_of(one, voxel, {8, 8, 8})->size(), 1U);
}

TEST(StencilsOf, RefusesWhatHasNoStencil) {
  EXPECT_FALSE(stencils_of({"median", {}}, {}, {8, 8, 8}).ok());
  EXPECT_FALSE(stencils_of({"convert", {}}, {}, {8, 8, 8}).ok());
  EXPECT_FALSE(stencils_of({"gaussian", {}}, {0.0, 1.0, 1.0, "µm"}, {8, 8, 8}).ok());
  const Operation huge{"gaussian", {{"sigma_unit", std::string("physical")}}};
  const auto refused = stencils_of(huge, {1e-6, 1e-6, 1e-6, "m"}, {8, 8, 8});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("sigma"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
