#include "core/filter/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace aprscope {
namespace {

std::size_t index_of(const Size3& size, std::int64_t z, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>((z * size.x + x) * size.y + y);
}

struct Sums {
  double total = 0.0;
  double magnitude = 0.0;
};

Sums sums_of(const std::vector<double>& weights) {
  Sums sums;
  for (const double w : weights) {
    sums.total += w;
    sums.magnitude += std::abs(w);
  }
  return sums;
}

double largest_of(const std::vector<double>& weights) {
  double largest = 0.0;
  for (const double w : weights) largest = std::max(largest, std::abs(w));
  return largest;
}

std::vector<double>::const_iterator where_largest(const std::vector<double>& w) {
  return std::max_element(w.begin(), w.end(),
                          [](double a, double b) { return std::abs(a) < std::abs(b); });
}

Status check_weights(const std::vector<double>& weights, const std::string& where) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i])) {
      return Error{"weight " + std::to_string(i) + " is not a finite number", where,
                   "give finite weights"};
    }
  }
  return {};
}

// The lines through the largest weight, with the bits that they have in the stencil written out.
StencilLines lines_through_largest(const StencilLines& lines) {
  std::array<double, 3> top{};
  for (std::size_t d = 0; d < 3; ++d) top[d] = *where_largest(lines[d]);
  const double pivot = top[0] * top[1] * top[2];
  StencilLines out = lines;
  if (pivot == 0.0) return out;
  for (double& w : out[0]) w = w * top[1] * top[2];
  for (double& w : out[1]) w = top[0] * w * top[2] / pivot;
  for (double& w : out[2]) w = top[0] * top[1] * w / pivot;
  return out;
}

}  // namespace

double Stencil::weight(std::int64_t z, std::int64_t x, std::int64_t y) const {
  if (!lines) return weights[index_of(size, z, x, y)];
  return (*lines)[0][static_cast<std::size_t>(z)] * (*lines)[1][static_cast<std::size_t>(x)] *
         (*lines)[2][static_cast<std::size_t>(y)];
}

double Stencil::largest() const {
  if (!lines) return largest_of(weights);
  return largest_of((*lines)[0]) * largest_of((*lines)[1]) * largest_of((*lines)[2]);
}

double Stencil::sum() const {
  if (!lines) return sums_of(weights).total;
  return sums_of((*lines)[0]).total * sums_of((*lines)[1]).total * sums_of((*lines)[2]).total;
}

Stencil Stencil::normalized() const {
  Sums sums{1.0, 1.0};
  if (lines) {
    for (const std::vector<double>& line : *lines) {
      const Sums one = sums_of(line);
      sums = {sums.total * one.total, sums.magnitude * one.magnitude};
    }
  } else {
    sums = sums_of(weights);
  }
  Stencil out = *this;
  // The weights of a derivative cancel only up to rounding; scaling that remainder to 1 would blow
  // them up.
  if (std::abs(sums.total) <= 1e-12 * sums.magnitude) return out;
  for (double& w : out.lines ? (*out.lines)[0] : out.weights) w /= sums.total;
  return out;
}

Status check(const Stencil& stencil) {
  const std::string where = stencil.name.empty() ? "stencil" : "stencil " + stencil.name;
  const Size3& n = stencil.size;
  const std::string size =
      std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
  constexpr std::int64_t limit = 1 << 16;
  for (const std::int64_t d : {n.z, n.x, n.y}) {
    if (d < 1 || d % 2 == 0 || d > limit) {
      return Error{"the size is " + size, where, "use odd sizes from 1 to 65535"};
    }
  }
  if (stencil.lines) {
    const StencilLines& lines = *stencil.lines;
    const std::array<std::int64_t, 3> sizes{n.z, n.x, n.y};
    for (std::size_t d = 0; d < 3; ++d) {
      if (lines[d].size() != static_cast<std::size_t>(sizes[d])) {
        return Error{
            "a line has " + std::to_string(lines[d].size()) + " weights for a size of " + size,
            where, "give one weight for each position"};
      }
      if (Status finite = check_weights(lines[d], where); !finite) return finite;
    }
    return {};
  }
  // Each size is below 2^16, so the product fits.
  if (stencil.weights.size() != static_cast<std::size_t>(n.count())) {
    return Error{
        "there are " + std::to_string(stencil.weights.size()) + " weights for a size of " + size,
        where, "give one weight for each position"};
  }
  return check_weights(stencil.weights, where);
}

std::optional<StencilLines> separate(const Stencil& stencil) {
  if (stencil.lines) return lines_through_largest(*stencil.lines);
  const Size3& n = stencil.size;
  const std::vector<double>& w = stencil.weights;
  const auto largest = where_largest(w);
  if (largest == w.end()) return std::nullopt;
  const double pivot = *largest;
  StencilLines factors{std::vector<double>(static_cast<std::size_t>(n.z)),
                       std::vector<double>(static_cast<std::size_t>(n.x)),
                       std::vector<double>(static_cast<std::size_t>(n.y))};
  if (pivot == 0.0) return factors;

  // The lines through the largest weight are the factors, if there are any.
  const auto at = static_cast<std::int64_t>(largest - w.begin());
  const std::int64_t py = at % n.y;
  const std::int64_t px = at / n.y % n.x;
  const std::int64_t pz = at / n.y / n.x;
  for (std::int64_t z = 0; z < n.z; ++z) {
    factors[0][static_cast<std::size_t>(z)] = w[index_of(n, z, px, py)];
  }
  for (std::int64_t x = 0; x < n.x; ++x) {
    factors[1][static_cast<std::size_t>(x)] = w[index_of(n, pz, x, py)] / pivot;
  }
  for (std::int64_t y = 0; y < n.y; ++y) {
    factors[2][static_cast<std::size_t>(y)] = w[index_of(n, pz, px, y)] / pivot;
  }
  std::size_t i = 0;
  for (const double fz : factors[0]) {
    for (const double fx : factors[1]) {
      for (const double fy : factors[2]) {
        if (std::abs(fz * fx * fy - w[i++]) > 1e-12 * std::abs(pivot)) return std::nullopt;
      }
    }
  }
  return factors;
}

}  // namespace aprscope
