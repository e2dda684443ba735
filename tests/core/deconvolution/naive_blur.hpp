#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "core/deconvolution/blur/blur_model.hpp"
#include "tests/core/filter/naive.hpp"
#include "tests/support/from_middle.hpp"

// Blurs by their definition, in double precision.
namespace aprscope::test {

/// Where an index outside [0, n) lies.
enum class Beyond { zero, faces, edge_pixels };

inline std::int64_t inside(std::int64_t i, std::int64_t n, Beyond rule) {
  if (rule == Beyond::zero) return i < 0 || i >= n ? -1 : i;
  if (n == 1) return 0;
  const std::int64_t shift = rule == Beyond::faces ? 1 : 0;
  while (i < 0 || i >= n) i = i < 0 ? -i - shift : 2 * n - 2 + shift - i;
  return i;
}

/// Value at p (which may lie outside) of the convolution of a grid with a kernel.
inline double naive_blur_at(const Pixels<double>& grid, const Stencil& kernel, const Index3& p,
                            Beyond rule) {
  const Size3& k = kernel.size;
  double sum = 0.0;
  std::size_t i = 0;
  for (std::int64_t dz = -(k.z / 2); dz <= k.z / 2; ++dz) {
    const std::int64_t z = inside(p.z - dz, grid.size.z, rule);
    for (std::int64_t dx = -(k.x / 2); dx <= k.x / 2; ++dx) {
      const std::int64_t x = inside(p.x - dx, grid.size.x, rule);
      for (std::int64_t dy = -(k.y / 2); dy <= k.y / 2; ++dy) {
        const std::int64_t y = inside(p.y - dy, grid.size.y, rule);
        const double w = kernel.weights[i++];
        if (z >= 0 && x >= 0 && y >= 0) sum += w * grid.at(z, x, y);
      }
    }
  }
  return sum;
}

inline Pixels<double> naive_blur(const Pixels<double>& grid, const Stencil& kernel, Beyond rule) {
  Pixels<double> out(grid.size);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int64_t z = 0; z < grid.size.z; ++z) {
    for (std::int64_t x = 0; x < grid.size.x; ++x) {
      for (std::int64_t y = 0; y < grid.size.y; ++y) {
        out.at(z, x, y) = naive_blur_at(grid, kernel, {z, x, y}, rule);
      }
    }
  }
  return out;
}

inline Pixels<double> to_double(const Pixels<float>& in) {
  Pixels<double> out(in.size);
  for (std::size_t i = 0; i < in.values.size(); ++i) out.values[i] = in.values[i];
  return out;
}

/// A PSF with long tails that is no product of three: (1 + |p|² ÷ a²)^−p, normalised; `skew` moves
/// weight to one side of each dimension.
inline Stencil tailed_psf(const Size3& size, double width, double skew = 0.0) {
  Stencil s{size, {}, "tailed"};
  const auto middle = [](std::int64_t i, std::int64_t n) { return test::from_middle(i, n); };
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const double dz = 0.6 * middle(z, size.z);
        const double dx = middle(x, size.x);
        const double dy = 1.1 * middle(y, size.y);
        const double r2 = (dz * dz + dx * dx + dy * dy) / (width * width);
        const double lean = 1.0 + skew * std::tanh((dz + 0.7 * dx - 0.5 * dy) / width);
        s.weights.push_back(lean * std::pow(1.0 + r2, -2.0));
      }
    }
  }
  return s.normalized();
}

struct GridCase {
  Size3 grid;
  Size3 kernel;
};

/// Even, odd and prime sizes, thin ones, kernels larger than the grid.
inline const std::vector<GridCase>& grid_cases() {
  static const std::vector<GridCase> all{{{8, 12, 16}, {5, 7, 9}},    {{7, 9, 11}, {5, 3, 7}},
                                         {{1, 13, 10}, {1, 5, 5}},    {{6, 1, 9}, {3, 3, 5}},
                                         {{5, 6, 1}, {3, 5, 1}},      {{4, 5, 6}, {13, 11, 17}},
                                         {{16, 16, 32}, {15, 15, 31}}};
  return all;
}

/// Means over the cells of particles of a function of the pixel, a picture of smooth blobs.
inline double blobs(double z, double x, double y) {
  const auto blob = [&](double a, double b, double c, double r) {
    const double d = (z - a) * (z - a) + (x - b) * (x - b) + (y - c) * (y - c);
    return std::exp(-d / (2.0 * r * r));
  };
  return 0.05 + blob(5, 8, 9, 2.5) + 0.7 * blob(20, 22, 12, 3.5) + 0.9 * blob(14, 6, 26, 2.0) +
         0.5 * blob(27, 29, 30, 3.0);
}

inline std::vector<float> sample_means(const AprAccess& access,
                                       const std::function<double(double, double, double)>& f) {
  const ParticleMap map = particle_map(access);
  std::vector<double> sum(access.count(), 0.0);
  std::vector<double> n(access.count(), 0.0);
  const Size3& size = access.size();
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const std::uint64_t i = map.index.at(z, x, y);
        sum[i] += f(static_cast<double>(z), static_cast<double>(x), static_cast<double>(y));
        n[i] += 1.0;
      }
    }
  }
  std::vector<float> out(access.count());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(sum[i] / n[i]);
  return out;
}

/// Means over the cells of particles of an image.
inline std::vector<double> cell_means(const AprAccess& access, const Pixels<double>& image) {
  const ParticleMap map = particle_map(access);
  std::vector<double> sum(access.count(), 0.0);
  std::vector<double> n(access.count(), 0.0);
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    sum[map.index.values[i]] += image.values[i];
    n[map.index.values[i]] += 1.0;
  }
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] /= n[i];
  return sum;
}

/// Σ weight · a · b of values on a model.
template <class A, class B>
double weighted_dot(const BlurModel& model, const A& a, const B& b) {
  double sum = 0.0;
  std::size_t i = 0;
  for (const WeightRun& run : model.weights()) {
    for (; i < run.end; ++i) sum += run.weight * static_cast<double>(a[i]) * b[i];
  }
  return sum;
}

}  // namespace aprscope::test
