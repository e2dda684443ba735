#include "core/apr/convert/gradient_scale.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/half_planes.hpp"
#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Rows of a strip at least: less would make borders twice too often.
constexpr std::int64_t kStripRows = 32;

std::vector<HalfStrip> make_strips(const HalfOptions& options, int threads) {
  const std::int64_t rows = options.half.x;
  const std::int64_t most = std::max<std::int64_t>(rows / kStripRows, 1);
  const std::int64_t count = std::min<std::int64_t>(most, threads);
  std::vector<HalfStrip> strips;
  for (std::int64_t s = 0; s < count; ++s) {
    strips.emplace_back(options, s * rows / count, (s + 1) * rows / count);
  }
  return strips;
}

// Touches the huge pages that begin in planes [begin, end), so that the system makes them before
// they are written. Done beside other work, as threads that write to a page wait while it is made.
void make_pages(const PlaneRing& planes, std::int64_t begin, std::int64_t end) {
  constexpr std::uintptr_t kHuge = std::uintptr_t{1} << 21U;
  for (std::int64_t h = begin; h < end; ++h) {
    auto* const first = reinterpret_cast<char*>(planes.row(h, 0));
    const std::uintptr_t bytes =
        static_cast<std::uintptr_t>(planes.rows * planes.cols) * sizeof(float);
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    for (std::uintptr_t at = (kHuge - address % kHuge) % kHuge; at < bytes; at += kHuge) {
      *static_cast<volatile char*>(first + at) = 0;
    }
  }
}

// Mean less minimum of all intensities, added row by row in their order.
float mean_less_least(const std::vector<HalfStrip>& strips, const Size3& half) {
  double sum = 0.0;
  float least = strips.front().sums().front().least;
  for (std::int64_t h = 0; h < half.z; ++h) {
    for (const HalfStrip& strip : strips) {
      const auto& sums = strip.sums();
      const std::size_t rows = sums.size() / static_cast<std::size_t>(half.z);
      for (std::size_t r = 0; r < rows; ++r) {
        const HalfStrip::RowSum& row = sums[static_cast<std::size_t>(h) * rows + r];
        sum += row.sum;
        least = std::min(least, row.least);
      }
    }
  }
  return static_cast<float>(sum / static_cast<double>(half.count()) - static_cast<double>(least));
}

Result<GradientScale> compute(const Volume& volume, const ConversionParameters& p,
                              const JobContext& context) {
  GradientScale out;
  out.image_size = volume.size();
  const Size3 half = half_size(out.image_size);
  for (Pixels<float>* grid : {&out.gradient, &out.scale, &out.intensity}) {
    grid->size = half;
    make_zeros(grid->values, half.count());
  }
  const auto planes = [&](Pixels<float>& grid) {
    return PlaneRing{grid.values.data(), half.x, half.y, half.z};
  };
  RawSlices slices(volume);
  const auto made = make_half_planes(
      slices, p, {planes(out.gradient), planes(out.scale), planes(out.intensity)}, {},
      [](std::int64_t, std::int64_t) { return Status(); }, context);
  if (!made) return made.error();
  const auto n = static_cast<std::int64_t>(out.gradient.values.size());
  float* const gradient = out.gradient.values.data();
  const float noise = made->noise;
  parallel_stretches(n, threads_for(n), [=](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i)
      gradient[i] = gradient[i] > noise ? gradient[i] : 0.0F;
  });
  if (made->constant_scale) {
    std::fill(out.scale.values.begin(), out.scale.values.end(), *made->constant_scale);
  }
  return out;
}

}  // namespace

std::int64_t half_slots(const Size3& image_size, const ConversionParameters& p) {
  // Lags do not depend on the type of samples.
  const HalfOptions options = half_options(image_size, SampleKind::f32, p);
  return std::min(options.half.z, SlabSmoother::kSlices / 2 + 1 + HalfStrip::scale_lag(options));
}

Result<HalfSummary> make_half_planes(
    RawSlices& slices, const ConversionParameters& p, const HalfPlanes& out,
    std::optional<float> mask,
    const std::function<Status(std::int64_t begin, std::int64_t end)>& finished,
    const JobContext& context) {
  const Size3 size = slices.size();
  HalfOptions options = half_options(size, slices.kind(), p);
  options.mask = mask;
  const int threads = threads_for(size.count());
  SlabSmoother smoother(size, slices.kind(), static_cast<double>(p.lambda), threads);
  std::vector<HalfStrip> strips = make_strips(options, threads);
  const std::int64_t lag = HalfStrip::scale_lag(options);

  std::vector<const void*> raw;
  std::int64_t made = 0;
  std::int64_t complete = 0;
  const auto all = static_cast<double>(size.z);
  for (const SlabSmoother::Block& block : smoother.blocks()) {
    const JobContext part =
        context.part(static_cast<double>(block.begin) / all, static_cast<double>(block.end) / all);
    if (Status got = slices.get(block.raw_begin, block.raw_end, raw, part); !got) {
      return got.error();
    }
    const bool last = block.end == size.z;
    const std::int64_t end = last ? options.half.z : (block.end - 1) / 2;
    const std::int64_t done = last ? end : std::max(end - lag, complete);
    const auto pages = [&] {
      make_pages(out.gradient, made, end);
      if (options.windows.any()) make_pages(out.scale, complete, done);
    };
    if (!smoother.run(block, raw, part.part(0.0, 0.6), pages)) return cancelled_error();
    if (!parallel_items(static_cast<std::int64_t>(strips.size()), threads, part.part(0.6, 1.0),
                        "gradient and scale", [&](std::int64_t s, int) {
                          strips[static_cast<std::size_t>(s)].push(made, end, smoother, out);
                        })) {
      return cancelled_error();
    }
    made = end;
    if (Status ok = finished(complete, done); !ok) return ok.error();
    complete = done;
    if (!smoother.usable()) return slices.not_finite(context);
  }
  HalfSummary summary;
  summary.noise = smoother.noise() / std::min({p.dz, p.dx, p.dy});
  summary.masked =
      std::any_of(strips.begin(), strips.end(), [](const HalfStrip& s) { return s.masked(); });
  if (!options.windows.any()) {
    summary.constant_scale = mean_less_least(strips, options.half);
  }
  return summary;
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
