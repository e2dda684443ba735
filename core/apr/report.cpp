#include "core/apr/report.hpp"

#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <variant>

#include "core/apr/conversion_check.hpp"
#include "core/apr/gradient_scale.hpp"
#include "core/apr/parallel.hpp"
#include "core/apr/thresholds.hpp"

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

struct ErrorScan {
  const GradientScale& scale;
  float sigma_th, sigma_th_max, min_intensity;

  // One run of pixels [y0, y1) of row (z, x) that a particle covers.
  template <class T>
  void run(const Pixels<T>& pixels, float value, std::int64_t z, std::int64_t x, std::int64_t y0,
           std::int64_t y1, Worst& worst) const {
    const T* const row = pixels.values.data() + pixels.index(z, x, 0);
    const float* const sigma = scale.scale.values.data() + scale.scale.index(z / 2, x / 2, 0);
    for (std::int64_t y = y0; y < y1; ++y) {
      const auto i = static_cast<float>(row[y]);
      if (!(i > min_intensity)) continue;
      const double difference = std::abs(static_cast<double>(i) - static_cast<double>(value));
      const auto s = static_cast<double>(thresholded_scale(sigma[y / 2], sigma_th, sigma_th_max));
      worst.take(difference > 0.0 ? difference / s : 0.0,
                 static_cast<std::int64_t>(pixels.index(z, x, y)));
    }
  }
};

template <class T>
bool scan(const Pixels<T>& pixels, const AprAccess& access, const std::vector<float>& values,
          const ErrorScan& errors, Worst& worst, const JobContext& context) {
  const LinearAccess& particles = access.particles();
  const Size3& n = pixels.size;
  const int threads = threads_for(n.count());
  std::vector<Worst> found(static_cast<std::size_t>(threads));
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
  for (const Worst& w : found) worst.take(w.largest, w.at);
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
      !(scale.scale.size == half_size(size))) {
    return Error{"image, APR and local scale differ in size", "relative error",
                 "compare an APR with the image it was made from"};
  }
  try {
    const std::vector<float> values = field->to_float();
    const ErrorScan errors{scale, sigma_th, apr.parameters.sigma_th_max, min_intensity};
    Worst worst;
    const bool done = std::visit(
        [&](const auto& pixels) {
          return scan(pixels, *apr.access, values, errors, worst, context);
        },
        volume.pixels);
    if (!done) return cancelled_error();
    if (worst.largest < 0.0) return RelativeError{};
    return RelativeError{
        true,
        worst.largest,
        {worst.at / (size.x * size.y), worst.at / size.y % size.x, worst.at % size.y}};
  } catch (const std::bad_alloc&) {
    return not_enough_memory(size);
  }
}

}  // namespace aprscope
