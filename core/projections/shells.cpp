#include "core/projections/shells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"
#include "core/image/fft.hpp"

namespace aprscope {

namespace {

Result<Scratch<float>> spectrum(std::span<const float> map, std::int64_t side, Fft3& fft,
                                const JobContext& context) {
  Scratch<float> buffer(fft.buffer_count(), Pages::huge);
  float* const to = buffer.data();
  parallel_for(side, threads_for(side * side * side), [&](std::int64_t z) {
    for (std::int64_t row = z * side; row < (z + 1) * side; ++row) {
      std::copy_n(map.data() + row * side, side, to + row * fft.row());
      std::fill(to + row * fft.row() + side, to + (row + 1) * fft.row(), 0.0F);
    }
  });
  const auto count = static_cast<std::size_t>(buffer.count());
  if (Status ok = fft.forward(std::span(to, count), context); !ok) return ok.error();
  return buffer;
}

}  // namespace

Result<std::vector<double>> map_shell_correlation(std::span<const float> a,
                                                  std::span<const float> b, std::int64_t side,
                                                  const JobContext& context) {
  auto fft = Fft3::create({side, side, side});
  if (!fft) return fft.error();
  const auto one = spectrum(a, side, **fft, context);
  if (!one) return one.error();
  const auto two = spectrum(b, side, **fft, context);
  if (!two) return two.error();

  // A part of its own for each plane, added in order: any number of threads gives the same bits.
  const std::int64_t shells = side / 2 + 1;
  std::vector<std::array<double, 3>> parts(static_cast<std::size_t>(side * shells));
  const std::int64_t row_floats = (*fft)->row();
  const auto signed_index = [side](std::int64_t i) { return i <= side / 2 ? i : i - side; };
  parallel_for(side, threads_for(side * side * side), [&](std::int64_t z) {
    std::array<double, 3>* const mine = parts.data() + z * shells;
    const std::int64_t kz = signed_index(z);
    for (std::int64_t y = 0; y < side; ++y) {
      const std::int64_t ky = signed_index(y);
      const float* const f = one->data() + (z * side + y) * row_floats;
      const float* const g = two->data() + (z * side + y) * row_floats;
      for (std::int64_t x = 0; x <= side / 2; ++x) {
        // Rounded by cutting off, which compiles to no call: a root is never a half.
        const double rounded = std::sqrt(static_cast<double>(x * x + ky * ky + kz * kz)) + 0.5;
        const auto shell = static_cast<std::int64_t>(rounded);
        if (shell >= shells) continue;
        const double pair = x == 0 || 2 * x == side ? 1.0 : 2.0;
        const double fr = f[2 * x];
        const double fi = f[2 * x + 1];
        const double gr = g[2 * x];
        const double gi = g[2 * x + 1];
        mine[shell][0] += pair * (fr * gr + fi * gi);
        mine[shell][1] += pair * (fr * fr + fi * fi);
        mine[shell][2] += pair * (gr * gr + gi * gi);
      }
    }
  });
  std::vector<double> fsc(static_cast<std::size_t>(shells));
  for (std::int64_t s = 0; s < shells; ++s) {
    std::array<double, 3> sum{};
    for (std::int64_t z = 0; z < side; ++z) {
      for (std::size_t i = 0; i < 3; ++i)
        sum[i] += parts[static_cast<std::size_t>(z * shells + s)][i];
    }
    const double norm = std::sqrt(sum[1] * sum[2]);
    fsc[static_cast<std::size_t>(s)] = norm > 0.0 ? sum[0] / norm : 0.0;
  }
  return fsc;
}

}  // namespace aprscope
