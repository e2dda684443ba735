#include "core/projections/phantom.hpp"

#include <cmath>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/support/from_middle.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

double height(const Atom& atom, const Vector3& at) {
  double squared = 0.0;
  for (std::size_t i = 0; i < 3; ++i) squared += std::pow(at[i] - atom.at[i], 2.0);
  return atom.weight * std::exp(-squared / (2.0 * atom.sigma * atom.sigma));
}

TEST(Phantom, AMapHasTheDensityOfItsAtoms) {
  const std::vector<Atom> atoms{{{3.2, -1.5, 0.7}, 1.1, 0.8}, {{-9.0, 4.0, 2.5}, 0.9, 1.3}};
  for (const std::int64_t n : {20, 21}) {
    const auto map = phantom_map(atoms, n);
    for (std::int64_t z = 0; z < n; z += 3) {
      for (std::int64_t y = 0; y < n; y += 2) {
        for (std::int64_t x = 0; x < n; ++x) {
          const Vector3 at{test::from_middle(x, n), test::from_middle(y, n),
                           test::from_middle(z, n)};
          const double expected = height(atoms[0], at) + height(atoms[1], at);
          EXPECT_NEAR(map[static_cast<std::size_t>((z * n + y) * n + x)], expected, 1e-6);
        }
      }
    }
  }
}

// Along an axis of the grid the integral is the sum over voxels, to rounding for σ near 1.
TEST(Phantom, AProjectionIsTheMapSummedAlongTheView) {
  const std::int64_t n = 32;
  const auto atoms =
      random_molecule({.atoms = 30, .half_axes = {8, 6, 7}, .sigma = 1.2, .seed = 5});
  const auto map = phantom_map(atoms, n);
  std::vector<float> image(static_cast<std::size_t>(n * n));
  phantom_projection(atoms, Rotation{}, n, 0, 0, image);
  for (std::int64_t y = 0; y < n; ++y) {
    for (std::int64_t x = 0; x < n; ++x) {
      double sum = 0.0;
      for (std::int64_t z = 0; z < n; ++z)
        sum += map[static_cast<std::size_t>((z * n + y) * n + x)];
      EXPECT_NEAR(image[static_cast<std::size_t>(y * n + x)], sum, 1e-5 * (1.0 + sum));
    }
  }
}

TEST(Phantom, AnAtomFallsWhereTheRotationSaysLessTheShift) {
  const Rotation view = from_euler(30, 60, 45);
  const std::vector<Atom> atom{{{5, -2, 3}, 1.0, 1.0}};
  const Vector3 p = view * atom[0].at;
  for (const std::int64_t n : {24, 25}) {
    std::vector<float> image(static_cast<std::size_t>(n * n));
    phantom_projection(atom, view, n, 1.5, -0.75, image);
    double sum = 0.0;
    double x = 0.0;
    double y = 0.0;
    for (std::int64_t i = 0; i < n * n; ++i) {
      const double v = image[static_cast<std::size_t>(i)];
      sum += v;
      x += v * test::from_middle(i % n, n);
      y += v * test::from_middle(i / n, n);
    }
    EXPECT_NEAR(sum, std::pow(2.0 * M_PI, 1.5), 1e-4);
    EXPECT_NEAR(x / sum, p[0] - 1.5, 1e-4);
    EXPECT_NEAR(y / sum, p[1] + 0.75, 1e-4);
  }
}

TEST(Phantom, AMoleculeIsCompactAndHasItsSymmetry) {
  MoleculeSettings settings{.atoms = 120, .half_axes = {9, 8, 7}, .seed = 3};
  const auto plain = random_molecule(settings);
  ASSERT_EQ(plain.size(), 120U);
  std::size_t outside = 0;
  for (const Atom& atom : plain) {
    const double r = std::hypot(atom.at[0] / 9, atom.at[1] / 8, atom.at[2] / 7);
    if (r > 1.0) ++outside;
    EXPECT_LT(r, 2.0);
  }
  EXPECT_LT(outside, 12U);
  settings.seed = 4;
  EXPECT_NE(random_molecule(settings).back().at, plain.back().at);

  const Rotation quarter = from_euler(90, 0, 0);
  settings.symmetry = {Rotation{}, quarter, quarter * quarter, quarter * quarter * quarter};
  settings.centre = {3, 2, 0};
  const auto turned = random_molecule(settings);
  ASSERT_EQ(turned.size(), 480U);
  const std::int64_t n = 33;
  const auto map = phantom_map(turned, n);
  for (std::int64_t i = 0; i < n * n; ++i) {
    // (x, y) → (−y, x) about the centre.
    const std::int64_t x = i % n;
    const std::int64_t y = i / n;
    const auto plane = static_cast<std::size_t>(n * n * (n / 2));
    EXPECT_NEAR(map[plane + static_cast<std::size_t>(i)],
                map[plane + static_cast<std::size_t>(x * n + (n - 1 - y))], 1e-5);
  }
}

TEST(Phantom, AProjectionIsTheImageOfTheSevenfoldSet) {
  APRSCOPE_NEEDS_DATA();
  // The first image of the stack (f32), computed by another program from these atoms.
  std::vector<Atom> unit;
  std::ifstream atoms(test::data_dir() / "cryo" / "d7_atoms.csv");
  std::string line;
  std::getline(atoms, line);
  while (std::getline(atoms, line)) {
    Atom a;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf", &a.at[0], &a.at[1], &a.at[2],
                          &a.sigma, &a.weight),
              5);
    unit.push_back(a);
  }
  std::vector<Atom> all;
  for (int turn = 0; turn < 7; ++turn) {
    for (const bool over : {false, true}) {
      const Rotation half{{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}};
      for (const Atom& a : unit) {
        const Vector3 p = over ? half * a.at : a.at;
        all.push_back({from_euler(turn * 360.0 / 7.0, 0, 0) * p, a.sigma, a.weight});
      }
    }
  }
  std::vector<float> stored(64 * 64);
  std::ifstream stack(test::data_dir() / "cryo" / "d7.mrcs", std::ios::binary);
  stack.seekg(1024);
  stack.read(reinterpret_cast<char*>(stored.data()), 4 * 64 * 64);
  std::vector<float> image(64 * 64);
  phantom_projection(all, from_euler(106.918231, 137.365913, 43.469630), 64, 0, 0, image);
  const float most = *std::max_element(stored.begin(), stored.end());
  for (std::size_t i = 0; i < image.size(); ++i) {
    ASSERT_NEAR(image[i], stored[i], 1e-4 * most) << i;
  }
}

TEST(PhantomSet, RowsDependOnTheirNumberAlone) {
  ProjectionSetSettings settings{.images = 400,
                                 .side = 32,
                                 .shift = 2.0,
                                 .least_defocus = 8000,
                                 .most_defocus = 24000,
                                 .astigmatism = 900};
  const ProjectionTable table = random_projection_table(settings);
  ASSERT_EQ(table.rows.size(), 400U);
  EXPECT_TRUE(table.has_ctf());
  EXPECT_TRUE(table.has_halves());
  double height = 0.0;
  double shift = 0.0;
  for (const Projection& row : table.rows) {
    height += std::cos(row.tilt * M_PI / 180.0);
    shift += row.shift_x * row.shift_x;
    EXPECT_GE(row.defocus_u, 8000.0);
    EXPECT_LE(row.defocus_u, 24000.0);
    EXPECT_LE(row.defocus_v, row.defocus_u);
  }
  EXPECT_NEAR(height / 400, 0.0, 0.1);  // 3.5 standard errors
  EXPECT_NEAR(std::sqrt(shift / 400), 2.0, 0.3);
  settings.images = 10;
  const ProjectionTable few = random_projection_table(settings);
  EXPECT_EQ(few.rows[7].rot, table.rows[7].rot);

  settings.images = 400;
  settings.preferred = 1.0;
  for (const Projection& row : random_projection_table(settings).rows) {
    EXPECT_GT(std::abs(std::cos(row.tilt * M_PI / 180.0)), 0.849);
  }
}

TEST(PhantomSet, ImagesAreTheSameForAnyThreadsAndBatches) {
  const auto atoms = random_molecule({.atoms = 20, .half_axes = {6, 6, 6}});
  const auto set = phantom_projections(
      atoms, random_projection_table({.images = 24, .side = 48, .shift = 1.0}), 0.5, 9);
  const std::size_t pixels = 48 * 48;
  std::vector<float> all(24 * pixels);
  const int before = thread_count();
  set_thread_count(3);
  ASSERT_TRUE(set.images->read(set.table.rows, all, {}));
  set_thread_count(1);
  std::vector<float> one(pixels);
  ASSERT_TRUE(set.images->read(std::span(set.table.rows).subspan(17, 1), one, {}));
  set_thread_count(before);
  EXPECT_TRUE(std::equal(one.begin(), one.end(), all.begin() + 17 * pixels));

  std::vector<float> clean(pixels);
  const Projection& row = set.table.rows[17];
  phantom_projection(atoms, orientation_of(row), 48, row.shift_x, row.shift_y, clean);
  double squares = 0.0;
  for (std::size_t i = 0; i < pixels; ++i) squares += std::pow(one[i] - clean[i], 2.0);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(pixels)), 0.5, 0.03);
}

}  // namespace
}  // namespace aprscope
