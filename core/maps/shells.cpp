#include "core/maps/shells.hpp"

#include <array>
#include <cmath>
#include <complex>

#include "core/base/parallel.hpp"
#include "core/maps/map_spectrum.hpp"

namespace aprscope {
namespace {

using ShellTriples = std::vector<std::array<double, 3>>;

// Adds add(sums of a shell, z, y, kx, multiplicity) over all frequencies up to the last shell. Each
// plane is summed by itself and the planes are added in order, for any number of threads.
template <class Add>
ShellTriples shell_sums(const MapSpectrum& of, const Add& add) {
  const std::int64_t n = of.side();
  const std::int64_t shells = of.shell_count();
  ShellTriples planes(static_cast<std::size_t>(n * shells));
  parallel_for(n, threads_for(n * n * n), [&](std::int64_t z) {
    auto* const own = planes.data() + z * shells;
    const std::int64_t kz = of.frequency(z);
    for (std::int64_t y = 0; y < n; ++y) {
      const std::int64_t ky = of.frequency(y);
      for (std::int64_t kx = 0; kx < of.row_length(); ++kx) {
        const std::int64_t shell = shell_of(kz * kz + ky * ky + kx * kx);
        if (shell >= shells) break;
        add(own[shell], z, y, kx, of.multiplicity(kx));
      }
    }
  });
  ShellTriples sums(static_cast<std::size_t>(shells));
  for (std::size_t i = 0; i < planes.size(); ++i) {
    auto& sum = sums[i % sums.size()];
    for (std::size_t c = 0; c < 3; ++c) sum[c] += planes[i][c];
  }
  return sums;
}

std::complex<double> wide(const std::complex<float>& v) { return {v.real(), v.imag()}; }

}  // namespace

std::vector<double> shell_correlation(const MapSpectrum& a, const MapSpectrum& b) {
  const ShellTriples sums =
      shell_sums(a, [&](auto& sum, std::int64_t z, std::int64_t y, std::int64_t kx, double weight) {
        const std::complex<double> u = wide(a.row(z, y)[kx]);
        const std::complex<double> v = wide(b.row(z, y)[kx]);
        sum[0] += weight * (u.real() * v.real() + u.imag() * v.imag());
        sum[1] += weight * std::norm(u);
        sum[2] += weight * std::norm(v);
      });
  std::vector<double> fsc(sums.size());
  for (std::size_t s = 0; s < fsc.size(); ++s) {
    const double power = std::sqrt(sums[s][1]) * std::sqrt(sums[s][2]);
    fsc[s] = power > 0.0 ? sums[s][0] / power : 0.0;
  }
  return fsc;
}

Result<std::vector<double>> shell_correlation(std::span<const float> a, std::span<const float> b,
                                              std::int64_t side, const JobContext& context) {
  auto first = MapSpectrum::of(a, side, context.part(0.0, 0.5));
  if (!first) return first.error();
  auto second = MapSpectrum::of(b, side, context.part(0.5, 1.0));
  if (!second) return second.error();
  return shell_correlation(*first, *second);
}

std::vector<double> radial_amplitude(const MapSpectrum& map) {
  const ShellTriples sums = shell_sums(
      map, [&](auto& sum, std::int64_t z, std::int64_t y, std::int64_t kx, double weight) {
        sum[0] += weight * std::abs(wide(map.row(z, y)[kx]));
        sum[1] += weight;
      });
  std::vector<double> mean(sums.size());
  for (std::size_t s = 0; s < mean.size(); ++s) mean[s] = sums[s][0] / sums[s][1];
  return mean;
}

std::optional<double> crossing(std::span<const double> curve, double threshold, std::int64_t side,
                               double voxel) {
  for (std::size_t s = 1; s < curve.size(); ++s) {
    if (std::isnan(curve[s])) return std::nullopt;
    if (curve[s] >= threshold) continue;
    double at = static_cast<double>(s);
    if (s > 1) at -= (threshold - curve[s]) / (curve[s - 1] - curve[s]);
    return static_cast<double>(side) * voxel / at;
  }
  return std::nullopt;
}

}  // namespace aprscope
