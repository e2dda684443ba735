#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/filter/stencil_pyramid.hpp"
#include "tests/support/random_apr.hpp"

// Blurs as matrices and Richardson–Lucy by its formula, in double precision.
namespace aprscope::test {

struct Matrix {
  std::size_t n = 0;
  std::vector<double> values;
  explicit Matrix(std::size_t count) : n(count), values(count * count) {}
  double& at(std::size_t row, std::size_t column) { return values[row * n + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values[row * n + column];
  }
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(n);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) y[r] += at(r, c) * x[c];
    }
    return y;
  }
};

inline std::int64_t mirror(std::int64_t i, std::int64_t n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * n - 2 - i;
  return i;
}

/// Weights of a cell of a level on the particles: the particle that covers it, or the mean of its
/// children.
class CellValues {
 public:
  explicit CellValues(const AprAccess& access) : access_(access), map_(particle_map(access)) {}

  void add(int level, const Index3& cell, double weight, double* row) const {
    const int shift = access_.level_max() - level;
    const Index3 pixel{cell.z << shift, cell.x << shift, cell.y << shift};
    if (map_.level.at(pixel.z, pixel.x, pixel.y) <= level) {
      row[map_.index.at(pixel.z, pixel.x, pixel.y)] += weight;
      return;
    }
    const Size3 grid = level_grid(access_.size(), access_.level_max(), level + 1);
    std::vector<Index3> children;
    for (std::int64_t z = 2 * cell.z; z < std::min(2 * cell.z + 2, grid.z); ++z) {
      for (std::int64_t x = 2 * cell.x; x < std::min(2 * cell.x + 2, grid.x); ++x) {
        for (std::int64_t y = 2 * cell.y; y < std::min(2 * cell.y + 2, grid.y); ++y) {
          children.push_back({z, x, y});
        }
      }
    }
    for (const Index3& c : children) {
      add(level + 1, c, weight / static_cast<double>(children.size()), row);
    }
  }

 private:
  const AprAccess& access_;
  ParticleMap map_;
};

/// y(p) = Σ_k psf(k) x(p − k) on the grid of each particle's level, the PSF restricted to it.
inline Matrix blur_matrix(const AprAccess& access, const Stencil& psf, Boundary boundary) {
  Matrix h(access.count());
  const CellValues cells(access);
  for (int l = 1; l <= access.level_max(); ++l) {
    const Stencil here = restrict_stencil(psf, access.level_max() - l);
    const Size3 grid = access.particles().grid(l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange range = access.particles().row(l, z, x);
        for (std::uint64_t p = range.begin; p < range.end; ++p) {
          const std::int64_t y = access.particles().y()[p];
          std::size_t i = 0;
          for (std::int64_t kz = -(here.size.z / 2); kz <= here.size.z / 2; ++kz) {
            for (std::int64_t kx = -(here.size.x / 2); kx <= here.size.x / 2; ++kx) {
              for (std::int64_t ky = -(here.size.y / 2); ky <= here.size.y / 2; ++ky) {
                const double w = here.weights[i++];
                const Index3 q{z - kz, x - kx, y - ky};
                const bool inside = q.z >= 0 && q.x >= 0 && q.y >= 0 && q.z < grid.z &&
                                    q.x < grid.x && q.y < grid.y;
                if (!inside && boundary == Boundary::zero) continue;
                cells.add(l, {mirror(q.z, grid.z), mirror(q.x, grid.x), mirror(q.y, grid.y)}, w,
                          &h.at(p, 0));
              }
            }
          }
        }
      }
    }
  }
  return h;
}

/// Pixels in each particle's cell.
inline std::vector<double> volumes(const AprAccess& access) {
  std::vector<double> v(access.count());
  for (const std::uint64_t i : particle_map(access).index.values) v[i] += 1.0;
  return v;
}

/// Richardson–Lucy with the two matrices from estimate x; flux as in richardson_lucy().
inline std::vector<double> naive_richardson_lucy(const Matrix& h, const Matrix& back,
                                                 const std::vector<double>& weights,
                                                 const std::vector<double>& u,
                                                 std::vector<double> x, int iterations) {
  const std::size_t n = u.size();
  const std::vector<double> ones = back.times(std::vector<double>(n, 1.0));
  double flux = 0.0;
  for (std::size_t i = 0; i < n; ++i) flux += weights[i] * u[i];
  for (int k = 0; k < iterations; ++k) {
    const std::vector<double> b = h.times(x);
    std::vector<double> r(n);
    for (std::size_t i = 0; i < n; ++i) r[i] = b[i] > 0.0 ? u[i] / b[i] : 0.0;
    const std::vector<double> c = back.times(r);
    double now = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] *= c[i] / ones[i];
      now += weights[i] * x[i] * ones[i];
    }
    if (std::abs(flux / now - 1.0) > 1e-5) {
      for (double& v : x) v *= flux / now;
    }
  }
  return x;
}

inline std::vector<double> to_double(const std::vector<float>& v) { return {v.begin(), v.end()}; }

/// A PSF without any symmetry, positive, summing to 1.
inline Stencil skewed_psf(const Size3& size) {
  Stencil s{size, {}, "skewed"};
  for (std::int64_t i = 0; i < size.count(); ++i) {
    s.weights.push_back(1.0 + 0.7 * std::sin(1.3 * static_cast<double>(i * i % 97)) +
                        static_cast<double>(i) / static_cast<double>(size.count()));
  }
  return s.normalized();
}

}  // namespace aprscope::test
