#pragma once

#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Scenes with a known truth, for measuring deconvolution: what the light comes from, before any
/// blur. The same values for the same options whatever the number of threads.
struct CylinderScene {
  Size3 size{256, 256, 256};
  std::uint64_t seed = 1;
  int count = 12;
  /// Outer radius in pixels, drawn evenly from this range.
  double radius_min = 12.0;
  double radius_max = 24.0;
  /// Thickness of the wall in pixels.
  double wall = 4.0;
  /// Half length ÷ smallest dimension, drawn evenly from this range.
  double half_min = 0.15;
  double half_max = 0.35;
  float background = 0.0F;
  /// Brightness of the walls above the background.
  float signal = 1.0F;
};
/// Hollow cylinders, open at both ends, in random places and directions.
Pixels<float> hollow_cylinders(const CylinderScene& scene, const JobContext& context = {});

struct MicrotubuleScene {
  Size3 size{128, 256, 512};
  /// Size of a pixel in any unit, z, x, y; filaments bend alike in all directions.
  double voxel_z = 115.0, voxel_x = 64.0, voxel_y = 64.0;
  std::uint64_t seed = 1;
  int count = 40;
  /// Thickness (full width at half maximum of a Gaussian profile) in the unit of the voxel.
  double thickness = 80.0;
  /// Random turn of the direction over one pixel along x.
  double bend = 0.01;
  /// How steep they run, relative to their direction in the plane.
  double slope = 0.15;
};
/// Smooth filaments with a Gaussian profile that run across the field; the brightest pixel is 1,
/// the background 0.
Pixels<float> microtubules(const MicrotubuleScene& scene, const JobContext& context = {});

/// Adds normal deviates of this standard deviation; values may fall below 0.
void add_gaussian_noise(Pixels<float>& image, double sigma, std::uint64_t seed);

/// Replaces each value v by a Poisson deviate of mean v · photons, ÷ photons.
void add_poisson_noise(Pixels<float>& image, double photons, std::uint64_t seed);

}  // namespace aprscope
