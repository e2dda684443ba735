#include "core/deconvolution/blur/blur_model.hpp"

#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/deconvolution/explicit_blur.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"

namespace aprscope {
namespace {

using test::Matrix;

void expect_applies(const Matrix& matrix, const std::vector<float>& x, const std::vector<float>& y,
                    const std::string& what) {
  const std::vector<double> wanted = matrix.times(test::to_double(x));
  ASSERT_EQ(wanted.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_NEAR(y[i], wanted[i], 2e-3) << what << ", value " << i;  // of values up to 1000
  }
}

Matrix transposed(const Matrix& m) {
  Matrix t(m.n);
  for (std::size_t r = 0; r < m.n; ++r) {
    for (std::size_t c = 0; c < m.n; ++c) t.at(c, r) = m.at(r, c);
  }
  return t;
}

TEST(PixelBlur, IsTheConvolutionWithThePsfAndItsAdjointTheFlippedOne) {
  for (const Size3 size : {Size3{6, 7, 9}, Size3{1, 8, 11}, Size3{1, 1, 20}}) {
    for (const Size3 extent : {Size3{3, 5, 7}, Size3{1, 3, 1}, Size3{1, 1, 1}, Size3{9, 3, 3}}) {
      const Stencil psf = test::skewed_psf(extent);
      const auto access = test::full_access(size);
      const auto x = test::random_values(access->count(), 4);
      for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
        const Matrix h = test::blur_matrix(*access, psf, boundary);
        const Matrix back = test::blur_matrix(*access, flipped(psf), boundary);
        for (const auto method :
             {PixelBlurMethod::fft, PixelBlurMethod::passes, PixelBlurMethod::mirrored}) {
          // Reflecting about the faces is another operator.
          if (method == PixelBlurMethod::mirrored && boundary == Boundary::reflect) continue;
          auto blur = make_pixel_blur(size, psf, boundary, method);
          ASSERT_TRUE(blur.ok()) << blur.error().message();
          std::vector<float> y(x.size());
          ASSERT_TRUE((*blur)->forward(x, y, {}).ok());
          expect_applies(h, x, y, (*blur)->description());
          ASSERT_TRUE((*blur)->adjoint(x, y, {}).ok());
          expect_applies(back, x, y, (*blur)->description() + " adjoint");
          if (boundary == Boundary::zero) expect_applies(transposed(h), x, y, "transposed");
        }
      }
    }
  }
}

// By cosine transforms where the PSF is even and the sizes are good (23 is not), padded elsewhere.
TEST(PixelBlur, MirroredIsTheConvolutionBeyondTheFaces) {
  struct Case {
    Size3 size, psf;
  };
  for (const Case& c :
       {Case{{8, 12, 16}, {5, 7, 9}}, Case{{7, 9, 11}, {3, 5, 13}}, Case{{1, 13, 10}, {1, 5, 5}},
        Case{{6, 1, 9}, {3, 1, 5}}, Case{{5, 6, 1}, {3, 5, 1}}, Case{{4, 5, 6}, {13, 11, 17}},
        Case{{12, 18, 40}, {9, 5, 37}}, Case{{23, 4, 6}, {5, 5, 5}}}) {
    for (const bool even : {true, false}) {
      const Stencil psf = test::tailed_psf(c.psf, 2.0, even ? 0.0 : 0.3);
      Pixels<double> image(c.size);
      const auto x = test::random_values(static_cast<std::uint64_t>(c.size.count()), 4);
      for (std::size_t i = 0; i < x.size(); ++i) image.values[i] = x[i];
      const auto blur =
          make_pixel_blur(c.size, psf, Boundary::reflect, PixelBlurMethod::mirrored).value();
      const bool cosine = blur->description().find("cosine") != std::string::npos;
      EXPECT_EQ(cosine, even && c.size.z != 23) << blur->description();
      EXPECT_TRUE(blur->keeps_ones());
      if (c.psf.count() > 150) {
        const auto automatic = make_pixel_blur(c.size, psf, Boundary::reflect).value();
        EXPECT_EQ(automatic->description(), blur->description());
      }
      for (const bool adjoint : {false, true}) {
        const auto wanted =
            test::naive_blur(image, adjoint ? flipped(psf) : psf, test::Beyond::faces);
        std::vector<float> y = x;  // in place
        ASSERT_TRUE((adjoint ? blur->adjoint(y, y, {}) : blur->forward(y, y, {})).ok());
        for (std::size_t i = 0; i < y.size(); ++i) {
          ASSERT_NEAR(y[i], wanted.values[i], 2e-3) << blur->description() << " " << i;
        }
      }
    }
  }
  const Stencil even{{2, 3, 3}, std::vector<double>(18, 1.0 / 18), "even"};
  EXPECT_FALSE(make_pixel_blur({4, 4, 4}, even, Boundary::reflect, PixelBlurMethod::mirrored).ok());
  EXPECT_FALSE(make_pixel_blur({4, 0, 4}, test::tailed_psf({3, 3, 3}, 1.0), Boundary::reflect,
                               PixelBlurMethod::mirrored)
                   .ok());
}

TEST(PixelBlur, HoldsWhatWasSaidBefore) {
  struct Case {
    Size3 psf;
    double skew;
    const char* way;
    double least;  // of what was said
  };
  const Size3 size{64, 96, 128};
  // Of so small an image, what each of many threads takes would be most of it.
  set_thread_count(2);
  // The last says the most that an even PSF can take.
  for (const Case& c :
       {Case{{5, 5, 5}, 0.3, "over pixels", 0.8}, Case{{5, 5, 5}, 0, "over pixels", 0.8},
        Case{{31, 47, 63}, 0, "cosine", 0.8}, Case{{31, 31, 31}, 0.3, "FFT", 0.8},
        Case{{11, 11, 11}, 0, "cosine", 0.0}}) {
    const Stencil psf = test::tailed_psf(c.psf, 2.0, c.skew);
    const auto blur = make_pixel_blur(size, psf, Boundary::reflect).value();
    EXPECT_NE(blur->description().find(c.way), std::string::npos) << blur->description();
    const auto said = static_cast<double>(pixel_blur_bytes(size, psf, Boundary::reflect));
    const double lines = 1e6 + 2e5 * thread_count();
    EXPECT_LE(static_cast<double>(blur->bytes()), said + lines) << blur->description();
    EXPECT_GE(static_cast<double>(blur->bytes()), c.least * said) << blur->description();
  }
  set_thread_count(0);
}

TEST(PixelBlur, CosineTransformsKeepTheFluxTakeNoPaddingAndRepeat) {
  const Size3 size{20, 32, 48};
  const Stencil psf = test::tailed_psf({19, 31, 47}, 3.0);
  const auto x = test::random_values(static_cast<std::uint64_t>(size.count()), 9);
  double flux = 0.0;
  for (const float v : x) flux += v;
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const auto blur =
        make_pixel_blur(size, psf, Boundary::reflect, PixelBlurMethod::mirrored).value();
    std::vector<float> y(x.size());
    ASSERT_TRUE(blur->forward(x, y, {}).ok());
    double after = 0.0;
    for (const float v : y) after += v;
    EXPECT_NEAR(after, flux, 1e-6 * flux);
    const auto work = static_cast<std::uint64_t>(threads) * 3 * 32 * 16 * 4;
    EXPECT_LT(blur->bytes(), x.size() * sizeof(float) + work + 20000);
    results.push_back(std::move(y));
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(ParticleBlur, IsTheConvolutionOnEachLevelsGrid) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const Size3 size : {Size3{8, 11, 13}, Size3{1, 16, 19}, Size3{16, 16, 8}}) {
      const auto access = test::random_access({size, seed, 0.6, seed != 3});
      const auto x = test::random_values(access->count(), seed);
      for (const Size3 extent : {Size3{3, 5, 7}, Size3{5, 5, 5}}) {
        const Stencil psf = test::skewed_psf(extent);
        for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
          const auto blur =
              make_particle_blur(access, psf, StencilMode::restricted, boundary).value();
          std::vector<float> y(x.size());
          for (int again = 0; again < 2; ++again) {
            ASSERT_TRUE(blur->forward(x, y, {}).ok());
            expect_applies(test::blur_matrix(*access, psf, boundary), x, y, "forward");
            ASSERT_TRUE(blur->adjoint(x, y, {}).ok());
            expect_applies(test::blur_matrix(*access, flipped(psf), boundary), x, y, "adjoint");
          }
        }
      }
    }
  }
}

// A separable PSF goes through three passes, on coarser levels as well.
TEST(ParticleBlur, SeparablePsfsGiveTheSame) {
  const auto access = test::random_access({{16, 16, 21}, 5, 0.5, true});
  const auto x = test::random_values(access->count(), 6);
  const Stencil psf = gaussian_stencil({2, 1.5, 2}, {13, 9, 13}).normalized();
  const auto blur =
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
  EXPECT_NE(blur->description().find("separable"), std::string::npos);
  std::vector<float> y(x.size());
  ASSERT_TRUE(blur->forward(x, y, {}).ok());
  expect_applies(test::blur_matrix(*access, psf, Boundary::reflect), x, y, "separable");
  for (int l = 1; l <= access->level_max(); ++l) {
    EXPECT_TRUE(separate(restrict_stencil(psf, access->level_max() - l))) << "level " << l;
  }
}

TEST(BlurModel, OnesStayOnesWhereItSaysSo) {
  const auto access = test::random_access({{9, 12, 14}, 7, 0.6, true});
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    std::vector<std::unique_ptr<BlurModel>> blurs;
    const Stencil psf = test::skewed_psf({5, 5, 5});
    blurs.push_back(make_particle_blur(access, psf, StencilMode::restricted, boundary).value());
    blurs.push_back(make_pixel_blur({9, 12, 14}, psf, boundary, PixelBlurMethod::fft).value());
    blurs.push_back(make_pixel_blur({9, 12, 14}, psf, boundary, PixelBlurMethod::passes).value());
    for (const auto& blur : blurs) {
      EXPECT_EQ(blur->keeps_ones(), boundary == Boundary::reflect);
      const std::vector<float> ones(blur->count(), 1.0F);
      std::vector<float> y(ones.size());
      ASSERT_TRUE(blur->adjoint(ones, y, {}).ok());
      const auto least = *std::min_element(y.begin(), y.end());
      if (boundary == Boundary::reflect) {
        for (const float v : y) ASSERT_NEAR(v, 1.0F, 1e-5F);
      } else {
        EXPECT_LT(least, 0.9F);
      }
    }
  }
}

TEST(BlurModel, RefusesBadPsfsAndLengthsAndStops) {
  const auto access = test::full_access({4, 4, 4});
  const Stencil even{{2, 3, 3}, std::vector<double>(18, 1.0 / 18), "even"};
  EXPECT_FALSE(make_pixel_blur({4, 4, 4}, even, Boundary::reflect).ok());
  EXPECT_FALSE(make_particle_blur(access, even, StencilMode::same, Boundary::reflect).ok());
  const Stencil psf = test::skewed_psf({3, 3, 3});
  std::vector<std::unique_ptr<BlurModel>> blurs;
  blurs.push_back(make_pixel_blur({4, 4, 4}, psf, Boundary::reflect, PixelBlurMethod::fft).value());
  blurs.push_back(
      make_pixel_blur({4, 4, 4}, psf, Boundary::reflect, PixelBlurMethod::passes).value());
  blurs.push_back(
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value());
  std::stop_source source;
  source.request_stop();
  for (const auto& blur : blurs) {
    std::vector<float> x(64, 1.0F);
    std::vector<float> small(63);
    EXPECT_FALSE(blur->forward(x, small, {}).ok());
    EXPECT_FALSE(blur->adjoint(small, x, {}).ok());
    std::vector<float> y(64);
    const Status stopped = blur->forward(x, y, JobContext(source.get_token()));
    EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
  }
}

}  // namespace
}  // namespace aprscope
