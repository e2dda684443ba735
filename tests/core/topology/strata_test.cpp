// Strata of pixels and of particles against their definition, face by face.
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/topology/particle_strata.hpp"
#include "core/topology/pixel_strata.hpp"
#include "tests/core/topology/brute_force.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

constexpr Construction kBoth[] = {Construction::closed_voxels, Construction::vertices};

Pixels<std::uint16_t> random_places(const Size3& size, int levels, std::uint64_t seed) {
  Pixels<std::uint16_t> places(size);
  std::mt19937_64 random(seed);
  for (auto& place : places.values) {
    place = static_cast<std::uint16_t>(random() % static_cast<std::uint64_t>(levels));
  }
  return places;
}

template <class Place>
StrataCounts counted(const Pixels<std::uint16_t>& places, int levels, Construction construction) {
  const PlaceRows<Place> rows = [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
    for (std::size_t y = 0; y < row.size(); ++y) {
      row[y] = static_cast<Place>(places.at(z, x, static_cast<std::int64_t>(y)));
    }
  };
  auto found = count_strata<Place>(places.size, levels, rows, construction);
  EXPECT_TRUE(found.ok());
  return found ? *std::move(found) : StrataCounts();
}

TEST(PixelStrata, AreThoseOfTheDefinition) {
  for (const Size3 size : {Size3{5, 6, 7}, Size3{1, 9, 70}, Size3{3, 1, 65}, Size3{1, 1, 40},
                           Size3{1, 1, 1}, Size3{9, 3, 1}, Size3{2, 2, 129}}) {
    for (const int levels : {1, 2, 5, 256}) {
      SCOPED_TRACE(std::to_string(size.z) + " × " + std::to_string(size.x) + " × " +
                   std::to_string(size.y) + ", " + std::to_string(levels) + " levels");
      const auto places = random_places(size, levels, 3);
      for (const Construction construction : kBoth) {
        const auto wanted = test::brute_force_strata(places, levels, construction);
        EXPECT_EQ(counted<std::uint8_t>(places, levels, construction), wanted);
        EXPECT_EQ(counted<std::uint16_t>(places, levels, construction), wanted);
      }
    }
  }
}

TEST(PixelStrata, OfAllLevelsOfATypeTheLastIsRightToo) {
  // Outside has the place of the last level: 65536 of them leave no other.
  auto places = random_places({4, 5, 6}, 3, 9);
  for (auto& place : places.values) place = static_cast<std::uint16_t>(65535 - 2 * place);
  for (const Construction construction : kBoth) {
    EXPECT_EQ(counted<std::uint16_t>(places, 65536, construction),
              test::brute_force_strata(places, 65536, construction));
  }
}

TEST(PixelStrata, AreRightAtTheEndsOfVectorsAndOfTypes) {
  for (const std::int64_t y : {15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 191, 193}) {
    for (const int levels : {253, 254, 255, 256, 257}) {
      SCOPED_TRACE(std::to_string(y) + ", " + std::to_string(levels) + " levels");
      auto places = random_places({2, 3, y}, levels, static_cast<std::uint64_t>(y));
      places.values.front() = 0;
      places.values.back() = static_cast<std::uint16_t>(levels - 1);
      for (const Construction construction : kBoth) {
        const auto wanted = test::brute_force_strata(places, levels, construction);
        EXPECT_EQ(counted<std::uint16_t>(places, levels, construction), wanted);
        if (levels <= 256) {
          EXPECT_EQ(counted<std::uint8_t>(places, levels, construction), wanted);
        }
      }
    }
  }
}

TEST(PixelStrata, OfManyLevelsTheFirstAndTheLastAreRight) {
  for (const int levels : {65533, 65534, 65535, 65536}) {
    auto places = random_places({3, 4, 70}, 4, 11);
    // The two first and the two last ones.
    for (auto& place : places.values) {
      place = static_cast<std::uint16_t>(place < 2 ? place : levels - place + 1);
    }
    for (const Construction construction : kBoth) {
      EXPECT_EQ(counted<std::uint16_t>(places, levels, construction),
                test::brute_force_strata(places, levels, construction))
          << levels;
    }
  }
}

TEST(PixelStrata, OfFlatStretchesAreThoseOfTheDefinition) {
  // Whole blocks of one value, runs of a few, and more voxels of a level than a sum holds.
  for (const int levels : {2, 256, 5000}) {
    auto places = random_places({5, 7, 300}, levels, 21);
    for (std::int64_t i = 0; i < places.size.count(); ++i) {
      auto& place = places.values[static_cast<std::size_t>(i)];
      const std::int64_t y = i % places.size.y;
      if (y >= 50 && y < 210 && i % 1000 != 7) place = static_cast<std::uint16_t>(levels / 2);
      if (y >= 250 && i > 0) place = places.values[static_cast<std::size_t>(i - i % 5)];
    }
    for (const Construction construction : kBoth) {
      EXPECT_EQ(counted<std::uint16_t>(places, levels, construction),
                test::brute_force_strata(places, levels, construction))
          << levels;
    }
  }
}

TEST(PixelStrata, OfWideImagesAreThoseOfTheDefinition) {
  // Wider than a band of rows.
  const auto places = random_places({2, test::kSanitized ? 15 : 45, 1500}, 300, 33);
  for (const Construction construction : kBoth) {
    EXPECT_EQ(counted<std::uint16_t>(places, 300, construction),
              test::brute_force_strata(places, 300, construction));
  }
}

TEST(PixelStrata, AreTheSameForAnyNumberOfThreads) {
  const auto places = random_places({37, 20, 33}, 300, 5);
  const int before = thread_count();
  for (const Construction construction : kBoth) {
    const auto wanted = test::brute_force_strata(places, 300, construction);
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      EXPECT_EQ(counted<std::uint16_t>(places, 300, construction), wanted) << threads;
    }
  }
  set_thread_count(before);
}

TEST(PixelStrata, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const PlaceRows<std::uint8_t> rows = [](std::int64_t, std::int64_t, std::span<std::uint8_t>) {};
  const auto found = count_strata<std::uint8_t>({3, 3, 3}, 2, rows, Construction::vertices,
                                                JobContext(stop.get_token()));
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().cancelled());
}

// What random_access() is made with, and how many levels of values.
using Case = std::tuple<test::RandomAprOptions, int>;

class RandomParticleStrata : public ::testing::TestWithParam<Case> {};

TEST_P(RandomParticleStrata, AreThoseOfThePixelsThatTheyStandFor) {
  const auto& [options, levels] = GetParam();
  const auto access = test::random_access(options);
  const auto values = test::random_values(access->count(), options.seed + 1, 0.0F,
                                          static_cast<float>(levels), true);
  std::vector<std::uint16_t> places(values.begin(), values.end());
  const auto pixels = test::naive_reconstruct(*access, values);
  Pixels<std::uint16_t> painted(pixels.size);
  std::copy(pixels.values.begin(), pixels.values.end(), painted.values.begin());
  for (const Construction construction : kBoth) {
    const auto found = count_strata(*access, places, levels, construction);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, test::brute_force_strata(painted, levels, construction));
  }
}

// The particles of a random structure with values spread over all levels, and their image.
void expect_particles(const test::RandomAprOptions& options, int levels) {
  const auto access = test::random_access(options);
  std::mt19937_64 random(options.seed);
  std::vector<float> values(access->count());
  for (float& v : values) {
    // Many of the first and the last ones.
    const std::uint64_t drawn = random();
    v = static_cast<float>(drawn % 3 == 0   ? 0
                           : drawn % 3 == 1 ? levels - 1
                                            : drawn / 3 % static_cast<std::uint64_t>(levels));
  }
  const std::vector<std::uint16_t> places(values.begin(), values.end());
  const auto pixels = test::naive_reconstruct(*access, values);
  Pixels<std::uint16_t> painted(pixels.size);
  std::copy(pixels.values.begin(), pixels.values.end(), painted.values.begin());
  for (const Construction construction : kBoth) {
    const auto wanted = test::brute_force_strata(painted, levels, construction);
    const int before = thread_count();
    for (const int threads : {1, 2, 3, 4}) {
      set_thread_count(threads);
      const auto found = count_strata(*access, places, levels, construction);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(*found, wanted) << threads << " threads";
    }
    set_thread_count(before);
  }
}

TEST(ParticleStrata, AreRightAtTheEndsOfTypes) {
  for (const int levels : {1, 253, 254, 255, 256, 65533, 65534, 65535, 65536}) {
    SCOPED_TRACE(levels);
    expect_particles({{9, 14, 70}, 5, 0.6, false}, levels);
  }
}

TEST(ParticleStrata, AreRightWhereCellsAreClipped) {
  // One more or less than powers of two, so that cells of every level are clipped somewhere.
  std::uint64_t seed = 70;
  test::SanitizedShare share(3);
  for (const Size3 size :
       {Size3{17, 33, 65}, Size3{15, 31, 63}, Size3{5, 9, 129}, Size3{1, 67, 131},
        Size3{31, 1, 127}, Size3{3, 3, 257}, Size3{64, 2, 2}}) {
    for (const double split : {0.3, 0.8}) {
      for (const bool balanced : {true, false}) {
        if (!share.takes()) continue;
        SCOPED_TRACE(std::to_string(size.z) + " × " + std::to_string(size.x) + " × " +
                     std::to_string(size.y));
        expect_particles({size, seed++, split, balanced}, 40);
      }
    }
  }
}

std::vector<Case> particle_cases() {
  std::vector<Case> cases;
  std::uint64_t seed = 1;
  for (const Size3 size :
       {Size3{16, 16, 16}, Size3{13, 22, 31}, Size3{1, 40, 27}, Size3{1, 1, 50}, Size3{33, 5, 9}}) {
    for (const bool balanced : {true, false}) {
      for (const double split : {0.0, 0.4, 0.7, 1.0}) {
        for (const int levels : {2, 6, 1000}) {
          cases.emplace_back(test::RandomAprOptions{size, seed++, split, balanced}, levels);
        }
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Random, RandomParticleStrata, ::testing::ValuesIn(particle_cases()),
                         [](const auto& drawn) {
                           return "seed" + std::to_string(std::get<0>(drawn.param).seed);
                         });

}  // namespace
}  // namespace aprscope
