#include "core/deconvolution/blur/full_psf_blur.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"

namespace aprscope {
namespace {

using test::Beyond;
using test::Sample;

std::unique_ptr<FullPsfBlur> make(const std::shared_ptr<const AprAccess>& access,
                                  const Stencil& psf, const FullPsfOptions& options) {
  auto model = make_full_psf_blur(access, psf, options);
  EXPECT_TRUE(model) << model.error().message();
  return *std::move(model);
}

std::vector<float> blurred(BlurModel& model, const std::vector<float>& x, bool adjoint = false) {
  std::vector<float> y(x.size(), -1.0F);
  const Status ok = adjoint ? model.adjoint(x, y, {}) : model.forward(x, y, {});
  EXPECT_TRUE(ok) << ok.error().message();
  return y;
}

// The scheme word by word: near part by its definition on the isotropic grids, far part by a sum
// over the grid of the next level, interpolation and means cell by cell.
std::vector<double> naive_scheme(const Sample& sample, const Stencil& psf, int near, bool flip) {
  const SplitPsf parts = split(flip ? flipped(psf) : psf, {near, near, near});
  const AprAccess& access = *sample.access;
  const auto pyramid = *StencilPyramid::create(flipped(parts.near), StencilMode::restricted, false,
                                               access.level_max());
  std::vector<double> y = test::naive_filter(access, sample.values, sample.tree, Boundary::reflect,
                                             test::naive_correlation(pyramid));
  const int level = access.level_max() - 1;
  const Pixels<double> grid =
      test::to_double(test::naive_at_level(access, sample.values, sample.tree, level));
  // One value more on each side, for the interpolation.
  Pixels<double> coarse({grid.size.z + 2, grid.size.x + 2, grid.size.y + 2});
  for (std::int64_t z = 0; z < coarse.size.z; ++z) {
    for (std::int64_t x = 0; x < coarse.size.x; ++x) {
      for (std::int64_t c = 0; c < coarse.size.y; ++c) {
        coarse.at(z, x, c) =
            test::naive_blur_at(grid, parts.far, {z - 1, x - 1, c - 1}, Beyond::faces);
      }
    }
  }
  const auto interpolated = [&](const Index3& p) {
    const auto along = [](std::int64_t q, std::int64_t n, bool other, double& w) {
      if (n == 1) {
        w *= other ? 0.0 : 1.0;
        return std::int64_t{1};
      }
      w *= other ? 0.25 : 0.75;
      return 1 + (other ? q / 2 + (q % 2 == 0 ? -1 : 1) : q / 2);
    };
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
      double w = 1.0;
      const std::int64_t z = along(p.z, access.size().z, (i & 4) != 0, w);
      const std::int64_t x = along(p.x, access.size().x, (i & 2) != 0, w);
      const std::int64_t c = along(p.y, access.size().y, (i & 1) != 0, w);
      sum += w * coarse.at(z, x, c);
    }
    return sum;
  };
  const test::ParticleMap map = test::particle_map(access);
  std::vector<double> sums(y.size(), 0.0);
  std::vector<double> n(y.size(), 0.0);
  const LinearAccess& cells = access.particles();
  for (std::int64_t z = 0; z < access.size().z; ++z) {
    for (std::int64_t x = 0; x < access.size().x; ++x) {
      for (std::int64_t c = 0; c < access.size().y; ++c) {
        if (map.level.at(z, x, c) != access.level_max()) continue;
        sums[map.index.at(z, x, c)] += interpolated({z, x, c});
        n[map.index.at(z, x, c)] += 1.0;
      }
    }
  }
  for (int l = 1; l <= level; ++l) {
    const std::int64_t side = std::int64_t{1} << (level - l);
    for (std::int64_t z = 0; z < grid.size.z; ++z) {
      for (std::int64_t x = 0; x < grid.size.x; ++x) {
        for (std::int64_t c = 0; c < grid.size.y; ++c) {
          const auto i = cells.find(l, z / side, x / side, c / side);
          if (!i) continue;
          sums[*i] += coarse.at(z + 1, x + 1, c + 1);
          n[*i] += 1.0;
        }
      }
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += sums[i] / n[i];
  return y;
}

TEST(FullPsfBlur, IsTheSchemeAsItIsDescribed) {
  for (const bool balanced : {true, false}) {
    for (const Size3& size : {Size3{24, 32, 20}, Size3{13, 17, 27}, Size3{1, 30, 41}}) {
      test::RandomAprOptions apr;
      apr.size = size;
      apr.balanced = balanced;
      const Sample sample(test::random_access(apr));
      for (const double skew : {0.0, 0.5}) {
        Size3 psf_size{15, 17, 19};
        if (size.z == 1) psf_size.z = 1;
        const Stencil psf = test::tailed_psf(psf_size, 2.5, skew);
        FullPsfOptions options;
        options.near = 5;
        const auto model = make(sample.access, psf, options);
        for (const bool adjoint : {false, true}) {
          const std::vector<float> y = blurred(*model, sample.values, adjoint);
          const std::vector<double> exact = naive_scheme(sample, psf, 5, adjoint);
          double worst = 0.0;
          for (std::size_t i = 0; i < y.size(); ++i) {
            worst = std::max(worst, std::abs(y[i] - exact[i]));
          }
          EXPECT_LT(worst, 2e-6 * 1000.0) << "values reach 1000";
        }
      }
    }
  }
}

// Relative error of one blur, weighted by volume.
double error_of(BlurModel& model, const std::vector<float>& x, const std::vector<double>& exact) {
  const std::vector<float> y = blurred(model, x);
  std::vector<double> d(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) d[i] = y[i] - exact[i];
  return std::sqrt(test::weighted_dot(model, d, d) / test::weighted_dot(model, exact, exact));
}

struct Accuracy {
  int near;
  bool lean;
  double bound;
};

// Cells of a random structure cut through the blobs, so that values jump everywhere: images that
// were converted are smoother. The far part is mirrored about the faces of the image, pixels are
// about the edge pixels, which adds to the error with reflecting borders.
TEST(FullPsfBlur, AgreesWithTheFullPsfOnPixels) {
  test::RandomAprOptions apr;
  apr.split = 0.8;
  const auto access = test::random_access(apr);
  const std::vector<float> x = test::sample_means(*access, test::blobs);
  const Stencil psf = test::tailed_psf({21, 21, 21}, 2.0);
  const Pixels<double> image = test::to_double(test::naive_reconstruct(*access, x));
  const auto exact = [&](Beyond rule) {
    return test::cell_means(*access, test::naive_blur(image, psf, rule));
  };
  const std::vector<double> reflected = exact(Beyond::edge_pixels);
  const std::vector<double> zero = exact(Beyond::zero);
  for (const Accuracy& a : {Accuracy{5, false, 0.020}, Accuracy{7, false, 0.014},
                            Accuracy{11, false, 0.010}, Accuracy{7, true, 0.016}}) {
    FullPsfOptions options;
    options.near = a.near;
    options.lean = a.lean;
    const auto model = make(access, psf, options);
    EXPECT_LT(error_of(*model, x, reflected), a.bound + 0.015) << model->description();
    options.boundary = Boundary::zero;
    const auto dark = make(access, psf, options);
    EXPECT_LT(error_of(*dark, x, zero), a.bound) << dark->description();
  }
  // What truncation loses.
  FullPsfOptions options;
  options.near = 11;
  const auto truncated = make(access, middle(psf, {11, 11, 11}).normalized(), options);
  EXPECT_GT(error_of(*truncated, x, reflected), 0.05);
}

// Σ volume · a · H b against Σ volume · Hᵀ a · b: what is inexact is the interpolation, and with
// reflecting borders that each level has its own.
TEST(FullPsfBlur, AdjointIsTheTransposeUpToTheSchemesAccuracy) {
  test::RandomAprOptions apr;
  apr.size = {29, 32, 35};
  const auto access = test::random_access(apr);
  const std::vector<float> a = test::random_values(access->count(), 3);
  const std::vector<float> b = test::sample_means(*access, test::blobs);
  for (const bool lean : {false, true}) {
    FullPsfOptions options;
    options.near = 7;
    options.lean = lean;
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      options.boundary = boundary;
      const double skew = boundary == Boundary::zero ? 0.5 : 0.0;
      const auto model = make(access, test::tailed_psf({21, 21, 21}, 2.0, skew), options);
      const double forward = test::weighted_dot(*model, blurred(*model, a), b);
      const double back = test::weighted_dot(*model, a, blurred(*model, b, true));
      EXPECT_NEAR(back / forward, 1.0, lean ? 2e-2 : 5e-3) << model->description();
    }
  }
}

TEST(FullPsfBlur, KeepsConstantsWithReflectingBorders) {
  for (const Size3& size : {Size3{32, 32, 32}, Size3{27, 30, 41}, Size3{1, 40, 33}}) {
    test::RandomAprOptions apr;
    apr.size = size;
    const auto access = test::random_access(apr);
    const std::vector<float> ones(access->count(), 1.0F);
    for (const bool lean : {false, true}) {
      FullPsfOptions options;
      options.lean = lean;
      options.near = 5;
      for (const double skew : {0.0, 0.4}) {
        Size3 psf{21, 21, 21};
        if (size.z == 1) psf.z = 1;
        const auto model = make(access, test::tailed_psf(psf, 2.0, skew), options);
        EXPECT_TRUE(model->keeps_ones());
        for (const bool adjoint : {false, true}) {
          for (const float v : blurred(*model, ones, adjoint)) ASSERT_NEAR(v, 1.0, 1e-5);
        }
      }
    }
  }
}

TEST(FullPsfBlur, KeepsTheFluxOfWhatIsInside) {
  const auto access = test::full_access({40, 40, 40});
  const std::vector<float> x = test::sample_means(*access, [](double z, double c, double y) {
    const double d = (z - 18) * (z - 18) + (c - 20) * (c - 20) + (y - 22) * (y - 22);
    return std::exp(-d / 12.0);
  });
  const std::vector<float> ones(access->count(), 1.0F);
  for (const bool lean : {false, true}) {
    FullPsfOptions options;
    options.lean = lean;
    options.near = 5;
    const auto model = make(access, test::tailed_psf({21, 21, 21}, 2.0, 0.3), options);
    const double before = test::weighted_dot(*model, x, ones);
    const double after = test::weighted_dot(*model, blurred(*model, x), ones);
    EXPECT_NEAR(after / before, 1.0, 1e-3) << model->description();
  }
}

TEST(FullPsfBlur, LosesLightBeyondZeroBorders) {
  const auto access = test::full_access({16, 16, 16});
  FullPsfOptions options;
  options.boundary = Boundary::zero;
  options.near = 9;
  const Stencil psf = test::tailed_psf({15, 15, 15}, 2.0);
  const auto model = make(access, psf, options);
  EXPECT_FALSE(model->keeps_ones());
  const std::vector<float> ones(access->count(), 1.0F);
  const std::vector<float> y = blurred(*model, ones);
  const Pixels<double> exact =
      test::naive_blur(Pixels<double>({16, 16, 16}, 1.0), psf, Beyond::zero);
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], exact.values[i], 2e-2);
  EXPECT_LT(y.front(), 0.4F);
}

TEST(FullPsfBlur, SameBytesForAnyNumberOfThreads) {
  test::RandomAprOptions apr;
  apr.size = {29, 40, 35};
  const auto access = test::random_access(apr);
  const std::vector<float> x = test::random_values(access->count(), 3);
  for (const bool lean : {false, true}) {
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      FullPsfOptions options;
      options.lean = lean;
      const auto model = make(access, test::tailed_psf({21, 21, 21}, 2.0, 0.2), options);
      results.push_back(blurred(*model, x));
    }
    set_thread_count(0);
    for (const auto& other : results) {
      EXPECT_EQ(std::memcmp(other.data(), results[0].data(), x.size() * sizeof(float)), 0);
    }
  }
}

// With a PSF that is not even the grid is padded; there the lean scheme saves most.
TEST(FullPsfBlur, HoldsLittle) {
  test::RandomAprOptions apr;
  apr.size = {128, 128, 128};
  apr.split = 0.5;
  apr.balanced = false;
  const auto access = test::random_access(apr);
  FullPsfOptions options;
  options.near = 7;
  set_thread_count(2);  // each has buffers of its own
  const auto bytes = [&](double skew, bool lean) {
    options.lean = lean;
    return make(access, test::tailed_psf({127, 127, 127}, 2.0, skew), options)->bytes();
  };
  const std::uint64_t even = bytes(0.0, false);
  const std::uint64_t skewed = bytes(0.4, false);
  // Buffer and spectrum: 64³ floats each; with padding 130³ or more.
  EXPECT_GT(even, 2 * sizeof(float) * 64 * 64 * 64);
  EXPECT_LT(even, skewed / 3);
  EXPECT_GT(skewed, 2 * sizeof(float) * 130 * 130 * 130);
  EXPECT_LT(bytes(0.4, true), skewed / 3);
  set_thread_count(0);
}

TEST(FullPsfBlur, SmallPsfsNeedNoFarPart) {
  const auto access = test::full_access({12, 12, 12});
  const std::vector<float> x = test::random_values(access->count(), 3);
  const Stencil psf = test::tailed_psf({5, 5, 5}, 1.0, 0.3);
  FullPsfOptions options;
  options.near = 7;
  const auto model = make(access, psf, options);
  EXPECT_EQ(model->report().near_weight, 1.0);
  EXPECT_EQ(model->report().near.rms, 0.0);
  const Pixels<double> image = test::to_double(test::naive_reconstruct(*access, x));
  const Pixels<double> exact = test::naive_blur(image, psf, Beyond::edge_pixels);
  EXPECT_LT(error_of(*model, x, exact.values), 1e-6);
}

TEST(FullPsfBlur, ChoosesANearPartThatKeepsTheTolerance) {
  test::RandomAprOptions apr;
  const auto access = test::random_access(apr);
  const Stencil psf = test::tailed_psf({31, 31, 31}, 2.0);
  FullPsfOptions options;
  int last = 0;
  for (const double tolerance : {0.5, 0.1, 0.02, 0.005}) {
    options.tolerance = tolerance;
    const auto model = make(access, psf, options);
    const FullPsfReport& report = model->report();
    EXPECT_GE(report.near.near.y, last);
    last = static_cast<int>(report.near.near.y);
    EXPECT_EQ(report.tried.size(), near_sizes().size());
    if (last < near_sizes().back()) {
      EXPECT_LE(report.near.rms, tolerance);
    }
    EXPECT_NE(model->description().find("near part"), std::string::npos);
  }
}

TEST(FullPsfBlur, RefusesWhatIsNoPsf) {
  const auto access = test::full_access({8, 8, 8});
  FullPsfOptions options;
  EXPECT_FALSE(make_full_psf_blur(access, Stencil{{2, 3, 3}, std::vector<double>(18, 1.0), ""}));
  options.near = 4;
  EXPECT_FALSE(make_full_psf_blur(access, test::tailed_psf({7, 7, 7}, 1.0), options));
}

TEST(FullPsfBlur, CanBeStopped) {
  const auto access = test::full_access({16, 16, 16});
  FullPsfOptions options;
  options.near = 3;
  const auto model = make(access, test::tailed_psf({9, 9, 9}, 1.0), options);
  std::stop_source stop;
  stop.request_stop();
  std::vector<float> x(access->count(), 1.0F);
  std::vector<float> y(access->count());
  const Status done = model->forward(x, y, JobContext(stop.get_token()));
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().cancelled());
}

}  // namespace
}  // namespace aprscope
