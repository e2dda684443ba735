#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/image/scenes.hpp"
#include "core/pipeline/backend.hpp"

// Filaments as a camera sees them that counts photons, and a deconvolution of them that is watched.

namespace aprscope::test {

inline constexpr Size3 kSize{16, 32, 32};
inline constexpr float kOffset = 100.0F;
inline constexpr double kGain = 2.0;

struct Scene {
  Pixels<float> truth;  // in grey values above the offset
  std::shared_ptr<const Dataset> image;
};

// Filaments, blurred by the PSF below by brute force, with `photons` in the brightest pixel.
inline Scene make_scene(double photons, double background) {
  MicrotubuleScene tubes;
  tubes.size = kSize;
  tubes.count = 5;
  tubes.thickness = 160.0;
  Scene scene{microtubules(tubes), nullptr};
  const Stencil psf = gaussian_stencil({1.5, 1.5, 1.5}, {9, 9, 9}).normalized();
  const auto blur = make_pixel_blur(kSize, psf, Boundary::reflect);
  Pixels<float> seen(kSize);
  EXPECT_TRUE((*blur)->forward(scene.truth.values, seen.values, {}).ok());
  float brightest = 0.0F;
  for (const float v : seen.values) brightest = std::max(brightest, v);
  for (float& v : scene.truth.values) v *= static_cast<float>(photons * kGain / brightest);
  for (float& v : seen.values) v = v / brightest + static_cast<float>(background);
  add_poisson_noise(seen, photons, 5);
  for (float& v : seen.values) {
    v = static_cast<float>(std::round(static_cast<double>(v) * photons) * kGain) + kOffset;
  }
  Volume volume;
  volume.pixels = seen;
  scene.image = Dataset::create(volume);
  return scene;
}

inline Operation deconvolution(std::int64_t iterations, double background,
                               std::map<std::string, ParameterValue> more = {}) {
  Operation op{"deconvolve",
               {{"iterations", iterations},
                {"offset", static_cast<double>(kOffset)},
                {"background", background},
                {"psf_sigma", std::array<double, 3>{1.5, 1.5, 1.5}},
                {"psf_size", std::array<double, 3>{9, 9, 9}}}};
  for (auto& [id, value] : more) op.parameters[id] = value;
  return op;
}

inline double psnr(std::span<const float> iterate, const Pixels<float>& truth) {
  double error = 0.0;
  float largest = 0.0F;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    const double d = static_cast<double>(iterate[i]) - static_cast<double>(truth.values[i]);
    error += d * d;
    largest = std::max(largest, truth.values[i]);
  }
  return 10.0 * std::log10(static_cast<double>(largest) * static_cast<double>(largest) *
                           static_cast<double>(truth.values.size()) / error);
}

struct Course {
  std::vector<IterationReport> reports;
  std::vector<double> psnr;
  std::vector<float> values;

  [[nodiscard]] int searched() const {
    return static_cast<int>(
        std::count_if(reports.begin(), reports.end(), [](const auto& r) { return r.searching; }));
  }
};

inline Course run(const Operation& op, const Scene& scene) {
  Course course;
  IterationHooks hooks;
  hooks.observer = [&](const IterationReport& report, std::span<const float> iterate) {
    course.reports.push_back(report);
    course.psnr.push_back(psnr(iterate, scene.truth));
  };
  const auto result = cpu_backend()->iterate(op, *scene.image, hooks, {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  if (result) course.values = Dataset::create(*result)->values().pixels().values;
  return course;
}

}  // namespace aprscope::test
