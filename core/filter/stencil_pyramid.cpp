#include "core/filter/stencil_pyramid.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace aprscope {
namespace {

std::int64_t restricted_size(std::int64_t n, int delta_level) {
  if (n == 1) return 1;
  const std::int64_t half = n / 2;
  const std::int64_t s = std::int64_t{1} << delta_level;
  return std::max<std::int64_t>(2 * ((half + s - 1) / s) + 1, 3);
}

// Share of the fine positions of cell 0 that tap `tap` (of n) takes to coarse cell `cell` (of m).
double share(std::int64_t tap, std::int64_t n, std::int64_t cell, std::int64_t m, int delta_level) {
  const std::int64_t s = std::int64_t{1} << delta_level;
  const std::int64_t from = tap - n / 2;
  const std::int64_t to = (cell - m / 2) * s;
  const std::int64_t overlap = std::min(from + s, to + s) - std::max(from, to);
  return overlap > 0 ? static_cast<double>(overlap) / static_cast<double>(s) : 0.0;
}

// Restricts the middle dimension of an array [outer][n][inner] to [outer][m][inner]. Cells beyond
// the middle add their taps in the opposite order, so that a symmetric stencil stays so to the bit.
std::vector<double> restrict_dimension(const std::vector<double>& in, std::int64_t n,
                                       std::int64_t m, std::int64_t inner, int delta_level) {
  const std::int64_t outer = static_cast<std::int64_t>(in.size()) / (n * inner);
  std::vector<double> out(static_cast<std::size_t>(outer * m * inner), 0.0);
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t step = 0; step < n; ++step) {
      for (std::int64_t cell = 0; cell < m; ++cell) {
        const std::int64_t tap = cell > m / 2 ? n - 1 - step : step;
        const double f = share(tap, n, cell, m, delta_level);
        if (f == 0.0) continue;
        for (std::int64_t i = 0; i < inner; ++i) {
          out[static_cast<std::size_t>((o * m + cell) * inner + i)] +=
              f * in[static_cast<std::size_t>((o * n + tap) * inner + i)];
        }
      }
    }
  }
  return out;
}

}  // namespace

Stencil restrict_stencil(const Stencil& stencil, int delta_level) {
  if (delta_level <= 0) return stencil;
  // Beyond this every stencil (at most 65535 wide) lies within the neighbouring cells with weights
  // that no longer change in double precision of a pixel.
  const int delta = std::min(delta_level, 40);
  const Size3& n = stencil.size;
  Stencil out;
  out.name = stencil.name;
  out.size = {restricted_size(n.z, delta), restricted_size(n.x, delta),
              restricted_size(n.y, delta)};
  const auto dimension = [&](const std::vector<double>& in, std::int64_t from, std::int64_t to,
                             std::int64_t inner) {
    return from == 1 ? in : restrict_dimension(in, from, to, inner, delta);
  };
  if (stencil.lines) {
    const StencilLines& lines = *stencil.lines;
    return wide_stencil(
        {dimension(lines[0], n.z, out.size.z, 1), dimension(lines[1], n.x, out.size.x, 1),
         dimension(lines[2], n.y, out.size.y, 1)},
        stencil.name);
  }
  out.weights = dimension(stencil.weights, n.y, out.size.y, 1);
  out.weights = dimension(out.weights, n.x, out.size.x, out.size.y);
  out.weights = dimension(out.weights, n.z, out.size.z, out.size.x * out.size.y);
  return out;
}

Result<StencilPyramid> StencilPyramid::create(const Stencil& stencil, StencilMode mode,
                                              bool normalize, int level_max) {
  if (Status ok = check(stencil); !ok) return ok.error();
  if (level_max < 0) {
    return Error{"the finest level is " + std::to_string(level_max), "stencil pyramid",
                 "give the finest level of the data"};
  }
  std::vector<Stencil> stencils;
  for (int l = 0; l <= level_max; ++l) {
    const int delta = level_max - l;
    Stencil here = mode == StencilMode::restricted ? restrict_stencil(stencil, delta) : stencil;
    if (mode == StencilMode::rescaled) {
      for (double& w : here.lines ? (*here.lines)[0] : here.weights) w = std::ldexp(w, -delta);
    }
    stencils.push_back(normalize ? here.normalized() : std::move(here));
  }
  return from_levels(std::move(stencils));
}

Result<StencilPyramid> StencilPyramid::from_levels(std::vector<Stencil> stencils) {
  if (stencils.empty()) {
    return Error{"there are no stencils", "stencil pyramid", "give one stencil for each level"};
  }
  for (const Stencil& stencil : stencils) {
    if (Status ok = check(stencil); !ok) return ok.error();
  }
  StencilPyramid pyramid;
  pyramid.stencils_ = std::move(stencils);
  return pyramid;
}

}  // namespace aprscope
