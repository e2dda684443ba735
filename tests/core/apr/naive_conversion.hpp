#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope::test {

/// Steps of the conversion written down as their formulas say, in double precision, one voxel at a
/// time: what the fast versions are compared with.
using Grid = Pixels<double>;

inline std::int64_t mirror(std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/// Applies `line` to all lines of a dimension (0 = z, 1 = x, 2 = y).
inline Grid along(const Grid& in, int dimension,
                  const std::function<std::vector<double>(const std::vector<double>&)>& line) {
  const std::array<std::int64_t, 3> n{in.size.z, in.size.x, in.size.y};
  const auto d = static_cast<std::size_t>(dimension);
  const std::size_t a = d == 0 ? 1 : 0;
  const std::size_t b = d == 2 ? 1 : 2;
  Grid out(in.size);
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    std::array<std::int64_t, 3> p{};
    p[a] = i;
    p[b] = j;
    p[d] = k;
    return in.index(p[0], p[1], p[2]);
  };
  for (std::int64_t i = 0; i < n[a]; ++i) {
    for (std::int64_t j = 0; j < n[b]; ++j) {
      std::vector<double> values;
      for (std::int64_t k = 0; k < n[d]; ++k) values.push_back(in.values[at(i, j, k)]);
      values = line(values);
      for (std::int64_t k = 0; k < n[d]; ++k) {
        out.values[at(i, j, k)] = values[static_cast<std::size_t>(k)];
      }
    }
  }
  return out;
}

/// c with (B + λ D²) c = x under mirrored ends, solved as a dense linear system.
inline std::vector<double> spline_coefficients(const std::vector<double>& x, double lambda) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (lambda <= 0.0 || n <= 2) return x;
  std::vector<std::vector<double>> m;
  const std::array<double, 5> taps{lambda, 1.0 / 6.0 - 4.0 * lambda, 4.0 / 6.0 + 6.0 * lambda,
                                   1.0 / 6.0 - 4.0 * lambda, lambda};
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<double> row(x.size(), 0.0);
    for (std::int64_t t = -2; t <= 2; ++t) {
      row[static_cast<std::size_t>(mirror(i + t, n))] += taps[static_cast<std::size_t>(t + 2)];
    }
    row.push_back(x[static_cast<std::size_t>(i)]);
    m.push_back(std::move(row));
  }
  for (std::size_t k = 0; k < m.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < m.size(); ++r) {
      if (std::abs(m[r][k]) > std::abs(m[pivot][k])) pivot = r;
    }
    std::swap(m[k], m[pivot]);
    for (std::size_t r = 0; r < m.size(); ++r) {
      if (r == k) continue;
      const double f = m[r][k] / m[k][k];
      for (std::size_t c = k; c <= m.size(); ++c) m[r][c] -= f * m[k][c];
    }
  }
  std::vector<double> c;
  for (std::size_t k = 0; k < m.size(); ++k) c.push_back(m[k].back() / m[k][k]);
  return c;
}

inline Grid spline_coefficients(const Grid& image, double lambda) {
  Grid out = image;
  for (int d = 0; d < 3; ++d) {
    out =
        along(out, d, [&](const std::vector<double>& x) { return spline_coefficients(x, lambda); });
  }
  return out;
}

/// Gradient magnitude by central differences over 2·d with replicated edges.
inline Grid gradient(const Grid& c, double dz, double dx, double dy) {
  const auto difference = [](const std::vector<double>& v, double d) {
    std::vector<double> out;
    for (std::size_t i = 0; i < v.size(); ++i) {
      out.push_back((v[std::min(i + 1, v.size() - 1)] - v[i == 0 ? 0 : i - 1]) / (2.0 * d));
    }
    return out;
  };
  const std::array<double, 3> step{dz, dx, dy};
  Grid sum(c.size);
  for (int d = 0; d < 3; ++d) {
    const Grid g = along(c, d, [&](const std::vector<double>& v) {
      return difference(v, step[static_cast<std::size_t>(d)]);
    });
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += g.values[i] * g.values[i];
  }
  for (double& v : sum.values) v = std::sqrt(v);
  return sum;
}

/// Reduces the pixels of each 2×2×2 block that exist.
inline Grid blocks(const Grid& in,
                   const std::function<double(const std::vector<double>&)>& reduce) {
  Grid out({(in.size.z + 1) / 2, (in.size.x + 1) / 2, (in.size.y + 1) / 2});
  for (std::int64_t z = 0; z < out.size.z; ++z) {
    for (std::int64_t x = 0; x < out.size.x; ++x) {
      for (std::int64_t y = 0; y < out.size.y; ++y) {
        std::vector<double> values;
        for (std::int64_t k = 0; k < 8; ++k) {
          const std::int64_t pz = 2 * z + k / 4;
          const std::int64_t px = 2 * x + k / 2 % 2;
          const std::int64_t py = 2 * y + k % 2;
          if (pz < in.size.z && px < in.size.x && py < in.size.y) {
            values.push_back(in.at(pz, px, py));
          }
        }
        out.at(z, x, y) = reduce(values);
      }
    }
  }
  return out;
}

inline double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

inline Grid block_max(const Grid& in) {
  return blocks(in,
                [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); });
}

inline Grid block_mean(const Grid& in) { return blocks(in, mean_of); }

/// [1, 4, 1] / 6 in each dimension longer than 1, mirrored.
inline Grid spline_values_of(const Grid& c) {
  Grid out = c;
  for (int d = 0; d < 3; ++d) {
    out = along(out, d, [](const std::vector<double>& v) {
      const auto n = static_cast<std::int64_t>(v.size());
      if (n == 1) return v;
      std::vector<double> r;
      for (std::int64_t i = 0; i < n; ++i) {
        const auto at = [&](std::int64_t k) { return v[static_cast<std::size_t>(mirror(k, n))]; };
        r.push_back((at(i - 1) + 4.0 * at(i) + at(i + 1)) / 6.0);
      }
      return r;
    });
  }
  return out;
}

/// σ without K: box_outer(|I − box_inner(I)|) on the image mirrored by max(inner, outer) in each
/// dimension, windows cut at the border of the mirrored image. {inner, outer} for z, x, y.
inline Grid deviation(const Grid& in, const std::array<std::array<int, 2>, 3>& windows) {
  std::array<std::int64_t, 3> border{};
  for (std::size_t d = 0; d < 3; ++d) border[d] = std::max(windows[d][0], windows[d][1]);
  Grid mirrored({in.size.z + 2 * border[0], in.size.x + 2 * border[1], in.size.y + 2 * border[2]});
  for (std::int64_t z = 0; z < mirrored.size.z; ++z) {
    for (std::int64_t x = 0; x < mirrored.size.x; ++x) {
      for (std::int64_t y = 0; y < mirrored.size.y; ++y) {
        mirrored.at(z, x, y) =
            in.at(mirror(z - border[0], in.size.z), mirror(x - border[1], in.size.x),
                  mirror(y - border[2], in.size.y));
      }
    }
  }
  const auto box = [&](Grid g, std::size_t which) {
    for (int d = 0; d < 3; ++d) {
      const std::int64_t w = windows[static_cast<std::size_t>(d)][which];
      g = along(g, d, [&](const std::vector<double>& v) {
        const auto n = static_cast<std::int64_t>(v.size());
        std::vector<double> r;
        for (std::int64_t i = 0; i < n; ++i) {
          r.push_back(mean_of(
              {v.begin() + std::max<std::int64_t>(i - w, 0), v.begin() + std::min(i + w + 1, n)}));
        }
        return r;
      });
    }
    return g;
  };
  Grid d = box(mirrored, 0);
  for (std::size_t i = 0; i < d.values.size(); ++i) {
    d.values[i] = std::abs(d.values[i] - mirrored.values[i]);
  }
  d = box(d, 1);
  Grid out(in.size);
  for (std::int64_t z = 0; z < in.size.z; ++z) {
    for (std::int64_t x = 0; x < in.size.x; ++x) {
      for (std::int64_t y = 0; y < in.size.y; ++y) {
        out.at(z, x, y) = d.at(z + border[0], x + border[1], y + border[2]);
      }
    }
  }
  return out;
}

inline Grid to_grid(const Volume& volume) {
  const Pixels<float> pixels = volume.to_float();
  Grid out(pixels.size);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    out.values[i] = static_cast<double>(pixels.values[i]);
  }
  return out;
}

}  // namespace aprscope::test
