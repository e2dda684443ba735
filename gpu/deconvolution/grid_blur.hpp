#pragma once

#include <memory>
#include <string>

#include "core/filter/convolution.hpp"
#include "gpu/deconvolution/cosine_multiply.hpp"
#include "gpu/device/fft_plan.hpp"

namespace aprscope::gpu {

/// Convolution of a dense grid on a device with one kernel of any odd size, by Fourier transform,
/// in a buffer of its own. Allocates memory when constructed; throws a Failure where CUDA fails.
class GridBlur {
 public:
  virtual ~GridBlur() = default;
  /// Where to put cells before run() and to read them after it.
  [[nodiscard]] virtual const GridView& view() const = 0;
  /// Enqueues the convolution with the kernel, or with the flipped one.
  virtual void run(bool flip) const = 0;
  /// Enqueues out = image convolved, both arrays of the grid's size; they may be the same.
  virtual void run(const float* image, bool flip, float* out) const = 0;
  /// The padded size and the boundary as text, such as "64 × 128 × 256, mirrored".
  [[nodiscard]] virtual std::string description() const = 0;
};

/// The grid padded by the kernel's radius with what lies beyond it.
class PaddedGrid : public GridBlur {
 public:
  /// `beside`: how many cells beside the grid are read afterwards, 0 or 1.
  PaddedGrid(const Size3& size, const Stencil& kernel, Beyond beyond, int beside,
             cudaStream_t stream);

  [[nodiscard]] const GridView& view() const override { return view_; }
  void run(bool flip) const override;
  void run(const float* image, bool flip, float* out) const override;
  [[nodiscard]] std::string description() const override;

  static Size3 padded_size(const Size3& size, const Size3& kernel, Beyond beyond, int beside);
  /// Bytes on the device at most.
  static std::uint64_t estimate_bytes(const Size3& size, const Size3& kernel, Beyond beyond,
                                      int beside);

 private:
  void transform(bool flip) const;
  [[nodiscard]] std::uint64_t complexes() const { return plan_.buffer_count() / 2; }

  Beyond beyond_;
  cudaStream_t stream_;
  FftPlan plan_;
  bool real_;
  DeviceBuffer<float> buffer_;
  DeviceBuffer<float> spectrum_;
  GridView view_;
};

/// The grid mirrored about its faces, without padding, for kernels that are even along each axis:
/// see CosineConvolution. Needs y ≥ 2.
class FoldedGrid : public GridBlur {
 public:
  FoldedGrid(const Size3& size, const Stencil& kernel, cudaStream_t stream);

  [[nodiscard]] const GridView& view() const override { return view_; }
  void run(bool flip) const override;
  void run(const float* image, bool flip, float* out) const override;
  [[nodiscard]] std::string description() const override;

  static std::uint64_t estimate_bytes(const Size3& size, const Size3& kernel);

 private:
  void set_kernel(const Stencil& kernel);

  cudaStream_t stream_;
  FftPlan plan_;
  DeviceBuffer<float> buffer_;
  DeviceBuffer<float2> factors_;
  DeviceBuffer<float2> turn_z_, turn_x_, turn_y_;
  GridView view_;
};

/// Borders that reflect are mirrored about the faces: as a FoldedGrid where the kernel is even,
/// else as a PaddedGrid. `beside`: see PaddedGrid.
std::unique_ptr<GridBlur> make_grid_blur(const Size3& size, const Stencil& kernel,
                                         Boundary boundary, int beside, cudaStream_t stream);
/// Bytes on the device at most; `even`: see is_even().
std::uint64_t grid_blur_bytes(const Size3& size, const Size3& kernel, bool even, Boundary boundary,
                              int beside);

}  // namespace aprscope::gpu
