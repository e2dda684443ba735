#pragma once

#include <driver_types.h>

#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {

/// Filters on the pixels of an image on the device. An image may be slices of a larger one: slice z
/// of it is slice z + first_slice of `whole_z`, and what lies beyond the slices that are there is
/// read from none of them, so that only slices whose neighbourhoods are there come out right.
struct PixelImage {
  const float* values = nullptr;
  Int3 size;
  int first_slice = 0;
  int whole_z = 0;
  bool reflect = true;
};

/// One pass along an axis (0: z, 1: x, 2: y) with `taps` weights on the device, 16 zeros behind
/// them.
void pixel_pass(const PixelImage& image, int axis, const float* weights, int taps, float* out,
                cudaStream_t stream);
/// Any stencil; `weights` (z, x, y) on the device.
void pixel_correlation(const PixelImage& image, const float* weights, Int3 radius, float* out,
                       cudaStream_t stream);
void pixel_statistic(const PixelImage& image, Statistic statistic, Int3 radius, float* out,
                     cudaStream_t stream);
/// The total-variation term of each pixel from its 3³ neighbours, see repeated_variation().
void pixel_variation(const PixelImage& image, float edge, float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
