#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "core/cells/label_records.hpp"
#include "core/image/labels.hpp"

namespace aprscope::test {

/// Pixels of `size` with a label each, by a function of (z, x, y).
inline Pixels<std::uint32_t> painted(
    Size3 size,
    const std::function<std::uint32_t(std::int64_t, std::int64_t, std::int64_t)>& label) {
  Pixels<std::uint32_t> out(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) out.at(z, x, y) = label(z, x, y);
    }
  }
  return out;
}

inline std::uint32_t largest_of(const Pixels<std::uint32_t>& labels) {
  std::uint32_t most = 0;
  for (const std::uint32_t one : labels.values) most = std::max(most, one);
  return most;
}

inline LabelPixels view(const Pixels<std::uint32_t>& labels) {
  return {labels.size, labels.values, largest_of(labels)};
}

inline Labels labels_of(const Pixels<std::uint32_t>& pixels) {
  return {pixels.values, largest_of(pixels), {}, {}};
}

/// An ellipsoid of semi-axes a (z, x, y in the unit) about `centre` (unit): label 1.
inline Pixels<std::uint32_t> ellipsoid(Size3 size, const VoxelSize& voxel,
                                       std::array<double, 3> centre, std::array<double, 3> a) {
  return painted(size, [=](std::int64_t z, std::int64_t x, std::int64_t y) -> std::uint32_t {
    const double d[3] = {(static_cast<double>(z) * voxel.z - centre[0]) / a[0],
                         (static_cast<double>(x) * voxel.x - centre[1]) / a[1],
                         (static_cast<double>(y) * voxel.y - centre[2]) / a[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= 1.0 ? 1 : 0;
  });
}

/// Regions of the nearest of `count` random points, numbered from 1 on, some of them background.
inline Pixels<std::uint32_t> tissue(Size3 size, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::array<double, 3>> seeds;
  for (int i = 0; i < count; ++i) {
    const auto within = [&](std::int64_t n) {
      return std::uniform_real_distribution<double>(0.0, static_cast<double>(n))(random);
    };
    const double z = within(size.z);
    const double x = within(size.x);
    seeds.push_back({z, x, within(size.y)});
  }
  return painted(size, [&](std::int64_t z, std::int64_t x, std::int64_t y) -> std::uint32_t {
    double best = 1e300;
    std::size_t which = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const double dz = static_cast<double>(z) - seeds[i][0];
      const double dx = static_cast<double>(x) - seeds[i][1];
      const double dy = static_cast<double>(y) - seeds[i][2];
      const double d = dz * dz + dx * dx + dy * dy;
      if (d < best) {
        best = d;
        which = i;
      }
    }
    return which % 7 == 6 ? 0 : static_cast<std::uint32_t>(which + 1);
  });
}

}  // namespace aprscope::test
