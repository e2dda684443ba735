#include "core/maps/directional_fsc.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/base/parallel.hpp"
#include "core/maps/map_spectrum.hpp"

namespace aprscope {
namespace {

constexpr int kDirections = 48;
// Fewer numbers, those at −k counted, say nothing.
constexpr double kFewestSamples = 12.0;
// Planes are summed in so many parts, added in order, whoever summed them.
constexpr std::int64_t kDirectionParts = 16;

// A spiral over a half sphere: all alike far from each other.
std::vector<std::array<double, 3>> spread_directions() {
  const double turn = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<std::array<double, 3>> directions;
  for (int i = 0; i < kDirections; ++i) {
    const double z = (i + 0.5) / kDirections;
    const double r = std::sqrt(1.0 - z * z);
    directions.push_back({r * std::cos(turn * i), r * std::sin(turn * i), z});
  }
  return directions;
}

// Re Σ F₁F₂*, Σ|F₁|², Σ|F₂|², and how many numbers.
using ShellSums = std::vector<std::array<double, 4>>;

}  // namespace

Result<DirectionalFsc> directional_fsc(std::span<const float> first, std::span<const float> second,
                                       std::int64_t side, const JobContext& context) {
  const auto a = MapSpectrum::of(first, side, context.part(0.0, 0.3));
  if (!a) return a.error();
  const auto b = MapSpectrum::of(second, side, context.part(0.3, 0.6));
  if (!b) return b.error();
  DirectionalFsc out;
  out.directions = spread_directions();
  const auto count = out.directions.size();
  const auto shells = static_cast<std::size_t>(a->shell_count());
  const double cosine = std::cos(kConeDegrees * std::numbers::pi / 180.0);
  std::vector<ShellSums> parts(kDirectionParts, ShellSums(shells * count));
  parallel_for(kDirectionParts, threads_for(side * side * side), [&](std::int64_t part) {
    ShellSums& sums = parts[static_cast<std::size_t>(part)];
    for (std::int64_t z = part; z < side; z += kDirectionParts) {
      if (context.stop_requested()) return;
      const std::int64_t kz = a->frequency(z);
      for (std::int64_t y = 0; y < side; ++y) {
        const std::int64_t ky = a->frequency(y);
        for (std::int64_t kx = 0; kx < a->row_length(); ++kx) {
          const std::int64_t squared = kz * kz + ky * ky + kx * kx;
          const auto shell = static_cast<std::size_t>(shell_of(squared));
          if (shell >= shells) break;
          const double least = cosine * std::sqrt(static_cast<double>(squared));
          const std::complex<double> u(a->row(z, y)[kx]);
          const std::complex<double> v(b->row(z, y)[kx]);
          const double weight = a->multiplicity(kx);
          const double both = weight * (u.real() * v.real() + u.imag() * v.imag());
          for (std::size_t d = 0; d < count; ++d) {
            const auto& n = out.directions[d];
            const double along = n[0] * static_cast<double>(kx) + n[1] * static_cast<double>(ky) +
                                 n[2] * static_cast<double>(kz);
            if (std::abs(along) < least) continue;
            auto& sum = sums[d * shells + shell];
            sum[0] += both;
            sum[1] += weight * std::norm(u);
            sum[2] += weight * std::norm(v);
            sum[3] += weight;
          }
        }
      }
    }
  });
  if (context.stop_requested()) return cancelled_error();
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  out.lowest.assign(shells, kNone);
  out.highest.assign(shells, kNone);
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<double>& curve = out.curves.emplace_back(shells, kNone);
    for (std::size_t s = 0; s < shells; ++s) {
      std::array<double, 4> sum{};
      for (const ShellSums& part : parts) {
        for (std::size_t c = 0; c < 4; ++c) sum[c] += part[d * shells + s][c];
      }
      if (sum[3] < kFewestSamples) continue;
      const double power = std::sqrt(sum[1]) * std::sqrt(sum[2]);
      curve[s] = power > 0.0 ? sum[0] / power : 0.0;
      // The first one that is a number replaces NaN.
      if (!(curve[s] >= out.lowest[s])) out.lowest[s] = curve[s];
      if (!(curve[s] <= out.highest[s])) out.highest[s] = curve[s];
    }
  }
  return out;
}

}  // namespace aprscope
