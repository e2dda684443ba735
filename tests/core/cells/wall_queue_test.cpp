#include "core/cells/wall_queue.hpp"

#include <limits>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "core/image/random.hpp"

namespace aprscope {
namespace {

// Offers come and change by chance; what is left comes out as from a set in order.
void expect_order(double largest, const std::vector<double>& strengths, std::uint64_t seed) {
  const CounterRandom random(seed, 7);
  std::uint64_t drawn = 0;
  const auto draw = [&](std::size_t below) {
    return static_cast<std::size_t>(random.uniform(++drawn) * static_cast<double>(below));
  };
  constexpr std::uint32_t kWalls = 200;
  using Known = std::tuple<double, std::uint64_t, std::uint32_t>;
  std::set<Known> known;
  std::vector<Known> of(kWalls, Known{-1.0, 0, 0});
  std::vector<std::uint32_t> changes(kWalls, 0);
  WallQueue queue(largest);
  const auto change = [&](std::uint32_t wall) {
    known.erase(of[wall]);
    ++changes[wall];
    const double strength = strengths[draw(strengths.size())];
    // Each wall lies between other regions.
    const std::uint64_t regions = 1000 * draw(20) + wall;
    of[wall] = {strength, regions, wall};
    known.insert(of[wall]);
    queue.push({WallQueue::bits_of(strength), regions, wall, changes[wall]});
  };
  const auto holds = [&](const WallQueue::Offer& one) { return changes[one.wall] == one.change; };
  const auto pop = [&] {
    WallQueue::Offer best;
    ASSERT_TRUE(queue.pop(holds, best));
    const auto expected = *known.begin();
    EXPECT_EQ(Known(best.strength(), best.regions, best.wall), expected);
    known.erase(expected);
    of[best.wall] = {-1.0, 0, 0};
    ++changes[best.wall];
  };
  for (std::uint32_t wall = 0; wall < kWalls; ++wall) change(wall);
  for (int step = 0; step < 2000; ++step) {
    if (draw(3) == 0 && !known.empty()) {
      pop();
    } else {
      change(static_cast<std::uint32_t>(draw(kWalls)));
    }
  }
  while (!known.empty()) pop();
  WallQueue::Offer none;
  EXPECT_FALSE(queue.pop(holds, none));
}

TEST(WallQueue, GivesTheWeakestFirst) {
  std::vector<double> strengths;
  for (int i = 0; i < 300; ++i) strengths.push_back(0.25 * i);
  expect_order(75.0, strengths, 1);
  // Few that differ, so that regions decide.
  expect_order(3.0, {0.0, 1.0, 2.0, 3.0}, 2);
}

TEST(WallQueue, TakesStrengthsOfAnySize) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> strengths{0.0,       5e-324, 1e-300, 1e-5,  1.0,
                                      1.0000001, 7.0,    1e30,   1e300, inf};
  for (const double largest : {0.0, 1e-300, 1.0, 1e300, inf}) expect_order(largest, strengths, 3);
}

}  // namespace
}  // namespace aprscope
