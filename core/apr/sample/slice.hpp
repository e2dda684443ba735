#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/image/label_plane.hpp"

namespace aprscope {

/// One slice in full resolution, straight from the particles; equals the same slice of
/// reconstruct() exactly. `index` is clamped to the image. ≤ 10 ms for 512² on two cores. Values
/// that are not one a particle give an empty plane.
Plane slice_particles(const AprAccess& access, std::span<const float> values,
                      ReconstructionMode mode, Axis axis, std::int64_t index);

/// The same slice from given means of the tree (fill_tree with Reduction::mean), which smooth
/// needs: keep them while the slice moves. The function without `tree` fills it in each call.
Plane slice_particles(const AprAccess& access, std::span<const float> values,
                      std::span<const float> tree, ReconstructionMode mode, Axis axis,
                      std::int64_t index);

/// Labels of one slice in full resolution: each pixel has that of the particle whose cell it is in.
/// `index` is clamped to the image; labels that are not one a particle give an empty plane. Throws
/// std::bad_alloc.
LabelPlane slice_labels(const AprAccess& access, std::span<const std::uint32_t> labels, Axis axis,
                        std::int64_t index);

/// A particle as a dot in a slice: position of the centre of its cell (of the part inside the
/// image) in rows and columns of the Plane, where whole numbers are centres of pixels; side of the
/// cell in pixels; value.
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
