#pragma once

#include "core/deconvolution/estimate_update.hpp"
#include "gpu/octet_apr.hpp"

namespace aprscope::gpu {

/// The element-wise passes of Richardson–Lucy on values in octet order, see EstimateUpdate: the
/// same formulas, sums in double precision in a fixed order. What is no particle stays as it is,
/// except that its slots hold something finite.
class OctetEstimate {
 public:
  /// `weights`: pixels of each particle's cell, in linear order. Throws a Failure, as all below do.
  OctetEstimate(const OctetApr& apr, std::span<const float> weights);

  /// u ← max(u, 0) · scale.
  void prepare(const OctetValues& image, float scale) const;
  /// blurred ← u ÷ blurred, 0 where blurred is at most `floor`; gives the weighted Σ u ln(u ÷ b) −
  /// u
  /// + b of `image`, which was prepared. Waits for the device.
  double ratio(const OctetValues& image, float floor, const OctetValues& blurred) const;

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
  void scale(const OctetValues& values, float factor) const;
  void extrapolate(const float* next, float factor, float along, float* estimate,
                   float* point) const;
  /// Particles become `value`.
  void fill(const OctetValues& values, float value) const;
  /// Where the estimate is 0 and `blurred` above `floor`, it becomes that.
  void fill_zeros(const OctetValues& estimate, const OctetValues& blurred, float floor) const;
  void clear_negatives(const OctetValues& values) const;

 private:
  [[nodiscard]] UpdateSums sum() const;

  const OctetApr& apr_;
  unsigned blocks_;
  OctetValues weights_;
  DeviceBuffer<double> partial_;
  DeviceBuffer<double> total_;
};

}  // namespace aprscope::gpu
