#include "core/apr/convert/smoother_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>

namespace aprscope {

SmootherPlan::SmootherPlan(const Size3& image_size, double lambda)
    : size(image_size),
      filters_z(lambda > 0.0 && size.z > 2),
      filters_x(lambda > 0.0 && size.x > 2),
      filters_y(lambda > 0.0 && size.y > 2) {
  if (filters_z) {
    z = spline_response(lambda);
    const double gain = 1.0 - static_cast<double>(z.feed1) - static_cast<double>(z.feed2);
    norm *= static_cast<float>(gain * gain);
  }
  if (filters_x) x = make_spline_filter(lambda, size.x);
  if (filters_y) y = make_spline_filter(lambda, size.y);
  norm *= x.norm * y.norm;
  if (filters_z) {
    before = taps_before();
    plan_pairs();
  }
  plan_blocks();
}

// Blocks end at odd slices, so that of the last pair of slices only one waits for the next block.
void SmootherPlan::plan_blocks() {
  std::int64_t begin = 0;
  while (begin < size.z) {
    std::int64_t end = begin == 0 ? kSlices - 1 : begin + kSlices;
    if (size.z <= kSlices || end > size.z) end = size.z;
    Block block{begin, end, begin, end};
    const auto include = [&](std::int64_t slice) {
      block.raw_begin = std::min(block.raw_begin, slice);
      block.raw_end = std::max(block.raw_end, slice + 1);
    };
    if (begin == 0) {
      for (const std::int64_t slice : before.slice) include(slice);
    }
    for (std::int64_t m = 0; m < pairs; ++m) {
      for (std::int64_t k = 0; k < kSlices; ++k) include(ahead(end, m, k));
    }
    blocks.push_back(block);
    begin = end;
  }
}

// The two results behind a block follow from the causal results c at its end and, by the response
// b of both recursions, from the samples x behind it: y_0 = b_1 c_−1 + f_2 b_0 c_−2 + Σ b_k x_k,
// and y_1 likewise with b_2, f_2 b_1, b_|k−1|. As b itself obeys the recursion, the share of
// samples that begin n slices later follows from their own two sums p, q: h_n p + f_2 h_{n−1} q,
// with h the causal response.
void SmootherPlan::plan_pairs() {
  constexpr double kSmall = 1e-7;
  const std::vector<double>& b = z.both;
  const std::vector<double>& h = z.causal;
  const double f2 = static_cast<double>(z.feed2);
  const auto at = [](const std::vector<double>& v, std::int64_t k) {
    return k >= 0 && k < static_cast<std::int64_t>(v.size()) ? v[static_cast<std::size_t>(k)] : 0.0;
  };
  pairs = 1;
  while (std::max(std::abs(at(b, pairs * kSlices)), std::abs(at(b, pairs * kSlices - 1))) >
         kSmall * b[0]) {
    ++pairs;
  }
  for (std::int64_t k = 0; k < kSlices; ++k) {
    first_weights.push_back(static_cast<float>(at(b, k)));
    second_weights.push_back(static_cast<float>(at(b, std::abs(k - 1))));
  }
  const auto add = [](std::vector<float>& to, std::initializer_list<double> values) {
    for (const double v : values) to.push_back(static_cast<float>(v));
  };
  add(state_matrix, {b[1], f2 * b[0], b[2], f2 * b[1]});
  add(pair_matrices, {1.0, 0.0, 0.0, 1.0});
  for (std::int64_t n = kSlices; n < pairs * kSlices; n += kSlices) {
    add(pair_matrices, {at(h, n), f2 * at(h, n - 1), at(h, n - 1), f2 * at(h, n - 2)});
  }
}

// The causal results at −1 and −2.
SmootherPlan::Taps SmootherPlan::taps_before() const {
  std::map<std::int64_t, std::array<double, 2>> weights;
  for (std::size_t k = 0; k < z.causal.size(); ++k) {
    const auto at = static_cast<std::int64_t>(k);
    weights[mirrored_sample(-1 - at, size.z)][0] += z.causal[k];
    weights[mirrored_sample(-2 - at, size.z)][1] += z.causal[k];
  }
  Taps out;
  for (const auto& [slice, w] : weights) {
    out.slice.push_back(slice);
    out.first.push_back(static_cast<float>(w[0]));
    out.second.push_back(static_cast<float>(w[1]));
  }
  return out;
}

// The recursions gather rounding errors over about their reach.
float SmootherPlan::noise(float largest) const {
  float gain = 0.0F;
  if (filters_z) {
    const double sum = 1.0 - static_cast<double>(z.feed1) - static_cast<double>(z.feed2);
    gain = static_cast<float>(1.0 / std::abs(sum));
  }
  for (const SplineFilter* f : {&x, &y}) {
    if (!f->first.empty()) gain = std::max(gain, 1.0F / std::sqrt(f->norm));
  }
  return largest * gain * 0x1p-21F;
}

}  // namespace aprscope
