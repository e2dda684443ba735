#pragma once

namespace aprscope::gpu {

/// Where results go.
struct Target {
  /// Octet order.
  float* out = nullptr;
  /// Beyond the image: reflect about the edge cell, else zero.
  bool reflect = true;
};

}  // namespace aprscope::gpu
