#include "core/apr/gradient_scale.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/conversion_check.hpp"
#include "core/apr/local_scale.hpp"

namespace aprscope {
namespace {

// Rows of the half grid in an item of work: parts of a slice, so that single slices are shared too.
constexpr std::int64_t kRows = 32;

// Adds one row of pixels to the maximum of squared gradients and to the sum of a row of blocks.
struct RowStencil {
  const float *before_z, *after_z, *before_x, *after_x, *centre;
  float scale_z, scale_x, scale_y;  // 1 / (2 d)

  void add(std::int64_t n, float* largest, float* sum) const {
    const auto one = [&](std::int64_t y, std::int64_t before, std::int64_t after) {
      const float gz = (after_z[y] - before_z[y]) * scale_z;
      const float gx = (after_x[y] - before_x[y]) * scale_x;
      const float gy = (centre[after] - centre[before]) * scale_y;
      largest[y] = std::max(largest[y], gz * gz + gx * gx + gy * gy);
      sum[y] += centre[y];
    };
    one(0, 0, std::min<std::int64_t>(1, n - 1));
#pragma omp simd
    for (std::int64_t y = 1; y < n - 1; ++y) {
      const float gz = (after_z[y] - before_z[y]) * scale_z;
      const float gx = (after_x[y] - before_x[y]) * scale_x;
      const float gy = (centre[y + 1] - centre[y - 1]) * scale_y;
      const float square = gz * gz + gx * gx + gy * gy;
      largest[y] = largest[y] < square ? square : largest[y];
      sum[y] += centre[y];
    }
    if (n > 1) one(n - 1, n - 2, n - 1);
  }
};

// Folds pairs of pixels of the row accumulators into blocks.
void fold_row(const float* largest, const float* sum, std::int64_t n, int rows, float noise,
              float* gradient, float* mean) {
  const auto magnitude = [noise](float square) {
    const float g = std::sqrt(square);
    return g > noise ? g : 0.0F;
  };
  const float share = 1.0F / static_cast<float>(2 * rows);
  for (std::int64_t k = 0; k < n / 2; ++k) {
    gradient[k] = magnitude(std::max(largest[2 * k], largest[2 * k + 1]));
    mean[k] = (sum[2 * k] + sum[2 * k + 1]) * share;
  }
  if (n % 2 != 0) {
    gradient[n / 2] = magnitude(largest[n - 1]);
    mean[n / 2] = sum[n - 1] / static_cast<float>(rows);
  }
}

// (a + 4 b + c) / 6, elementwise.
void weigh(const float* a, const float* b, const float* c, float* out, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = (a[i] + c[i]) * (1.0F / 6.0F) + b[i] * (4.0F / 6.0F);
  }
}

// Neighbours of sample i, mirrored about the ends; i itself where there is only one sample.
std::pair<std::int64_t, std::int64_t> neighbours(std::int64_t i, std::int64_t n) {
  if (n == 1) return {i, i};
  return {i > 0 ? i - 1 : 1, i + 1 < n ? i + 1 : n - 2};
}

Result<GradientScale> compute(const Volume& volume, const ConversionParameters& p,
                              const JobContext& context) {
  auto made = make_spline_image(volume, static_cast<double>(p.lambda), context.part(0.0, 0.6));
  if (!made) return made.error();
  SplineImage image = std::move(*made);

  GradientScale out;
  out.image_size = image.size;
  const Size3 half = half_size(image.size);
  out.gradient = Pixels<float>(half);
  out.scale = Pixels<float>(half);
  out.intensity = Pixels<float>(half);
  if (!gradient_and_mean(image, p.dz, p.dx, p.dy, out.gradient, out.intensity,
                         context.part(0.6, 0.8))) {
    return cancelled_error();
  }
  image.values = {};
  if (p.lambda > 0.0F) {
    // The scale's memory holds the coefficients until the scale itself is made.
    std::swap(out.scale, out.intensity);
    if (!spline_values(out.scale, out.intensity, context.part(0.8, 0.85))) {
      return cancelled_error();
    }
  }
  const ScaleWindows windows = scale_windows(half, p);
  if (p.constant_scale || !windows.any()) {
    constant_scale(out.intensity, out.scale);
  } else if (!local_scale(out.intensity, windows, out.scale, context.part(0.85, 1.0))) {
    return cancelled_error();
  }
  // Smoothing spreads a trace of every bright voxel everywhere; what is less than half a grey value
  // of an integer image is background still.
  const bool whole = p.lambda > 0.0F && !std::holds_alternative<Pixels<float>>(volume.pixels);
  for (float& v : out.intensity.values) {
    v += image.offset;
    if (whole) v = std::nearbyint(v);
  }
  return out;
}

}  // namespace

Size3 half_size(const Size3& size) {
  return {(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2};
}

bool gradient_and_mean(const SplineImage& image, float dz, float dx, float dy,
                       Pixels<float>& gradient, Pixels<float>& mean, const JobContext& context) {
  const Size3& n = image.size;
  const Size3& half = gradient.size;
  const float* const values = image.values.data();
  const auto row = [&](std::int64_t z, std::int64_t x) { return values + (z * n.x + x) * n.y; };
  std::vector<Scratch<float>> rows;
  const int threads = threads_for(n.count());
  for (int t = 0; t < threads; ++t) rows.emplace_back(2 * n.y);
  const std::int64_t parts = (half.x + kRows - 1) / kRows;
  return parallel_items(
      half.z * parts, threads, context, "gradient", [&](std::int64_t item, int thread) {
        float* const largest = rows[static_cast<std::size_t>(thread)].data();
        float* const sum = largest + n.y;
        const std::int64_t hz = item / parts;
        const std::int64_t begin = item % parts * kRows;
        for (std::int64_t hx = begin; hx < std::min(half.x, begin + kRows); ++hx) {
          std::fill(largest, largest + 2 * n.y, 0.0F);
          int added = 0;
          for (std::int64_t z = 2 * hz; z < std::min(2 * hz + 2, n.z); ++z) {
            for (std::int64_t x = 2 * hx; x < std::min(2 * hx + 2, n.x); ++x) {
              const RowStencil stencil{row(std::max<std::int64_t>(z - 1, 0), x),
                                       row(std::min(z + 1, n.z - 1), x),
                                       row(z, std::max<std::int64_t>(x - 1, 0)),
                                       row(z, std::min(x + 1, n.x - 1)),
                                       row(z, x),
                                       0.5F / dz,
                                       0.5F / dx,
                                       0.5F / dy};
              stencil.add(n.y, largest, sum);
              ++added;
            }
          }
          const std::size_t at = gradient.index(hz, hx, 0);
          fold_row(largest, sum, n.y, added, image.noise / std::min({dz, dx, dy}),
                   gradient.values.data() + at, mean.values.data() + at);
        }
      });
}

bool spline_values(const Pixels<float>& coefficients, Pixels<float>& values,
                   const JobContext& context) {
  const Size3& n = coefficients.size;
  const std::int64_t plane = n.x * n.y;
  const std::int64_t parts = (n.x + kRows - 1) / kRows;
  const int threads = threads_for(n.count());
  std::vector<Scratch<float>> scratch;
  for (int t = 0; t < threads; ++t) scratch.emplace_back((kRows + 3) * n.y);
  return parallel_items(
      n.z * parts, threads, context, "half resolution", [&](std::int64_t item, int thread) {
        // Rows begin − 1 … end of slice z, weighed along z; then a line for the result along x.
        float* const rows = scratch[static_cast<std::size_t>(thread)].data();
        float* const line = rows + (kRows + 2) * n.y;
        const std::int64_t z = item / parts;
        const std::int64_t begin = item % parts * kRows;
        const std::int64_t end = std::min(n.x, begin + kRows);
        const float* const in = coefficients.values.data();
        const auto [below, above] = neighbours(z, n.z);
        const auto row = [&](std::int64_t x) { return rows + (x - begin + 1) * n.y; };
        for (std::int64_t x = std::max<std::int64_t>(begin - 1, 0); x < std::min(n.x, end + 1);
             ++x) {
          weigh(in + below * plane + x * n.y, in + z * plane + x * n.y,
                in + above * plane + x * n.y, row(x), n.y);
        }
        for (std::int64_t x = begin; x < end; ++x) {
          const auto [before, after] = neighbours(x, n.x);
          weigh(row(before), row(x), row(after), line, n.y);
          float* const out = values.values.data() + z * plane + x * n.y;
          const auto [left, ignored_right] = neighbours(0, n.y);
          weigh(line + left, line, line + left, out, 1);
          if (n.y == 1) continue;
          weigh(line, line + 1, line + 2, out + 1, n.y - 2);
          weigh(line + n.y - 2, line + n.y - 1, line + n.y - 2, out + n.y - 1, 1);
        }
      });
}

Result<GradientScale> compute_gradient_scale(const Volume& volume,
                                             const ConversionParameters& parameters,
                                             const JobContext& context) {
  if (const Status fine = check_conversion(volume.size(), parameters); !fine) return fine.error();
  try {
    return compute(volume, parameters, context);
  } catch (const std::bad_alloc&) {
    return not_enough_memory(volume.size());
  }
}

}  // namespace aprscope
