// Pieces of pixels and of particles against flooding, threshold by threshold.
#include "core/topology/components.hpp"

#include <numeric>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/topology/particle_strata.hpp"
#include "tests/core/topology/brute_components.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

constexpr Construction kBoth[] = {Construction::closed_voxels, Construction::vertices};

std::vector<double> rising(int levels) {
  std::vector<double> values(static_cast<std::size_t>(levels));
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

Pixels<std::uint16_t> random_places(const Size3& size, int levels, std::uint64_t seed) {
  Pixels<std::uint16_t> places(size);
  std::mt19937_64 random(seed);
  for (auto& place : places.values) {
    place = static_cast<std::uint16_t>(random() % static_cast<std::uint64_t>(levels));
  }
  return places;
}

template <class Place>
Components found(const Pixels<std::uint16_t>& places, int levels, Construction construction,
                 std::size_t lives) {
  const PlaceRows<Place> rows = [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
    for (std::size_t y = 0; y < row.size(); ++y) {
      row[y] = static_cast<Place>(places.at(z, x, static_cast<std::int64_t>(y)));
    }
  };
  const auto names = rising(levels);
  auto result = find_components<Place>(places.size, levels, rows, construction, {lives, names});
  EXPECT_TRUE(result.ok());
  return result ? *std::move(result) : Components();
}

void expect_same(const Components& a, const Components& b) {
  EXPECT_EQ(a.pieces, b.pieces);
  EXPECT_EQ(a.enclosed, b.enclosed);
  EXPECT_EQ(test::sorted(a.lives), test::sorted(b.lives));
}

constexpr std::size_t kAll = 1000000;

TEST(PixelComponents, AreThoseOfFlooding) {
  std::uint64_t seed = 1;
  for (const Size3 size : {Size3{5, 6, 7}, Size3{1, 19, 30}, Size3{3, 1, 45}, Size3{1, 1, 40},
                           Size3{1, 1, 1}, Size3{9, 3, 1}, Size3{2, 2, 37}, Size3{35, 4, 4}}) {
    for (const int levels : {1, 2, 3, 5, 40}) {
      for (const Construction construction : kBoth) {
        SCOPED_TRACE(std::to_string(size.z) + " × " + std::to_string(size.x) + " × " +
                     std::to_string(size.y) + ", " + std::to_string(levels) + " levels, seed " +
                     std::to_string(seed));
        const auto places = random_places(size, levels, seed++);
        const auto wanted = test::brute_components(places, levels, construction);
        expect_same(found<std::uint8_t>(places, levels, construction, kAll), wanted);
        expect_same(found<std::uint16_t>(places, levels, construction, kAll), wanted);
        const auto without = found<std::uint16_t>(places, levels, construction, 0);
        EXPECT_EQ(without.pieces, wanted.pieces);
        EXPECT_TRUE(without.lives.empty());
      }
    }
  }
}

TEST(PixelComponents, OfAllLevelsOfATypeTheEndsAreRightToo) {
  auto places = random_places({4, 5, 6}, 3, 9);
  for (auto& place : places.values)
    place = static_cast<std::uint16_t>(127 * place + (place & 2) / 2);
  for (const Construction construction : kBoth) {
    const auto few = found<std::uint8_t>(places, 256, construction, kAll);
    expect_same(few, test::brute_components(places, 256, construction));
    Pixels<std::uint16_t> wide = places;
    for (auto& place : wide.values) place = static_cast<std::uint16_t>(257 * place);
    const auto many = found<std::uint16_t>(wide, 65536, construction, kAll);
    for (std::size_t i = 0; i < 256; ++i) {
      EXPECT_EQ(many.pieces[257 * i], few.pieces[i]);
      EXPECT_EQ(many.enclosed[257 * i], few.enclosed[i]);
    }
  }
}

TEST(PixelComponents, AreTheSameForAnyNumberOfThreads) {
  const auto places = random_places({70, 30, 23}, 100, 5);
  const int before = thread_count();
  for (const Construction construction : kBoth) {
    set_thread_count(1);
    const auto wanted = found<std::uint16_t>(places, 100, construction, 50);
    for (const int threads : {2, 5}) {
      set_thread_count(threads);
      const auto other = found<std::uint16_t>(places, 100, construction, 50);
      EXPECT_EQ(other.lives, wanted.lives) << threads;
      expect_same(other, wanted);
    }
  }
  set_thread_count(before);
}

TEST(PixelComponents, OfABallInAShellAreTwoAndOneIsEnclosed) {
  Pixels<std::uint16_t> places({21, 21, 21});
  for (std::int64_t i = 0; i < places.size.count(); ++i) {
    const std::int64_t z = i / 441 - 10;
    const std::int64_t x = i / 21 % 21 - 10;
    const std::int64_t y = i % 21 - 10;
    const std::int64_t r = z * z + x * x + y * y;
    places.values[static_cast<std::size_t>(i)] = r <= 9 || (r >= 36 && r <= 81) ? 0 : 1;
  }
  for (const Construction construction : kBoth) {
    const auto shell = found<std::uint8_t>(places, 2, construction, 5);
    EXPECT_EQ(shell.pieces, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(shell.enclosed, (std::vector<std::int64_t>{1, 0}));
    ASSERT_EQ(shell.lives.size(), 2U);
    EXPECT_EQ(shell.lives[1].size, 123U);  // voxels within 3 of the middle
  }
}

TEST(PixelComponents, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const PlaceRows<std::uint8_t> rows = [](std::int64_t, std::int64_t, std::span<std::uint8_t>) {};
  const auto names = rising(2);
  const auto result = find_components<std::uint8_t>({3, 3, 3}, 2, rows, Construction::vertices,
                                                    {5, names}, JobContext(stop.get_token()));
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.error().cancelled());
}

TEST(PixelComponents, OfMoreThanHaveNumbersAreRefused) {
  const PlaceRows<std::uint8_t> rows = [](std::int64_t, std::int64_t, std::span<std::uint8_t>) {};
  const auto result =
      find_components<std::uint8_t>({2048, 1024, 1024}, 2, rows, Construction::vertices, {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message().find("2147483648"), std::string::npos);
}

// What random_access() is made with, and how many levels of values.
using Case = std::tuple<test::RandomAprOptions, int>;

class ParticleComponents : public ::testing::TestWithParam<Case> {};

TEST_P(ParticleComponents, AreThoseOfThePixelsThatTheyStandFor) {
  const auto& [options, levels] = GetParam();
  const auto access = test::random_access(options);
  const auto values = test::random_values(access->count(), options.seed + 1, 0.0F,
                                          static_cast<float>(levels), true);
  const std::vector<std::uint16_t> places(values.begin(), values.end());
  const auto pixels = test::naive_reconstruct(*access, values);
  Pixels<std::uint16_t> painted(pixels.size);
  std::copy(pixels.values.begin(), pixels.values.end(), painted.values.begin());
  const auto names = rising(levels);
  for (const Construction construction : kBoth) {
    const auto native = find_components(*access, places, levels, construction, {kAll, names});
    ASSERT_TRUE(native.ok());
    const auto of_pixels = found<std::uint16_t>(painted, levels, construction, kAll);
    expect_same(*native, of_pixels);
    EXPECT_EQ(native->lives, of_pixels.lives);  // in their order, too
    if (levels < 10) expect_same(of_pixels, test::brute_components(painted, levels, construction));
    const auto without = find_components(*access, places, levels, construction, {});
    ASSERT_TRUE(without.ok());
    EXPECT_EQ(without->pieces, native->pieces);
    EXPECT_EQ(without->enclosed, native->enclosed);
  }
}

std::vector<Case> particle_cases() {
  std::vector<Case> cases;
  std::uint64_t seed = 100;
  for (const Size3 size :
       {Size3{16, 16, 16}, Size3{13, 22, 31}, Size3{1, 40, 27}, Size3{1, 1, 50}, Size3{33, 5, 9}}) {
    for (const bool balanced : {true, false}) {
      for (const double split : {0.0, 0.4, 0.7, 0.9, 1.0}) {
        for (const int levels : {2, 3, 6, 1000}) {
          cases.emplace_back(test::RandomAprOptions{size, seed++, split, balanced}, levels);
        }
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Random, ParticleComponents, ::testing::ValuesIn(particle_cases()),
                         [](const auto& drawn) {
                           return "seed" + std::to_string(std::get<0>(drawn.param).seed);
                         });

TEST(ParticleComponents, AreTheSameForAnyNumberOfThreads) {
  const auto access = test::random_access({{40, 40, 40}, 8, 0.7, true});
  const auto values = test::random_values(access->count(), 3, 0.0F, 50.0F, true);
  const std::vector<std::uint16_t> places(values.begin(), values.end());
  const auto names = rising(50);
  const int before = thread_count();
  for (const Construction construction : kBoth) {
    set_thread_count(1);
    const auto wanted = find_components(*access, places, 50, construction, {20, names});
    ASSERT_TRUE(wanted.ok());
    for (const int threads : {2, 5}) {
      set_thread_count(threads);
      const auto other = find_components(*access, places, 50, construction, {20, names});
      ASSERT_TRUE(other.ok());
      expect_same(*other, *wanted);
      EXPECT_EQ(other->lives, wanted->lives);
    }
  }
  set_thread_count(before);
}

}  // namespace
}  // namespace aprscope
