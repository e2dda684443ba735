#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace aprscope::test {

struct ProjectionSetFiles {
  std::int64_t images = 60;
  std::int64_t side = 32;
  /// Å.
  double pixel_size = 2.0;
  /// Standard deviation of the noise; the signal's is about 1.
  double noise = 0.0;
  /// With a defocus for each image. The images are not convolved with their CTF.
  bool defocus = false;
  /// Rows that name each image: image after image, then all of them again.
  std::int64_t times = 1;
};

/// Writes `folder`/molecule.star (RELION 3.1) and molecule.mrcs: projections of a molecule of
/// Gaussian atoms in closed form, in all directions alike. Returns its map, side³ values.
std::vector<float> write_projection_set(const std::filesystem::path& folder,
                                        const ProjectionSetFiles& settings = {});

}  // namespace aprscope::test
