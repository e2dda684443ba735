#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/disk_floats.hpp"
#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/blur_shares.hpp"
#include "core/deconvolution/iterate/observation.hpp"

namespace aprscope {

/// Facts about the image of a deconvolution above its offset; sums are weighted.
struct ImageFacts {
  double flux = 0.0;  // values below the offset count as 0
  double background = 0.0;
  double pixels = 0.0;
  float largest = 0.0F;
  std::uint64_t negatives = 0;  // values below the offset
  std::uint64_t zeros = 0;      // values without light above the background
  std::uint64_t non_finite = 0;
};

/// Operands of an update: spans of one length; those that are not needed are empty.
struct UpdateOperands {
  std::span<const float> point;       // what was blurred
  std::span<const float> correction;  // Hᵀ of the ratio
  std::span<const float> ones;        // Hᵀ1; empty: 1
  std::span<const float> term;        // of the regulariser
  float strength = 0.0F;
  float least = 0.0F;  // what a correction counts as at the least
};

/// Weighted sums over an update.
struct UpdateSums {
  double flux = 0.0;    // Σ new · Hᵀ1
  double size = 0.0;    // Σ new
  double change = 0.0;  // Σ |new − old|
  double along = 0.0;   // Σ step · step before
  double before = 0.0;  // Σ (step before)²
};

/// The element-wise passes of Richardson–Lucy, each over parts of fixed length on all threads, so
/// that sums do not depend on how many there are. Takes memory when it is made only.
class EstimateUpdate {
 public:
  /// With `shares`, only values that this rank knows are looked at; sums are those over all. `disk`
  /// holds the values that are too many for memory: stretches of them are looked at one after the
  /// other. Both must outlive it. Throws std::bad_alloc.
  explicit EstimateUpdate(std::span<const WeightRun> weights, BlurShares* shares = nullptr,
                          DiskFloats* disk = nullptr);

  /// Scale and floor of `seen` do not count.
  ImageFacts look_at(const Observation& seen);

  /// estimate ← the light above the background, at least 0.
  void first_estimate(const Observation& seen, std::span<float> estimate);
  /// blurred ← light ÷ (blurred + background), 0 where that sum is at most the floor. Returns the
  /// weighted Σ blurred · ratio, the light that the estimate explains, where there is a background;
  /// else 0.
  double ratio(const Observation& seen, std::span<float> blurred);
  /// Weighted Σ u ln(u ÷ b) − u + b of the light u and b = blurred + background, at least the
  /// floor.
  double divergence(const Observation& seen, std::span<const float> blurred);

  /// estimate ← point · max(correction, least) ÷ (Hᵀ1 − strength · term), where `point` is
  /// `estimate`.
  UpdateSums update(const UpdateOperands& in, std::span<float> estimate);
  /// The update into `next`: next ← …, and step ← next − point. `next` may be `correction`.
  UpdateSums update(const UpdateOperands& in, std::span<const float> estimate,
                    std::span<float> next, std::span<float> step);

  void scale(std::span<float> values, float factor);
  /// values ← value, to ← from, values ← at least `least`.
  void set(std::span<float> values, float value);
  void copy(std::span<const float> from, std::span<float> to);
  void raise(std::span<float> values, float least);
  /// Zeros of the estimate become what is blurred into them, if that is above `floor`: values up to
  /// it are rounding errors of a transform, not light.
  void light_zeros(std::span<float> estimate, std::span<const float> blurred, float floor);
  /// estimate ← factor · next, point ← estimate + along · (estimate − the one before), but no less
  /// than a tenth of the estimate: what becomes 0 stays 0.
  void extrapolate(std::span<const float> next, float factor, float along,
                   std::span<float> estimate, std::span<float> point);

 private:
  template <class Sums, class Work>
  void for_parts(std::size_t count, std::vector<Sums>& parts, const Work& work);
  template <class Sums, class Work>
  Sums over_parts(std::size_t count, std::vector<Sums>& parts, const Work& work);

  std::span<const WeightRun> weights_;
  BlurShares* shares_;
  DiskFloats* disk_;
  std::vector<std::size_t> first_run_;  // of each part
  std::vector<UpdateSums> sums_;
  std::vector<double> totals_;
};

}  // namespace aprscope
