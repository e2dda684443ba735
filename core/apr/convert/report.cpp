#include "core/apr/convert/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <variant>

#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "core/base/parallel.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

// The largest error so far; of equal ones the first pixel in memory order.
struct Worst {
  double largest = -1.0;
  std::int64_t at = std::numeric_limits<std::int64_t>::max();

  void take(double value, std::int64_t pixel) {
    if (value > largest || (value == largest && pixel < at)) {
      largest = value;
      at = pixel;
    }
  }
};

// What one thread has found.
struct Seen {
  Worst worst;
  std::uint64_t pixels = 0;
  std::uint64_t within = 0;
  std::uint64_t promised = 0;
  std::uint64_t promised_within = 0;

  void take(double value, std::int64_t pixel, bool inside, bool promise) {
    worst.take(value, pixel);
    ++pixels;
    within += inside ? 1 : 0;
    promised += promise ? 1 : 0;
    promised_within += promise && inside ? 1 : 0;
  }
  void add(const Seen& other) {
    worst.take(other.worst.largest, other.worst.at);
    pixels += other.pixels;
    within += other.within;
    promised += other.promised;
    promised_within += other.promised_within;
  }
};

// Whether a voxel of the half grid asks for particles that keep the bound.
bool gradient_counts(float gradient, float grad_th) {
  return gradient > 0.0F && gradient >= grad_th;
}

struct ErrorScan {
  const GradientScale& scale;
  float sigma_th, sigma_th_max, min_intensity, grad_th;
  double rel_error;

  // One run of pixels [y0, y1) of row (z, x) that a particle covers.
  template <class T>
  void run(const Pixels<T>& pixels, float value, std::int64_t z, std::int64_t x, std::int64_t y0,
           std::int64_t y1, Seen& seen) const {
    const T* const row = pixels.values.data() + pixels.index(z, x, 0);
    const auto half = scale.scale.index(z / 2, x / 2, 0);
    const float* const sigma = scale.scale.values.data() + half;
    const float* const gradient = scale.gradient.values.data() + half;
    const float* const intensity = scale.intensity.values.data() + half;
    for (std::int64_t y = y0; y < y1; ++y) {
      const auto i = static_cast<float>(row[y]);
      if (!(i > min_intensity)) continue;
      const double difference = std::abs(static_cast<double>(i) - static_cast<double>(value));
      const auto s = static_cast<double>(thresholded_scale(sigma[y / 2], sigma_th, sigma_th_max));
      const double error = difference > 0.0 ? difference / s : 0.0;
      const std::int64_t h = y / 2;
      const bool promise = intensity[h] > min_intensity && gradient_counts(gradient[h], grad_th) &&
                           s < static_cast<double>(kInfiniteScale);
      seen.take(error, static_cast<std::int64_t>(pixels.index(z, x, y)), error <= rel_error,
                promise);
    }
  }
};

template <class T>
bool scan(const Pixels<T>& pixels, const AprAccess& access, const std::vector<float>& values,
          const ErrorScan& errors, Seen& seen, const JobContext& context) {
  const LinearAccess& particles = access.particles();
  const Size3& n = pixels.size;
  const int threads = threads_for(n.count());
  std::vector<Seen> found(static_cast<std::size_t>(threads));
  for (int l = access.level_min_used(); l <= access.level_max(); ++l) {
    const Size3& grid = particles.grid(l);
    const int shift = access.level_max() - l;
    const std::int64_t s = std::int64_t{1} << shift;
    const double levels = access.level_max();
    const bool going = parallel_rows(
        grid, threads, context.part((l - 1) / levels, l / levels), "error",
        [&](std::int64_t cz, std::int64_t cx, int thread) {
          const std::int64_t z0 = cz * s;
          const std::int64_t x0 = cx * s;
          const auto [b, e] = particles.row(l, cz, cx);
          for (std::int64_t z = z0; z < std::min(z0 + s, n.z); ++z) {
            for (std::int64_t x = x0; x < std::min(x0 + s, n.x); ++x) {
              for (std::uint64_t i = b; i < e; ++i) {
                const std::int64_t y = static_cast<std::int64_t>(particles.y()[i]) << shift;
                errors.run(pixels, values[i], z, x, y, std::min(y + s, n.y),
                           found[static_cast<std::size_t>(thread)]);
              }
            }
          }
        });
    if (!going) return false;
  }
  for (const Seen& s : found) seen.add(s);
  return true;
}

}  // namespace

AprReport report(const Apr& apr) {
  AprReport out;
  if (!apr.access) return out;
  const LinearAccess& particles = apr.access->particles();
  out.computational_ratio = apr.access->computational_ratio();
  out.particles = particles.count();
  out.particles_per_level.assign(static_cast<std::size_t>(particles.level_last()) + 1, 0);
  for (int l = particles.level_first(); l <= particles.level_last(); ++l) {
    out.particles_per_level[static_cast<std::size_t>(l)] = particles.level(l).count();
  }
  out.bytes_apr = apr.bytes();
  if (const auto field = apr.main_field()) {
    const std::uint64_t sample =
        std::visit([](const auto& v) { return std::uint64_t{sizeof(v[0])}; }, field->values);
    out.bytes_pixels = static_cast<std::uint64_t>(particles.size().count()) * sample;
  }
  return out;
}

Result<RelativeError> relative_error(const Volume& volume, const Apr& apr,
                                     const GradientScale& scale, float sigma_th,
                                     float min_intensity, const JobContext& context) {
  const auto field = apr.main_field();
  if (!apr.access || !field || field->count() != apr.access->count()) {
    return Error{"the APR has no particle values", "relative error", "sample the image first"};
  }
  const Size3& size = apr.access->size();
  if (!(volume.size() == size) || !(scale.image_size == size) ||
      !(scale.scale.size == half_size(size)) || !(scale.gradient.size == scale.scale.size) ||
      !(scale.intensity.size == scale.scale.size)) {
    return Error{"image, APR and local scale differ in size", "relative error",
                 "compare an APR with the image it was made from"};
  }
  try {
    const std::vector<float> values = field->to_float();
    const ErrorScan errors{scale,
                           sigma_th,
                           apr.parameters.sigma_th_max,
                           min_intensity,
                           apr.parameters.grad_th,
                           static_cast<double>(apr.parameters.rel_error)};
    Seen seen;
    const bool done = std::visit(
        [&](const auto& pixels) {
          return scan(pixels, *apr.access, values, errors, seen, context);
        },
        volume.pixels);
    if (!done) return cancelled_error();
    if (seen.pixels == 0) return RelativeError{};
    const std::int64_t at = seen.worst.at;
    return RelativeError{true,
                         seen.worst.largest,
                         {at / (size.x * size.y), at / size.y % size.x, at % size.y},
                         seen.pixels,
                         seen.within,
                         seen.promised,
                         seen.promised_within};
  } catch (const std::bad_alloc&) {
    return not_enough_memory(size);
  }
}

double idle_relative_error(const GradientScale& scale, const ConversionParameters& used) {
  const double step = std::min({used.dz, used.dx, used.dy});
  const auto count = static_cast<std::int64_t>(scale.gradient.values.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const float gradient = scale.gradient.values[at];
    if (!(scale.intensity.values[at] > used.intensity_th)) continue;
    if (!gradient_counts(gradient, used.grad_th)) continue;
    const float sigma = thresholded_scale(scale.scale.values[at], used.sigma_th, used.sigma_th_max);
    least =
        std::min(least, 2.0 * step * static_cast<double>(gradient) / static_cast<double>(sigma));
  }
  return least;
}

}  // namespace aprscope
