#pragma once

#include "core/apr/convert/smoother_plan.hpp"
#include "gpu/convert/image_slices.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Smoothing B-spline coefficients of an image on the device, a slab of blocks at a time. It
/// follows the same plan in the same order of roundings as SlabSmoother, so that the bits agree.
class ImageSmoother {
 public:
  /// At most `slab_blocks` blocks are made at once. Throws a Failure, as all below do.
  ImageSmoother(const SmootherPlan& plan, SampleKind kind, int slab_blocks, cudaStream_t stream);

  /// Enqueues blocks [begin, end) of the plan; in ascending order, from the first.
  void run(int begin, int end, const SliceRing& image);

  /// Coefficients, less the first sample, without the factor plan.norm: slice z in slot z modulo
  /// slots(), those of the last slab and the three before it.
  [[nodiscard]] const float* coefficients() const { return ring_.data(); }
  [[nodiscard]] int slots() const { return slots_; }
  /// On the device: the first sample, and the largest |sample − first sample| so far.
  [[nodiscard]] const float* offset() const { return seen_.data(); }
  [[nodiscard]] const float* largest() const { return seen_.data() + 1; }

  static std::uint64_t estimate_bytes(const SmootherPlan& plan, int slab_blocks);

 private:
  template <class T>
  void along_z(int begin, int end, const T* image, int image_slots);

  const SmootherPlan& plan_;
  SampleKind kind_;
  cudaStream_t stream_;
  int slots_;
  int group_slots_;
  int groups_made_ = 0;
  DeviceBuffer<float> ring_;
  DeviceBuffer<float> seen_;
  DeviceBuffer<float> state_;
  // Pairs of weighted sums over groups of slices, two planes a group, in a ring.
  DeviceBuffer<float> groups_;
  DeviceBuffer<float> weights_;
  DeviceBuffer<int> tap_slices_;
};

}  // namespace aprscope::gpu
