#pragma once

#include <driver_types.h>

#include "gpu/octet/octet_target.hpp"
#include "gpu/octet/octets.hpp"

// Convolution with small stencils, up to 5³, over the halo lists of the structure.
namespace aprscope::gpu {

struct StencilJob {
  std::uint32_t first_work = 0;
  std::uint32_t work_count = 0;
  /// Values in octet order, with the tree. With `means`, the kernel also stores the means of the
  /// bricks' own octets in it.
  float* in = nullptr;
  Target target;
  bool means = false;
  /// 1: 27 weights, 2: 125 weights; z, x, y as in Stencil.
  int radius = 1;
  /// Radius 1 only, without `means`: 27 weights for each level, level 0 first.
  bool by_level = false;
  float weights[kMaxLevels * 27] = {};
};

void convolve_small(const OctetView& v, const StencilJob& job, cudaStream_t stream);

}  // namespace aprscope::gpu
