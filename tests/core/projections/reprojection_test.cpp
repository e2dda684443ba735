#include "core/projections/reprojection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"
#include "core/projections/ctf.hpp"
#include "core/projections/phantom.hpp"
#include "core/projections/project.hpp"
#include "tests/core/projections/cryo_data.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 32;

// Images of a molecule of Gaussian atoms in closed form, and its map: none of them from project().
struct Sample {
  std::vector<float> map;
  Projections set;
};

Sample sample(std::int64_t images) {
  MoleculeSettings molecule;
  molecule.atoms = 60;
  molecule.half_axes = {10.0, 7.5, 5.5};
  molecule.step = 1.8;
  molecule.sigma = 1.3;
  const std::vector<Atom> atoms = random_molecule(molecule);
  ProjectionSetSettings drawn;
  drawn.images = images;
  drawn.side = kSide;
  drawn.pixel_size = 2.0;
  drawn.shift = 1.0;
  const Projections made = phantom_projections(atoms, random_projection_table(drawn));
  std::vector<float> values(static_cast<std::size_t>(images * kSide * kSide));
  EXPECT_TRUE(made.images->read(made.table.rows, values, {}).ok());
  return {phantom_map(atoms, kSide),
          {made.table, std::make_shared<test::MemoryImages>(kSide, std::move(values))}};
}

TEST(Reprojection, TheRightImageAgreesAndAnotherDoesNot) {
  Sample one = sample(12);
  for (std::size_t row = 0; row < one.set.table.rows.size(); ++row) {
    const auto made = reproject(one.map, kSide, one.set, row);
    ASSERT_TRUE(made.ok()) << made.error().message();
    EXPECT_GT(made->correlation, 0.99) << row;
    // The grey values are those of the image, too: nothing is scaled.
    const double most = *std::max_element(made->image.begin(), made->image.end());
    double worst = 0.0;
    for (std::size_t i = 0; i < made->image.size(); ++i) {
      worst = std::max<double>(worst, std::abs(made->image[i] - made->projection[i]));
    }
    EXPECT_LT(worst, 0.1 * most) << row;
  }
  // Orientations of the neighbours.
  std::rotate(one.set.table.rows.begin(), one.set.table.rows.begin() + 1, one.set.table.rows.end());
  for (std::size_t i = 0; i < one.set.table.rows.size(); ++i) {
    one.set.table.rows[i].image = static_cast<std::int64_t>(i);
  }
  const auto wrong = reprojection_correlations(one.map, kSide, one.set);
  ASSERT_TRUE(wrong.ok()) << wrong.error().message();
  for (const double each : *wrong) EXPECT_LT(each, 0.97);
}

// A spectrum that is kept gives the same numbers as one that is made for the image.
TEST(Reprojection, OfAPreparedMapIsTheSame) {
  const Sample one = sample(3);
  const auto prepared = PreparedMap::create(one.map, kSide, {});
  ASSERT_TRUE(prepared.ok());
  EXPECT_EQ(prepared->side(), kSide);
  EXPECT_GE(prepared->bytes(), 8 * kSide * kSide * kSide * sizeof(float));
  for (const std::size_t row : {std::size_t{2}, std::size_t{0}}) {
    const auto kept = reproject(*prepared, one.set, row);
    const auto anew = reproject(one.map, kSide, one.set, row);
    ASSERT_TRUE(kept.ok());
    ASSERT_TRUE(anew.ok());
    EXPECT_EQ(kept->projection, anew->projection);
    EXPECT_EQ(kept->image, anew->image);
    EXPECT_EQ(kept->correlation, anew->correlation);
  }
  EXPECT_FALSE(reproject(*prepared, one.set, 3).ok());
  EXPECT_FALSE(PreparedMap::create(one.map, kSide + 1, {}).ok());
}

// Signal and noise of equal variance inside the disc correlate by 1 ÷ √2.
TEST(Reprojection, NoiseLowersTheCorrelationByItsShare) {
  const Sample clean = sample(40);
  const auto first = reproject(clean.map, kSide, clean.set, 0);
  ASSERT_TRUE(first.ok());
  std::vector<double> expected;
  std::vector<float> noisy(40 * kSide * kSide);
  ASSERT_TRUE(clean.set.images->read(clean.set.table.rows, noisy, {}).ok());
  constexpr double noise = 2.0;
  for (std::size_t image = 0; image < 40; ++image) {
    const Projection& row = clean.set.table.rows[image];
    double count = 0.0;
    double sum = 0.0;
    double square = 0.0;
    const CounterRandom random(99, image);
    for (std::int64_t y = 0; y < kSide; ++y) {
      for (std::int64_t x = 0; x < kSide; ++x) {
        float& value = noisy[image * kSide * kSide + static_cast<std::size_t>(y * kSide + x)];
        const double r2 = std::pow(test::from_middle(x, kSide) + row.shift_x, 2) +
                          std::pow(test::from_middle(y, kSide) + row.shift_y, 2);
        if (r2 <= 16.0 * 16.0) {
          count += 1.0;
          sum += value;
          square += double(value) * value;
        }
        value +=
            static_cast<float>(noise * random.normal(static_cast<std::uint64_t>(y * kSide + x)));
      }
    }
    const double variance = square / count - sum / count * (sum / count);
    expected.push_back(std::sqrt(variance / (variance + noise * noise)));
  }
  const Projections set{clean.set.table,
                        std::make_shared<test::MemoryImages>(kSide, std::move(noisy))};
  const auto found = reprojection_correlations(clean.map, kSide, set);
  ASSERT_TRUE(found.ok()) << found.error().message();
  double difference = 0.0;
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR((*found)[i], expected[i], 0.12) << i;
    difference += (*found)[i] - expected[i];
  }
  EXPECT_NEAR(difference / 40.0, 0.0, 0.02);
}

// The image of one voxel has the CTF as its transform: squared where images were multiplied with
// it.
TEST(Reprojection, WhatWasDoneToImagesIsDoneToProjections) {
  ProjectionTable table = uniform_projections(kSide, 2.0, 1, 1);
  table.optics[0].voltage_kv = 300;
  table.optics[0].spherical_aberration_mm = 2.7;
  table.optics[0].amplitude_contrast = 0.1;
  table.rows[0].defocus_u = table.rows[0].defocus_v = 4000;
  std::vector<float> point(kSide * kSide * kSide, 0.0F);
  point[static_cast<std::size_t>((kSide / 2 * kSide + kSide / 2) * kSide + kSide / 2)] = 1.0F;
  ProjectSettings settings;
  settings.ctf = true;
  const auto amplitude = [&](bool premultiplied, bool flipped, int k) {
    table.optics[0].premultiplied = premultiplied;
    table.optics[0].phase_flipped = flipped;
    double sum = 0.0;
    const Status ok = project(
        point, kSide, table, settings, [&](std::int64_t, std::span<const float> image) -> Status {
          for (std::int64_t y = 0; y < kSide; ++y) {
            for (std::int64_t x = 0; x < kSide; ++x) {
              sum += image[static_cast<std::size_t>(y * kSide + x)] *
                     std::cos(2.0 * std::numbers::pi * k * test::from_middle(x, kSide) / kSide);
            }
          }
          return {};
        });
    EXPECT_TRUE(ok.ok());
    return sum;
  };
  const Ctf ctf = ctf_of(table.rows[0], table.optics[0]);
  bool some_negative = false;
  for (const int k : {3, 5, 6, 7, 8}) {
    const double factor = ctf(k / (kSide * 2.0), 0.0);
    EXPECT_NEAR(amplitude(false, false, k), factor, 0.1) << k;
    EXPECT_NEAR(amplitude(true, false, k), factor * factor, 0.1) << k;
    EXPECT_NEAR(amplitude(false, true, k), std::abs(factor), 0.1) << k;
    some_negative = some_negative || factor < 0.0;
  }
  EXPECT_TRUE(some_negative);
}

// Images of a group with larger pixels show the molecule smaller, in the same grey values.
TEST(Reprojection, GroupsMayDifferALittleInPixelSize) {
  for (const double ratio : {1.0, 0.97, 1.03}) {
    ProjectionTable table = uniform_projections(kSide, 2.0, 3, 4);
    table.optics[0].pixel_size = 2.0;
    table.optics.push_back(table.optics[0]);
    table.optics[1].pixel_size = 2.0 * ratio;
    for (Projection& row : table.rows) row.optics = 1;
    std::vector<float> map(kSide * kSide * kSide, 0.0F);
    constexpr double kSigma = 1.6;
    const Vector3 at{4, -3, 2};
    for (std::int64_t z = 0; z < kSide; ++z) {
      for (std::int64_t y = 0; y < kSide; ++y) {
        for (std::int64_t x = 0; x < kSide; ++x) {
          const double r2 = std::pow(test::from_middle(x, kSide) - at[0], 2) +
                            std::pow(test::from_middle(y, kSide) - at[1], 2) +
                            std::pow(test::from_middle(z, kSide) - at[2], 2);
          map[static_cast<std::size_t>((z * kSide + y) * kSide + x)] =
              static_cast<float>(std::exp(-r2 / (2 * kSigma * kSigma)));
        }
      }
    }
    const double most = std::sqrt(2.0 * std::numbers::pi) * kSigma;
    double worst = 0.0;
    const Status ok = project(
        map, kSide, table, {}, [&](std::int64_t first, std::span<const float> images) -> Status {
          for (std::size_t i = 0; i < images.size() / (kSide * kSide); ++i) {
            const Projection& row = table.rows[static_cast<std::size_t>(first) + i];
            const Vector3 q = from_euler(row.rot, row.tilt, row.psi) * at;
            for (std::int64_t y = 0; y < kSide; ++y) {
              for (std::int64_t x = 0; x < kSide; ++x) {
                const double dx = ratio * test::from_middle(x, kSide) - q[0];
                const double dy = ratio * test::from_middle(y, kSide) - q[1];
                const double expected =
                    most * std::exp(-(dx * dx + dy * dy) / (2 * kSigma * kSigma));
                worst = std::max(worst,
                                 std::abs(images[(i * kSide + static_cast<std::size_t>(y)) * kSide +
                                                 static_cast<std::size_t>(x)] -
                                          expected));
              }
            }
          }
          return {};
        });
    ASSERT_TRUE(ok.ok()) << ok.error().message();
    EXPECT_LT(worst, 0.02 * most) << ratio;
  }
  ProjectionTable far = uniform_projections(kSide, 2.0, 1, 1);
  far.optics.push_back(far.optics[0]);
  far.optics[1].pixel_size = 4.0;
  const std::vector<float> map(kSide * kSide * kSide, 1.0F);
  EXPECT_FALSE(project(map, kSide, far, {}, [](std::int64_t, std::span<const float>) {
                 return Status();
               }).ok());
}

TEST(Reprojection, AllRowsAreThoseOneByOneForAnyThreads) {
  Sample one = sample(9);
  one.set.table.rows[4].enabled = false;
  one.set.table.unusable.push_back({7, "its angle is not a number"});
  const auto all = reprojection_correlations(one.map, kSide, one.set);
  ASSERT_TRUE(all.ok()) << all.error().message();
  ASSERT_EQ(all->size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    if (i == 4 || i == 7) {
      EXPECT_TRUE(std::isnan((*all)[i])) << i;
      continue;
    }
    const auto alone = reproject(one.map, kSide, one.set, i);
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ((*all)[i], alone->correlation) << i;
  }
  const auto refused = reproject(one.map, kSide, one.set, 7);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("image 8"), std::string::npos);
  EXPECT_TRUE(reproject(one.map, kSide, one.set, 4).ok());
  const int before = thread_count();
  set_thread_count(1);
  const auto again = reprojection_correlations(one.map, kSide, one.set);
  set_thread_count(before);
  ASSERT_TRUE(again.ok());
  for (std::size_t i = 0; i < 9; ++i) {
    if (i == 4 || i == 7) continue;
    EXPECT_EQ((*all)[i], (*again)[i]) << i;
  }
}

TEST(Reprojection, OtherMapsAreRefusedAndItCanBeStopped) {
  const Sample one = sample(3);
  const std::vector<float> small(16 * 16 * 16, 1.0F);
  EXPECT_FALSE(reproject(small, 16, one.set, 0).ok());
  EXPECT_FALSE(reproject(one.map, kSide, one.set, 3).ok());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped =
      reprojection_correlations(one.map, kSide, one.set, JobContext(stop.get_token()));
  ASSERT_FALSE(stopped.ok());
  EXPECT_TRUE(stopped.error().cancelled());
  // A flat map says nothing.
  const auto flat = reproject(std::vector<float>(one.map.size(), 0.0F), kSide, one.set, 0);
  ASSERT_TRUE(flat.ok());
  EXPECT_TRUE(std::isnan(flat->correlation));
}

}  // namespace
}  // namespace aprscope
