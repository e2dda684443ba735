#include "core/cells/suspicion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace aprscope {
namespace {

// Deviations up to this many median absolute deviations are common: 3 standard deviations of a
// normal distribution, whose median absolute deviation is 0.6745 standard deviations.
constexpr double kCommon = 3.0 / 0.6745;
// Fewer objects have no common volume.
constexpr std::size_t kFewest = 8;

struct Spread {
  double median = 0.0;
  double deviation = 0.0;

  // 0 up to what is common, then towards 1; signed values only on one side.
  [[nodiscard]] double oddness(double away) const {
    if (!(deviation > 0.0)) return 0.0;
    const double times = away / deviation;
    return times > kCommon ? 1.0 - kCommon / times : 0.0;
  }
};

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Spread spread(std::vector<double> values) {
  Spread out;
  if (values.size() < kFewest) return out;
  out.median = median_of(values);
  for (double& v : values) v = std::abs(v - out.median);
  out.deviation = median_of(values);
  return out;
}

struct Reason {
  const char* word;
  double score;
};

}  // namespace

std::vector<Suspicion> suspicions(const std::vector<LabelRow>& rows,
                                  std::span<const double> wall_strengths) {
  std::vector<double> volumes;
  std::vector<double> roundness;
  for (const LabelRow& row : rows) {
    if (row.shape.touches_border) continue;
    volumes.push_back(std::log(row.shape.volume));
    roundness.push_back(row.shape.sphericity);
  }
  const Spread volume = spread(std::move(volumes));
  const Spread round = spread(std::move(roundness));
  std::vector<Suspicion> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LabelRow& row = rows[i];
    const bool border = row.shape.touches_border;
    const double open = 1.0 - row.per_slice_ratio;
    const double wall = i < wall_strengths.size() ? 1.0 - wall_strengths[i] : 0.0;
    // Objects cut by the border are small and not round, which is not odd.
    const double odd =
        border ? 0.0 : volume.oddness(std::abs(std::log(row.shape.volume) - volume.median));
    const double jagged = border ? 0.0 : round.oddness(round.median - row.shape.sphericity);
    const std::array<Reason, 6> reasons{
        {{"leaks", row.leaks() ? 0.95 : 0.0},
         {"open", open > 1e-3 ? 0.5 + 0.4 * open : 0.0},
         {"weak walls", wall > 0.0 ? 0.8 * std::min(1.0, wall) : 0.0},
         {"odd volume", 0.8 * odd},
         {"low sphericity", 0.7 * jagged},
         {"border", border ? 0.3 : 0.0}}};
    const Reason* strongest = &reasons[0];
    double trusted = 1.0;
    for (const Reason& one : reasons) {
      if (one.score > strongest->score) strongest = &one;
      trusted *= 1.0 - one.score;
    }
    if (strongest->score > 0.0) out.push_back({row.label, 1.0 - trusted, strongest->word});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Suspicion& a, const Suspicion& b) { return a.score > b.score; });
  return out;
}

}  // namespace aprscope
