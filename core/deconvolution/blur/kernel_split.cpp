#include "core/deconvolution/blur/kernel_split.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

std::int64_t halved_size(std::int64_t n) { return n == 1 ? 1 : 2 * ((n / 2 + 1) / 2) + 1; }

// The taps of the coarse tap at `c` from the middle: fine ones and their weights.
struct Taps {
  std::int64_t first = 0, last = 0;
  std::int64_t middle = 0;
  Taps(std::int64_t c, std::int64_t n) : middle(n == 1 ? 0 : 2 * c) {
    const std::int64_t reach = n == 1 ? 0 : 1;
    first = std::max(middle - reach, -(n / 2));
    last = std::min(middle + reach, n / 2);
  }
  [[nodiscard]] double weight(std::int64_t t) const { return t == middle ? 1.0 : 0.5; }
};

}  // namespace

Size3 halved(const Size3& size) {
  return {halved_size(size.z), halved_size(size.x), halved_size(size.y)};
}

Stencil halved(const Stencil& stencil) {
  const Size3& n = stencil.size;
  Stencil out;
  out.name = stencil.name;
  const Size3 m = halved(n);
  out.size = m;
  out.weights.assign(static_cast<std::size_t>(m.count()), 0.0);
  // Row by row, so that nothing but the result is kept; one row a thread.
  const int threads = thread_count();
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(threads),
                                        std::vector<double>(static_cast<std::size_t>(n.y)));
  parallel_each(m.z * m.x, threads, [&](std::int64_t r, int thread) {
    std::vector<double>& row = rows[static_cast<std::size_t>(thread)];
    const Taps z(r / m.x - m.z / 2, n.z);
    const Taps x(r % m.x - m.x / 2, n.x);
    std::fill(row.begin(), row.end(), 0.0);
    for (std::int64_t a = z.first; a <= z.last; ++a) {
      for (std::int64_t b = x.first; b <= x.last; ++b) {
        const double weight = z.weight(a) * x.weight(b);
        const double* const from =
            stencil.weights.data() + ((a + n.z / 2) * n.x + b + n.x / 2) * n.y;
        for (std::int64_t i = 0; i < n.y; ++i) row[static_cast<std::size_t>(i)] += weight * from[i];
      }
    }
    double* const to = out.weights.data() + r * m.y;
    for (std::int64_t c = 0; c < m.y; ++c) {
      const Taps y(c - m.y / 2, n.y);
      for (std::int64_t t = y.first; t <= y.last; ++t) {
        to[c] += y.weight(t) * row[static_cast<std::size_t>(t + n.y / 2)];
      }
    }
  });
  return out;
}

Stencil middle(const Stencil& stencil, const Size3& size) {
  const Size3& n = stencil.size;
  Stencil out;
  out.name = stencil.name;
  out.size = {std::min(size.z, n.z), std::min(size.x, n.x), std::min(size.y, n.y)};
  out.weights.clear();
  out.weights.reserve(static_cast<std::size_t>(out.size.count()));
  const Index3 first{(n.z - out.size.z) / 2, (n.x - out.size.x) / 2, (n.y - out.size.y) / 2};
  for (std::int64_t z = 0; z < out.size.z; ++z) {
    for (std::int64_t x = 0; x < out.size.x; ++x) {
      const auto row =
          stencil.weights.begin() + ((first.z + z) * n.x + first.x + x) * n.y + first.y;
      out.weights.insert(out.weights.end(), row, row + out.size.y);
    }
  }
  return out;
}

bool is_even(const Stencil& stencil, double tolerance) {
  const Size3& n = stencil.size;
  const double* const w = stencil.weights.data();
  double largest = 0.0;
  for (const double v : stencil.weights) largest = std::max(largest, std::abs(v));
  const double allowed = tolerance * largest;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      const double* const row = w + (z * n.x + x) * n.y;
      const double* const other_z = w + ((n.z - 1 - z) * n.x + x) * n.y;
      const double* const other_x = w + (z * n.x + n.x - 1 - x) * n.y;
      for (std::int64_t y = 0; y < n.y; ++y) {
        if (std::abs(row[y] - row[n.y - 1 - y]) > allowed ||
            std::abs(row[y] - other_z[y]) > allowed || std::abs(row[y] - other_x[y]) > allowed) {
          return false;
        }
      }
    }
  }
  return true;
}

SplitPsf split(const Stencil& psf, const Size3& near) {
  SplitPsf out;
  out.near = middle(psf, near);
  out.far.weights.clear();
  if (out.near.size == psf.size) return out;
  out.far = halved(psf);
  // Restriction is linear, so subtract the restricted near part from the restricted PSF.
  const Stencil inner = halved(out.near);
  const Size3& n = out.far.size;
  const Index3 first{(n.z - inner.size.z) / 2, (n.x - inner.size.x) / 2, (n.y - inner.size.y) / 2};
  std::size_t i = 0;
  for (std::int64_t z = 0; z < inner.size.z; ++z) {
    for (std::int64_t x = 0; x < inner.size.x; ++x) {
      for (std::int64_t y = 0; y < inner.size.y; ++y) {
        out.far.weights[static_cast<std::size_t>(((first.z + z) * n.x + first.x + x) * n.y +
                                                 first.y + y)] -= inner.weights[i++];
      }
    }
  }
  return out;
}

}  // namespace aprscope
