#pragma once

#include "core/apr/convert/half_grid.hpp"
#include "gpu/convert/image_smoother.hpp"

namespace aprscope::gpu {

/// Gradient and local scale on the half grid, made on the device from coefficients that come a slab
/// at a time; the same steps and roundings as HalfStrip's. Gradients are not yet cleared of
/// rounding errors and are −1 where the intensity is at or below the mask.
class ImageHalfGrid {
 public:
  /// Needs options.mask. Throws a Failure, as all below do.
  ImageHalfGrid(const HalfOptions& options, const ImageSmoother& image, const Size3& image_size,
                float norm, int slab_planes, cudaStream_t stream);

  /// Enqueues everything that can be computed from the coefficients of the slices [0, end).
  void run(std::int64_t end);

  /// On the device, one value a voxel of the half grid.
  [[nodiscard]] const float* gradient() const { return gradient_.data(); }
  /// Complete after the last slab; without local windows, call fill_scale() first.
  [[nodiscard]] const float* scale() const { return scale_.data(); }
  /// Mean less minimum of all intensities, in the order of the CPU's sums. Waits for the device.
  [[nodiscard]] float mean_less_least() const;
  void fill_scale(float value) const;

  static std::uint64_t estimate_bytes(const HalfOptions& options, int slab_planes);

 private:
  void blocks(std::int64_t begin, std::int64_t end);
  void values(std::int64_t begin, std::int64_t end);
  void scales(std::int64_t known);

  HalfOptions options_;
  const ImageSmoother& image_;
  GridSize size_;
  float norm_;
  cudaStream_t stream_;
  GridSize half_, border_, mirrored_;
  int slots_;
  std::int64_t blocks_made_ = 0, values_made_ = 0, deviations_made_ = 0;
  DeviceBuffer<float> gradient_, scale_;
  // Rings of `slots_` planes; the last three are planes of the mirrored image.
  DeviceBuffer<float> means_, values_, inner_, deviation_, outer_;
  // A sum and a smallest intensity for each row; used only where there are no local windows.
  DeviceBuffer<double> row_sums_;
  DeviceBuffer<float> row_least_;
};

}  // namespace aprscope::gpu
