#include "core/cells/label_patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aprscope {
namespace {

constexpr double kInfinitelyFar = std::numeric_limits<double>::infinity();
// Multiples of a side that are equal to the radius but for rounding are within it.
constexpr double kRounding = 1e-9;

// The least of from[i'] + ((i − i') · side)² along one axis of the box, |i − i'| ≤ reach.
void least_along(const std::vector<double>& from, std::vector<double>& to, std::int64_t outer,
                 std::int64_t n, std::int64_t inner, std::int64_t reach, double side) {
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < n; ++i) {
      double* const row = to.data() + (o * n + i) * inner;
      std::fill(row, row + inner, kInfinitelyFar);
      for (std::int64_t j = std::max<std::int64_t>(0, i - reach); j <= std::min(n - 1, i + reach);
           ++j) {
        const double step = static_cast<double>(i - j) * side;
        const double add = step * step;
        const double* const other = from.data() + (o * n + j) * inner;
        for (std::int64_t k = 0; k < inner; ++k) row[k] = std::min(row[k], other[k] + add);
      }
    }
  }
}

}  // namespace

Region box_with_margin(const Region& box, const Index3& margin, const Size3& size) {
  return {{std::max<std::int64_t>(0, box.begin.z - margin.z),
           std::max<std::int64_t>(0, box.begin.x - margin.x),
           std::max<std::int64_t>(0, box.begin.y - margin.y)},
          {std::min(size.z, box.end.z + margin.z), std::min(size.x, box.end.x + margin.x),
           std::min(size.y, box.end.y + margin.y)}};
}

Index3 reach_in_pixels(double radius, const VoxelSize& voxel) {
  const auto along = [&](double side) {
    constexpr double kMost = 1e6;
    return static_cast<std::int64_t>(std::min(kMost, radius / side * (1.0 + kRounding)));
  };
  return {along(voxel.z), along(voxel.x), along(voxel.y)};
}

Result<BoxMask> within_distance(const BoxMask& mask, double radius, const VoxelSize& voxel,
                                const JobContext& context) {
  const Size3 n = mask.box.size();
  const Index3 reach = reach_in_pixels(radius, voxel);
  std::vector<double> a(mask.set.size());
  std::vector<double> b(mask.set.size());
  for (std::int64_t row = 0; row < n.z * n.x; ++row) {
    // Along y from the nearest one on either side.
    const std::uint8_t* const set = mask.set.data() + row * n.y;
    double* const to = a.data() + row * n.y;
    double d = kInfinitelyFar;
    for (std::int64_t y = 0; y < n.y; ++y) to[y] = d = set[y] != 0 ? 0.0 : d + 1.0;
    d = kInfinitelyFar;
    for (std::int64_t y = n.y - 1; y >= 0; --y) {
      d = set[y] != 0 ? 0.0 : d + 1.0;
      const double least = std::min(d, to[y]) * voxel.y;
      to[y] = least * least;
    }
  }
  // A slice at a time, so that it can be stopped.
  for (std::int64_t z = 0; z < n.z; ++z) {
    if (context.stop_requested()) return cancelled_error();
    const auto slice = static_cast<std::size_t>(n.x * n.y);
    const auto at = static_cast<std::ptrdiff_t>(slice) * z;
    const std::vector<double> one(a.begin() + at, a.begin() + at + n.x * n.y);
    std::vector<double> passed(slice);
    least_along(one, passed, 1, n.x, n.y, reach.x, voxel.x);
    std::copy(passed.begin(), passed.end(), b.begin() + at);
  }
  if (context.stop_requested()) return cancelled_error();
  least_along(b, a, 1, n.z, n.x * n.y, reach.z, voxel.z);
  BoxMask out(mask.box);
  const double limit = radius * radius * (1.0 + 2.0 * kRounding);
  for (std::size_t i = 0; i < a.size(); ++i) out.set[i] = a[i] <= limit ? 1 : 0;
  return out;
}

Result<BoxMask> holes_of(const BoxMask& mask, bool flat, const JobContext& context) {
  const Size3 n = mask.box.size();
  BoxMask out(mask.box);
  for (std::size_t i = 0; i < out.set.size(); ++i) out.set[i] = mask.set[i] != 0 ? 0 : 1;
  std::vector<std::int64_t> ways;
  const auto reach = [&](std::int64_t i) {
    auto& open = out.set[static_cast<std::size_t>(i)];
    if (open == 0) return;
    open = 0;
    ways.push_back(i);
  };
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      const bool face = x == 0 || x == n.x - 1 || (!flat && (z == 0 || z == n.z - 1));
      for (std::int64_t y = 0; y < n.y; y += face ? 1 : std::max<std::int64_t>(1, n.y - 1)) {
        reach((z * n.x + x) * n.y + y);
      }
    }
  }
  for (std::uint64_t steps = 0; !ways.empty(); ++steps) {
    if (steps % 65536 == 0 && context.stop_requested()) return cancelled_error();
    const std::int64_t i = ways.back();
    ways.pop_back();
    const std::int64_t y = i % n.y;
    const std::int64_t x = i / n.y % n.x;
    const std::int64_t z = i / n.y / n.x;
    if (y > 0) reach(i - 1);
    if (y + 1 < n.y) reach(i + 1);
    if (x > 0) reach(i - n.y);
    if (x + 1 < n.x) reach(i + n.y);
    if (z > 0) reach(i - n.x * n.y);
    if (z + 1 < n.z) reach(i + n.x * n.y);
  }
  return out;
}

}  // namespace aprscope
