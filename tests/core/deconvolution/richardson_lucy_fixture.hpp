#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "tests/core/deconvolution/explicit_blur.hpp"

// Images to deconvolve: random ones with all that the formula asks for, and points whose truth is
// known.

namespace aprscope::test {

/// A model with what is needed to compute by the formula.
struct FormulaSample {
  std::shared_ptr<const AprAccess> access;
  std::unique_ptr<BlurModel> model;
  Matrix h;
  Matrix back;
  std::vector<double> weights;
  std::vector<float> image;
};

/// A random image on the particles of a random APR.
inline FormulaSample on_particles(const RandomAprOptions& options, const Stencil& psf,
                                  Boundary boundary) {
  auto access = random_access(options);
  return {access,
          make_particle_blur(access, psf, StencilMode::restricted, boundary).value(),
          blur_matrix(*access, psf, boundary),
          blur_matrix(*access, flipped(psf), boundary),
          volumes(*access),
          random_values(access->count(), options.seed + 1, 1.0F, 100.0F)};
}

/// A random image on pixels.
inline FormulaSample on_pixels(const Size3& size, const Stencil& psf, Boundary boundary,
                               PixelBlurMethod method) {
  auto access = full_access(size);
  return {access,
          make_pixel_blur(size, psf, boundary, method).value(),
          blur_matrix(*access, psf, boundary),
          blur_matrix(*access, flipped(psf), boundary),
          volumes(*access),
          random_values(access->count(), 8, 1.0F, 100.0F)};
}

/// What Richardson–Lucy makes of an image; an error fails the test.
inline Deconvolved deconvolve(BlurModel& model, const std::vector<float>& image,
                              const RichardsonLucyOptions& options,
                              Regulariser* regulariser = nullptr,
                              const RichardsonLucyHooks& hooks = {}) {
  auto out = richardson_lucy(model, image, options, regulariser, {}, hooks);
  EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().message());
  return *std::move(out);
}

/// The sum of values times the pixels of their cells.
inline double flux(const FormulaSample& s, const std::vector<float>& values) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += s.weights[i] * static_cast<double>(values[i]);
  }
  return sum;
}

/// Blobs of light in the dark: a few cells of the finest level.
inline std::vector<float> sparse(std::size_t count, float background) {
  std::vector<float> x(count, background);
  for (std::size_t i = count / 7; i < count; i += count / 5) x[i] += 500.0F;
  return x;
}

/// Points under a Gaussian: the truth is known.
struct PointImage {
  Size3 size{1, 32, 32};
  Stencil psf = gaussian_stencil({0, 1.5, 1.5}, {1, 13, 13}).normalized();
  std::unique_ptr<BlurModel> model =
      make_pixel_blur(size, psf, Boundary::reflect, PixelBlurMethod::fft).value();
  std::vector<float> truth = sparse(1024, 10.0F);
  std::vector<float> image = std::vector<float>(1024);
  PointImage() { EXPECT_TRUE(model->forward(truth, image, {}).ok()); }

  [[nodiscard]] double error(std::span<const float> x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double d = static_cast<double>(x[i]) - static_cast<double>(truth[i]);
      sum += d * d;
    }
    return std::sqrt(sum);
  }
};

}  // namespace aprscope::test
