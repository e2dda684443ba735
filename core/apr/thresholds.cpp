#include "core/apr/thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/apr/parallel.hpp"

namespace aprscope {
namespace {

// At most this many half-grid voxels are looked at (the reference's limit).
constexpr std::int64_t kSamples = std::int64_t{32} * 512 * 512;
// Partial sums of this many values are added in order, whoever computed them.
constexpr std::int64_t kChunk = 1 << 14;

struct Above {
  double sum = 0.0;
  std::int64_t count = 0;
};

Above above_threshold(const std::vector<float>& values, float threshold) {
  const auto n = static_cast<std::int64_t>(values.size());
  const std::int64_t chunks = (n + kChunk - 1) / kChunk;
  std::vector<Above> parts(static_cast<std::size_t>(chunks));
#pragma omp parallel for schedule(static) num_threads(threads_for(n))
  for (std::int64_t c = 0; c < chunks; ++c) {
    const float* const v = values.data();
    const std::int64_t end = std::min(n, (c + 1) * kChunk);
    // Eight sums side by side: a fixed order of addition that still runs in vector registers.
    double sums[8] = {};
    std::int64_t counts[8] = {};
    std::int64_t i = c * kChunk;
    for (; i + 8 <= end; i += 8) {
      for (int k = 0; k < 8; ++k) {
        const float x = v[i + k];
        sums[k] += x > threshold ? static_cast<double>(x) : 0.0;
        counts[k] += x > threshold ? 1 : 0;
      }
    }
    for (; i < end; ++i) {
      if (v[i] > threshold) {
        sums[0] += static_cast<double>(v[i]);
        ++counts[0];
      }
    }
    Above& part = parts[static_cast<std::size_t>(c)];
    for (int k = 0; k < 8; ++k) {
      part.sum += sums[k];
      part.count += counts[k];
    }
  }
  Above total;
  for (const Above& part : parts) {
    total.sum += part.sum;
    total.count += part.count;
  }
  return total;
}

}  // namespace

float li_threshold(const std::vector<float>& values) {
  if (values.empty()) return 0.0F;
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  if (*smallest == *largest) return *smallest;
  const auto n = static_cast<std::int64_t>(values.size());
  const Above all = above_threshold(values, -1.0F);
  auto threshold = static_cast<float>(all.sum / static_cast<double>(n));
  std::int64_t last = -1;
  // The cross-entropy falls at each step, so the loop ends; the limit guards against ties.
  for (int round = 0; round < 1000; ++round) {
    const Above above = above_threshold(values, threshold);
    if (above.count == last || above.count == 0 || above.count == n) break;
    last = above.count;
    const double fore = above.sum / static_cast<double>(above.count);
    const double back = (all.sum - above.sum) / static_cast<double>(n - above.count);
    if (!(back > 0.0)) break;
    threshold = static_cast<float>((fore - back) / (std::log(fore) - std::log(back)));
  }
  return threshold;
}

Thresholds automatic_thresholds(const GradientScale& input, const ConversionParameters& p) {
  const std::vector<float>& intensity = input.intensity.values;
  const auto n = static_cast<std::int64_t>(intensity.size());
  const std::int64_t chunks = (n + kChunk - 1) / kChunk;
  std::vector<std::int64_t> before(static_cast<std::size_t>(chunks) + 1, 0);
#pragma omp parallel for schedule(static) num_threads(threads_for(n))
  for (std::int64_t c = 0; c < chunks; ++c) {
    std::int64_t count = 0;
    for (std::int64_t i = c * kChunk; i < std::min(n, (c + 1) * kChunk); ++i) {
      count += intensity[static_cast<std::size_t>(i)] > p.intensity_th ? 1 : 0;
    }
    before[static_cast<std::size_t>(c) + 1] = count;
  }
  for (std::size_t c = 1; c < before.size(); ++c) before[c] += before[c - 1];
  const std::int64_t found = before.back();
  if (found == 0) return {};

  // Every stride-th of the voxels above the intensity threshold.
  const std::int64_t samples = std::min(found, kSamples);
  const std::int64_t stride = found / samples;
  std::vector<float> gradient(static_cast<std::size_t>(samples));
  std::vector<float> scale(static_cast<std::size_t>(samples));
#pragma omp parallel for schedule(static) num_threads(threads_for(n))
  for (std::int64_t c = 0; c < chunks; ++c) {
    std::int64_t rank = before[static_cast<std::size_t>(c)];
    for (std::int64_t v = c * kChunk; v < std::min(n, (c + 1) * kChunk); ++v) {
      const auto i = static_cast<std::size_t>(v);
      if (!(intensity[i] > p.intensity_th)) continue;
      if (rank % stride == 0 && rank / stride < samples) {
        const auto k = static_cast<std::size_t>(rank / stride);
        gradient[k] = input.gradient.values[i];
        scale[k] = input.scale.values[i];
      }
      ++rank;
    }
  }
  return {.sigma_th = li_threshold(scale), .grad_th = li_threshold(gradient)};
}

}  // namespace aprscope
