#include "core/deconvolution/iterate/estimate_update.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/parallel.hpp"
#include "core/deconvolution/iterate/iteration_limits.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kPart = kValuesOfPart;
// Parts of values on a disk that are looked at together: 16 MB of each list.
constexpr std::size_t kPartsOfStretch = 512;

// Eight values at once, or one; the passes are written once for both.
typedef float Eight __attribute__((vector_size(32)));
typedef float EightLoaded __attribute__((vector_size(32), aligned(4), may_alias));
typedef std::int32_t EightBits __attribute__((vector_size(32)));

struct AtEight {
  using Value = Eight;
  std::size_t i;
  [[nodiscard]] Eight load(const float* p) const {
    return *reinterpret_cast<const EightLoaded*>(p + i);
  }
  void store(float* p, Eight v) const { *reinterpret_cast<EightLoaded*>(p + i) = v; }
};
struct AtOne {
  using Value = float;
  std::size_t i;
  [[nodiscard]] float load(const float* p) const { return p[i]; }
  void store(float* p, float v) const { p[i] = v; }
};

EightBits bits_of(Eight v) { return reinterpret_cast<EightBits>(v); }
std::int32_t bits_of(float v) { return std::bit_cast<std::int32_t>(v); }
Eight value_of(EightBits b) { return reinterpret_cast<Eight>(b); }
float value_of(std::int32_t b) { return std::bit_cast<float>(b); }
Eight number_of(EightBits b) { return __builtin_convertvector(b, Eight); }
float number_of(std::int32_t b) { return static_cast<float>(b); }

template <class V>
V at_least(V v, float least) {
  return v > least ? v : V{} + least;  // NaN too becomes the least
}
template <class V>
V at_most(V v, float most) {
  return v < most ? v : V{} + most;
}
template <class V>
V size_of(V v) {
  return v > 0.0F ? v : -v;
}

// Calls item(at, sums) for all of [begin, end), eight at a time while there are; adds up its sums,
// in floats over short stretches and in doubles over all.
template <int N, class Item>
void for_values(std::size_t begin, std::size_t end, double (&total)[N], const Item& item) {
  constexpr std::size_t kStretch = 256;
  std::size_t i = begin;
  while (i + 8 <= end) {
    const std::size_t stop = std::min(i + kStretch, end);
    Eight sums[N] = {};
    for (; i + 8 <= stop; i += 8) item(AtEight{i}, sums);
    for (int n = 0; n < N; ++n) {
      for (int lane = 0; lane < 8; ++lane) total[n] += static_cast<double>(sums[n][lane]);
    }
  }
  for (; i < end; ++i) {
    float sums[N] = {};
    item(AtOne{i}, sums);
    for (int n = 0; n < N; ++n) total[n] += static_cast<double>(sums[n]);
  }
}
template <class Item>
void for_values(std::size_t begin, std::size_t end, const Item& item) {
  std::size_t i = begin;
  for (; i + 8 <= end; i += 8) item(AtEight{i});
  for (; i < end; ++i) item(AtOne{i});
}

// Eight values of an observation, or one, in the unit of the iterations.
class Light {
 public:
  explicit Light(const Observation& seen)
      : image_(seen.image.data()),
        background_(seen.background.empty() ? nullptr : seen.background.data()),
        offset_(seen.offset),
        scale_(seen.scale),
        level_(std::min(seen.level * seen.scale, kLargestEstimate)) {}

  template <class At>
  [[nodiscard]] auto observed(const At& at) const {
    return at_least(at.load(image_) - offset_, 0.0F) * scale_;
  }
  template <class At>
  [[nodiscard]] auto background(const At& at) const {
    using V = typename At::Value;
    return background_ != nullptr ? at_most<V>(at.load(background_) * scale_, kLargestEstimate)
                                  : V{} + level_;
  }

 private:
  const float* image_;
  const float* background_;
  float offset_;
  float scale_;
  float level_;
};

template <class V>
V stepped(V point, V correction, float least_correction, V ones, V smoothing) {
  const V least = kLeastDivisor * at_least(ones, kLeastOnes);
  const V wanted = ones - smoothing;
  const V divisor = wanted > least ? wanted : least;
  const V now = at_most(point * at_least(correction, least_correction) / divisor, kLargestEstimate);
  return now > kSmallestEstimate ? now : V{};
}

// r ln r − r + 1 for r ≥ 0, as accurate as floats allow where r is close to 1.
template <class V>
V excess(V r) {
  const auto bits = bits_of(r);
  // r = m · 2^e with m in [√½, √2).
  const auto e = (bits - 0x3F3504F3) >> 23;
  const V m = value_of(bits - (e << 23));
  const V t = (m - 1.0F) / (m + 1.0F);
  const V q = t * t;
  const V series =
      2.0F * t * (1.0F + q * (1.0F / 3 + q * (1.0F / 5 + q * (1.0F / 7 + q * (1.0F / 9)))));
  const V log = series + number_of(e) * 0.693147181F;
  return r > 1e-37F ? r * log - (r - 1.0F) : V{} + 1.0F;
}

}  // namespace

EstimateUpdate::EstimateUpdate(std::span<const WeightRun> weights, BlurShares* shares,
                               DiskFloats* disk)
    : weights_(weights), shares_(shares), disk_(disk) {
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

// Calls work(begin, end, weight, sums) for the stretches of equal weight of every part that is
// known.
template <class Sums, class Work>
void EstimateUpdate::for_parts(std::size_t count, std::vector<Sums>& parts, const Work& work) {
  const auto visit = [&](std::uint64_t first, std::uint64_t last) {
    const auto n = static_cast<std::int64_t>(last - first);
    parallel_for(n, n > 4 ? thread_count() : 1, [&](std::int64_t p) {
      const auto part = static_cast<std::size_t>(p) + first;
      const std::size_t end = std::min(count, (part + 1) * kPart);
      parts[part] = {};
      std::size_t run = first_run_[part];
      for (std::size_t i = part * kPart; i < end; ++run) {
        const std::size_t stop = std::min<std::size_t>(end, weights_[run].end);
        work(i, stop, weights_[run].weight, parts[part]);
        i = stop;
      }
    });
  };
  if (shares_ == nullptr) {
    const std::size_t all = first_run_.size();
    const std::size_t together = disk_ != nullptr ? kPartsOfStretch : all;
    for (std::size_t p = 0; p < all; p += together) {
      visit(p, std::min(all, p + together));
      if (disk_ != nullptr) disk_->leave();
    }
    return;
  }
  for (const BlurShares::Run& run : shares_->known_parts()) visit(run.begin, run.end);
}

// The same; adds the sums of all parts up, in order.
template <class Sums, class Work>
Sums EstimateUpdate::over_parts(std::size_t count, std::vector<Sums>& parts, const Work& work) {
  for_parts(count, parts, work);
  if (shares_ != nullptr) shares_->complete(parts);
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

ImageFacts EstimateUpdate::look_at(const Observation& seen) {
  ImageFacts facts;
  std::size_t i = 0;
  for (const WeightRun& run : weights_) {
    facts.pixels += run.weight * static_cast<double>(run.end - i);
    for (; i < run.end; ++i) {
      if (disk_ != nullptr && i % (kPartsOfStretch * kPart) == 0) disk_->leave();
      const float v = seen.image[i] - seen.offset;
      if (!std::isfinite(v)) {
        ++facts.non_finite;
        continue;
      }
      const float background = seen.background.empty() ? seen.level : seen.background[i];
      facts.negatives += v < 0.0F ? 1 : 0;
      facts.zeros += v <= background ? 1 : 0;
      facts.largest = std::max(facts.largest, v);
      facts.flux += run.weight * static_cast<double>(at_least(v, 0.0F));
      facts.background += run.weight * static_cast<double>(background);
    }
  }
  return facts;
}

void EstimateUpdate::first_estimate(const Observation& seen, std::span<float> estimate) {
  const Light light(seen);
  float* const x = estimate.data();
  for_parts(estimate.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    for_values(begin, end, [=](const auto& at) {
      at.store(x, at_least(light.observed(at) - light.background(at), 0.0F));
    });
  });
}

double EstimateUpdate::ratio(const Observation& seen, std::span<float> blurred) {
  const Light light(seen);
  const float floor = seen.floor;
  float* const b = blurred.data();
  if (!seen.has_background()) {
    for_parts(blurred.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
      for_values(begin, end, [=](const auto& at) {
        const auto under = at.load(b);
        const auto r = light.observed(at) / at_least(under, floor);
        at.store(b, under > floor ? r : decltype(r){});
      });
    });
    return 0.0;
  }
  return over_parts(blurred.size(), totals_,
                    [&](std::size_t begin, std::size_t end, double weight, double& sum) {
                      double total[1] = {};
                      for_values(begin, end, total, [=](const auto& at, auto& sums) {
                        const auto own = at.load(b);
                        const auto under = own + light.background(at);
                        const auto r = light.observed(at) / at_least(under, floor);
                        const auto kept = under > floor ? r : decltype(r){};
                        at.store(b, kept);
                        sums[0] += own * kept;
                      });
                      sum += weight * total[0];
                    });
}

double EstimateUpdate::divergence(const Observation& seen, std::span<const float> blurred) {
  const Light light(seen);
  const float floor = seen.floor;
  const float* const b = blurred.data();
  return over_parts(blurred.size(), totals_,
                    [&](std::size_t begin, std::size_t end, double weight, double& sum) {
                      double total[1] = {};
                      for_values(begin, end, total, [=](const auto& at, auto& sums) {
                        const auto under = at_least(at.load(b) + light.background(at), floor);
                        const auto r = light.observed(at) / under;
                        sums[0] += under * excess(r);
                      });
                      sum += weight * total[0];
                    });
}

UpdateSums EstimateUpdate::update(const UpdateOperands& in, std::span<float> estimate) {
  return over_parts(estimate.size(), sums_,
                    [&](std::size_t begin, std::size_t end, double weight, UpdateSums& sums) {
                      const float* const c = in.correction.data();
                      const float* const ones = in.ones.empty() ? nullptr : in.ones.data();
                      const float* const term = in.term.empty() ? nullptr : in.term.data();
                      const float strength = in.strength;
                      const float lowest = in.least;
                      float* const x = estimate.data();
                      double total[3] = {};
                      for_values(begin, end, total, [=](const auto& at, auto& part) {
                        using V = typename std::decay_t<decltype(at)>::Value;
                        const V h = ones != nullptr ? at.load(ones) : V{} + 1.0F;
                        const V smoothing = term != nullptr ? strength * at.load(term) : V{};
                        const V old = at.load(x);
                        const V now = stepped<V>(old, at.load(c), lowest, h, smoothing);
                        at.store(x, now);
                        part[0] += now * h;
                        part[1] += now;
                        part[2] += size_of<V>(now - old);
                      });
                      sums.flux += weight * total[0];
                      sums.size += weight * total[1];
                      sums.change += weight * total[2];
                    });
}

UpdateSums EstimateUpdate::update(const UpdateOperands& in, std::span<const float> estimate,
                                  std::span<float> next, std::span<float> step) {
  return over_parts(estimate.size(), sums_,
                    [&](std::size_t begin, std::size_t end, double weight, UpdateSums& sums) {
                      const float* const y = in.point.data();
                      const float* const c = in.correction.data();
                      const float* const ones = in.ones.empty() ? nullptr : in.ones.data();
                      const float* const term = in.term.empty() ? nullptr : in.term.data();
                      const float strength = in.strength;
                      const float lowest = in.least;
                      const float* const x = estimate.data();
                      float* const to = next.data();
                      float* const g = step.data();
                      double total[5] = {};
                      for_values(begin, end, total, [=](const auto& at, auto& part) {
                        using V = typename std::decay_t<decltype(at)>::Value;
                        const V h = ones != nullptr ? at.load(ones) : V{} + 1.0F;
                        const V smoothing = term != nullptr ? strength * at.load(term) : V{};
                        const V point = at.load(y);
                        const V now = stepped<V>(point, at.load(c), lowest, h, smoothing);
                        const V before = at.load(g);
                        const V moved = now - point;
                        part[0] += now * h;
                        part[1] += now;
                        part[2] += size_of<V>(now - at.load(x));
                        part[3] += moved * before;
                        part[4] += before * before;
                        at.store(g, moved);
                        at.store(to, now);
                      });
                      sums.flux += weight * total[0];
                      sums.size += weight * total[1];
                      sums.change += weight * total[2];
                      sums.along += weight * total[3];
                      sums.before += weight * total[4];
                    });
}

void EstimateUpdate::scale(std::span<float> values, float factor) {
  for_parts(values.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    float* const x = values.data();
    for_values(begin, end, [=](const auto& at) {
      at.store(x, at_most(at.load(x) * factor, std::numeric_limits<float>::max()));
    });
  });
}

void EstimateUpdate::set(std::span<float> values, float value) {
  for_parts(values.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(begin),
              values.begin() + static_cast<std::ptrdiff_t>(end), value);
  });
}

void EstimateUpdate::copy(std::span<const float> from, std::span<float> to) {
  for_parts(to.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    std::ranges::copy(from.subspan(begin, end - begin),
                      to.begin() + static_cast<std::ptrdiff_t>(begin));
  });
}

void EstimateUpdate::raise(std::span<float> values, float least) {
  for_parts(values.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    for (float& v : values.subspan(begin, end - begin)) v = std::max(v, least);
  });
}

void EstimateUpdate::light_zeros(std::span<float> estimate, std::span<const float> blurred,
                                 float floor) {
  for_parts(estimate.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    for (std::size_t i = begin; i < end; ++i) {
      if (estimate[i] == 0.0F && blurred[i] > floor) estimate[i] = blurred[i];
    }
  });
}

void EstimateUpdate::extrapolate(std::span<const float> next, float factor, float along,
                                 std::span<float> estimate, std::span<float> point) {
  for_parts(next.size(), totals_, [&](std::size_t begin, std::size_t end, double, double&) {
    const float* const from = next.data();
    float* const x = estimate.data();
    float* const y = point.data();
    for_values(begin, end, [=](const auto& at) {
      const auto now = at_most(at.load(from) * factor, kLargestEstimate);
      const auto ahead = now + along * (now - at.load(x));
      const auto least = kLeastDivisor * now;
      at.store(y, ahead > least ? ahead : least);
      at.store(x, now);
    });
  });
}

}  // namespace aprscope
