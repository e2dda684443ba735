#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Parameters of a synthetic image; all grey values in counts of a u16 camera.
struct SyntheticOptions {
  Size3 size{64, 256, 256};
  std::uint64_t seed = 1;
  /// Number of objects; 0 = a number that suits the size.
  int objects = 0;
  double background = 100.0;
  /// Brightness of the objects above the background.
  double signal = 1000.0;
  /// Gaussian blur in pixels (z, x, y), as by a microscope.
  double blur = 1.0;
  /// Standard deviation of the camera noise; shot noise (√signal) is added if `shot_noise`.
  double noise = 10.0;
  bool shot_noise = true;
  VoxelSize voxel{1.0, 0.25, 0.25, "µm"};
};

/// cylinders (hollow), spheres, microtubules (thin random curves), cells (nuclei-like, textured
/// ellipsoids), noise (background only).
const std::vector<std::string>& synthetic_kinds();

/// Makes an image of a kind as u16; the same bytes for the same options and any number of threads.
/// Errors: unknown kind, sizes, grey values or blur out of range, too little memory, cancelled.
Result<Volume> make_synthetic(const std::string& kind, const SyntheticOptions& options,
                              const JobContext& context = {});

/// The built-in demo image: nuclei-like cells with noise.
Volume demo_image();

}  // namespace aprscope
