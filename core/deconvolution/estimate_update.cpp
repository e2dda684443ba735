#include "core/deconvolution/estimate_update.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kPart = 8192;
constexpr std::size_t kLanes = 16;

// Finite values come in, and finite values go out; none so small that products of it with weights
// would be denormal, which is slow.
constexpr float kLargest = 1e30F;
constexpr float kSmallest = 1e-30F;
// The divisor is at least this share of Hᵀ1, and Hᵀ1 at least this: light that never reaches the
// image.
constexpr float kLeastDivisor = 0.1F;
constexpr float kLeastOnes = 1e-6F;

// A sum in as many lanes as vectors have, in double precision.
struct Lanes {
  std::array<double, kLanes> lane{};
  [[nodiscard]] double total() const {
    double sum = 0.0;
    for (const double v : lane) sum += v;
    return sum;
  }
};

// Calls work(i, lane) for i in [0, n): whole vectors, then the rest.
template <class Work>
inline void in_lanes(std::size_t n, const Work& work) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) work(i + k, k);
  }
  for (std::size_t k = 0; i < n; ++i, ++k) work(i, k);
}

inline float positive(float v) { return v > 0.0F ? v : 0.0F; }

inline float stepped(float point, float correction, float ones, float smoothing) {
  const float floor = std::max(ones, kLeastOnes);
  const float divisor = std::max(ones - smoothing, kLeastDivisor * floor);
  const float now = std::min(point * positive(correction) / divisor, kLargest);
  return now > kSmallest ? now : 0.0F;
}

// r ln r − r + 1 for r ≥ 0, as accurate as floats allow where r is close to 1.
inline float excess(float r) {
  const auto bits = std::bit_cast<std::int32_t>(r);
  // r = m · 2^e with m in [√½, √2).
  const std::int32_t e = (bits - 0x3F3504F3) >> 23;
  const float m = std::bit_cast<float>(bits - (e << 23));
  const float t = (m - 1.0F) / (m + 1.0F);
  const float q = t * t;
  const float series =
      2.0F * t * (1.0F + q * (1.0F / 3 + q * (1.0F / 5 + q * (1.0F / 7 + q * (1.0F / 9)))));
  const float log = series + static_cast<float>(e) * 0.693147181F;
  return r > 1e-37F ? r * log - (r - 1.0F) : 1.0F;
}

}  // namespace

EstimateUpdate::EstimateUpdate(std::span<const WeightRun> weights) : weights_(weights) {
  const std::size_t count = weights.empty() ? 0 : weights.back().end;
  const std::size_t parts = (count + kPart - 1) / kPart;
  std::size_t run = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    while (weights[run].end <= p * kPart) ++run;
    first_run_.push_back(run);
  }
  sums_.resize(parts);
  totals_.resize(parts);
}

// Calls work(begin, end, weight, sums) for the stretches of equal weight of every part.
template <class Sums, class Work>
Sums EstimateUpdate::over_parts(std::size_t count, std::vector<Sums>& parts, const Work& work) {
  const auto n = static_cast<std::int64_t>(first_run_.size());
#pragma omp parallel for schedule(static) num_threads(thread_count()) if (n > 4)
  for (std::int64_t p = 0; p < n; ++p) {
    const auto part = static_cast<std::size_t>(p);
    const std::size_t end = std::min(count, (part + 1) * kPart);
    parts[part] = {};
    std::size_t run = first_run_[part];
    for (std::size_t i = part * kPart; i < end; ++run) {
      const std::size_t stop = std::min<std::size_t>(end, weights_[run].end);
      work(i, stop, weights_[run].weight, parts[part]);
      i = stop;
    }
  }
  Sums total{};
  for (const Sums& s : parts) {
    if constexpr (std::is_same_v<Sums, double>) {
      total += s;
    } else {
      total.flux += s.flux;
      total.size += s.size;
      total.change += s.change;
      total.along += s.along;
      total.before += s.before;
    }
  }
  return total;
}

ImageFacts EstimateUpdate::look_at(std::span<const float> image) {
  ImageFacts facts;
  std::size_t i = 0;
  for (const WeightRun& run : weights_) {
    facts.pixels += run.weight * static_cast<double>(run.end - i);
    for (; i < run.end; ++i) {
      const float v = image[i];
      if (!std::isfinite(v)) {
        ++facts.non_finite;
        continue;
      }
      facts.negatives += v < 0.0F ? 1 : 0;
      facts.zeros += v <= 0.0F ? 1 : 0;
      facts.largest = std::max(facts.largest, v);
      facts.flux += run.weight * static_cast<double>(positive(v));
    }
  }
  return facts;
}

void EstimateUpdate::ratio(std::span<const float> image, float scale, float floor,
                           std::span<float> blurred) {
  over_parts(image.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    const float* const u = image.data();
    float* const b = blurred.data();
    for (std::size_t i = begin; i < end; ++i) {
      const float r = positive(u[i]) * scale / std::max(b[i], floor);
      b[i] = b[i] > floor ? r : 0.0F;
    }
  });
}

double EstimateUpdate::divergence(std::span<const float> image, float scale, float floor,
                                  std::span<const float> blurred) {
  return over_parts(image.size(), totals_,
                    [&](std::size_t begin, std::size_t end, double weight, double& sum) {
                      const float* const u = image.data() + begin;
                      const float* const b = blurred.data() + begin;
                      Lanes lanes;
                      in_lanes(end - begin, [&](std::size_t i, std::size_t k) {
                        const float at = std::max(b[i], floor);
                        const float r = positive(u[i]) * scale / at;
                        lanes.lane[k] += static_cast<double>(at * excess(r));
                      });
                      sum += weight * lanes.total();
                    });
}

UpdateSums EstimateUpdate::update(const UpdateOperands& in, std::span<float> estimate) {
  return over_parts(estimate.size(), sums_,
                    [&](std::size_t begin, std::size_t end, double weight, UpdateSums& sums) {
                      const float* const c = in.correction.data() + begin;
                      const float* const ones = in.ones.empty() ? nullptr : in.ones.data() + begin;
                      const float* const term = in.term.empty() ? nullptr : in.term.data() + begin;
                      float* const x = estimate.data() + begin;
                      Lanes size;
                      Lanes flux;
                      Lanes change;
                      const auto run = [&](const auto& ones_at, const auto& smoothing_at) {
                        in_lanes(end - begin, [&](std::size_t i, std::size_t k) {
                          const float h = ones_at(i);
                          const float old = x[i];
                          const float now = stepped(old, c[i], h, smoothing_at(i));
                          x[i] = now;
                          size.lane[k] += static_cast<double>(now);
                          flux.lane[k] += static_cast<double>(now * h);
                          change.lane[k] += static_cast<double>(std::abs(now - old));
                        });
                      };
                      const auto one = [](std::size_t) { return 1.0F; };
                      const auto none = [](std::size_t) { return 0.0F; };
                      const auto smoothing = [&](std::size_t i) { return in.strength * term[i]; };
                      const auto given = [&](std::size_t i) { return ones[i]; };
                      if (ones == nullptr && term == nullptr) {
                        run(one, none);
                      } else if (ones == nullptr) {
                        run(one, smoothing);
                      } else if (term == nullptr) {
                        run(given, none);
                      } else {
                        run(given, smoothing);
                      }
                      sums.size += weight * size.total();
                      sums.flux += weight * flux.total();
                      sums.change += weight * change.total();
                    });
}

UpdateSums EstimateUpdate::update(const UpdateOperands& in, std::span<const float> estimate,
                                  std::span<float> next, std::span<float> step) {
  return over_parts(estimate.size(), sums_,
                    [&](std::size_t begin, std::size_t end, double weight, UpdateSums& sums) {
                      const float* const y = in.point.data() + begin;
                      const float* const c = in.correction.data() + begin;
                      const float* const ones = in.ones.empty() ? nullptr : in.ones.data() + begin;
                      const float* const term = in.term.empty() ? nullptr : in.term.data() + begin;
                      const float* const x = estimate.data() + begin;
                      float* const to = next.data() + begin;
                      float* const g = step.data() + begin;
                      std::array<Lanes, 5> lanes;
                      in_lanes(end - begin, [&](std::size_t i, std::size_t k) {
                        const float h = ones != nullptr ? ones[i] : 1.0F;
                        const float now =
                            stepped(y[i], c[i], h, term != nullptr ? in.strength * term[i] : 0.0F);
                        const auto moved = static_cast<double>(now - y[i]);
                        const auto before = static_cast<double>(g[i]);
                        lanes[0].lane[k] += static_cast<double>(now * h);
                        lanes[1].lane[k] += static_cast<double>(now);
                        lanes[2].lane[k] += static_cast<double>(std::abs(now - x[i]));
                        lanes[3].lane[k] += moved * before;
                        lanes[4].lane[k] += before * before;
                        g[i] = now - y[i];
                        to[i] = now;
                      });
                      sums.flux += weight * lanes[0].total();
                      sums.size += weight * lanes[1].total();
                      sums.change += weight * lanes[2].total();
                      sums.along += weight * lanes[3].total();
                      sums.before += weight * lanes[4].total();
                    });
}

void EstimateUpdate::scale(std::span<float> values, float factor) {
  over_parts(values.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    float* const x = values.data();
    for (std::size_t i = begin; i < end; ++i)
      x[i] = std::min(x[i] * factor, std::numeric_limits<float>::max());
  });
}

void EstimateUpdate::extrapolate(std::span<const float> next, float factor, float along,
                                 std::span<float> estimate, std::span<float> point) {
  over_parts(next.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    const float* const from = next.data();
    float* const x = estimate.data();
    float* const y = point.data();
    for (std::size_t i = begin; i < end; ++i) {
      const float now = std::min(from[i] * factor, kLargest);
      const float ahead = now + along * (now - x[i]);
      y[i] = std::max(ahead, kLeastDivisor * now);
      x[i] = now;
    }
  });
}

}  // namespace aprscope
