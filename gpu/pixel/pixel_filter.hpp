#pragma once

#include <driver_types.h>

#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {

/// An image on the device that pixel filters work on. It may consist of some slices of a larger
/// image: its slice z is slice z + first_slice of `whole_z`. Slices that are not there are not
/// read, so results are right only where all slices of a neighbourhood are there.
struct PixelImage {
  const float* values = nullptr;
  Int3 size;
  int first_slice = 0;
  int whole_z = 0;
  bool reflect = true;
};

/// One pass along an axis (0: z, 1: x, 2: y) with `taps` weights on the device, followed by 16
/// zeros.
void pixel_pass(const PixelImage& image, int axis, const float* weights, int taps, float* out,
                cudaStream_t stream);
/// A correlation with any stencil; `weights` (z, x, y) on the device.
void pixel_correlation(const PixelImage& image, const float* weights, Int3 radius, float* out,
                       cudaStream_t stream);
void pixel_statistic(const PixelImage& image, Statistic statistic, Int3 radius, float* out,
                     cudaStream_t stream);
/// The total-variation term of each pixel from its 3³ neighbours, see repeated_variation().
void pixel_variation(const PixelImage& image, float edge, float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
