#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/convert/conversion_parameters.hpp"

namespace aprscope {

/// Li's minimum cross-entropy threshold of values ≥ 0 (Li & Tam 1998): from the mean, the
/// threshold moves to (μ_above − μ_below) / (ln μ_above − ln μ_below) until the values above it no
/// longer change. 0 for no values; the value itself where all are equal; the present threshold
/// where all values below it are 0. The sums are exact, hence the same for any number of threads
/// and any order of the values.
float li_threshold(const std::vector<float>& values);

/// At most this many half-grid voxels are looked at for thresholds (the reference's limit).
inline constexpr std::int64_t kThresholdSamples = std::int64_t{32} * 512 * 512;

/// Gradient and scale of `count` voxels; a gradient below 0 leaves the voxel out of thresholds and
/// levels, one of at most `noise` counts as 0.
struct MaskedVoxels {
  const float* gradient = nullptr;
  const float* scale = nullptr;
  std::int64_t count = 0;
  float noise = 0.0F;
};

/// Step 5 for voxels that lie in memory. `all`: the caller knows that no voxel is masked.
Thresholds masked_thresholds(const MaskedVoxels& voxels, bool all = false);

/// Voxels that are not left out.
std::int64_t count_voxels(const MaskedVoxels& voxels);

/// Step 5 for voxels that come in parts: every stride-th of the `found` voxels that are not left
/// out, at most kThresholdSamples of them.
class ThresholdSamples {
 public:
  explicit ThresholdSamples(std::int64_t found);
  void add(const MaskedVoxels& voxels);
  /// Replaces the scale of all samples.
  void set_scale(float scale);
  /// `noise` as in MaskedVoxels, for all voxels.
  [[nodiscard]] Thresholds thresholds(float noise);

 private:
  std::int64_t stride_ = 1;
  std::int64_t until_ = 0;
  std::int64_t samples_ = 0;
  std::vector<float> gradient_, scale_;
};

/// σ that stands for "infinite" below sigma_th_max, as in the reference implementation.
constexpr float kInfiniteScale = 60000.0F;

/// The local scale that the level follows from: at least sigma_th, and (practically) infinite below
/// both sigma_th and sigma_th_max.
inline float thresholded_scale(float sigma, float sigma_th, float sigma_th_max) {
  if (!(sigma < sigma_th)) return sigma;
  if (sigma < sigma_th_max) return kInfiniteScale > sigma_th ? kInfiniteScale : sigma_th;
  return sigma_th;
}

/// Step 5: Li's minimum cross-entropy threshold (Li & Tam 1998) of gradient and of scale over
/// half-grid voxels whose intensity is above intensity_th.
Thresholds automatic_thresholds(const GradientScale& input, const ConversionParameters& parameters);

}  // namespace aprscope
