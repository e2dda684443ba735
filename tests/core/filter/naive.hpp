#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "core/filter/convolution.hpp"
#include "tests/support/random_apr.hpp"

// Filters by their definition: one cell at a time, in double precision.
namespace aprscope::test {

/// Weights i / Σ: no symmetry, nothing cancels.
inline Stencil counting_stencil(Size3 size) {
  Stencil s{size, std::vector<double>(static_cast<std::size_t>(size.count())), "counting"};
  const auto n = static_cast<double>(s.weights.size());
  for (std::size_t i = 0; i < s.weights.size(); ++i) {
    s.weights[i] = static_cast<double>(i + 1) / (n * (n + 1) / 2.0);
  }
  return s;
}

/// The neighbourhood of a cell of a grid, in stencil order.
inline std::vector<double> neighbourhood(const Pixels<float>& grid, const Index3& p,
                                         const Size3& size, Boundary boundary) {
  const auto mirror = [](std::int64_t i, std::int64_t n) {
    if (n == 1) return std::int64_t{0};
    while (i < 0 || i >= n) i = i < 0 ? -i : 2 * n - 2 - i;
    return i;
  };
  std::vector<double> values;
  for (std::int64_t dz = -(size.z / 2); dz <= size.z / 2; ++dz) {
    for (std::int64_t dx = -(size.x / 2); dx <= size.x / 2; ++dx) {
      for (std::int64_t dy = -(size.y / 2); dy <= size.y / 2; ++dy) {
        const Index3 q{p.z + dz, p.x + dx, p.y + dy};
        const bool inside = q.z >= 0 && q.x >= 0 && q.y >= 0 && q.z < grid.size.z &&
                            q.x < grid.size.x && q.y < grid.size.y;
        values.push_back(
            !inside && boundary == Boundary::zero
                ? 0.0
                : static_cast<double>(grid.at(mirror(q.z, grid.size.z), mirror(q.x, grid.size.x),
                                              mirror(q.y, grid.size.y))));
      }
    }
  }
  return values;
}

/// What a filter makes of a neighbourhood on a level, and the size of that neighbourhood.
struct NaiveFilter {
  std::function<Size3(int level)> size;
  std::function<double(int level, const std::vector<double>& values)> value;
};

inline NaiveFilter naive_correlation(const StencilPyramid& pyramid) {
  return {[&](int l) { return pyramid.at(l).size; },
          [&](int l, const std::vector<double>& v) {
            double sum = 0.0;
            for (std::size_t i = 0; i < v.size(); ++i) sum += pyramid.at(l).weights[i] * v[i];
            return sum;
          }};
}

/// Applies a filter at every particle, on the isotropic grid of its level.
inline std::vector<double> naive_filter(const AprAccess& access, const std::vector<float>& values,
                                        const std::vector<float>& tree, Boundary boundary,
                                        const NaiveFilter& filter) {
  std::vector<double> out(values.size());
  const LinearAccess& cells = access.particles();
  for (int l = 1; l <= access.level_max(); ++l) {
    if (cells.level(l).empty()) continue;
    const Pixels<float> grid = naive_at_level(access, values, tree, l);
    for (std::int64_t z = 0; z < cells.grid(l).z; ++z) {
      for (std::int64_t x = 0; x < cells.grid(l).x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          out[i] =
              filter.value(l, neighbourhood(grid, {z, x, cells.y()[i]}, filter.size(l), boundary));
        }
      }
    }
  }
  return out;
}

/// A structure with values and the naive tree.
struct Sample {
  std::shared_ptr<const AprAccess> access;
  std::vector<float> values;
  std::vector<float> tree;

  explicit Sample(std::shared_ptr<const AprAccess> structure, std::uint64_t seed = 9)
      : access(std::move(structure)),
        values(random_values(access->count(), seed)),
        tree(naive_tree(*access, values, Reduction::mean)) {}

  [[nodiscard]] FilterInput input() const { return {access.get(), values, tree}; }
  [[nodiscard]] Region all() const { return whole(access->size()); }
};

}  // namespace aprscope::test
