#pragma once

#include <array>
#include <memory>

#include "core/operations/filter/filter_plan.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/pixel/pixel_filter.hpp"

namespace aprscope::gpu {

/// A correlation prepared for pixels on a device, as three passes where that is faster.
class PixelCorrelation {
 public:
  /// Throws a Failure, as all below do.
  PixelCorrelation(const Stencil& stencil, GpuDevice& device);

  [[nodiscard]] Int3 radius() const { return radius_; }
  /// Enqueues the correlation; `spare` is as large as the image. All three arrays are different.
  void run(const PixelImage& image, float* out, float* spare) const;

 private:
  cudaStream_t stream_;
  Int3 radius_;
  bool separable_ = false;
  std::array<DeviceBuffer<float>, 3> weights_;  // for passes: of each axis; else all in the first
};

/// A filter on the pixels of an image, into `out`, one value a pixel: the counterpart of
/// run_filter(). Where the image does not fit on the device it is filtered in slabs of slices.
/// Errors: cancelled; even a slab does not fit (with numbers). Throws a Failure where CUDA fails.
/// The device must be current.
Status filter_pixels(const FilterPlan& plan, const Pixels<float>& image, const std::string& name,
                     GpuDevice& device, std::span<float> out, const JobContext& context);

/// Memory in bytes that filtering the whole image at once takes on the device.
std::uint64_t pixel_filter_bytes(const Size3& size);

}  // namespace aprscope::gpu
