#pragma once

#include <cstdint>

#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope::test {

/// A tissue of convex cells with walls between them, seen through a microscope. Lengths in µm.
struct TissuePhantom {
  /// isotropic: cells of one size; elongated: 2.5 times as long along x; mixed: small cells, an
  /// eighth of the volume, in groups among large ones.
  enum class Kind { isotropic, elongated, mixed };
  Kind kind = Kind::isotropic;
  Size3 size{64, 96, 96};
  VoxelSize voxel{0.25, 0.25, 0.25, "µm"};
  std::uint64_t seed = 1;
  /// Distance between the centres of large cells; how thick walls are.
  double cell = 5.0;
  double wall = 0.4;
  /// Standard deviations of the point-spread function, across and along z.
  double blur = 0.2;
  double blur_z = 0.5;
  /// What a wall is brighter than its surroundings before blur, and what these are, in counts;
  /// noise is that of counting photons.
  double signal = 200.0;
  double background = 20.0;
};

struct TissueImage {
  Volume image;
  /// One cell a pixel, from 1 on, walls shared by halves.
  Labels truth;
};

/// The same bytes whatever the number of threads: u16 grey values.
TissueImage make_tissue(const TissuePhantom& phantom);

}  // namespace aprscope::test
