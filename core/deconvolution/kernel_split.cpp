#include "core/deconvolution/kernel_split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Halves the middle dimension of [outer][n][inner].
std::vector<double> halve_dimension(const std::vector<double>& in, std::int64_t outer,
                                    std::int64_t n, std::int64_t inner, std::int64_t& m) {
  const std::int64_t half = n / 2;
  const std::int64_t coarse_half = (half + 1) / 2;
  m = 2 * coarse_half + 1;
  std::vector<double> out(static_cast<std::size_t>(outer * m * inner), 0.0);
#pragma omp parallel for schedule(static) num_threads(thread_count())
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t c = -coarse_half; c <= coarse_half; ++c) {
      double* const to = out.data() + (o * m + c + coarse_half) * inner;
      for (std::int64_t t = 2 * c - 1; t <= 2 * c + 1; ++t) {
        if (t < -half || t > half) continue;
        const double weight = t == 2 * c ? 1.0 : 0.5;
        const double* const from = in.data() + (o * n + t + half) * inner;
        for (std::int64_t i = 0; i < inner; ++i) to[i] += weight * from[i];
      }
    }
  }
  return out;
}

}  // namespace

Stencil halved(const Stencil& stencil) {
  Stencil out;
  out.name = stencil.name;
  out.size = stencil.size;
  const Size3& n = stencil.size;
  // The first pass reads the stencil, the others what is left of it.
  const std::vector<double>* from = &stencil.weights;
  const auto pass = [&](std::int64_t outer, std::int64_t length, std::int64_t inner,
                        std::int64_t& m) {
    if (length == 1) return;
    std::vector<double> halves = halve_dimension(*from, outer, length, inner, m);
    out.weights = std::move(halves);
    from = &out.weights;
  };
  pass(1, n.z, n.x * n.y, out.size.z);
  pass(out.size.z, n.x, n.y, out.size.x);
  pass(out.size.z * out.size.x, n.y, 1, out.size.y);
  if (from == &stencil.weights) out.weights = stencil.weights;
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
  // Restriction is linear: what the near part becomes is taken away.
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
