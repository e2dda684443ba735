#include "core/cells/label_sums.hpp"

#include <algorithm>

namespace aprscope {
namespace {

// Σ p and Σ p² for p in [begin, end).
struct PowerSums {
  Int128 one = 0;
  Int128 two = 0;
};
Int128 squares_below(Int128 n) { return (n - 1) * n * (2 * n - 1) / 6; }
PowerSums power_sums(std::int64_t begin, std::int64_t end) {
  const Int128 a = begin;
  const Int128 b = end;
  return {(b * (b - 1) - a * (a - 1)) / 2, squares_below(b) - squares_below(a)};
}

void unite(Region& box, const Region& more) {
  box.begin = {std::min(box.begin.z, more.begin.z), std::min(box.begin.x, more.begin.x),
               std::min(box.begin.y, more.begin.y)};
  box.end = {std::max(box.end.z, more.end.z), std::max(box.end.x, more.end.x),
             std::max(box.end.y, more.end.y)};
}

}  // namespace

void LabelSums::add_box(const Region& voxels_of) {
  const Size3 n = voxels_of.size();
  const PowerSums z = power_sums(voxels_of.begin.z, voxels_of.end.z);
  const PowerSums x = power_sums(voxels_of.begin.x, voxels_of.end.x);
  const PowerSums y = power_sums(voxels_of.begin.y, voxels_of.end.y);
  if (voxels == 0) {
    box = voxels_of;
  } else {
    unite(box, voxels_of);
  }
  voxels += n.count();
  first[0] += static_cast<std::int64_t>(z.one * (n.x * n.y));
  first[1] += static_cast<std::int64_t>(x.one * (n.z * n.y));
  first[2] += static_cast<std::int64_t>(y.one * (n.z * n.x));
  second[0] += z.two * (n.x * n.y);
  second[1] += x.two * (n.z * n.y);
  second[2] += y.two * (n.z * n.x);
  second[3] += z.one * x.one * n.y;
  second[4] += z.one * y.one * n.x;
  second[5] += x.one * y.one * n.z;
}

void LabelSums::add(const LabelSums& other) {
  if (other.voxels > 0) {
    if (voxels == 0) {
      box = other.box;
    } else {
      unite(box, other.box);
    }
  }
  voxels += other.voxels;
  const auto plus = [](auto& to, const auto& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  plus(first, other.first);
  plus(second, other.second);
  plus(strata, other.strata);
  plus(crossings, other.crossings);
}

bool operator==(const LabelSums& a, const LabelSums& b) {
  return a.label == b.label && a.voxels == b.voxels && a.box.begin == b.box.begin &&
         a.box.end == b.box.end && a.first == b.first && a.second == b.second &&
         a.strata == b.strata && a.crossings == b.crossings;
}

void IntensitySums::add(const IntensitySums& next) {
  minimum = std::min(minimum, next.minimum);
  maximum = std::max(maximum, next.maximum);
  wall_voxels += next.wall_voxels;
  sum += next.sum;
  wall_sum += next.wall_sum;
  squares += next.squares;
  real_sum += next.real_sum;
  real_wall_sum += next.real_wall_sum;
  real_squares += next.real_squares;
}

bool operator==(const IntensitySums& a, const IntensitySums& b) {
  return a.minimum == b.minimum && a.maximum == b.maximum && a.wall_voxels == b.wall_voxels &&
         a.sum == b.sum && a.wall_sum == b.wall_sum && a.squares == b.squares &&
         a.real_sum == b.real_sum && a.real_wall_sum == b.real_wall_sum &&
         a.real_squares == b.real_squares;
}

std::uint64_t LabelRecords::bytes() const {
  std::uint64_t all =
      sums.capacity() * sizeof(LabelSums) + contacts.capacity() * sizeof(LabelContact);
  for (const auto& channel : intensities) all += channel.capacity() * sizeof(IntensitySums);
  return all;
}

const LabelSums* LabelRecords::of(std::uint32_t label) const {
  const auto at =
      std::lower_bound(sums.begin(), sums.end(), label,
                       [](const LabelSums& one, std::uint32_t asked) { return one.label < asked; });
  return at != sums.end() && at->label == label ? &*at : nullptr;
}

}  // namespace aprscope
