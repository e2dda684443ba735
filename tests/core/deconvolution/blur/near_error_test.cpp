#include "core/deconvolution/blur/near_error.hpp"

#include <gtest/gtest.h>

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"

namespace aprscope {
namespace {

// The responses of the scheme on pixels to single pixels, against the PSF: what the estimate
// estimates.
NearError measured(const Stencil& psf, int near) {
  const Size3 size{24, 24, 24};
  const auto access = test::full_access(size);
  FullPsfOptions options;
  options.near = near;
  options.boundary = Boundary::zero;
  auto model = *make_full_psf_blur(access, psf, options);
  double total = 0.0;
  double norm = 0.0;
  for (const double w : psf.weights) {
    total += std::abs(w);
    norm += w * w;
  }
  NearError out;
  double squares = 0.0;
  for (int i = 0; i < 8; ++i) {
    const Index3 p{12 + i / 4, 12 + i / 2 % 2, 12 + i % 2};
    double absolute = 0.0;
    double square = 0.0;
    // y(p) for a unit at q, for all q that reach it: a row of the operator.
    std::vector<float> x(access->count(), 0.0F);
    const Pixels<float> index(size);
    for (std::int64_t z = 12 - 6; z < 12 + 6; ++z) {
      for (std::int64_t c = 12 - 6; c < 12 + 6; ++c) {
        for (std::int64_t y = 12 - 6; y < 12 + 6; ++y) {
          x[index.index(z, c, y)] = 1.0F;
          std::vector<float> response(x.size());
          EXPECT_TRUE(model->forward(x, response, {}));
          x[index.index(z, c, y)] = 0.0F;
          const std::int64_t dz = p.z - z + psf.size.z / 2;
          const std::int64_t dx = p.x - c + psf.size.x / 2;
          const std::int64_t dy = p.y - y + psf.size.y / 2;
          const bool inside = dz >= 0 && dx >= 0 && dy >= 0 && dz < psf.size.z && dx < psf.size.x &&
                              dy < psf.size.y;
          const double w =
              inside
                  ? psf.weights[static_cast<std::size_t>((dz * psf.size.x + dx) * psf.size.y + dy)]
                  : 0.0;
          const double d = response[index.index(p.z, p.x, p.y)] - w;
          absolute += std::abs(d);
          square += d * d;
        }
      }
    }
    out.bound = std::max(out.bound, absolute / total);
    squares += square / 8.0;
    if (psf.weights.front() == psf.weights.back()) {  // even: all positions are alike
      squares = square;
      break;
    }
  }
  out.rms = std::sqrt(squares / norm);
  return out;
}

TEST(NearError, IsWhatTheSchemeDoesToSinglePixels) {
  const Stencil psf = test::tailed_psf({7, 7, 7}, 1.5);
  const NearError found = measured(psf, 3);
  const NearError estimate = near_errors(psf, {3}).front();
  EXPECT_NEAR(estimate.bound, found.bound, 0.01 * found.bound);
  EXPECT_NEAR(estimate.rms, found.rms, 0.01 * found.rms);
}

TEST(NearError, FallsWithTheSizeOfTheNearPart) {
  const Stencil psf = test::tailed_psf({41, 41, 41}, 3.0, 0.3);
  const auto errors = near_errors(psf, near_sizes());
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_LT(errors[i].rms, errors[i - 1].rms);
}

TEST(NearError, DoesNotDependOnWhatElseIsAsked) {
  const Stencil psf = test::tailed_psf({41, 41, 41}, 3.0, 0.3);
  const auto all = near_errors(psf, near_sizes());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const NearError one = near_errors(psf, {near_sizes()[i]}).front();
    EXPECT_NEAR(one.rms, all[i].rms, 1e-9);
    EXPECT_NEAR(one.bound, all[i].bound, 1e-9);
  }
}

}  // namespace
}  // namespace aprscope
