#pragma once

namespace aprscope::gpu {

/// The output of a convolution.
struct Target {
  /// Values in octet order.
  float* out = nullptr;
  /// The boundary: true reflects about the edge cell, false is zero beyond the image.
  bool reflect = true;
};

}  // namespace aprscope::gpu
