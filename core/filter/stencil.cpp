#include "core/filter/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aprscope {
namespace {

using Vec = std::array<double, 3>;
using Factors = std::array<std::vector<double>, 3>;

Stencil outer_product(const Factors& f, std::string name) {
  Stencil s;
  s.size = {static_cast<std::int64_t>(f[0].size()), static_cast<std::int64_t>(f[1].size()),
            static_cast<std::int64_t>(f[2].size())};
  s.name = std::move(name);
  s.weights.clear();
  for (const double z : f[0]) {
    for (const double x : f[1]) {
      for (const double y : f[2]) s.weights.push_back(z * x * y);
    }
  }
  return s;
}

// Half the size of a Gaussian in one dimension: as asked for, else 3 σ.
std::int64_t half_size(double sigma, std::int64_t wanted) {
  if (wanted > 0) return wanted / 2;
  return sigma > 0.0 ? static_cast<std::int64_t>(std::ceil(3.0 * sigma)) : 0;
}

// Samples of a Gaussian that sum to 1; a single 1 in the middle where σ is 0.
std::vector<double> gaussian_line(double sigma, std::int64_t half) {
  std::vector<double> line;
  for (std::int64_t i = -half; i <= half; ++i) {
    const double t = static_cast<double>(i) / (sigma > 0.0 ? sigma : 1.0);
    line.push_back(sigma > 0.0 ? std::exp(-0.5 * t * t) : (i == 0 ? 1.0 : 0.0));
  }
  const double sum = std::accumulate(line.begin(), line.end(), 0.0);
  for (double& v : line) v /= sum;
  return line;
}

Factors gaussian_factors(const Vec& sigma, const Size3& size) {
  return {gaussian_line(sigma[0], half_size(sigma[0], size.z)),
          gaussian_line(sigma[1], half_size(sigma[1], size.x)),
          gaussian_line(sigma[2], half_size(sigma[2], size.y))};
}

std::size_t at(const Size3& size, std::int64_t z, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>((z * size.x + x) * size.y + y);
}

}  // namespace

double Stencil::sum() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

Stencil Stencil::normalized() const {
  Stencil out = *this;
  const double total = sum();
  double absolute = 0.0;
  for (const double w : weights) absolute += std::abs(w);
  // A derivative's weights cancel to rounding errors, not always to 0 exactly.
  if (std::abs(total) <= 1e-12 * absolute) return out;
  for (double& w : out.weights) w /= total;
  return out;
}

Status check(const Stencil& s) {
  const auto bad = [&](std::string what) {
    return Error{std::move(what), s.name.empty() ? "stencil" : "stencil " + s.name,
                 "give odd sizes and one finite weight a cell"};
  };
  for (const std::int64_t n : {s.size.z, s.size.x, s.size.y}) {
    if (n < 1 || n % 2 == 0 || n > 65535) {
      return bad("a size of " + std::to_string(n) + " is not an odd positive number");
    }
  }
  if (s.weights.size() != static_cast<std::size_t>(s.size.count())) {
    return bad("it has " + std::to_string(s.weights.size()) + " weights where " +
               std::to_string(s.size.count()) + " belong");
  }
  for (const double w : s.weights) {
    if (!std::isfinite(w)) return bad("a weight is not finite");
  }
  return {};
}

std::optional<Factors> separate(const Stencil& s) {
  std::size_t pivot = 0;
  for (std::size_t i = 1; i < s.weights.size(); ++i) {
    if (std::abs(s.weights[i]) > std::abs(s.weights[pivot])) pivot = i;
  }
  const double largest = s.weights[pivot];
  if (largest == 0.0) return std::nullopt;
  const auto p = static_cast<std::int64_t>(pivot);
  const std::int64_t py = p % s.size.y;
  const std::int64_t px = p / s.size.y % s.size.x;
  const std::int64_t pz = p / (s.size.y * s.size.x);
  // The lines through the largest weight are the factors, if there are any.
  Factors f;
  for (std::int64_t z = 0; z < s.size.z; ++z) f[0].push_back(s.weights[at(s.size, z, px, py)]);
  for (std::int64_t x = 0; x < s.size.x; ++x) {
    f[1].push_back(s.weights[at(s.size, pz, x, py)] / largest);
  }
  for (std::int64_t y = 0; y < s.size.y; ++y) {
    f[2].push_back(s.weights[at(s.size, pz, px, y)] / largest);
  }
  const Stencil product = outer_product(f, "");
  for (std::size_t i = 0; i < s.weights.size(); ++i) {
    if (std::abs(product.weights[i] - s.weights[i]) > 1e-12 * std::abs(largest)) return {};
  }
  return f;
}

Stencil identity_stencil() { return {{1, 1, 1}, {1.0}, "identity"}; }

Stencil box_stencil(Size3 size) {
  const auto n = static_cast<std::size_t>(size.count());
  return {size, std::vector<double>(n, 1.0 / static_cast<double>(n)), "box"};
}

Stencil gaussian_stencil(std::array<double, 3> sigma, Size3 size) {
  return outer_product(gaussian_factors(sigma, size), "gaussian");
}

Stencil laplacian_stencil(std::array<double, 3> distance) {
  Stencil s{{3, 3, 3}, std::vector<double>(27, 0.0), "laplacian"};
  const std::array<std::int64_t, 3> stride{9, 3, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    const double w = 1.0 / (distance[d] * distance[d]);
    s.weights[static_cast<std::size_t>(13 - stride[d])] += w;
    s.weights[static_cast<std::size_t>(13 + stride[d])] += w;
    s.weights[13] -= 2.0 * w;
  }
  return s;
}

Stencil log_stencil(std::array<double, 3> sigma, Size3 size) {
  const Stencil gaussian = gaussian_stencil(sigma, size);
  Stencil s = gaussian;
  s.name = "log";
  const Size3 n = s.size;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const Vec p{static_cast<double>(z - n.z / 2), static_cast<double>(x - n.x / 2),
                    static_cast<double>(y - n.y / 2)};
        double factor = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
          if (!(sigma[d] > 0.0)) continue;
          const double variance = sigma[d] * sigma[d];
          factor += p[d] * p[d] / (variance * variance) - 1.0 / variance;
        }
        s.weights[at(n, z, x, y)] *= factor;
      }
    }
  }
  // Cut off at a finite size it no longer sums to 0; the Gaussian sums to 1.
  const double excess = s.sum();
  for (std::size_t i = 0; i < s.weights.size(); ++i) s.weights[i] -= excess * gaussian.weights[i];
  return s;
}

Stencil central_difference_stencil(Axis axis, double distance) {
  Stencil s{{1, 1, 1}, {-0.5 / distance, 0.0, 0.5 / distance}, "central difference"};
  (axis == Axis::z ? s.size.z : axis == Axis::x ? s.size.x : s.size.y) = 3;
  return s;
}

Stencil sobel_stencil(Axis axis, double distance) {
  const std::vector<double> across{0.25, 0.5, 0.25};
  Factors f{across, across, across};
  f[static_cast<std::size_t>(axis)] = {-0.5 / distance, 0.0, 0.5 / distance};
  return outer_product(f, "sobel");
}

Stencil sharpen_stencil(std::array<double, 3> sigma, double amount) {
  Stencil s = gaussian_stencil(sigma);
  s.name = "sharpen";
  for (double& w : s.weights) w *= -amount;
  s.weights[s.weights.size() / 2] += 1.0 + amount;
  return s;
}

}  // namespace aprscope
