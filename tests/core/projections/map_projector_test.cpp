#include "core/projections/map_projector.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// A wide Gaussian beside the middle, along the axis of view its integral.
TEST(MapProjector, LooksAlongZWithoutARotation) {
  constexpr std::int64_t kSide = 24;
  constexpr double kSigma = 2.0;
  std::vector<float> map;
  std::vector<double> wanted(kSide * kSide, 0.0);
  for (std::int64_t z = 0; z < kSide; ++z) {
    for (std::int64_t y = 0; y < kSide; ++y) {
      for (std::int64_t x = 0; x < kSide; ++x) {
        const double dz = static_cast<double>(z) - 13.0;
        const double dy = static_cast<double>(y) - 10.0;
        const double dx = static_cast<double>(x) - 14.0;
        const double value = std::exp(-(dz * dz + dy * dy + dx * dx) / (2.0 * kSigma * kSigma));
        map.push_back(static_cast<float>(value));
        wanted[static_cast<std::size_t>(y * kSide + x)] += value;
      }
    }
  }
  const auto projector = MapProjector::create(map, kSide, 2.0, {}, {});
  ASSERT_TRUE(projector.ok()) << projector.error().message();
  EXPECT_GT((*projector)->bytes(), map.size() * sizeof(float));
  auto scratch = (*projector)->scratch();
  std::vector<float> image(kSide * kSide);
  (*projector)
      ->project(from_euler(0.0, 0.0, 0.0), {}, nullptr, CtfTimes::none, nullptr, image.data(),
                scratch);
  const double most = *std::max_element(wanted.begin(), wanted.end());
  for (std::size_t i = 0; i < image.size(); ++i) {
    // A slab of finite width stands for the plane: a few per cent away from the middle.
    EXPECT_NEAR(image[i], wanted[i], 0.05 * most) << i;
  }
}

TEST(MapProjector, PixelsOfAnotherSizeHaveAScale) {
  ProjectionTable table;
  table.pixel_size = 2.0;
  table.optics.resize(2);
  table.optics[0].pixel_size = 3.0;
  Projection row;
  EXPECT_DOUBLE_EQ(pixel_scale(table, row), 1.5);
  row.optics = 1;  // which does not say
  EXPECT_DOUBLE_EQ(pixel_scale(table, row), 1.0);
}

}  // namespace
}  // namespace aprscope
