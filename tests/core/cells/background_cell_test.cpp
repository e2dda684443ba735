// A background that was taken for a cell, in phantoms whose walls and objects are known.
#include "core/cells/background_cell.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/label_records.hpp"
#include "core/cells/label_slots.hpp"
#include "core/image/random.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{24, 40, 40};

struct Labelled {
  Pixels<std::uint16_t> image{kSize};
  std::vector<std::uint32_t> labels;
};

// Grey value and label of each pixel.
Labelled painted(const std::function<std::pair<double, std::uint32_t>(const Index3&)>& at_pixel) {
  Labelled out;
  const CounterRandom random(3, 1);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        const auto [value, label] = at_pixel({z, x, y});
        const double noise = 20.0 * random.normal(out.labels.size());
        out.image.at(z, x, y) = static_cast<std::uint16_t>(std::lround(value + noise));
        out.labels.push_back(label);
      }
    }
  }
  return out;
}

// From the pixels, and from a table of them.
void expect_share(const Labelled& one, double share) {
  EXPECT_NEAR(background_share(one.image, one.labels), share, 1e-12);
  const LabelPixels pixels{kSize, one.labels,
                           *std::max_element(one.labels.begin(), one.labels.end())};
  const AnyPixels values = one.image;
  const AnyPixels* const channel = &values;
  const auto records = label_records(pixels, {&channel, 1});
  ASSERT_TRUE(records.ok());
  EXPECT_NEAR(background_share(label_rows(*records, {}, kSize, {}), kSize), share, 1e-12);
}

bool in_ball(const Index3& p, double radius) {
  return std::hypot(static_cast<double>(p.z - 12), static_cast<double>(p.x - 20),
                    static_cast<double>(p.y - 20)) <= radius;
}

std::uint32_t octant(const Index3& p) {
  return 1U + (p.z >= 12 ? 4U : 0U) + (p.x >= 20 ? 2U : 0U) + (p.y >= 20 ? 1U : 0U);
}

TEST(BackgroundCell, IsFoundBehindABrightBallInParts) {
  std::int64_t outside = 0;
  const Labelled one = painted([&](const Index3& p) -> std::pair<double, std::uint32_t> {
    if (in_ball(p, 9.0)) return {1000.0, 1 + octant(p)};
    ++outside;
    return {200.0, 1};
  });
  expect_share(one, static_cast<double>(outside) / static_cast<double>(kSize.count()));
}

TEST(BackgroundCell, IsNearlyAllOfAnImageBesideSpecksOfNoise) {
  const auto in_speck = [](const Index3& p, std::int64_t x) {
    return p.z == 12 && p.x == x && p.y > 18 && p.y < 24;
  };
  // Two of five pixels, as dark as all the rest.
  expect_share(
      painted([&](const Index3& p) -> std::pair<double, std::uint32_t> {
        return {in_ball(p, 9.0) ? 1000.0 : 200.0, in_speck(p, 2) ? 2 : in_speck(p, 35) ? 3 : 1};
      }),
      1.0 - 10.0 / static_cast<double>(kSize.count()));
}

TEST(BackgroundCell, IsAllOfAnImageOfOneCell) {
  expect_share(painted([](const Index3& p) -> std::pair<double, std::uint32_t> {
                 return {in_ball(p, 9.0) ? 1000.0 : 200.0, 7};
               }),
               1.0);
}

TEST(BackgroundCell, IsNoneOfTheCellsBetweenBrightWalls) {
  const auto wall = [](const Index3& p) {
    return std::abs(p.z - 12) < 2 || std::abs(p.x - 20) < 2 || std::abs(p.y - 20) < 2;
  };
  expect_share(painted([&](const Index3& p) -> std::pair<double, std::uint32_t> {
                 return {wall(p) ? 1000.0 : 200.0, octant(p)};
               }),
               0.0);
  // Nor where nearly all of the image is round the tissue, or a shell parts it from what it holds.
  for (const double radius : {7.0, 10.0}) {
    expect_share(painted([&](const Index3& p) -> std::pair<double, std::uint32_t> {
                   const bool bright = in_ball(p, radius) && (!in_ball(p, radius - 2.0) || wall(p));
                   return {bright ? 1000.0 : 200.0, in_ball(p, radius) ? 1 + octant(p) : 1};
                 }),
                 0.0);
    expect_share(painted([&](const Index3& p) -> std::pair<double, std::uint32_t> {
                   const bool bright = in_ball(p, radius) && !in_ball(p, radius - 2.0);
                   return {bright ? 1000.0 : 200.0, in_ball(p, radius) ? 2 : 1};
                 }),
                 0.0);
  }
}

TEST(BackgroundCell, IsNoLabelOfObjectsThatLeaveItOut) {
  expect_share(painted([](const Index3& p) -> std::pair<double, std::uint32_t> {
                 return in_ball(p, 9.0) ? std::pair{1000.0, 1U} : std::pair{200.0, 0U};
               }),
               0.0);
}

TEST(BackgroundCell, OfParticlesIsThatOfTheirPixels) {
  const auto access = test::random_access({{20, 31, 40}, 5, 0.8, false});
  std::vector<float> values(access->count());
  std::vector<std::uint32_t> labels(access->count());
  for (std::size_t i = 0; i < values.size(); ++i) {
    labels[i] = i % 9 == 0 ? 2U + static_cast<std::uint32_t>(i % 4) : 1U;
    values[i] = labels[i] == 1 ? 10.0F : 100.0F;
  }
  const auto of_labels = test::painted(*access, labels);
  const double share = background_share(test::painted(*access, values), of_labels.values);
  EXPECT_GT(share, 0.5);
  EXPECT_EQ(background_share(*access, values, labels), share);
}

TEST(BackgroundCell, IsTheSameForAnyNumberOfThreadsAndWhateverLabelsAreCalled) {
  const Size3 n{12, 70, 90};
  Pixels<float> image(n);
  std::vector<std::uint32_t> labels(image.values.size());
  const CounterRandom random(5, 1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    image.values[i] = static_cast<float>(random.uniform(i));
    labels[i] = i % 9000 < 100 ? 1U + static_cast<std::uint32_t>(i / 9000) : 400U;
    // Only the background is dark.
    if (labels[i] != 400) image.values[i] += 5.0F;
  }
  std::vector<std::uint32_t> called = labels;
  for (std::uint32_t& one : called) one = 4294967295U - 7 * one;
  const auto background = static_cast<double>(std::count(labels.begin(), labels.end(), 400U));
  const int before = thread_count();
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const double share = background / static_cast<double>(labels.size());
    EXPECT_EQ(background_share(image, labels), share);
    EXPECT_EQ(background_share(image, called), share);
    EXPECT_EQ(count_labels(labels, 400), std::set(labels.begin(), labels.end()).size());
    EXPECT_EQ(count_labels(called, 4294967295U), std::set(called.begin(), called.end()).size());
  }
  called[50000] = 0;
  EXPECT_EQ(background_share(image, called), 0.0);
  set_thread_count(before);
}

}  // namespace
}  // namespace aprscope
