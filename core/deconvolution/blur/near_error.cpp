#include "core/deconvolution/blur/near_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"

namespace aprscope {
namespace {

// Weight at an offset from the middle; 0 outside.
double at(const Stencil& s, std::int64_t z, std::int64_t x, std::int64_t y) {
  z += s.size.z / 2;
  x += s.size.x / 2;
  y += s.size.y / 2;
  const bool inside = z >= 0 && x >= 0 && y >= 0 && z < s.size.z && x < s.size.x && y < s.size.y;
  return inside ? s.weights[static_cast<std::size_t>((z * s.size.x + x) * s.size.y + y)] : 0.0;
}

struct Sums {
  double absolute = 0.0;
  double square = 0.0;
  Sums& operator+=(const Sums& other) {
    absolute += other.absolute;
    square += other.square;
    return *this;
  }
};

// How a dimension takes part: not at all where the PSF is one pixel thick.
struct Line {
  std::int64_t cells = 0;  // coarse cells on each side
  int pixels = 1;          // of a cell
  int phase = 0;           // of the pixel that is looked from, in cell 0
  int other = 0;           // the cell that it is interpolated with
  double share = 0.0;      // … and with which weight
};

Line line_of(std::int64_t n, int phase) {
  if (n == 1) return {};
  return {n / 4 + 2, 2, phase, phase == 0 ? -1 : 1, 0.25};
}

class Comparison {
 public:
  Comparison(const Stencil& psf, const SplitPsf& parts, const std::array<int, 3>& phase)
      : psf_(psf),
        parts_(parts),
        z_(line_of(psf.size.z, phase[0])),
        x_(line_of(psf.size.x, phase[1])),
        y_(line_of(psf.size.y, phase[2])) {}

  // Sums over the coarse cells within `reach` of the pixel's own (inside), or over the others.
  [[nodiscard]] Sums sum(std::int64_t reach, bool inside) const {
    const std::int64_t cz = inside ? std::min(reach, z_.cells) : z_.cells;
    const std::int64_t cx = inside ? std::min(reach, x_.cells) : x_.cells;
    const std::int64_t cy = inside ? std::min(reach, y_.cells) : y_.cells;
    std::vector<Sums> planes(static_cast<std::size_t>(2 * cz + 1));
    parallel_each(2 * cz + 1, thread_count(), [&](std::int64_t i, int) {
      const std::int64_t z = i - cz;
      Sums& plane = planes[static_cast<std::size_t>(i)];
      for (std::int64_t x = -cx; x <= cx; ++x) {
        for (std::int64_t y = -cy; y <= cy; ++y) {
          const bool within = std::max({std::abs(z), std::abs(x), std::abs(y)}) <= reach;
          if (within == inside) plane += cell(z, x, y);
        }
      }
    });
    Sums total;
    for (const Sums& plane : planes) total += plane;
    return total;
  }

 private:
  // Differences at the pixels of coarse cell (z, x, y).
  [[nodiscard]] Sums cell(std::int64_t z, std::int64_t x, std::int64_t y) const {
    double coarse = 0.0;
    for (int i = 0; i < 8; ++i) {
      const bool oz = (i & 4) != 0;
      const bool ox = (i & 2) != 0;
      const bool oy = (i & 1) != 0;
      const double weight = (oz ? z_.share : 1.0 - z_.share) * (ox ? x_.share : 1.0 - x_.share) *
                            (oy ? y_.share : 1.0 - y_.share);
      if (weight == 0.0) continue;
      coarse += weight * at(parts_.far, (oz ? z_.other : 0) - z, (ox ? x_.other : 0) - x,
                            (oy ? y_.other : 0) - y);
    }
    coarse /= z_.pixels * x_.pixels * y_.pixels;
    Sums sums;
    for (int a = 0; a < z_.pixels; ++a) {
      for (int b = 0; b < x_.pixels; ++b) {
        for (int c = 0; c < y_.pixels; ++c) {
          const std::int64_t dz = z_.phase - (z * z_.pixels + a);
          const std::int64_t dx = x_.phase - (x * x_.pixels + b);
          const std::int64_t dy = y_.phase - (y * y_.pixels + c);
          const Size3& near = parts_.near.size;
          const bool is_near = std::abs(dz) <= near.z / 2 && std::abs(dx) <= near.x / 2 &&
                               std::abs(dy) <= near.y / 2;
          const double d = coarse - (is_near ? 0.0 : at(psf_, dz, dx, dy));
          sums.absolute += std::abs(d);
          sums.square += d * d;
        }
      }
    }
    return sums;
  }

  const Stencil& psf_;
  const SplitPsf& parts_;
  Line z_, x_, y_;
};

}  // namespace

std::vector<NearError> near_errors(const Stencil& psf, const std::vector<int>& sizes) {
  std::vector<NearError> out;
  if (sizes.empty()) return out;
  Sums whole;
  for (const double w : psf.weights) {
    whole.absolute += std::abs(w);
    whole.square += w * w;
  }
  // Beyond this many coarse cells the size of the near part changes nothing.
  const std::int64_t reach = *std::max_element(sizes.begin(), sizes.end()) / 4 + 3;
  const int phases = is_even(psf) ? 1 : 8;
  std::vector<Sums> outer(static_cast<std::size_t>(phases));
  bool outer_known = false;
  for (const int size : sizes) {
    const SplitPsf parts = split(psf, {size, size, size});
    NearError error{parts.near.size, 0.0, 0.0};
    if (parts.has_far() && whole.absolute > 0.0) {
      double squares = 0.0;
      for (int i = 0; i < phases; ++i) {
        const Comparison comparison(psf, parts, {i / 4, i / 2 % 2, i % 2});
        Sums& rest = outer[static_cast<std::size_t>(i)];
        if (!outer_known) rest = comparison.sum(reach, false);
        Sums sums = comparison.sum(reach, true);
        sums += rest;
        error.bound = std::max(error.bound, sums.absolute / whole.absolute);
        squares += sums.square / phases;
      }
      outer_known = true;
      error.rms = std::sqrt(squares / whole.square);
    }
    out.push_back(error);
  }
  return out;
}

const std::vector<int>& near_sizes() {
  static const std::vector<int> sizes{3, 5, 7, 9};
  return sizes;
}

NearError choose_near(const Stencil& psf, double tolerance, std::vector<NearError>* tried) {
  std::vector<NearError> errors = near_errors(psf, near_sizes());
  const auto found = std::find_if(errors.begin(), errors.end(),
                                  [&](const NearError& e) { return e.rms <= tolerance; });
  const NearError chosen = found == errors.end() ? errors.back() : *found;
  if (tried != nullptr) *tried = std::move(errors);
  return chosen;
}

}  // namespace aprscope
