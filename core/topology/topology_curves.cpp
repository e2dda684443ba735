#include "core/topology/topology_curves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace aprscope {
namespace {

// The elementary symmetric polynomial of degree j in the sides of the axes of a stratum.
double symmetric(unsigned axes, int degree, const double (&side)[3]) {
  double sum = 0.0;
  for (unsigned some = 0; some < 8; ++some) {
    if ((some & ~axes) != 0 || std::popcount(some) != degree) continue;
    double product = 1.0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((some >> axis & 1U) != 0) product *= side[axis];
    }
    sum += product;
  }
  return sum;
}

}  // namespace

TopologyCurves topology_curves(const StrataCounts& counts, const std::vector<double>& levels,
                               const Size3& size, const VoxelSize& voxel, Construction construction,
                               CurveRows rows) {
  TopologyCurves out;
  // An image of one slice is flat: of its strata those that extend along z stand for it.
  const unsigned thin = size.z == 1 ? 4U : 0U;
  const unsigned wide = 7U & ~thin;
  const int d = out.dimension = std::popcount(wide);
  const bool closed = construction == Construction::closed_voxels;
  const double side[3] = {voxel.y, voxel.x, voxel.z};
  StrataCounts::OfLevel sum{};
  std::int64_t euler = 0;
  for (std::size_t i = 0; i < counts.levels.size(); ++i) {
    const auto& here = counts.levels[i];
    std::int64_t change = 0;
    for (unsigned s = 0; s < 8; ++s) {
      sum[s] += here[s];
      const int k = std::popcount(s);
      change += ((closed ? k : 3 - k) % 2 == 0 ? 1 : -1) * here[s];
    }
    euler += change;
    if (std::isinf(levels[i]) || (here[7] == 0 && rows == CurveRows::with_voxels)) continue;
    out.levels.push_back(levels[i]);
    out.places.push_back(i);
    out.voxels.push_back(here[7]);
    out.change.push_back(change);
    out.euler.push_back(euler);
    // V_j of an open box of dimension k is (−1)^(k − j) e_j; with vertices, (−1)^(d − k) e_j.
    double v[4] = {};
    for (int j = 0; j <= d; ++j) {
      for (unsigned s = 0; s < 8; ++s) {
        if ((s & thin) != thin) continue;
        const int k = std::popcount(s & wide);
        if (k < j) continue;
        const int sign = (closed ? k - j : d - k) % 2 == 0 ? 1 : -1;
        v[j] += sign * symmetric(s & wide, j, side) * static_cast<double>(sum[s]);
      }
    }
    out.volume.push_back(v[d]);
    out.surface.push_back(2.0 * v[d - 1]);
    if (d == 3) out.breadth.push_back(v[1] / 2.0);
  }
  return out;
}

std::vector<double> zero_crossings(const TopologyCurves& curves, double share) {
  std::int64_t peak = 0;
  for (const std::int64_t e : curves.euler) peak = std::max(peak, std::abs(e));
  const double enough = share * static_cast<double>(peak);
  std::vector<double> found;
  int sign = 0;        // of the stretch that goes beyond
  int now = 0;         // of the stretch that one is in
  double begin = 0.0;  // where that began
  for (std::size_t i = 0; i < curves.euler.size(); ++i) {
    const std::int64_t e = curves.euler[i];
    if (e == 0) continue;
    const int s = e > 0 ? 1 : -1;
    if (s != now) {
      now = s;
      begin = curves.levels[i];
    }
    if (static_cast<double>(std::abs(e)) < enough || s == sign) continue;
    if (sign != 0) found.push_back(begin);
    sign = s;
  }
  return found;
}

std::optional<double> longest_plateau(const TopologyCurves& curves) {
  constexpr double kShare = 0.001;
  double all = 0.0;
  for (const std::int64_t n : curves.voxels) all += static_cast<double>(n);
  double kept = 0.0;
  double longest = 0.0;
  std::optional<double> found;
  std::optional<std::size_t> begin;
  // The set of a level is that of all thresholds up to the next level.
  for (std::size_t i = 0; i + 1 < curves.levels.size(); ++i) {
    kept += static_cast<double>(curves.voxels[i]);
    if (kept > (1.0 - kShare) * all) break;
    if (kept < kShare * all) continue;
    if (!begin || curves.euler[i] != curves.euler[*begin]) begin = i;
    const double length = std::abs(curves.levels[i + 1] - curves.levels[*begin]);
    if (curves.euler[i] == 0 || length <= longest) continue;
    longest = length;
    found = (curves.levels[i + 1] + curves.levels[*begin]) / 2.0;
  }
  return found;
}

std::optional<double> otsu_threshold(std::span<const double> levels,
                                     std::span<const std::int64_t> counts, LevelSets sets) {
  // Rising, whatever the order in which they entered.
  std::vector<std::pair<double, double>> values;
  double count = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (counts[i] == 0 || std::isinf(levels[i])) continue;
    const auto n = static_cast<double>(counts[i]);
    values.emplace_back(levels[i], n);
    count += n;
    sum += n * levels[i];
  }
  if (values.size() < 2) return std::nullopt;
  std::sort(values.begin(), values.end());
  double best = -1.0;
  double at = values.back().first;
  double below = 0.0;
  double below_sum = 0.0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    below += values[i].second;
    below_sum += values[i].second * values[i].first;
    const double above = count - below;
    const double apart = below_sum / below - (sum - below_sum) / above;
    const double between = below * above * apart * apart;
    if (between > best) {
      best = between;
      at = values[sets == LevelSets::superlevel ? i + 1 : i].first;
    }
  }
  return at;
}

}  // namespace aprscope
