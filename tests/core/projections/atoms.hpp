#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/projections/orientation.hpp"

namespace aprscope::test {

/// A Gaussian, in pixels from the centre ⌊n/2⌋.
struct GaussianAtom {
  Vector3 at;
  double sigma, weight;
};

/// Their sum on a map of `side`³ pixels, order z, y, x.
inline std::vector<float> map_of_atoms(std::span<const GaussianAtom> atoms, std::int64_t side) {
  const std::int64_t low = -(side / 2);
  std::vector<float> map;
  for (std::int64_t z = low; z < side + low; ++z) {
    for (std::int64_t y = low; y < side + low; ++y) {
      for (std::int64_t x = low; x < side + low; ++x) {
        double sum = 0;
        for (const GaussianAtom& a : atoms) {
          const double r2 = std::pow(static_cast<double>(x) - a.at[0], 2) +
                            std::pow(static_cast<double>(y) - a.at[1], 2) +
                            std::pow(static_cast<double>(z) - a.at[2], 2);
          sum += a.weight * std::exp(-r2 / (2 * a.sigma * a.sigma));
        }
        map.push_back(static_cast<float>(sum));
      }
    }
  }
  return map;
}

}  // namespace aprscope::test
