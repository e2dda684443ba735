// Components of particles against flooding the pixels that they stand for.
#include "core/cells/particle_components.hpp"

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/particle_jumps.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

TEST(ParticleComponents, AreThoseOfThePixelsVoxelForVoxel) {
  test::each_random_particles([](const AprAccess& access, const std::vector<std::uint8_t>& mask) {
    const auto pixels = test::painted(access, mask);
    for (const Connectivity connectivity : test::kConnectivities) {
      Pixels<std::uint32_t> expected(access.size());
      const std::uint32_t largest = test::label_rest(pixels, connectivity, expected);
      const auto labels = label_particles(access, mask, connectivity);
      ASSERT_TRUE(labels.ok());
      EXPECT_EQ(labels->largest, largest);
      ASSERT_EQ(test::painted(access, labels->values).values, expected.values);
    }
  });
}

TEST(ParticleComponents, AreTheSameForAnyNumberOfThreads) {
  const auto access = test::random_access({{70, 90, 130}, 5, 0.75, true});
  const auto mask = test::random_mask(access->count(), 7, 8);
  const int threads = thread_count();
  set_thread_count(1);
  const auto one = label_particles(*access, mask, Connectivity::edges);
  set_thread_count(5);
  const auto five = label_particles(*access, mask, Connectivity::edges);
  set_thread_count(threads);
  ASSERT_TRUE(one.ok() && five.ok());
  EXPECT_GT(one->largest, 10U);
  EXPECT_EQ(*one, *five);
}

TEST(ParticleComponents, SayWhatIsWrongWithAMask) {
  const auto access = test::random_access({});
  const auto labels = label_particles(*access, std::vector<std::uint8_t>(3), Connectivity::faces);
  ASSERT_FALSE(labels.ok());
  EXPECT_EQ(labels.error().what,
            "the mask has 3 values for " + std::to_string(access->count()) + " particles");
}

TEST(ParticleComponents, StopWhenAsked) {
  const auto access = test::random_access({});
  std::stop_source source;
  source.request_stop();
  const auto labels = label_particles(*access, std::vector<std::uint8_t>(access->count(), 1),
                                      Connectivity::faces, JobContext(source.get_token()));
  ASSERT_FALSE(labels.ok());
  EXPECT_TRUE(labels.error().cancelled());
}

TEST(ParticleJumps, CoverAllThatTouches) {
  bool wider = false;
  for (std::uint64_t seed = 1; seed < (test::kSanitized ? 5 : 20); ++seed) {
    const Size3 size{33, 20, 70};
    for (const bool balanced : {true, false}) {
      const auto access = test::random_access({size, seed, 0.5, balanced});
      const ParticleJumps jumps(*access);
      const auto map = test::particle_map(*access);
      test::each_pixel(size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
        const int level = map.level.at(z, x, y);
        const int shift = access->level_max() - level;
        const int most = jumps.most(level, z >> shift, x >> shift);
        ASSERT_TRUE(!balanced || most == 1);
        for (const Index3& s : test::steps_of(Connectivity::corners)) {
          const Index3 q{z + s.z, x + s.x, y + s.y};
          if (q.z < 0 || q.x < 0 || q.y < 0 || q.z >= size.z || q.x >= size.x || q.y >= size.y) {
            continue;
          }
          const int jump = level - map.level.at(q.z, q.x, q.y);
          wider |= jump > 1;
          ASSERT_GE(most, jump);
        }
      });
    }
  }
  EXPECT_TRUE(wider);
}

}  // namespace
}  // namespace aprscope
