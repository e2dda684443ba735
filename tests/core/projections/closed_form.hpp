#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "core/projections/projections.hpp"
#include "tests/core/projections/atoms.hpp"
#include "tests/core/projections/cryo_data.hpp"

namespace aprscope::test {

/// The density that images are made of.
inline const std::vector<GaussianAtom> kAtoms = {
    {{5, 1, -2}, 1.5, 1}, {{-3, 4, 1}, 1.7, .8}, {{0, -5, 3}, 1.6, 1.2}, {{2, 2, 5}, 1.5, .6}};

inline std::vector<float> truth(std::int64_t n) { return map_of_atoms(kAtoms, n); }

/// Directions spread evenly, images in closed form: the projection along the angles as they stand,
/// moved by minus the shift; where the row says so, its mirror is what lies in the stack.
inline Projections closed_form(std::int64_t n, std::int64_t count, bool moved) {
  Projections set;
  ProjectionTable& table = set.table;
  table.path = "closed.star";
  table.side = n;
  table.pixel_size = 2.0;
  table.optics.resize(1);
  table.optics[0].pixel_size = 2.0;
  table.stacks.emplace_back("closed.mrcs");
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    Projection row;
    const auto t = (static_cast<double>(i) + .5) / static_cast<double>(count);
    row.image = i;
    row.rot = std::fmod(static_cast<double>(i) * 222.492, 360);
    row.tilt = std::acos(1 - 2 * t) * 57.29577951308232;
    row.psi = std::fmod(static_cast<double>(i) * 77.7, 360);
    row.line = i + 10;
    if (moved) {
      row.shift_x = .37 * static_cast<double>(i % 7 - 3);
      row.shift_y = .29 * static_cast<double>(i % 5 - 2);
      row.mirrored = i % 3 == 0;
    }
    const Rotation a = from_euler(row.rot, row.tilt, row.psi);
    for (std::int64_t y = -(n / 2); y < n - n / 2; ++y) {
      for (std::int64_t x = -(n / 2); x < n - n / 2; ++x) {
        const double px = static_cast<double>(row.mirrored ? -x : x) + row.shift_x;
        const double py = static_cast<double>(y) + row.shift_y;
        double sum = 0;
        for (const GaussianAtom& atom : kAtoms) {
          const Vector3 q = a * atom.at;
          const double r2 = (px - q[0]) * (px - q[0]) + (py - q[1]) * (py - q[1]);
          sum += atom.weight * std::sqrt(2 * std::numbers::pi) * atom.sigma *
                 std::exp(-r2 / (2 * atom.sigma * atom.sigma));
        }
        values.push_back(static_cast<float>(sum));
      }
    }
    table.rows.push_back(row);
  }
  set.images = std::make_shared<MemoryImages>(n, std::move(values));
  return set;
}

inline double worst_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return worst;
}

}  // namespace aprscope::test
