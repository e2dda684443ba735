#pragma once

#include <vector>

#include "core/apr/conversion.hpp"

namespace aprscope {

/// Li's minimum cross-entropy threshold of values ≥ 0 (Li & Tam 1998): from the mean, the
/// threshold moves to (μ_above − μ_below) / (ln μ_above − ln μ_below) until the values above it no
/// longer change. 0 for no values; the value itself where all are equal; the present threshold
/// where all values below it are 0. The same for any number of threads.
float li_threshold(const std::vector<float>& values);

/// σ that stands for "infinite" below sigma_th_max, as in the reference implementation.
constexpr float kInfiniteScale = 60000.0F;

/// The local scale that the level follows from: at least sigma_th, and (practically) infinite below
/// both sigma_th and sigma_th_max.
inline float thresholded_scale(float sigma, float sigma_th, float sigma_th_max) {
  if (!(sigma < sigma_th)) return sigma;
  if (sigma < sigma_th_max) return kInfiniteScale > sigma_th ? kInfiniteScale : sigma_th;
  return sigma_th;
}

}  // namespace aprscope
