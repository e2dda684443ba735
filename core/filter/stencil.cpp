#include "core/filter/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace aprscope {
namespace {

std::size_t index_of(const Size3& size, std::int64_t z, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>((z * size.x + x) * size.y + y);
}

}  // namespace

double Stencil::sum() const {
  double total = 0.0;
  for (const double w : weights) total += w;
  return total;
}

Stencil Stencil::normalized() const {
  double total = 0.0;
  double magnitude = 0.0;
  for (const double w : weights) {
    total += w;
    magnitude += std::abs(w);
  }
  Stencil out = *this;
  // The weights of a derivative cancel only up to rounding; scaling that remainder to 1 would blow
  // them up.
  if (std::abs(total) <= 1e-12 * magnitude) return out;
  for (double& w : out.weights) w /= total;
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
  // Each size is below 2^16, so the product fits.
  if (stencil.weights.size() != static_cast<std::size_t>(n.count())) {
    return Error{
        "there are " + std::to_string(stencil.weights.size()) + " weights for a size of " + size,
        where, "give one weight for each position"};
  }
  for (std::size_t i = 0; i < stencil.weights.size(); ++i) {
    if (!std::isfinite(stencil.weights[i])) {
      return Error{"weight " + std::to_string(i) + " is not a finite number", where,
                   "give finite weights"};
    }
  }
  return {};
}

std::optional<std::array<std::vector<double>, 3>> separate(const Stencil& stencil) {
  const Size3& n = stencil.size;
  const std::vector<double>& w = stencil.weights;
  const auto largest = std::max_element(
      w.begin(), w.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest == w.end()) return std::nullopt;
  const double pivot = *largest;
  std::array<std::vector<double>, 3> factors{std::vector<double>(static_cast<std::size_t>(n.z)),
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
