#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Correlations of two images along their axes z, x, y.
struct AxisFsc {
  /// Along axis d: over shells 0 … n_d / 2, whose spatial frequency is s ÷ (n_d · voxel_d). Empty
  /// where the image is one pixel thick, or too small for a single shell that says anything.
  std::array<std::vector<double>, 3> curves;
};

/// Fourier shell correlations (see shells.hpp) of two images of any size and voxels, as
/// directional_fsc() has them for maps: along each axis those of the frequencies of a double cone
/// of kConeDegrees round it, in shells of one cycle over the image's length there. `voxel` is the
/// size of a voxel in z, x, y, of one unit. The mean is taken away and the image fades out from its
/// middle to its borders (a Hann window an axis), since what two images have in common at their
/// borders correlates at all frequencies; a limit is blurred by a shell or so. A shell of too few
/// frequencies is taken together with those below it; if these are still too few, it gets the value
/// of the next larger shell. The same bits for any number of threads. Errors: other lengths, a
/// voxel that is not positive, no memory, cancelled.
Result<AxisFsc> axis_fsc(std::span<const float> first, std::span<const float> second,
                         const Size3& size, const std::array<double, 3>& voxel,
                         const JobContext& context = {});

/// Bytes that it takes beyond its arguments.
std::uint64_t axis_fsc_bytes(const Size3& size);

}  // namespace aprscope
