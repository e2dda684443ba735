#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/conversion.hpp"
#include "core/apr/conversion_check.hpp"
#include "core/apr/parallel.hpp"

namespace aprscope {
namespace {

// One row of means of 2×2×2 blocks of `fine`, each of the children that exist with equal weight.
// `sum` is scratch for n.y floats.
template <class T>
void mean_row(const T* fine, const Size3& n, std::int64_t hz, std::int64_t hx, float* sum,
              float* out) {
  std::fill(sum, sum + n.y, 0.0F);
  int rows = 0;
  for (std::int64_t z = 2 * hz; z < std::min(2 * hz + 2, n.z); ++z) {
    for (std::int64_t x = 2 * hx; x < std::min(2 * hx + 2, n.x); ++x) {
      const T* const in = fine + (z * n.x + x) * n.y;
#pragma omp simd
      for (std::int64_t y = 0; y < n.y; ++y) sum[y] += static_cast<float>(in[y]);
      ++rows;
    }
  }
  const float share = 0.5F / static_cast<float>(rows);
  for (std::int64_t k = 0; k < n.y / 2; ++k) out[k] = (sum[2 * k] + sum[2 * k + 1]) * share;
  if (n.y % 2 != 0) out[n.y / 2] = sum[n.y - 1] / static_cast<float>(rows);
}

// The next coarser level of the pyramid; `truncate` rounds each mean down.
template <class T>
bool means(const T* fine, const Size3& n, float* coarse, const Size3& half, bool truncate,
           std::vector<Scratch<float>>& sums, const JobContext& context) {
  return parallel_rows(
      half, std::min(threads_for(n.count()), static_cast<int>(sums.size())),
      JobContext(context.stop_token()), {}, [&](std::int64_t z, std::int64_t x, int thread) {
        float* const out = coarse + (z * half.x + x) * half.y;
        mean_row(fine, n, z, x, sums[static_cast<std::size_t>(thread)].data(), out);
        for (std::int64_t k = 0; truncate && k < half.y; ++k) {
          out[k] = std::floor(out[k]);
        }
      });
}

template <class T>
T to_value(float mean) {
  if constexpr (std::is_integral_v<T>) {
    // A mean of values of T cannot leave the range of T by more than rounding.
    constexpr float largest = static_cast<float>(std::numeric_limits<T>::max());
    return static_cast<T>(std::clamp(std::floor(mean + 0.5F), 0.0F, largest));
  } else {
    return mean;
  }
}

// Copies the grid values of `level` at its particles to `out`.
template <class T, class Grid>
bool gather(const LinearAccess& particles, int level, const Grid* grid, T* out,
            const JobContext& context) {
  const Size3& size = particles.grid(level);
  return parallel_rows(size, threads_for(size.count()), JobContext(context.stop_token()), {},
                       [&](std::int64_t z, std::int64_t x, int) {
                         const auto [b, e] = particles.row(level, z, x);
                         const Grid* const in = grid + (z * size.x + x) * size.y;
                         for (std::uint64_t i = b; i < e; ++i) {
                           if constexpr (std::is_same_v<T, Grid>) {
                             out[i] = in[particles.y()[i]];
                           } else {
                             out[i] = to_value<T>(in[particles.y()[i]]);
                           }
                         }
                       });
}

template <class T>
Result<FieldValues> sample(const Pixels<T>& pixels, const AprAccess& access,
                           SamplingRounding rounding, const JobContext& context) {
  const LinearAccess& particles = access.particles();
  const int level_max = access.level_max();
  const bool truncate = std::is_integral_v<T> && rounding == SamplingRounding::truncate_each_level;
  std::vector<T> values(particles.count());
  std::vector<Scratch<float>> sums;
  const int threads = threads_for(pixels.size.count());
  for (int t = 0; t < threads; ++t) sums.emplace_back(pixels.size.y);
  context.report(0.0, "particle values");
  if (!gather(particles, level_max, pixels.values.data(), values.data(), context)) {
    return cancelled_error();
  }
  Scratch<float> fine;
  for (int l = level_max - 1; l >= access.level_min_used(); --l) {
    context.report(l + 1 == level_max ? 0.3 : 0.9, "particle values");
    const Size3& half = particles.grid(l);
    Scratch<float> coarse(half.count());
    const bool going = l + 1 == level_max ? means(pixels.values.data(), pixels.size, coarse.data(),
                                                  half, truncate, sums, context)
                                          : means(fine.data(), particles.grid(l + 1), coarse.data(),
                                                  half, truncate, sums, context);
    if (!going || !gather(particles, l, coarse.data(), values.data(), context)) {
      return cancelled_error();
    }
    fine = std::move(coarse);
  }
  return FieldValues(std::move(values));
}

}  // namespace

Result<FieldValues> sample_particles(const Volume& volume, const AprAccess& access,
                                     const JobContext& context, SamplingRounding rounding) {
  if (!(volume.size() == access.size())) {
    return Error{"the image and the APR differ in size", "particle values",
                 "sample the image that the APR was made from"};
  }
  try {
    return std::visit([&](const auto& pixels) { return sample(pixels, access, rounding, context); },
                      volume.pixels);
  } catch (const std::bad_alloc&) {
    return not_enough_memory(volume.size());
  }
}

}  // namespace aprscope
