#pragma once

#include "core/deconvolution/iterate/estimate_update.hpp"
#include "gpu/device/device_buffer.hpp"

namespace aprscope::gpu {

/// One float a value on the device, whatever their order is.
using DeviceValues = DeviceBuffer<float>;

/// Which floats of a DeviceValues stand for something: those of [first, end) that are particles of
/// octets with this `info`, or all of them where it is null.
struct ValueSlots {
  const std::uint32_t* info = nullptr;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

/// The element-wise passes of Richardson–Lucy on the device, see EstimateUpdate: the same formulas,
/// sums in double precision in a fixed order. What is no value stays as it is, except that its
/// slots hold something finite.
class DeviceEstimate {
 public:
  /// `weights`: pixels that each value stands for; empty: one. Throws a Failure, as all below do.
  DeviceEstimate(const ValueSlots& slots, DeviceValues weights, cudaStream_t stream);

  /// u ← max(u − offset, 0) · scale.
  void prepare(const DeviceValues& image, float offset, float scale) const;
  /// Light of the background, scaled: one for each value, or (null) the same everywhere.
  struct Background {
    const float* values = nullptr;
    float level = 0.0F;
  };
  /// x ← max(x − background, 0).
  void subtract(const DeviceValues& values, const Background& background) const;
  /// What a ratio tells, weighted: Σ u ln(u ÷ b) − u + b of the image u and b = blurred +
  /// background; and Σ blurred · ratio, what of the image the estimate explains.
  struct RatioSums {
    double divergence = 0.0;
    double explained = 0.0;
  };
  /// blurred ← u ÷ (blurred + background), 0 where that sum is at most `floor`; `image` was
  /// prepared. Waits for the device.
  RatioSums ratio(const DeviceValues& image, const Background& background, float floor,
                  const DeviceValues& blurred) const;
  /// RatioSums::divergence alone; `blurred` stays. Waits for the device.
  [[nodiscard]] double divergence(const DeviceValues& image, const Background& background,
                                  float floor, const DeviceValues& blurred) const;

  /// Operands of an update; null: not needed.
  struct Operands {
    const float* point = nullptr;
    const float* correction = nullptr;
    const float* ones = nullptr;
    const float* term = nullptr;
    float strength = 0.0F;
  };
  /// next ← point · correction ÷ (ones − strength · term), where `next` may be any of them or the
  /// estimate; step ← next − point, unless null. Waits for the device.
  UpdateSums update(const Operands& in, const float* estimate, float* next, float* step) const;
  void scale(const DeviceValues& values, float factor) const;
  void extrapolate(const float* next, float factor, float along, float* estimate,
                   float* point) const;
  /// Values become `value`.
  void fill(const DeviceValues& values, float value) const;
  /// Where the estimate is 0 and `blurred` above `floor`, it becomes that.
  void fill_zeros(const DeviceValues& estimate, const DeviceValues& blurred, float floor) const;
  void clear_negatives(const DeviceValues& values) const;

 private:
  [[nodiscard]] UpdateSums sum() const;

  ValueSlots slots_;
  cudaStream_t stream_;
  unsigned blocks_;      // one thread a slot
  unsigned sum_blocks_;  // a fixed number at most, the same on every device
  DeviceValues weights_;
  DeviceBuffer<double> partial_;
  DeviceBuffer<double> total_;
};

}  // namespace aprscope::gpu
