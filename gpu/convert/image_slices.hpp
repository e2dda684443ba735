#pragma once

#include <cstdint>

#include "core/apr/convert/slice_source.hpp"
#include "core/image/volume.hpp"

namespace aprscope::gpu {

/// Slices of an image on the device: all of them, or the last `slots` ones in a ring.
struct SliceRing {
  const void* base = nullptr;
  int slots = 1;
};

/// Extents in 32 bits, for kernels.
struct GridSize {
  int z = 1;
  int x = 1;
  int y = 1;
  GridSize() = default;
  explicit GridSize(const Size3& n)
      : z(static_cast<int>(n.z)), x(static_cast<int>(n.x)), y(static_cast<int>(n.y)) {}
};

#ifdef __CUDACC__
/// Slot of slice z in a ring of `slots`, without dividing: `origin` is the multiple of `slots`
/// below (or at) some slice that is less than `slots` away from z.
__device__ inline int ring_slot(int z, int origin, int slots) {
  int s = z - origin;
  if (s < 0) s += slots;
  return s >= slots ? s - slots : s;
}
/// Position k of a signal of n samples that is mirrored about its ends, for k less than n away from
/// them.
__device__ inline int mirrored_once(int k, int n) {
  if (n == 1) return 0;
  if (k < 0) k = -k;
  return k < n ? k : 2 * n - 2 - k;
}
#endif

/// Calls work with a value of the sample type.
template <class Work>
void with_samples(SampleKind kind, const Work& work) {
  switch (kind) {
    case SampleKind::u8:
      return work(std::uint8_t{});
    case SampleKind::u16:
      return work(std::uint16_t{});
    case SampleKind::f32:
      break;
  }
  work(float{});
}

}  // namespace aprscope::gpu
