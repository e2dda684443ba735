// Where water flows from particles of a plateau.
#include "core/cells/particle_plateaus.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/cells/particle_cases.hpp"

namespace aprscope {
namespace {

constexpr auto kStays = ParticleWay::minimum;
constexpr auto kOnward = ParticleWay::on;
constexpr auto kInside = ParticleWay::inner;

// Ways and particles below in a row of particles, one a pixel.
struct CrossedRow {
  std::vector<ParticleWay> ways;
  std::vector<std::uint32_t> down;
};

CrossedRow crossed(const std::vector<float>& heights, std::vector<ParticleWay> ways) {
  const auto access = test::full_access({1, 1, static_cast<std::int64_t>(heights.size())});
  const ParticleNeighbours near(*access, Connectivity::faces);
  std::vector<std::uint32_t> down(heights.size());
  std::iota(down.begin(), down.end(), 0U);
  EXPECT_TRUE(cross_particle_plateaus(*access, near, heights, ways, down, {}));
  return {std::move(ways), std::move(down)};
}

TEST(ParticlePlateaus, LeadToTheNearestLowerBorder) {
  const CrossedRow row = crossed({0, 5, 5, 5, 5, 5, 5, 0}, {kStays, kOnward, kInside, kInside,
                                                            kInside, kInside, kOnward, kStays});
  EXPECT_EQ(row.ways, (std::vector<ParticleWay>{kStays, kOnward, kOnward, kOnward, kOnward, kOnward,
                                                kOnward, kStays}));
  // Particles that led on before are left alone.
  EXPECT_EQ(row.down, (std::vector<std::uint32_t>{0, 1, 1, 2, 5, 6, 6, 7}));
}

TEST(ParticlePlateaus, WithoutAWayOutAreMinimaOfTheirFirstParticle) {
  const CrossedRow row = crossed({9, 5, 5, 5, 9}, {kOnward, kInside, kInside, kInside, kOnward});
  EXPECT_EQ(row.ways, (std::vector<ParticleWay>{kOnward, kStays, kStays, kStays, kOnward}));
  EXPECT_EQ(row.down, (std::vector<std::uint32_t>{0, 1, 1, 1, 4}));
}

}  // namespace
}  // namespace aprscope
