#pragma once

#include <cstdint>

namespace aprscope::gpu {

/// What becomes of a result r: stored; u / r, or 0 where r is not positive; u · r. The last two are
/// the halves of a Richardson–Lucy step.
enum class Epilogue { store, divide, multiply };

/// Where results go.
struct Target {
  /// Octet order, or null.
  float* out = nullptr;
  /// Linear order, or null.
  float* linear_out = nullptr;
  /// Octet order; u of the epilogue.
  const float* other = nullptr;
  Epilogue epilogue = Epilogue::store;
  /// Beyond the image: reflect about the edge cell, else zero.
  bool reflect = true;
};

}  // namespace aprscope::gpu
