#include "core/projections/project.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/plan_reconstruction.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

std::vector<float> images_of(const std::vector<float>& map, const ProjectionTable& table,
                             const ProjectSettings& settings = {}) {
  std::vector<float> all;
  const Status ok = project(map, table.side, table, settings,
                            [&](std::int64_t, std::span<const float> images) -> Status {
                              all.insert(all.end(), images.begin(), images.end());
                              return {};
                            });
  EXPECT_TRUE(ok.ok()) << (ok.ok() ? "" : ok.error().message());
  return all;
}

// exp(−r² ÷ 2σ²) at a point, in voxels from the centre.
std::vector<float> atom(std::int64_t n, const Vector3& at, double sigma) {
  std::vector<float> map;
  for (std::int64_t z = -(n / 2); z < n - n / 2; ++z) {
    for (std::int64_t y = -(n / 2); y < n - n / 2; ++y) {
      for (std::int64_t x = -(n / 2); x < n - n / 2; ++x) {
        const double r2 = std::pow(static_cast<double>(x) - at[0], 2) +
                          std::pow(static_cast<double>(y) - at[1], 2) +
                          std::pow(static_cast<double>(z) - at[2], 2);
        map.push_back(static_cast<float>(std::exp(-r2 / (2 * sigma * sigma))));
      }
    }
  }
  return map;
}

// Handedness, centre, shift and mirror from the closed form: a Gaussian at (A p)x, (A p)y.
TEST(Project, AGaussianFallsWhereItsCentreDoes) {
  constexpr double sigma = 1.6;
  for (const std::int64_t n : {24, 25}) {
    const Vector3 p{3, -4, 2};
    ProjectionTable table = uniform_projections(n, 1.0, 4, 5);
    table.rows[1].shift_x = 1.5;
    table.rows[1].shift_y = -2.25;
    table.rows[2].mirrored = true;
    table.rows[3].mirrored = true;
    table.rows[3].shift_x = 2.5;
    const std::vector<float> images = images_of(atom(n, p, sigma), table);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Projection& row = table.rows[i];
      // Along the angles as they stand. The image, mirrored where the row says so and then moved by
      // the shift, is the projection: so the peak lies there the other way round.
      const Vector3 q = from_euler(row.rot, row.tilt, row.psi) * p;
      const double cx = row.mirrored ? -(q[0] - row.shift_x) : q[0] - row.shift_x;
      const double cy = q[1] - row.shift_y;
      double worst = 0;
      for (std::int64_t y = 0; y < n; ++y) {
        for (std::int64_t x = 0; x < n; ++x) {
          const double r2 =
              std::pow(test::from_middle(x, n) - cx, 2) + std::pow(test::from_middle(y, n) - cy, 2);
          const double expected =
              std::sqrt(2 * std::numbers::pi) * sigma * std::exp(-r2 / (2 * sigma * sigma));
          const std::size_t at =
              i * static_cast<std::size_t>(n * n) + static_cast<std::size_t>(y * n + x);
          worst = std::max(worst, std::abs(images[at] - expected));
        }
      }
      EXPECT_LT(worst, .12) << "image " << i << " of side " << n;  // 3 % of its peak of 4
    }
  }
}

// What is round looks alike from everywhere, so that only the CTF is left of the image: that of the
// image as it lies in the stack, mirrored or not.
TEST(Project, TheCtfIsThatOfTheImageInTheStack) {
  constexpr std::int64_t n = 32;
  ProjectionTable table = uniform_projections(n, 2.0, 3, 3);
  table.optics[0].voltage_kv = 300;
  table.optics[0].spherical_aberration_mm = 2.7;
  table.optics[0].amplitude_contrast = .1;
  for (Projection& row : table.rows) {
    row.defocus_u = 6000;
    row.defocus_v = 3000;
    row.defocus_angle = 30;
  }
  table.rows[1].mirrored = true;
  table.rows[2].defocus_angle = -30;
  ProjectSettings settings;
  settings.ctf = true;
  const std::vector<float> images = images_of(atom(n, {0, 0, 0}, 1.6), table, settings);
  double mirrored = 0;
  double turned = 0;
  for (std::size_t i = 0; i < n * n; ++i) {
    mirrored = std::max<double>(mirrored, std::abs(images[n * n + i] - images[i]));
    turned = std::max<double>(turned, std::abs(images[2 * n * n + i] - images[i]));
  }
  EXPECT_GT(turned, .2);
  EXPECT_LT(mirrored, .05);
}

// ⟨P x, y⟩ = ⟨x, Pᵀ y⟩, with shifts, a mirrored image and a CTF.
TEST(Project, IsTheTransposeOfTheInsertion) {
  constexpr std::int64_t n = 16;
  ProjectionTable table = uniform_projections(n, 1.5, 5, 9);
  table.optics[0].voltage_kv = 300;
  table.optics[0].spherical_aberration_mm = 2.7;
  table.optics[0].amplitude_contrast = .1;
  for (Projection& row : table.rows) {
    row.defocus_u = 9000;
    row.defocus_v = 8000;
    row.defocus_angle = 20;
    row.shift_x = .7;
    row.shift_y = -1.2;
  }
  table.rows[2].mirrored = true;
  const CounterRandom random(11, 0);
  std::vector<float> x(n * n * n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(random.normal(i));
  std::vector<float> y(5 * n * n);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(random.normal(90000 + i));

  ProjectSettings settings;
  settings.ctf = true;
  const std::vector<float> images = images_of(x, table, settings);
  double left = 0;
  for (std::size_t i = 0; i < y.size(); ++i) left += static_cast<double>(images[i]) * y[i];

  auto plan = plan_reconstruction(table, {.symmetry = "C1", .halves = Halves::none});
  ASSERT_TRUE(plan.ok());
  InsertionPlan& insertion = plan->insertion;
  insertion.tiles = FrequencyTiles(insertion.padded / 2 - 1, 8);
  auto inserter = make_cpu_inserter(insertion, {});
  ASSERT_TRUE(inserter.ok());
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    terms.push_back(image_terms(table, table.rows[i], insertion, false));
    add_samples(*plan, table.rows[i], terms.back(), static_cast<std::int32_t>(i), 0, samples);
  }
  ASSERT_TRUE((*inserter)->insert(y, terms, samples, {}).ok());
  const auto sums = (*inserter)->take(0);
  const auto back = tile_map(insertion.tiles, *sums, TileValue::complex, insertion.padded, n,
                             insertion.tiles.reach(), insertion.blob);
  ASSERT_TRUE(back.ok());
  double right = 0;
  for (std::size_t i = 0; i < x.size(); ++i) right += static_cast<double>(x[i]) * (*back)[i];
  // The transforms of images are not scaled on the way back: padded² and padded³ differ.
  right *= static_cast<double>(insertion.padded) / slab_integral(insertion.slab);
  EXPECT_NEAR(left / right, 1, 1e-4);
}

TEST(Project, NoiseIsTheSameForAnyNumberOfThreads) {
  const ProjectionTable table = uniform_projections(16, 1.0, 9, 2);
  const std::vector<float> map(16 * 16 * 16, 0.0F);
  ProjectSettings settings;
  settings.noise = 2;
  const int before = thread_count();
  set_thread_count(1);
  const std::vector<float> one = images_of(map, table, settings);
  set_thread_count(3);
  EXPECT_EQ(images_of(map, table, settings), one);
  set_thread_count(before);
  double square = 0;
  for (const float v : one) square += static_cast<double>(v) * v;
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(one.size())), 2, .1);
}

TEST(Project, WhatDoesNotFitIsAnError) {
  const auto sink = [](std::int64_t, std::span<const float>) -> Status { return {}; };
  const ProjectionTable table = uniform_projections(16, 1.0, 2, 2);
  const std::vector<float> map(16 * 16 * 16);
  EXPECT_FALSE(project(map, 17, table, {}, sink).ok());
  EXPECT_FALSE(project(std::vector<float>(27), 3, table, {}, sink).ok());
  ProjectSettings settings;
  settings.ctf = true;
  const Status none = project(map, 16, table, settings, sink);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message().find("CTF"), std::string::npos);
  settings.ctf = false;
  const Status stopped =
      project(map, 16, table, settings, [](std::int64_t, std::span<const float>) -> Status {
        return Error{"disk full", "stack", "make room"};
      });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().what, "disk full");
}

}  // namespace
}  // namespace aprscope
