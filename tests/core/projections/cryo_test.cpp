#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/backproject.hpp"
#include "core/projections/shells.hpp"
#include "tests/core/projections/cryo_data.hpp"

// Whole sets against the truth, beside maps that relion_reconstruct 3.1.3 made of the same images.
namespace aprscope {
namespace {

constexpr std::int64_t kSide = 64;

// As RELION leaves its maps: outside a ball of half the side (an edge of 3 voxels) the mean of what
// is there.
void mask(std::vector<float>& map) {
  constexpr std::int64_t c = kSide / 2;
  std::vector<double> inside;
  double sum = 0;
  double weight = 0;
  std::size_t i = 0;
  for (std::int64_t z = -c; z < c; ++z) {
    for (std::int64_t y = -c; y < c; ++y) {
      for (std::int64_t x = -c; x < c; ++x, ++i) {
        const double r = std::sqrt(static_cast<double>(x * x + y * y + z * z));
        const double t = std::clamp((r - static_cast<double>(c)) / 3, 0.0, 1.0);
        inside.push_back(.5 + .5 * std::cos(3.14159265358979 * t));
        sum += (1 - inside.back()) * map[i];
        weight += 1 - inside.back();
      }
    }
  }
  for (i = 0; i < map.size(); ++i) {
    map[i] = static_cast<float>(inside[i] * map[i] + (1 - inside[i]) * sum / weight);
  }
}

struct Curves {
  std::vector<double> ours, relion;
};

// Correlations to the truth.
Curves curves(const std::string& name, std::vector<float> map) {
  std::vector<float> truth = test::mrc_values(test::cryo_dir() / (name + "_truth.mrc"));
  const std::vector<float> relion = test::mrc_values(test::cryo_dir() / (name + "_relion.mrc"));
  mask(map);
  mask(truth);
  return {map_shell_correlation(map, truth, kSide).value(),
          map_shell_correlation(relion, truth, kSide).value()};
}

void expect_not_worse(const Curves& c, double by) {
  for (std::size_t s = 3; s <= 31; ++s) EXPECT_GE(c.ours[s], c.relion[s] - by) << "shell " << s;
}

// A third of RELION's error up to ¾ of Nyquist.
void expect_a_third(const Curves& c) {
  for (std::size_t s = 3; s <= 24; ++s) {
    EXPECT_LE(1 - c.ours[s], (1 - c.relion[s]) / 3) << "shell " << s;
  }
}

TEST(CryoSets, CleanByDivision) {
  APRSCOPE_NEEDS_DATA();
  const auto map = backproject(test::cryo_set("clean.star"), {});
  ASSERT_TRUE(map.ok()) << map.error().message();
  EXPECT_EQ(map->images, 1000);
  EXPECT_TRUE(map->notes.empty());
  expect_not_worse(curves("clean", map->map), 2e-5);
  EXPECT_GT(map->fsc[24], .998);
}

TEST(CryoSets, CleanByLeastSquares) {
  APRSCOPE_NEEDS_DATA();
  BackprojectSettings settings;
  settings.solve = Solve::least_squares;
  settings.halves = Halves::none;
  const auto map = backproject(test::cryo_set("clean.star"), settings);
  ASSERT_TRUE(map.ok()) << map.error().message();
  const Curves c = curves("clean", map->map);
  expect_not_worse(c, 2e-5);
  expect_a_third(c);
}

TEST(CryoSets, NoisyWithCtf) {
  APRSCOPE_NEEDS_DATA();
  const auto map = backproject(test::cryo_set("ctf.star"), {});
  ASSERT_TRUE(map.ok()) << map.error().message();
  const Curves c = curves("ctf", map->map);
  double mean = 0;
  for (std::size_t s = 1; s <= 31; ++s) {
    mean += (c.ours[s] - c.relion[s]) / 31;
    if (c.relion[s] > .1) {
      EXPECT_GE(c.ours[s], c.relion[s] - .001) << "shell " << s;
    }
  }
  EXPECT_GE(mean, .01);

  // The halves, beside RELION's.
  std::vector<float> one = map->half1;
  std::vector<float> two = map->half2;
  mask(one);
  mask(two);
  const auto halves = map_shell_correlation(one, two, kSide);
  ASSERT_TRUE(halves.ok());
  std::ifstream in(test::cryo_dir() / "ctf_fsc.csv");
  std::string line;
  double gain = 0;
  int shells = 0;
  while (std::getline(in, line)) {
    int s = 0;
    double to_truth = 0;
    double relion = 0;
    if (std::sscanf(line.c_str(), "%d,%lf,%lf", &s, &to_truth, &relion) != 3) continue;
    if (s < 1 || s > 31) continue;
    const double ours = (*halves)[static_cast<std::size_t>(s)];
    gain += ours - relion;
    ++shells;
    if (relion > .1) {
      EXPECT_GE(ours, relion - .001) << "shell " << s;
    }
  }
  ASSERT_EQ(shells, 31);
  EXPECT_GE(gain / shells, .01);
}

// What the CTF is used for shows: without it, and with phases alone, the map is worse.
TEST(CryoSets, TheCtfMatters) {
  APRSCOPE_NEEDS_DATA();
  const Projections set = test::cryo_set("ctf.star");
  const auto at_twelve = [&](CtfUse use) {
    BackprojectSettings settings;
    settings.ctf = use;
    settings.halves = Halves::none;
    const auto map = backproject(set, settings);
    EXPECT_TRUE(map.ok());
    return curves("ctf", map->map).ours[12];
  };
  const double with = at_twelve(CtfUse::automatic);
  EXPECT_DOUBLE_EQ(with, at_twelve(CtfUse::ctf));
  EXPECT_GT(with, at_twelve(CtfUse::none) + .1);
  EXPECT_GT(with, at_twelve(CtfUse::xmipp) + .001);
}

TEST(CryoSets, WithSymmetry) {
  APRSCOPE_NEEDS_DATA();
  for (const auto& [file, name, symmetry] :
       {std::tuple{"d7.star", "d7", "D7"}, std::tuple{"ico.xmd", "ico", "I2"}}) {
    BackprojectSettings settings;
    settings.symmetry = symmetry;
    const auto map = backproject(test::cryo_set(file), settings);
    ASSERT_TRUE(map.ok()) << map.error().message();
    ASSERT_EQ(map->notes.size(), 1U);  // halves are odd and even rows
    expect_not_worse(curves(name, map->map), 2e-5);
    // These are to scale.
    const std::vector<float> truth =
        test::mrc_values(test::cryo_dir() / (std::string(name) + "_truth.mrc"));
    double both = 0;
    double one = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      both += static_cast<double>(truth[i]) * map->map[i];
      one += static_cast<double>(truth[i]) * truth[i];
    }
    EXPECT_NEAR(both / one, 1, .02) << name;
    settings.solve = Solve::least_squares;
    settings.iterations = 10;
    settings.halves = Halves::none;
    const auto least = backproject(test::cryo_set(file), settings);
    ASSERT_TRUE(least.ok());
    expect_a_third(curves(name, least->map));
  }
}

}  // namespace
}  // namespace aprscope
