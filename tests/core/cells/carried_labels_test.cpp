#include "core/cells/carried_labels.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"

namespace aprscope {
namespace {

Labels random_labels(std::uint64_t count, std::uint64_t seed, std::uint32_t largest) {
  std::mt19937_64 random(seed);
  Labels labels;
  labels.largest = largest;
  for (std::uint64_t i = 0; i < count; ++i) {
    labels.values.push_back(static_cast<std::uint32_t>(random() % (largest + 1U)));
  }
  return labels;
}

TEST(CarriedLabels, PixelsHaveThoseOfTheirParticles) {
  test::each_random_particles([](const AprAccess& access, const std::vector<std::uint8_t>&) {
    Labels labels = random_labels(access.count(), 3, 9);
    labels.findings.push_back({.label = 4, .leak_radius = 2.0});
    const auto pixels = pixel_labels(access, labels);
    ASSERT_TRUE(pixels.ok());
    EXPECT_EQ(pixels->values, test::painted(access, labels.values).values);
    EXPECT_EQ(pixels->largest, 9U);
    EXPECT_EQ(pixels->findings.size(), 1U);
  });
}

TEST(CarriedLabels, ParticlesHaveThatOfMostPixelsAndTheLeastOfSeveral) {
  test::each_random_particles([](const AprAccess& access, const std::vector<std::uint8_t>&) {
    // Few labels, so that there are ties.
    const Labels labels = random_labels(static_cast<std::uint64_t>(access.size().count()), 5, 2);
    const auto map = test::particle_map(access);
    std::vector<std::map<std::uint32_t, int>> votes(access.count());
    for (std::size_t i = 0; i < labels.values.size(); ++i) {
      ++votes[map.index.values[i]][labels.values[i]];
    }
    const auto particles = particle_labels(access, labels);
    ASSERT_TRUE(particles.ok());
    for (std::size_t i = 0; i < votes.size(); ++i) {
      std::uint32_t expected = 0;
      int most = 0;
      for (const auto& [label, count] : votes[i]) {
        if (count <= most) continue;
        most = count;
        expected = label;
      }
      ASSERT_EQ(particles->values[i], expected);
    }
  });
}

TEST(CarriedLabels, ThereAndBackAreTheSame) {
  const auto access = test::random_access({{20, 33, 41}, 4, 0.6, false});
  Labels labels = random_labels(access->count(), 8, 50);
  labels.findings.push_back({.label = 4, .leak_radius = 2.0});
  const auto pixels = pixel_labels(*access, labels);
  ASSERT_TRUE(pixels.ok());
  const auto back = particle_labels(*access, *pixels);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, labels);
}

TEST(CarriedLabels, AnObjectThatWinsNoCellIsGoneWithWhatIsKnownOfIt) {
  const auto access = test::random_access({{16, 16, 16}, 4, 0.0, true});
  Labels labels;
  labels.values.assign(16 * 16 * 16, 1);
  labels.values[7] = 2;
  labels.largest = 2;
  labels.findings = {{.label = 1, .leak_radius = 1.0}, {.label = 2, .leak_radius = 2.0}};
  const auto particles = particle_labels(*access, labels);
  ASSERT_TRUE(particles.ok());
  EXPECT_EQ(particles->largest, 1U);
  ASSERT_EQ(particles->findings.size(), 1U);
  EXPECT_EQ(particles->findings[0].label, 1U);
}

TEST(CarriedLabels, OfAnotherSizeAreRefused) {
  const auto access = test::random_access({});
  EXPECT_FALSE(particle_labels(*access, random_labels(7, 1, 2)).ok());
}

}  // namespace
}  // namespace aprscope
