#include "core/apr/spline_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/apr/bspline.hpp"

namespace aprscope {
namespace {

// Rows that are filtered along y at once: the vector lanes of the recursion.
constexpr std::int64_t kLanes = 16;
// Floats of a block that is filtered across rows or slices; fits the second-level cache.
constexpr std::int64_t kBlockFloats = 64 * 1024;

// What is learnt about the grey values while they are read.
struct RangeSeen {
  float largest = 0.0F;
  bool finite = true;
};

template <class T>
void load_row(const T* in, std::int64_t n, float offset, float* out, RangeSeen& seen) {
  std::uint32_t special = 0;
  float largest = seen.largest;
#pragma omp simd reduction(| : special) reduction(max : largest)
  for (std::int64_t i = 0; i < n; ++i) {
    const float v = static_cast<float>(in[i]) - offset;
    if constexpr (std::is_same_v<T, float>) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &v, sizeof bits);
      special |= static_cast<std::uint32_t>((bits & 0x7F800000U) == 0x7F800000U);
    }
    largest = std::max(largest, std::abs(v));
    out[i] = v;
  }
  seen.largest = largest;
  if (special != 0) seen.finite = false;
}

std::int64_t tile_width(std::int64_t lines, std::int64_t n) {
  const std::int64_t fit = kBlockFloats / std::max<std::int64_t>(n, 1) / kLanes * kLanes;
  return std::min(lines, std::max<std::int64_t>(fit, 4 * kLanes));
}

// Filters along a dimension whose samples lie `stride` floats apart: `width` neighbouring lines.
void filter_across(const SplineFilter& filter, float* at, std::int64_t n, std::int64_t stride,
                   std::int64_t width, float* block) {
  for (std::int64_t k = 0; k < n; ++k) {
    std::memcpy(block + k * width, at + k * stride,
                static_cast<std::size_t>(width) * sizeof(float));
  }
  filter_lines(filter, block, n, width, block + n * width);
  for (std::int64_t k = 0; k < n; ++k) {
    const float* const from = block + k * width;
    float* const to = at + k * stride;
#pragma omp simd
    for (std::int64_t w = 0; w < width; ++w) to[w] = from[w] * filter.norm;
  }
}

// Filters `rows` ≤ kLanes contiguous rows along y through a transposed block.
void filter_rows(const SplineFilter& filter, float* at, std::int64_t n, std::int64_t rows,
                 float* block) {
  if (rows < kLanes) std::fill(block, block + n * kLanes, 0.0F);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t k = 0; k < n; ++k) block[k * kLanes + r] = at[r * n + k];
  }
  filter_lines(filter, block, n, kLanes, block + n * kLanes);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t k = 0; k < n; ++k) at[r * n + k] = block[k * kLanes + r] * filter.norm;
  }
}

// The three directions of one image.
class Smoother {
 public:
  Smoother(const Size3& size, double lambda, int threads) : size_(size), threads_(threads) {
    if (lambda > 0.0 && size.z > 2) z_ = make_spline_filter(lambda, size.z);
    if (lambda > 0.0 && size.x > 2) x_ = make_spline_filter(lambda, size.x);
    if (lambda > 0.0 && size.y > 2) y_ = make_spline_filter(lambda, size.y);
    const std::int64_t plane = size.z > 2 ? size.x * size.y : 1;
    tile_z_ = tile_width(plane, size.z);
    tile_x_ = tile_width(size.y, size.x);
    const std::int64_t floats =
        std::max({(size.z + 4) * tile_z_, (size.x + 4) * tile_x_, (size.y + 4) * kLanes});
    for (int t = 0; t < threads; ++t) blocks_.emplace_back(floats);
  }

  // Along y and x. Slices one by one where there are many, so that a slice stays in cache between
  // the two; else by parts of a slice.
  template <class T>
  bool yx(const T* in, SplineImage& image, std::vector<RangeSeen>& seen,
          const JobContext& context) {
    float* const out = image.values.data();
    const float offset = image.offset;
    const std::int64_t rows = size_.z * size_.x;
    const auto load = [&](std::int64_t begin, std::int64_t end, int thread) {
      for (std::int64_t r = begin; r < end; r += kLanes) {
        const std::int64_t count = std::min(kLanes, end - r);
        for (std::int64_t i = r; i < r + count; ++i) {
          load_row(in + i * size_.y, size_.y, offset, out + i * size_.y,
                   seen[static_cast<std::size_t>(thread)]);
        }
        if (filters(y_)) filter_rows(y_, out + r * size_.y, size_.y, count, block(thread));
      }
    };
    const std::int64_t tiles = (size_.y + tile_x_ - 1) / tile_x_;
    const auto across = [&](std::int64_t z, std::int64_t tile, int thread) {
      const std::int64_t y = tile * tile_x_;
      filter_across(x_, out + z * size_.x * size_.y + y, size_.x, size_.y,
                    std::min(tile_x_, size_.y - y), block(thread));
    };
    if (size_.z >= 2 * threads_) {
      return parallel_items(size_.z, threads_, context, "smoothing",
                            [&](std::int64_t z, int thread) {
                              load(z * size_.x, (z + 1) * size_.x, thread);
                              for (std::int64_t t = 0; filters(x_) && t < tiles; ++t)
                                across(z, t, thread);
                            });
    }
    constexpr std::int64_t kRows = 4 * kLanes;
    return parallel_items((rows + kRows - 1) / kRows, threads_, context.part(0.0, 0.5), "smoothing",
                          [&](std::int64_t i, int thread) {
                            load(i * kRows, std::min(rows, (i + 1) * kRows), thread);
                          }) &&
           (!filters(x_) || parallel_items(size_.z * tiles, threads_, context.part(0.5, 1.0),
                                           "smoothing", [&](std::int64_t i, int thread) {
                                             across(i / tiles, i % tiles, thread);
                                           }));
  }

  bool z(SplineImage& image, const JobContext& context) {
    if (!filters(z_)) return true;
    const std::int64_t plane = size_.x * size_.y;
    float* const values = image.values.data();
    return parallel_items((plane + tile_z_ - 1) / tile_z_, threads_, context, "smoothing",
                          [&](std::int64_t i, int thread) {
                            const std::int64_t at = i * tile_z_;
                            filter_across(z_, values + at, size_.z, plane,
                                          std::min(tile_z_, plane - at), block(thread));
                          });
  }

  // Rounding error of a difference of coefficients, in shares of the largest value: the recursions
  // gather errors over about their reach.
  [[nodiscard]] float noise() const {
    float gain = 0.0F;
    for (const SplineFilter* f : {&z_, &x_, &y_}) {
      if (filters(*f)) gain = std::max(gain, 1.0F / std::sqrt(f->norm));
    }
    return gain * 0x1p-21F;
  }

 private:
  static bool filters(const SplineFilter& filter) { return !filter.first.empty(); }
  float* block(int thread) { return blocks_[static_cast<std::size_t>(thread)].data(); }

  Size3 size_;
  int threads_ = 1;
  SplineFilter z_, x_, y_;
  std::int64_t tile_z_ = 0;
  std::int64_t tile_x_ = 0;
  std::vector<Scratch<float>> blocks_;
};

Error not_finite(const Volume& volume) {
  const NonFinite found = count_non_finite(volume);
  return {std::to_string(found.count) + " values are not finite, the first at z " +
              std::to_string(found.first.z) + ", x " + std::to_string(found.first.x) + ", y " +
              std::to_string(found.first.y),
          volume.name.empty() ? "image" : volume.name,
          "replace NaN and infinity before converting"};
}

}  // namespace

Result<SplineImage> make_spline_image(const Volume& volume, double lambda,
                                      const JobContext& context) {
  SplineImage image;
  image.size = volume.size();
  image.values = Scratch<float>(image.size.count());
  const int threads = threads_for(image.size.count());
  Smoother smoother(image.size, lambda, threads);
  std::vector<RangeSeen> seen(static_cast<std::size_t>(threads));
  const bool done = std::visit(
      [&](const auto& pixels) {
        image.offset = static_cast<float>(pixels.values.front());
        return smoother.yx(pixels.values.data(), image, seen, context.part(0.0, 0.6));
      },
      volume.pixels);
  float largest = 0.0F;
  for (const RangeSeen& s : seen) {
    if (!s.finite) return not_finite(volume);
    largest = std::max(largest, s.largest);
  }
  if (!done || !smoother.z(image, context.part(0.6, 1.0))) return cancelled_error();
  image.noise = largest * smoother.noise();
  return image;
}

}  // namespace aprscope
