#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/apr/convert/conversion_kernels.hpp"
#include "core/apr/structure/linear_access.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/image/parallel_rows.hpp"

// Private to core/apr/convert.

namespace aprscope::detail {

/// Levels that are sampled together, in columns of 2^kSampledLevels × 2^kSampledLevels rows of
/// pixels, while they are in cache.
inline constexpr int kSampledLevels = 4;
/// Slices that are sampled at once.
inline constexpr std::int64_t kSampledSide = std::int64_t{1} << kSampledLevels;

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

// A row of means of cells from the rows below, each child that exists with equal weight; `n`
// samples a row.
template <class T>
void mean_row(const T* const* rows, int count, std::int64_t n, bool truncate, float* out) {
  PairRows in;
  for (int r = 0; r < count; ++r) in.rows[r] = rows[r];
  in.row_count = count;
  in.share = 0.5F / static_cast<float>(count);
  in.count = n / 2;
  in.out = out;
  constexpr std::size_t kWhich = sizeof(T) == 4 ? 2 : sizeof(T) - 1;
  conversion_kernels().pair_means[kWhich](in);
  if (n % 2 != 0) {
    float sum = 0.0F;
    for (int r = 0; r < count; ++r) sum += static_cast<float>(rows[r][n - 1]);
    out[n / 2] = sum / static_cast<float>(count);
  }
  for (std::int64_t k = 0; truncate && k < (n + 1) / 2; ++k) out[k] = std::floor(out[k]);
}

// Values of the particles of one row of cells.
template <class T, class In, class Cells>
void gather(const Cells& particles, int level, std::int64_t z, std::int64_t x, const In* in,
            T* values) {
  const auto [begin, end] = particles.row(level, z, x);
  const std::uint16_t* const y = particles.y().data();
  for (std::uint64_t i = begin; i < end; ++i) {
    if constexpr (std::is_same_v<T, In>) {
      values[i] = in[y[i]];
    } else {
      values[i] = to_value<T>(in[y[i]]);
    }
  }
}

// The same of a row of pixels. Cells of the finest level come in pairs that have one parent, but
// for the last one of a row of an odd number of pixels: of two small samples one word is moved.
template <class T, class Cells>
void gather_pixels(const Cells& particles, int level, std::int64_t z, std::int64_t x, const T* in,
                   T* values) {
  using Pair = std::array<T, 2>;
  const auto [begin, end] = particles.row(level, z, x);
  const std::uint16_t* const y = particles.y().data();
  std::uint64_t i = begin;
  for (; i + 2 <= end; i += 2) {
    Pair pair;
    std::memcpy(&pair, in + y[i], sizeof pair);
    std::memcpy(values + i, &pair, sizeof pair);
  }
  if (i < end) values[i] = in[y[i]];
}

// Rows of means of one level below a column, [z][x] of at most kSampledSide / 2 each.
struct MeanRows {
  std::int64_t z0 = 0, x0 = 0, nz = 0, nx = 0, pitch = 0;
  float* values = nullptr;
  [[nodiscard]] float* row(std::int64_t z, std::int64_t x) const {
    return values + ((z - z0) * nx + x - x0) * pitch;
  }
};

/// Values of particles from the pyramid of means, slab by slab.
template <class T>
class Sampler {
 public:
  Sampler(const Size3& size, int level_max, bool truncate, int threads)
      : size_(size),
        level_max_(level_max),
        truncate_(truncate),
        levels_(std::min(kSampledLevels, level_max - 1)),
        coarse_(grid(coarsest()).count()) {
    // Means of all levels of a column: at most a third of its rows, at half the length and less.
    const std::int64_t floats = (size.y + kSampledSide) * kSampledSide * kSampledSide / 4;
    for (int t = 0; t < threads; ++t) scratch_.emplace_back(floats);
  }

  /// The coarsest level that slabs give values of.
  [[nodiscard]] int coarsest() const { return level_max_ - levels_; }

  /// Values of the particles in the slices [begin, begin + raw.size()) of the image; begin is a
  /// multiple of kSampledSide, and no slab is left out. `cells` has the rows of all levels from
  /// coarsest() on in these slices, `values` room for its cells. One thread begins with
  /// meanwhile(). False when cancelled.
  template <class Cells, class Meanwhile>
  bool slab(const Cells& cells, T* values, std::int64_t begin, const std::vector<const void*>& raw,
            int threads, const JobContext& context, const Meanwhile& meanwhile) {
    const std::int64_t columns = (size_.x + kSampledSide - 1) / kSampledSide;
    return parallel_items(columns + 1, threads, context, "particle values",
                          [&](std::int64_t i, int thread) {
                            if (i == 0) {
                              meanwhile();
                            } else {
                              column(cells, values, begin, (i - 1) * kSampledSide, raw,
                                     scratch_[static_cast<std::size_t>(thread)].data());
                            }
                          });
  }

  /// Values of the particles of levels from `first` on that are coarser than those of slabs, called
  /// after the last slab; `cells` has the rows of the whole image. False when cancelled.
  template <class Cells>
  bool finish(const Cells& cells, int first, T* values, const JobContext& context) {
    int level = coarsest();
    while (--level >= first) {
      const Size3 fine = grid(level + 1);
      const Size3 grid = this->grid(level);
      Scratch<float> next(grid.count());
      const bool going =
          parallel_rows(grid, threads_for(fine.count()), JobContext(context.stop_token()), {},
                        [&](std::int64_t z, std::int64_t x, int) {
                          const float* rows[4];
                          int count = 0;
                          for (std::int64_t fz = 2 * z; fz < std::min(2 * z + 2, fine.z); ++fz) {
                            for (std::int64_t fx = 2 * x; fx < std::min(2 * x + 2, fine.x); ++fx) {
                              rows[count++] = coarse_.data() + (fz * fine.x + fx) * fine.y;
                            }
                          }
                          float* const out = next.data() + (z * grid.x + x) * grid.y;
                          mean_row(rows, count, fine.y, truncate_, out);
                          gather(cells, level, z, x, out, values);
                        });
      if (!going) return false;
      coarse_ = std::move(next);
    }
    return !context.stop_requested();
  }

 private:
  [[nodiscard]] Size3 grid(int level) const { return level_grid(size_, level_max_, level); }

  template <class Cells>
  void column(const Cells& cells, T* values, std::int64_t z0, std::int64_t x0,
              const std::vector<const void*>& raw, float* scratch) {
    const int level_max = level_max_;
    const Size3& n = size_;
    const auto pixels = [&](std::int64_t z, std::int64_t x) {
      return static_cast<const T*>(raw[static_cast<std::size_t>(z - z0)]) + x * n.y;
    };
    const std::int64_t z1 = z0 + static_cast<std::int64_t>(raw.size());
    const std::int64_t x1 = std::min(x0 + kSampledSide, n.x);
    MeanRows fine;
    for (int up = 1; up <= levels_; ++up) {
      const int level = level_max - up;
      const Size3 grid = this->grid(level);
      const Size3 below = this->grid(level + 1);
      MeanRows rows;
      rows.z0 = z0 >> up;
      rows.x0 = x0 >> up;
      rows.nz = ((z1 - 1) >> up) + 1 - rows.z0;
      rows.nx = ((x1 - 1) >> up) + 1 - rows.x0;
      rows.pitch = grid.y;
      rows.values = scratch;
      scratch += rows.nz * rows.nx * rows.pitch;
      for (std::int64_t z = rows.z0; z < rows.z0 + rows.nz; ++z) {
        for (std::int64_t x = rows.x0; x < rows.x0 + rows.nx; ++x) {
          // The last level goes where the coarser ones are made from.
          float* const out =
              up == levels_ ? coarse_.data() + (z * grid.x + x) * grid.y : rows.row(z, x);
          const auto children = [&](const auto& row) {
            std::array<decltype(row(0, 0)), 4> list{};
            int count = 0;
            for (std::int64_t fz = 2 * z; fz < std::min(2 * z + 2, below.z); ++fz) {
              for (std::int64_t fx = 2 * x; fx < std::min(2 * x + 2, below.x); ++fx) {
                list[static_cast<std::size_t>(count++)] = row(fz, fx);
              }
            }
            return std::pair(list, count);
          };
          if (up == 1) {
            const auto [list, count] = children(pixels);
            for (std::int64_t fz = 2 * z; fz < std::min(2 * z + 2, below.z); ++fz) {
              for (std::int64_t fx = 2 * x; fx < std::min(2 * x + 2, below.x); ++fx) {
                gather_pixels(cells, level_max, fz, fx, pixels(fz, fx), values);
              }
            }
            mean_row(list.data(), count, below.y, truncate_, out);
          } else {
            const auto [list, count] = children([&](std::int64_t fz, std::int64_t fx) {
              return static_cast<const float*>(fine.row(fz, fx));
            });
            mean_row(list.data(), count, below.y, truncate_, out);
          }
          gather(cells, level, z, x, out, values);
        }
      }
      fine = rows;
    }
    if (levels_ > 0) return;
    for (std::int64_t z = z0; z < z1; ++z) {
      for (std::int64_t x = x0; x < x1; ++x) {
        gather(cells, level_max, z, x, pixels(z, x), values);
      }
    }
  }

  Size3 size_;
  int level_max_;
  bool truncate_;
  int levels_;
  // Means of all cells of the coarsest level of the slabs.
  Scratch<float> coarse_;
  std::vector<Scratch<float>> scratch_;
};

}  // namespace aprscope::detail
