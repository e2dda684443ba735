#include "core/maps/shells.hpp"

#include <complex>
#include <cstdio>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/maps/map_spectrum.hpp"
#include "core/projections/phantom.hpp"
#include "tests/core/maps/test_maps.hpp"

namespace aprscope {
namespace {

using test::noise_map;

// A transform of single frequencies in f64, all of them.
std::vector<std::complex<double>> slow_transform(const std::vector<float>& map, std::int64_t n) {
  std::vector<std::complex<double>> now(map.begin(), map.end());
  std::vector<std::complex<double>> next(now.size());
  const double turn = -2.0 * std::numbers::pi / static_cast<double>(n);
  std::int64_t stride = 1;
  for (int axis = 0; axis < 3; ++axis, stride *= n) {
    for (std::int64_t i = 0; i < n * n * n; ++i) {
      const std::int64_t k = i / stride % n;
      const std::int64_t first = i - k * stride;
      std::complex<double> sum;
      for (std::int64_t j = 0; j < n; ++j) {
        sum += now[static_cast<std::size_t>(first + j * stride)] *
               std::polar(1.0, turn * static_cast<double>(j * k % n));
      }
      next[static_cast<std::size_t>(i)] = sum;
    }
    now.swap(next);
  }
  return now;
}

struct SlowShells {
  std::vector<double> fsc;
  std::vector<double> amplitude;
};

SlowShells slow_shells(const std::vector<float>& a, const std::vector<float>& b, std::int64_t n) {
  const auto fa = slow_transform(a, n);
  const auto fb = slow_transform(b, n);
  const auto shells = static_cast<std::size_t>(n / 2 + 1);
  std::vector<double> ab(shells), aa(shells), bb(shells), size(shells), count(shells);
  const auto q = [&](std::int64_t i) { return static_cast<double>(i <= n / 2 ? i : i - n); };
  for (std::int64_t i = 0; i < n * n * n; ++i) {
    const double r = std::hypot(q(i / n / n), q(i / n % n), q(i % n));
    const auto s = static_cast<std::size_t>(std::lround(r));
    if (s >= shells) continue;
    const auto u = fa[static_cast<std::size_t>(i)];
    const auto v = fb[static_cast<std::size_t>(i)];
    ab[s] += (u * std::conj(v)).real();
    aa[s] += std::norm(u);
    bb[s] += std::norm(v);
    size[s] += std::abs(u);
    count[s] += 1;
  }
  SlowShells out{ab, size};
  for (std::size_t s = 0; s < shells; ++s) {
    out.fsc[s] /= std::sqrt(aa[s] * bb[s]);
    out.amplitude[s] /= count[s];
  }
  return out;
}

TEST(Shells, EqualSumsOverAllFrequenciesOfEvenAndOddSides) {
  for (const std::int64_t n : {8, 9, 14, 17}) {
    const auto a = noise_map(n, 1);
    auto b = noise_map(n, 2);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = 0.5F * b[i] + a[i];
    const auto slow = slow_shells(a, b, n);
    const auto fsc = shell_correlation(a, b, n);
    ASSERT_TRUE(fsc) << fsc.error().message();
    ASSERT_EQ(fsc->size(), slow.fsc.size());
    const auto spectrum = MapSpectrum::of(a, n);
    ASSERT_TRUE(spectrum);
    const auto amplitude = radial_amplitude(*spectrum);
    for (std::size_t s = 0; s < fsc->size(); ++s) {
      EXPECT_NEAR((*fsc)[s], slow.fsc[s], 2e-6) << "side " << n << ", shell " << s;
      EXPECT_NEAR(amplitude[s] / slow.amplitude[s], 1.0, 2e-6) << "side " << n << ", shell " << s;
    }
  }
}

TEST(Shells, CorrelationKnowsNeitherScaleNorThreads) {
  const std::int64_t n = 64;
  const auto a = noise_map(n, 3);
  auto b = a;
  for (float& v : b) v *= -3.0F;
  const auto minus = shell_correlation(a, b, n);
  ASSERT_TRUE(minus);
  for (const double c : *minus) EXPECT_NEAR(c, -1.0, 1e-6);

  const auto other = noise_map(n, 4);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = shell_correlation(a, other, n);
  set_thread_count(3);
  const auto three = shell_correlation(a, other, n);
  set_thread_count(before);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(*one, *three);
}

TEST(Shells, AnEmptyMapHasNoCorrelation) {
  const std::vector<float> nothing(512, 0.0F);
  const auto fsc = shell_correlation(nothing, noise_map(8, 1), 8);
  ASSERT_TRUE(fsc);
  for (const double c : *fsc) EXPECT_EQ(c, 0.0);
  EXPECT_FALSE(shell_correlation(nothing, nothing, 9));
}

TEST(Shells, CorrelationEqualsTheTablesOfTheSets) {
  APRSCOPE_NEEDS_DATA();
  for (const std::string set : {"clean", "ctf", "d7", "ico"}) {
    const auto truth = test::read_test_map(set + "_truth.mrc");
    const auto relion = test::read_test_map(set + "_relion.mrc");
    EXPECT_NEAR(truth.voxel, 2.5, 1e-6);
    const auto fsc = shell_correlation(relion.values, truth.values, truth.side);
    ASSERT_TRUE(fsc);
    const auto table = test::read_test_curve(
        set + "_fsc.csv", set == "clean" || set == "ctf" ? "relion_vs_truth" : "relion_sym");
    ASSERT_EQ(fsc->size(), table.size()) << set;
    for (std::size_t s = 0; s < table.size(); ++s) {
      // The tables are of maps in f64, the files hold them in f16: what that adds shows at Nyquist.
      const double rounding = s + 1 == table.size() ? 2e-4 : 1e-4;
      EXPECT_NEAR((*fsc)[s], table[s], rounding) << set << ", shell " << s;
    }
  }
}

// Another program summed the same atoms; the file is in f16.
TEST(Shells, TheTruthOfASetIsTheMapOfItsAtoms) {
  APRSCOPE_NEEDS_DATA();
  std::vector<Atom> atoms;
  std::ifstream in(test::data_dir() / "cryo" / "clean_atoms.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    Atom a;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf", &a.at[0], &a.at[1], &a.at[2],
                          &a.sigma, &a.weight),
              5);
    atoms.push_back(a);
  }
  const auto truth = test::read_test_map("clean_truth.mrc");
  const auto map = phantom_map(atoms, truth.side);
  for (std::size_t i = 0; i < map.size(); ++i) {
    ASSERT_NEAR(map[i], truth.values[i], 1e-3F * map[i] + 1e-5F) << i;
  }
  const auto relion = test::read_test_map("clean_relion.mrc");
  const auto fsc = shell_correlation(relion.values, map, truth.side);
  ASSERT_TRUE(fsc);
  const auto table = test::read_test_curve("clean_fsc.csv", "relion_vs_truth");
  for (std::size_t s = 0; s < table.size(); ++s) EXPECT_NEAR((*fsc)[s], table[s], 1e-4) << s;
}

TEST(Shells, ACurveCrossesOnTheLineBetweenItsShells) {
  const std::vector<double> curve{1.0, 1.0, 0.9, 0.1, 0.6, 0.0};
  // .5 lies half way between shells 2 and 3 of 10 voxels of 2 Å.
  EXPECT_DOUBLE_EQ(*crossing(curve, 0.5, 10, 2.0), 20.0 / 2.5);
  EXPECT_NEAR(*crossing(curve, 0.143, 10, 2.0), 20.0 / (3.0 - 0.043 / 0.8), 1e-12);
  EXPECT_FALSE(crossing(curve, -0.1, 10, 2.0));
  const std::vector<double> low{1.0, 0.1, 0.0};
  EXPECT_DOUBLE_EQ(*crossing(low, 0.5, 4, 2.0), 8.0);
}

}  // namespace
}  // namespace aprscope
