// Basins of particles against those of pixels, and against their definition.
#include "core/cells/particle_basins.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/base/system.hpp"
#include "core/cells/particle_basin_tree.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"

namespace aprscope {
namespace {

// Whole numbers, all different.
std::vector<float> shuffled(std::uint64_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  std::shuffle(values.begin(), values.end(), std::mt19937_64(seed));
  return values;
}

struct Found {
  Basins basins;
  BasinTree tree;
};

Found on_particles(const AprAccess& access, const std::vector<float>& values,
                   const BasinRule& rule) {
  auto basins = find_particle_basins(access, values, rule);
  EXPECT_TRUE(basins.ok());
  auto tree = particle_basin_tree(access, values, *basins, rule);
  EXPECT_TRUE(tree.ok());
  return {*std::move(basins), *std::move(tree)};
}

Found on_pixels(const Pixels<float>& image, const BasinRule& rule) {
  auto basins = find_basins(image, rule);
  EXPECT_TRUE(basins.ok());
  auto tree = basin_tree(image, *basins, rule);
  EXPECT_TRUE(tree.ok());
  return {*std::move(basins), *std::move(tree)};
}

TEST(ParticleBasins, AreThoseOfPixelsWhereEachIsAParticle) {
  for (const Size3 size : {Size3{9, 12, 14}, Size3{1, 20, 31}}) {
    const auto access = test::full_access(size);
    Pixels<float> image(size);
    image.values = shuffled(access->count(), 4);
    const std::vector<FloodMarker> markers{{40, 2}, {77, 5}, {130, 2}, {301, 1}};
    for (const Connectivity near : test::kConnectivities) {
      for (const bool bright : {false, true}) {
        for (const auto& some : {std::vector<FloodMarker>(), markers}) {
          const BasinRule rule{near, bright, some};
          const Found pixels = on_pixels(image, rule);
          const Found particles = on_particles(*access, image.values, rule);
          EXPECT_EQ(particles.basins.labels, pixels.basins.labels);
          EXPECT_EQ(particles.basins.floors, pixels.basins.floors);
          EXPECT_EQ(particles.basins.sizes, pixels.basins.sizes);
          EXPECT_EQ(particles.basins.markers, pixels.basins.markers);
          EXPECT_EQ(particles.tree.passes, pixels.tree.passes);
        }
      }
    }
  }
}

std::vector<float> sorted(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<float> heights(const BasinTree& tree) {
  std::vector<float> out;
  for (const BasinPass& pass : tree.passes) out.push_back(pass.height);
  return out;
}

// Minima and the heights of the passes between them do not depend on whose basin a cell is.
void expect_minima_of_pixels(const AprAccess& access, const std::vector<float>& values,
                             const BasinRule& rule) {
  const Found pixels = on_pixels(test::painted(access, values), rule);
  const Found particles = on_particles(access, values, rule);
  EXPECT_EQ(sorted(particles.basins.floors), sorted(pixels.basins.floors));
  EXPECT_EQ(heights(particles.tree), heights(pixels.tree));
  EXPECT_EQ(sorted(basin_depths(particles.tree)), sorted(basin_depths(pixels.tree)));
  for (const double depth : {0.5, 2.0, 6.0}) {
    EXPECT_EQ(cut_tree(particles.tree, depth).count, cut_tree(pixels.tree, depth).count);
  }
}

TEST(ParticleBasins, HaveTheMinimaAndPassesOfThePixels) {
  std::uint64_t seed = 3;
  test::each_random_particles([&](const AprAccess& access, const std::vector<std::uint8_t>&) {
    // Few values, so that there are plateaus of all kinds.
    const auto values = test::random_values(access.count(), ++seed, 0, 12, true);
    const bool bright = seed % 2 == 0;
    const Connectivity near = test::kConnectivities[seed % 3];
    expect_minima_of_pixels(access, values, {near, bright, {}});
    expect_minima_of_pixels(access, shuffled(access.count(), seed), {near, bright, {}});
  });
}

// Neighbours of each particle, by its pixels.
std::vector<std::set<std::uint64_t>> neighbours(const AprAccess& access, Connectivity near) {
  const auto map = test::particle_map(access);
  const Size3 n = access.size();
  std::vector<std::set<std::uint64_t>> out(access.count());
  test::each_pixel(n, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    for (const Index3& s : test::steps_of(near)) {
      const Index3 q{z + s.z, x + s.x, y + s.y};
      if (q.z < 0 || q.x < 0 || q.y < 0 || q.z >= n.z || q.x >= n.x || q.y >= n.y) continue;
      const auto a = map.index.at(z, x, y);
      const auto b = map.index.at(q.z, q.x, q.y);
      if (a != b) out[a].insert(b);
    }
  });
  return out;
}

TEST(ParticleBasins, AreWhereTheLowestNeighboursLead) {
  for (const bool balanced : {true, false}) {
    for (const Connectivity near : test::kConnectivities) {
      const auto access = test::random_access({{17, 22, 30}, 5, 0.6, balanced});
      const auto values = shuffled(access->count(), 8);
      const auto around = neighbours(*access, near);
      std::vector<std::size_t> end(values.size());
      for (std::size_t i = 0; i < end.size(); ++i) {
        std::size_t at = i;
        for (bool on = true; on;) {
          std::size_t lowest = at;
          for (const auto other : around[at]) {
            if (values[other] < values[lowest]) lowest = other;
          }
          on = lowest != at;
          at = lowest;
        }
        end[i] = at;
      }
      const Found found = on_particles(*access, values, {near, false, {}});
      // Numbers in the order of first pixels.
      const auto map = test::particle_map(*access);
      std::map<std::size_t, std::uint32_t> number;
      std::map<std::size_t, std::uint64_t> sizes;
      for (const std::uint64_t i : map.index.values) {
        number.emplace(end[i], number.size() + 1);
        ++sizes[end[i]];
      }
      for (std::size_t i = 0; i < end.size(); ++i) {
        ASSERT_EQ(found.basins.labels[i], number[end[i]]);
      }
      for (const auto& [minimum, label] : number) {
        EXPECT_EQ(found.basins.floors[label], values[minimum]);
        EXPECT_EQ(found.basins.sizes[label], sizes[minimum]);
      }
    }
  }
}

TEST(ParticleBasins, ShareAPlateauByDistance) {
  // A row of pixels, low at both ends.
  const auto access = test::full_access({1, 1, 12});
  const std::vector<float> values{0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0};
  const auto basins = find_particle_basins(*access, values, {});
  ASSERT_TRUE(basins.ok());
  EXPECT_EQ(basins->labels, (std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(ParticleBasins, AreNoneWhereItIsInfinitelyHigh) {
  const auto access = test::full_access({1, 1, 7});
  const float wall = std::numeric_limits<float>::infinity();
  const auto basins =
      find_particle_basins(*access, std::vector<float>{3, 2, wall, wall, 1, 1, wall}, {});
  ASSERT_TRUE(basins.ok());
  EXPECT_EQ(basins->labels, (std::vector<std::uint32_t>{1, 1, 0, 0, 2, 2, 0}));
  EXPECT_EQ(basins->sizes, (std::vector<std::uint64_t>{0, 2, 2}));
}

TEST(ParticleBasins, AreTheSameForAnyNumberOfThreads) {
  const auto access = test::random_access({{60, 70, 90}, 5, 0.75, true});
  const auto values = test::random_values(access->count(), 2, 0, 30, true);
  const int threads = thread_count();
  set_thread_count(1);
  const Found one = on_particles(*access, values, {});
  set_thread_count(5);
  const Found five = on_particles(*access, values, {});
  set_thread_count(threads);
  EXPECT_EQ(one.basins.labels, five.basins.labels);
  EXPECT_EQ(one.basins.sizes, five.basins.sizes);
  EXPECT_EQ(one.tree.passes, five.tree.passes);
}

// Walls between the nearest of some points, as a membrane channel shows them.
Volume tissue(const Size3& n) {
  std::mt19937_64 random(11);
  std::vector<Index3> seeds;
  for (int i = 0; i < 8; ++i) {
    const auto below = [&](std::int64_t end) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    seeds.push_back({below(n.z), below(n.x), below(n.y)});
  }
  Pixels<std::uint16_t> image(n);
  test::each_pixel(n, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    double first = 1e9;
    double second = 1e9;
    for (const Index3& s : seeds) {
      const auto d = std::sqrt(static_cast<double>((z - s.z) * (z - s.z) + (x - s.x) * (x - s.x) +
                                                   (y - s.y) * (y - s.y)));
      second = std::min(second, std::max(first, d));
      first = std::min(first, d);
    }
    // Rising from the seed on, so that minima and ways are unique.
    const double wall = std::exp(-(second - first) * (second - first) / 18.0);
    image.at(z, x, y) = static_cast<std::uint16_t>(100 + 20 * first + 2000 * wall);
  });
  Volume out;
  out.pixels = std::move(image);
  return out;
}

TEST(ParticleBasins, OfTissueOverlapThoseOfThePixels) {
  ConversionParameters parameters;
  parameters.rel_error = 0.05F;
  parameters.lambda = 0.0F;
  const auto apr = convert(tissue({80, 80, 80}), parameters);
  ASSERT_TRUE(apr.ok());
  const auto values = apr->main_field()->to_float();
  const AprAccess& access = *apr->access;
  for (const Connectivity near : {Connectivity::faces, Connectivity::corners}) {
    const Found pixels = on_pixels(test::painted(access, values), {near, false, {}});
    const Found particles = on_particles(access, values, {near, false, {}});
    const RegionTable cut = cut_tree(particles.tree, 300.0);
    const RegionTable expected = cut_tree(pixels.tree, 300.0);
    EXPECT_EQ(cut.count, 8U);
    ASSERT_EQ(expected.count, 8U);
    const auto labels = test::painted(access, particles.basins.labels).values;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> common;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ++common[{cut.region[labels[i]], expected.region[pixels.basins.labels[i]]}];
    }
    std::map<std::uint32_t, std::size_t> best;
    for (const auto& [pair, count] : common) {
      best[pair.first] = std::max(best[pair.first], count);
    }
    std::size_t same = 0;
    for (const auto& [region, count] : best) same += count;
    EXPECT_GE(static_cast<double>(same) / static_cast<double>(labels.size()), 0.99);
  }
}

TEST(ParticleBasins, SayWhatIsWrong) {
  const auto access = test::random_access({});
  const auto values = test::random_values(access->count(), 1);
  EXPECT_FALSE(find_particle_basins(*access, std::vector<float>(3), {}).ok());
  const std::vector<FloodMarker> outside{{access->size().count(), 1}};
  EXPECT_FALSE(find_particle_basins(*access, values, {Connectivity::faces, false, outside}).ok());
  const std::vector<FloodMarker> unsorted{{5, 1}, {4, 1}};
  EXPECT_FALSE(find_particle_basins(*access, values, {Connectivity::faces, false, unsorted}).ok());
  std::stop_source source;
  source.request_stop();
  const auto stopped = find_particle_basins(*access, values, {}, JobContext(source.get_token()));
  ASSERT_FALSE(stopped.ok());
  EXPECT_TRUE(stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
