#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/orientation.hpp"
#include "core/projections/symmetry.hpp"
#include "core/projections/tile_sums.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

struct Case {
  InsertionPlan plan;
  std::vector<float> images;
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;
};

InsertionSample sample_of(const Rotation& a, const InsertionPlan& plan, std::int32_t image) {
  InsertionSample sample;
  for (std::size_t i = 0; i < 9; ++i) sample.rows[i] = static_cast<float>(a.rows[i / 3][i % 3]);
  sample.radius = static_cast<float>(plan.tiles.reach() + 1);
  sample.image = image;
  return sample;
}

Case random_case(std::int64_t side, std::int64_t images, std::int64_t tile = 8) {
  Case c;
  c.plan.side = side;
  c.plan.padded = 2 * side;
  c.plan.tiles = FrequencyTiles(side, tile);
  c.plan.image_reach = side;
  c.plan.slab = slab_kernel(c.plan.blob);
  const CounterRandom random(7, 0);
  std::uint64_t at = 0;
  for (std::int64_t i = 0; i < side * side * images; ++i) {
    c.images.push_back(static_cast<float>(random.normal(at++)));
  }
  at *= 2;
  for (std::int64_t i = 0; i < images; ++i) {
    ImageTerms terms;
    terms.shift_x = static_cast<float>(4 * random.uniform(at++) - 2);
    terms.shift_y = static_cast<float>(4 * random.uniform(at++) - 2);
    terms.weight = static_cast<float>(.5 + random.uniform(at++));
    terms.pixel_size = 1.5;
    terms.ctf.mean = 60 + 10 * random.uniform(at++);
    terms.ctf.sine = 5;
    c.terms.push_back(terms);
    const double rot = 360 * random.uniform(at++);
    const double tilt = std::acos(2 * random.uniform(at++) - 1) * 180 / std::numbers::pi;
    c.samples.push_back(sample_of(from_euler(rot, tilt, 360 * random.uniform(at++)), c.plan,
                                  static_cast<std::int32_t>(i)));
  }
  return c;
}

std::vector<float> sums_of(const Case& c, std::size_t batch = 1000) {
  auto inserter = make_cpu_inserter(c.plan, {});
  EXPECT_TRUE(inserter.ok());
  const auto pixels = static_cast<std::size_t>(c.plan.side * c.plan.side);
  for (std::size_t begin = 0; begin < c.terms.size(); begin += batch) {
    const std::size_t count = std::min(batch, c.terms.size() - begin);
    std::vector<InsertionSample> samples;
    for (InsertionSample s : c.samples) {
      const auto image = static_cast<std::size_t>(s.image);
      if (image < begin || image >= begin + count) continue;
      s.image -= static_cast<std::int32_t>(begin);
      samples.push_back(s);
    }
    EXPECT_TRUE((*inserter)
                    ->insert(std::span(c.images).subspan(begin * pixels, count * pixels),
                             std::span(c.terms).subspan(begin, count), samples, {})
                    .ok());
  }
  return std::move(*(*inserter)->take(0));
}

// The formulas as they stand, in double precision: F at whole frequencies by direct summation.
struct Brute {
  const Case& c;
  std::size_t image;

  [[nodiscard]] std::complex<double> spectrum(double kx, double ky) const {
    const std::int64_t n = c.plan.side;
    const auto p = static_cast<double>(c.plan.padded);
    const ImageTerms& t = c.terms[image];
    std::complex<double> sum;
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        const auto dx = test::from_middle(x, n);
        const auto dy = test::from_middle(y, n);
        double value =
            c.images[image * static_cast<std::size_t>(n * n) + static_cast<std::size_t>(y * n + x)];
        if (c.plan.kernel == InsertionKernel::slab) {
          value *= c.plan.blob.window(std::hypot(dx, dy) / p) /
                   (linear_window(dx, c.plan.padded) * linear_window(dy, c.plan.padded));
        }
        sum += std::polar(
            value, -2 * std::numbers::pi * (kx * (dx + t.shift_x) + ky * (dy + t.shift_y)) / p);
      }
    }
    return sum;
  }
  // What is added to G and to W for a pixel.
  [[nodiscard]] std::pair<std::complex<double>, double> data(double kx, double ky) const {
    const ImageTerms& t = c.terms[image];
    const double step = 1 / (static_cast<double>(c.plan.padded) * t.pixel_size);
    const double ctf = c.plan.ctf == CtfUse::none ? 1 : t.ctf(kx * step, ky * step);
    return {t.weight * ctf * spectrum(kx, ky), t.weight * ctf * ctf};
  }
  [[nodiscard]] std::pair<std::complex<double>, double> at(std::int64_t x, std::int64_t y,
                                                           std::int64_t z) const {
    const auto& m = c.samples[image].rows;
    const auto v = [&](std::size_t i) {
      return static_cast<double>(m[i]) * static_cast<double>(x) +
             static_cast<double>(m[i + 1]) * static_cast<double>(y) +
             static_cast<double>(m[i + 2]) * static_cast<double>(z);
    };
    const double qx = v(0);
    const double qy = v(3);
    const double qz = v(6);
    std::pair<std::complex<double>, double> sum{};
    const bool slab = c.plan.kernel == InsertionKernel::slab;
    const double reach = slab ? 1.0 : c.plan.blob.radius;
    for (double ky = std::ceil(qy - reach); ky <= qy + reach; ky += 1) {
      for (double kx = std::ceil(qx - reach); kx <= qx + reach; kx += 1) {
        const double k =
            slab ? c.plan.blob.slab(qz) * std::max(1 - std::abs(kx - qx), 0.0) *
                       std::max(1 - std::abs(ky - qy), 0.0)
                 : c.plan.blob(std::sqrt((kx - qx) * (kx - qx) + (ky - qy) * (ky - qy) + qz * qz));
        if (k <= 0) continue;
        const auto [g, w] = data(kx, ky);
        sum.first += k * g;
        sum.second += k * w;
      }
    }
    return sum;
  }
};

void expect_brute_sums(const Case& c, double tolerance) {
  const std::vector<float> sums = sums_of(c);
  const CounterRandom random(3, 1);
  double worst_g = 0;
  double worst_w = 0;
  double most = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    // Within the sphere where no edge matters.
    const auto limit = static_cast<double>(c.plan.tiles.reach() - 3);
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t z = 0;
    std::uint64_t draw = 100 * i;
    do {
      x = static_cast<std::int64_t>(random.uniform(draw++) * limit);
      y = static_cast<std::int64_t>((2 * random.uniform(draw++) - 1) * limit);
      z = static_cast<std::int64_t>((2 * random.uniform(draw++) - 1) * limit);
    } while (static_cast<double>(x * x + y * y + z * z) > limit * limit);
    std::complex<double> g;
    double w = 0;
    for (std::size_t image = 0; image < c.terms.size(); ++image) {
      const auto [dg, dw] = Brute{c, image}.at(x, y, z);
      g += dg;
      w += dw;
    }
    const auto at = static_cast<std::size_t>(c.plan.tiles.at(x, y, z));
    const auto n = static_cast<std::size_t>(c.plan.tiles.voxels());
    worst_g = std::max(worst_g, std::abs(g - std::complex<double>(sums[at], sums[at + n])));
    worst_w = std::max(worst_w, std::abs(w - sums[at + 2 * n]));
    most = std::max(most, std::abs(g));
  }
  EXPECT_GT(most, 1.0);
  EXPECT_LT(worst_g / most, tolerance);
  EXPECT_LT(worst_w, tolerance * static_cast<double>(c.terms.size()));
}

TEST(Insertion, OfSlabsAgreesWithDirectSummation) { expect_brute_sums(random_case(12, 12), 1e-4); }
TEST(Insertion, OfSlabsInLargeTilesAndOddImages) {
  expect_brute_sums(random_case(13, 12, 16), 1e-4);
}
TEST(Insertion, WithCtfAgreesWithDirectSummation) {
  Case c = random_case(12, 12);
  c.plan.ctf = CtfUse::ctf;
  expect_brute_sums(c, 1e-4);
}
TEST(Insertion, OfBlobsAgreesWithDirectSummation) {
  Case c = random_case(12, 12);
  c.plan.kernel = InsertionKernel::blob;
  c.plan.ctf = CtfUse::ctf;
  expect_brute_sums(c, 1e-4);
}

TEST(Insertion, OfHigherOrdersAgreesWithDirectSummation) {
  for (const InsertionKernel kernel : {InsertionKernel::slab, InsertionKernel::blob}) {
    for (const Blob blob : {Blob{2, 10.4, 2}, Blob{1.9, 8, 4}}) {
      SCOPED_TRACE(blob.order);
      Case c = random_case(12, 12);
      c.plan.kernel = kernel;
      c.plan.blob = blob;
      c.plan.slab = slab_kernel(blob);
      expect_brute_sums(c, 1e-4);
    }
  }
}

TEST(Insertion, SameBitsForAnyNumberOfThreads) {
  const Case c = random_case(16, 40);
  const int before = thread_count();
  set_thread_count(1);
  const std::vector<float> one = sums_of(c);
  for (const int threads : {2, 7}) {
    set_thread_count(threads);
    EXPECT_EQ(sums_of(c), one) << threads;
  }
  set_thread_count(before);
}

TEST(Insertion, OrderAndBatchesChangeRoundingOnly) {
  Case c = random_case(16, 40);
  const std::vector<float> one = sums_of(c);
  const float most = *std::max_element(one.begin(), one.end());
  const std::vector<float> parts = sums_of(c, 7);
  std::reverse(c.samples.begin(), c.samples.end());
  const std::vector<float> reversed = sums_of(c);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_NEAR(parts[i], one[i], 1e-6F * most);
    ASSERT_NEAR(reversed[i], one[i], 1e-6F * most);
  }
}

// The weights of one plane are those of a slab: ∫ k(d) dd times the area of half a disc.
TEST(Insertion, WeightsOfOneImageAreThoseOfASlab) {
  Case c = random_case(24, 1);
  c.terms[0].weight = 1;
  const std::vector<float> sums = sums_of(c);
  double total = 0;
  for (std::int64_t tile = 0; tile < c.plan.tiles.count(); ++tile) {
    each_voxel(c.plan.tiles, tile,
               [&](std::int64_t x, std::int64_t, std::int64_t, std::int64_t at) {
                 const double w = sums[static_cast<std::size_t>(at + 2 * c.plan.tiles.voxels())];
                 total += x == 0 ? .5 * w : w;
               });
  }
  double thickness = 0;
  for (double d = -2; d < 2; d += 1e-3) thickness += 1e-3 * c.plan.blob.slab(d);
  const double area = .5 * std::numbers::pi * 24.0 * 24.0;
  EXPECT_NEAR(total / (thickness * area), 1, .03);
}

// One sample a coset and permutations, or all copies one by one.
TEST(Insertion, CosetsAndPermutationsAreAllCopies) {
  for (const char* name : {"D2", "D7", "O", "I2"}) {
    const auto group = symmetry_group(name);
    ASSERT_TRUE(group.ok());
    Case c = random_case(12, 3);
    const auto with = [&](const std::vector<Rotation>& copies) {
      Case all = c;
      all.samples.clear();
      for (std::int32_t i = 0; i < 3; ++i) {
        for (const Rotation& copy : copies) {
          all.samples.push_back(
              sample_of(from_euler(20 + 40 * i, 70 - 10 * i, 5 + 31 * i) * copy, all.plan, i));
        }
      }
      std::vector<float> sums = sums_of(all);
      average_pairs(c.plan.tiles, sums);
      return sums;
    };
    const std::vector<float> all = with(group->rotations);
    const std::vector<float> few = symmetrised(c.plan.tiles, with(group->cosets), group->aligned);
    float most = 0;
    float worst = 0;
    for (std::int64_t tile = 0; tile < c.plan.tiles.count(); ++tile) {
      each_voxel(c.plan.tiles, tile,
                 [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t at) {
                   for (std::int64_t i = 0; i < 3; ++i) {
                     const auto j = static_cast<std::size_t>(at + i * c.plan.tiles.voxels());
                     most = std::max(most, std::abs(all[j]));
                     worst = std::max(worst, std::abs(all[j] - few[j]));
                   }
                 });
    }
    EXPECT_LT(worst, 2e-5F * most) << name;
  }
}

TEST(SlabKernel, IsThePlaneSumOfTheBlob) {
  for (const Blob blob : {Blob{1.5, 10, 0}, Blob{1.9, 15, 0}, Blob{1.0, 5, 0}, Blob{2, 10.4, 2},
                          Blob{1.5, 10, 1}, Blob{1.5, 10, 3}, Blob{1.5, 10, 4}}) {
    const SlabKernel slab = slab_kernel(blob);
    double middle = 0;
    for (double r = 5e-4; r < blob.radius; r += 1e-3) middle += r * blob(r);
    for (double d = 0; d < blob.radius; d += .07) {
      double sum = 0;
      for (double r = 5e-4; r < blob.radius; r += 1e-3) sum += r * blob(std::hypot(r, d));
      EXPECT_NEAR(slab(static_cast<float>(d)), sum / middle, 1e-4) << d;
    }
    EXPECT_EQ(slab(static_cast<float>(1.01 * blob.radius)), 0);
  }
}

TEST(SlabKernel, WindowsOfBlobs) {
  EXPECT_NEAR((Blob{1.9, 15, 0}.window(.125)), .937234, 1e-6);
  EXPECT_NEAR((Blob{1.9, 15, 0}.window(.25)), .770301, 1e-6);
  EXPECT_NEAR((Blob{1.9, 15, 0}.window(.433)), .450647, 1e-6);
  EXPECT_NEAR((Blob{1.5, 10, 0}.window(.125)), .945122, 1e-6);
  EXPECT_NEAR((Blob{1.5, 10, 0}.window(.25)), .796401, 1e-6);
  EXPECT_NEAR((Blob{1.5, 10, 0}.window(.433)), .497043, 1e-6);
  EXPECT_NEAR((Blob{2.5, 3, 2}.window(0)), 1, 1e-12);
}

// ∫ K(r) sin(2πur) ÷ (2πur) r² dr, of all orders, on both sides of where the window oscillates.
TEST(SlabKernel, WindowsAreTransformsOfBlobs) {
  for (int order = 0; order <= kMostBlobOrder; ++order) {
    for (const Blob blob : {Blob{1.5, 10, order}, Blob{1.9, 15, order}, Blob{2.5, 3, order}}) {
      SCOPED_TRACE(testing::Message() << order << ", " << blob.radius);
      for (const double u : {.02, .125, .25, .433}) {
        constexpr int kSteps = 10000;
        double whole = 0;
        double sum = 0;
        for (int i = 0; i < kSteps; ++i) {
          const double r = blob.radius * (i + .5) / kSteps;
          const double turned = 2 * std::numbers::pi * u * r;
          whole += r * r * blob(r);
          sum += r * r * blob(r) * std::sin(turned) / turned;
        }
        EXPECT_NEAR(blob.window(u), sum / whole, 1e-6) << u;
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
