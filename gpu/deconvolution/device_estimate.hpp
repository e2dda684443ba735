#pragma once

#include "core/deconvolution/iterate/estimate_update.hpp"
#include "gpu/device/device_buffer.hpp"

namespace aprscope::gpu {

/// One float for each value, on the device, in whatever order.
using DeviceValues = DeviceBuffer<float>;

/// Which floats of a DeviceValues are values: those in [first, end) that are particles of octets
/// with this `info`, or all in [first, end) where `info` is null.
struct ValueSlots {
  const std::uint32_t* info = nullptr;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

/// The element-wise passes of Richardson–Lucy on the device, see EstimateUpdate: the same formulas,
/// with sums in double precision in a fixed order. Slots that hold no value are unchanged, except
/// that they always hold something finite.
class DeviceEstimate {
 public:
  /// `weights`: pixels of each value; empty: one each. Throws a Failure, as all functions below do.
  DeviceEstimate(const ValueSlots& slots, DeviceValues weights, cudaStream_t stream);

  /// u ← max(u − offset, 0) · scale.
  void prepare(const DeviceValues& image, float offset, float scale) const;
  /// Scaled background light: one number for each value, or (null) the same everywhere.
  struct Background {
    const float* values = nullptr;
    float level = 0.0F;
  };
  /// x ← max(x − background, 0).
  void subtract(const DeviceValues& values, const Background& background) const;
  /// Two weighted sums: the divergence Σ u ln(u ÷ b) − u + b of the image u from b = blurred +
  /// background; and Σ blurred · ratio, the part of the image that the estimate explains.
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

  /// Operands of an update; null where the update does not need one.
  struct Operands {
    const float* point = nullptr;
    const float* correction = nullptr;
    const float* ones = nullptr;
    const float* term = nullptr;
    float strength = 0.0F;
    float least = 0.0F;  // what a correction counts as at the least
  };
  /// next ← point · max(correction, least) ÷ (ones − strength · term), where `next` may be any of
  /// them or the estimate; step ← next − point, unless null. Waits for the device.
  UpdateSums update(const Operands& in, const float* estimate, float* next, float* step) const;
  void scale(const DeviceValues& values, float factor) const;
  void extrapolate(const float* next, float factor, float along, float* estimate,
                   float* point) const;
  /// Sets all values to `value`.
  void fill(const DeviceValues& values, float value) const;
  /// Where the estimate is 0 and `blurred` is above `floor`, sets the estimate to `blurred`.
  void fill_zeros(const DeviceValues& estimate, const DeviceValues& blurred, float floor) const;
  /// Raises smaller values to `least`.
  void raise(const DeviceValues& values, float least) const;

 private:
  [[nodiscard]] UpdateSums sum() const;

  ValueSlots slots_;
  cudaStream_t stream_;
  unsigned blocks_;      // for one thread per slot
  unsigned sum_blocks_;  // at most a fixed number, the same on every device
  DeviceValues weights_;
  DeviceBuffer<double> partial_;
  DeviceBuffer<double> total_;
};

}  // namespace aprscope::gpu
