#include "core/deconvolution/iterate/held_out.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/image/binomial.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kThinnedAtOnce = 1 << 14;
// A limit above any real count of photons, up to which a double holds whole numbers.
constexpr double kMostPhotons = 0x1p52;

struct Counts {
  double photons = 0.0;
  double held_out = 0.0;
};

}  // namespace

Result<ThinnedImage> hold_out(std::span<const float> image, float offset,
                              std::span<const WeightRun> weights, const HoldOutOptions& options,
                              const JobContext& context) {
  ThinnedImage out;
  out.kept.resize(image.size());
  out.held_out.resize(image.size());
  const auto count = static_cast<std::int64_t>(image.size());
  const std::int64_t parts = (count + kThinnedAtOnce - 1) / kThinnedAtOnce;
  std::vector<Counts> counts(static_cast<std::size_t>(parts));
  const bool done = parallel_items(
      parts, threads_for(count), context, "holding out photons", [&](std::int64_t p, int) {
        const auto begin = static_cast<std::uint64_t>(p * kThinnedAtOnce);
        const auto end = static_cast<std::uint64_t>(std::min(count, (p + 1) * kThinnedAtOnce));
        auto run =
            std::upper_bound(weights.begin(), weights.end(), begin,
                             [](std::uint64_t i, const WeightRun& each) { return i < each.end; });
        Counts& sums = counts[static_cast<std::size_t>(p)];
        for (std::uint64_t i = begin; i < end; ++i) {
          while (run != weights.end() && i >= run->end) ++run;
          const double pixels = run != weights.end() ? run->weight : 1.0;
          const double light = std::max(static_cast<double>(image[i]) - offset, 0.0);
          const double photons = std::min(std::round(light * pixels / options.gain), kMostPhotons);
          const auto taken = static_cast<double>(
              binomial(static_cast<std::int64_t>(photons), options.share, {options.seed, i}));
          const double grey = taken * options.gain / pixels;
          out.held_out[i] = static_cast<float>(grey / options.share);
          out.kept[i] = static_cast<float>(std::max(light - grey, 0.0) / (1.0 - options.share));
          sums.photons += photons;
          sums.held_out += taken;
        }
      });
  if (!done) return cancelled_error();
  for (const Counts& each : counts) {
    out.photons += each.photons;
    out.photons_held_out += each.held_out;
  }
  return out;
}

}  // namespace aprscope
