#include "core/apr/convert/thresholds.hpp"

#include <algorithm>
#include <array>

#include "core/apr/convert/li_threshold.hpp"
#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kChunk = 1 << 14;

std::int64_t chunks_of(std::int64_t n) { return (n + kChunk - 1) / kChunk; }

// Step 5: `masked(i)` is the gradient of voxel i, below 0 where it is left out.
template <class Masked>
Thresholds thresholds_of(const Masked& masked, const float* scale, std::int64_t n, float noise,
                         bool all) {
  const int threads = threads_for(n);
  const std::int64_t chunks = chunks_of(n);
  // Voxels that count, before each chunk.
  std::vector<std::int64_t> before(static_cast<std::size_t>(chunks) + 1, 0);
  parallel_for(chunks, threads, [&](std::int64_t c) {
    const std::int64_t end = std::min(n, (c + 1) * kChunk);
    std::int64_t count = all ? end - c * kChunk : 0;
#pragma omp simd reduction(+ : count)
    for (std::int64_t i = all ? end : c * kChunk; i < end; ++i) count += masked(i) >= 0.0F ? 1 : 0;
    before[static_cast<std::size_t>(c) + 1] = count;
  });
  for (std::size_t c = 1; c < before.size(); ++c) before[c] += before[c - 1];
  const std::int64_t found = before.back();
  if (found == 0) return {};

  // Every stride-th of them, and no more than there may be.
  const std::int64_t samples = std::min(found, kThresholdSamples);
  const std::int64_t stride = found / samples;
  const auto visit_chunk = [&](std::int64_t c, const auto& visit) {
    const std::int64_t rank = before[static_cast<std::size_t>(c)];
    std::int64_t next = (rank + stride - 1) / stride;
    std::int64_t until = next * stride - rank;
    const std::int64_t begin = c * kChunk;
    const std::int64_t end = std::min(n, begin + kChunk);
    if (before[static_cast<std::size_t>(c) + 1] - rank == end - begin) {
      for (std::int64_t i = begin + until; i < end && next < samples; i += stride, ++next) visit(i);
      return;
    }
    for (std::int64_t i = begin; i < end && next < samples; ++i) {
      if (!(masked(i) >= 0.0F)) continue;
      if (until-- == 0) {
        visit(i);
        ++next;
        until = stride - 1;
      }
    }
  };
  const auto thresholds =
      detail::li_thresholds_of<2>(chunks, threads, [&](std::int64_t c, const auto& visit) {
        visit_chunk(c, [&](std::int64_t i) {
          const float g = masked(i);
          visit(std::array<float, 2>{scale[i], g > noise ? g : 0.0F});
        });
      });
  return {.sigma_th = thresholds[0], .grad_th = thresholds[1]};
}

}  // namespace

float li_threshold(const std::vector<float>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  const auto found = detail::li_thresholds_of<1>(
      chunks_of(n), threads_for(n), [&](std::int64_t c, const auto& visit) {
        const std::int64_t end = std::min(n, (c + 1) * kChunk);
        for (std::int64_t i = c * kChunk; i < end; ++i) {
          visit(std::array<float, 1>{values[static_cast<std::size_t>(i)]});
        }
      });
  return found[0];
}

Thresholds masked_thresholds(const MaskedVoxels& voxels, bool all) {
  const float* const gradient = voxels.gradient;
  return thresholds_of([=](std::int64_t i) { return gradient[i]; }, voxels.scale, voxels.count,
                       voxels.noise, all);
}

Thresholds automatic_thresholds(const GradientScale& input, const ConversionParameters& p) {
  const float* const gradient = input.gradient.values.data();
  const float* const intensity = input.intensity.values.data();
  const float least = p.intensity_th;
  return thresholds_of([=](std::int64_t i) { return intensity[i] > least ? gradient[i] : -1.0F; },
                       input.scale.values.data(),
                       static_cast<std::int64_t>(input.intensity.values.size()), 0.0F, false);
}

std::int64_t count_voxels(const MaskedVoxels& voxels) {
  return std::count_if(voxels.gradient, voxels.gradient + voxels.count,
                       [](float g) { return g >= 0.0F; });
}

ThresholdSamples::ThresholdSamples(std::int64_t found)
    : samples_(std::min(found, kThresholdSamples)) {
  if (samples_ > 0) stride_ = found / samples_;
  // Vectors that grow are in memory twice.
  gradient_.reserve(static_cast<std::size_t>(samples_));
  scale_.reserve(static_cast<std::size_t>(samples_));
}

void ThresholdSamples::add(const MaskedVoxels& voxels) {
  for (std::int64_t i = 0; i < voxels.count; ++i) {
    if (static_cast<std::int64_t>(scale_.size()) == samples_) return;
    if (!(voxels.gradient[i] >= 0.0F)) continue;
    if (until_-- == 0) {
      gradient_.push_back(voxels.gradient[i]);
      scale_.push_back(voxels.scale[i]);
      until_ = stride_ - 1;
    }
  }
}

void ThresholdSamples::set_scale(float scale) { std::fill(scale_.begin(), scale_.end(), scale); }

Thresholds ThresholdSamples::thresholds(float noise) {
  for (float& g : gradient_) g = g > noise ? g : 0.0F;
  return {.sigma_th = li_threshold(scale_), .grad_th = li_threshold(gradient_)};
}

}  // namespace aprscope
