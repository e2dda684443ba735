#include "core/maps/random_phases.hpp"

#include <complex>
#include <numbers>

#include "core/image/random.hpp"

namespace aprscope {

void randomise_phases(MapSpectrum& spectrum, std::int64_t from_shell, std::uint64_t seed,
                      std::uint64_t stream) {
  const CounterRandom random(seed, stream);
  const std::int64_t n = spectrum.side();
  const auto place = [&](std::int64_t z, std::int64_t y, std::int64_t kx) {
    return (z * n + y) * spectrum.row_length() + kx;
  };
  parallel_for(n, threads_for(n * n * n / 8), [&](std::int64_t z) {
    const std::int64_t kz = spectrum.frequency(z);
    for (std::int64_t y = 0; y < n; ++y) {
      const std::int64_t ky = spectrum.frequency(y);
      std::complex<float>* const row = spectrum.row(z, y);
      for (std::int64_t kx = 0; kx < spectrum.row_length(); ++kx) {
        if (kz * kz + ky * ky + kx * kx < from_shell * from_shell) continue;
        const std::int64_t own = place(z, y, kx);
        // If two stored frequencies are conjugate, the first one determines the phase of both.
        const bool both = spectrum.multiplicity(kx) == 1.0;
        const std::int64_t other = both ? place((n - z) % n, (n - y) % n, kx) : own;
        const auto first = static_cast<std::uint64_t>(std::min(own, other));
        if (both && own == other) {
          if (random.uniform(first) < 0.5) row[kx] = -row[kx];
          continue;
        }
        const double turn = 2.0 * std::numbers::pi * random.uniform(first);
        const double size = std::abs(std::complex<double>(row[kx].real(), row[kx].imag()));
        row[kx] = std::complex<float>(std::polar(size, own <= other ? turn : -turn));
      }
    }
  });
}

}  // namespace aprscope
