#pragma once

#include <span>

#include "core/apr/reconstruction.hpp"

namespace aprscope {

/// One slice in full resolution, straight from the particles; equals the same slice of
/// reconstruct() exactly. `index` is clamped to the image. ≤ 10 ms for 512² on two cores.
Plane slice_particles(const AprAccess& access, std::span<const float> values,
                      ReconstructionMode mode, Axis axis, std::int64_t index);

/// A particle as a dot in a slice: position of the cell's centre in (fractional) rows and columns
/// of the Plane, side of the cell in pixels, value.
struct SliceDot {
  float row = 0.0F;
  float col = 0.0F;
  float side = 1.0F;
  float value = 0.0F;
};

/// Particles whose cells the slice cuts, at most `limit`; the rest is left out evenly.
std::vector<SliceDot> slice_dots(const AprAccess& access, std::span<const float> values, Axis axis,
                                 std::int64_t index, std::size_t limit);

}  // namespace aprscope
