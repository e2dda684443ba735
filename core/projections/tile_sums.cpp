#include "core/projections/tile_sums.hpp"

#include <array>
#include <cstddef>

#include "core/base/system.hpp"

namespace aprscope {

namespace {

// Calls add(x, y, z, at, times, its shell's sums) for each voxel of the ball, in an order that no
// number of threads changes. Voxels beyond x = 0 stand for two times.
template <std::size_t kSums, class Add>
std::vector<std::array<double, kSums>> add_by_shell(const FrequencyTiles& tiles, const Add& add) {
  constexpr std::int64_t kParts = 64;
  const auto shells = static_cast<std::size_t>(tiles.reach() + 2);
  std::vector<std::array<double, kSums>> parts(kParts * shells);
  parallel_each(kParts, thread_count(), [&](std::int64_t part, int) {
    std::array<double, kSums>* const mine = parts.data() + static_cast<std::size_t>(part) * shells;
    for (std::int64_t t = tiles.count() * part / kParts; t < tiles.count() * (part + 1) / kParts;
         ++t) {
      each_voxel(tiles, t, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
        add(x, y, z, at, x == 0 ? 1.0 : 2.0, mine[shell_of(x, y, z)]);
      });
    }
  });
  for (std::size_t part = 1; part < kParts; ++part) {
    for (std::size_t s = 0; s < shells; ++s) {
      for (std::size_t i = 0; i < kSums; ++i) parts[s][i] += parts[part * shells + s][i];
    }
  }
  parts.resize(shells);
  return parts;
}

// Adds up f(x, y, z, at), and how many there are.
template <class Function>
std::vector<std::array<double, 2>> shell_sums(const FrequencyTiles& tiles, const Function& f) {
  return add_by_shell<2>(tiles, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at,
                                    double times, std::array<double, 2>& shell) {
    shell[0] += times * f(x, y, z, at);
    shell[1] += times;
  });
}

}  // namespace

void average_pairs(const FrequencyTiles& tiles, std::span<float> sums) {
  const std::int64_t h = tiles.reach();
  const std::int64_t n = tiles.voxels();
  for (std::int64_t z = 0; z <= h; ++z) {
    for (std::int64_t y = z == 0 ? 0 : -h; y <= h; ++y) {
      if (y * y + z * z > h * h) continue;
      const auto a = static_cast<std::size_t>(tiles.at(0, y, z));
      const auto b = static_cast<std::size_t>(tiles.at(0, -y, -z));
      const auto im = static_cast<std::size_t>(n);
      const auto w = static_cast<std::size_t>(2 * n);
      const float re = 0.5F * (sums[a] + sums[b]);
      const float part = 0.5F * (sums[a + im] - sums[b + im]);
      const float weight = 0.5F * (sums[a + w] + sums[b + w]);
      sums[a] = sums[b] = re;
      sums[a + im] = part;
      sums[b + im] = -part;
      sums[a + w] = sums[b + w] = weight;
    }
  }
}

void symmetrise(const FrequencyTiles& tiles, std::span<const float> sums,
                std::span<const GridRotation> aligned, std::span<float> out) {
  const std::int64_t n = tiles.voxels();
  parallel_each(tiles.count(), thread_count(), [&](std::int64_t tile, int) {
    each_voxel(tiles, tile, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
      std::array<float, 3> sum{};
      for (const GridRotation& t : aligned) {
        auto v = t({x, y, z});
        const bool conjugate = v[0] < 0;
        if (conjugate) v = {-v[0], -v[1], -v[2]};
        const float* const from = sums.data() + tiles.at(v[0], v[1], v[2]);
        sum[0] += from[0];
        sum[1] += conjugate ? -from[n] : from[n];
        sum[2] += from[2 * n];
      }
      for (std::int64_t i = 0; i < 3; ++i) {
        out[static_cast<std::size_t>(at + i * n)] = sum[static_cast<std::size_t>(i)];
      }
    });
  });
}

std::vector<float> symmetrised(const FrequencyTiles& tiles, std::span<const float> sums,
                               std::span<const GridRotation> aligned) {
  std::vector<float> out(sums.size());
  symmetrise(tiles, sums, aligned, out);
  return out;
}

std::vector<double> shell_weights(const FrequencyTiles& tiles, std::span<const float> sums) {
  const auto w = static_cast<std::size_t>(2 * tiles.voxels());
  const auto totals =
      shell_sums(tiles, [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t at) {
        return static_cast<double>(sums[static_cast<std::size_t>(at) + w]);
      });
  std::vector<double> means(static_cast<std::size_t>(tiles.reach() + 1));
  for (std::size_t s = 0; s < means.size(); ++s) {
    means[s] = totals[s][1] > 0.0 ? totals[s][0] / totals[s][1] : 0.0;
  }
  return means;
}

double thin_share(const FrequencyTiles& tiles, std::span<const float> sums,
                  std::span<const double> weights, double share) {
  const auto w = static_cast<std::size_t>(2 * tiles.voxels());
  const auto totals =
      shell_sums(tiles, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
        const double value = sums[static_cast<std::size_t>(at) + w];
        return value < share * weights[shell_of(x, y, z)] ? 1.0 : 0.0;
      });
  double thin = 0.0;
  double all = 0.0;
  for (const auto& shell : totals) {
    thin += shell[0];
    all += shell[1];
  }
  return all > 0.0 ? thin / all : 0.0;
}

std::vector<double> tile_correlation(const FrequencyTiles& tiles, std::span<const float> one,
                                     std::span<const float> other, double share,
                                     std::int64_t padded, std::int64_t side) {
  const std::array<std::vector<double>, 2> means = {shell_weights(tiles, one),
                                                    shell_weights(tiles, other)};
  const std::int64_t n = tiles.voxels();
  const auto sums =
      add_by_shell<3>(tiles, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at,
                                 double times, std::array<double, 3>& shell) {
        const std::size_t s = shell_of(x, y, z);
        const float* const a = one.data() + at;
        const float* const b = other.data() + at;
        const double wa = a[2 * n] + share * means[0][s];
        const double wb = b[2 * n] + share * means[1][s];
        if (!(wa > 0.0) || !(wb > 0.0)) return;
        const double fa = 1.0 / wa;
        const double fb = 1.0 / wb;
        const double re[] = {a[0] * fa, b[0] * fb};
        const double im[] = {a[n] * fa, b[n] * fb};
        shell[0] += times * (re[0] * re[1] + im[0] * im[1]);
        shell[1] += times * (re[0] * re[0] + im[0] * im[0]);
        shell[2] += times * (re[1] * re[1] + im[1] * im[1]);
      });
  std::vector<std::array<double, 3>> shells(static_cast<std::size_t>(side / 2 + 1));
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const auto of_map = static_cast<std::size_t>(std::lround(
        static_cast<double>(s) * static_cast<double>(side) / static_cast<double>(padded)));
    if (of_map >= shells.size()) break;
    for (std::size_t i = 0; i < 3; ++i) shells[of_map][i] += sums[s][i];
  }
  std::vector<double> found(shells.size());
  for (std::size_t s = 0; s < shells.size(); ++s) {
    const double norm = std::sqrt(shells[s][1] * shells[s][2]);
    found[s] = norm > 0.0 ? shells[s][0] / norm : 0.0;
  }
  return found;
}

void divide(const FrequencyTiles& tiles, std::span<float> sums, std::span<const double> tau) {
  const std::int64_t n = tiles.voxels();
  parallel_each(tiles.count(), thread_count(), [&](std::int64_t tile, int) {
    each_voxel(tiles, tile, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
      float* const voxel = sums.data() + at;
      const double weight = voxel[2 * n] + tau[shell_of(x, y, z)];
      const float factor = weight > 0.0 ? static_cast<float>(1.0 / weight) : 0.0F;
      voxel[0] *= factor;
      voxel[n] *= factor;
    });
  });
}

}  // namespace aprscope
