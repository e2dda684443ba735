#include "core/maps/upsampled.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/maps/map_spectrum.hpp"

namespace aprscope {
namespace {

// Where a frequency of the fine spectrum lies on an axis of the coarse one, and its share of it.
struct Share {
  std::int64_t place = 0;
  float weight = 1.0F;
};

// None: beyond the coarse spectrum. If side is even, −n/2 and n/2 are one number, shared by both.
std::optional<Share> share_of(std::int64_t frequency, std::int64_t side) {
  const std::int64_t twice = 2 * std::abs(frequency);
  if (twice > side) return std::nullopt;
  return Share{frequency < 0 ? frequency + side : frequency, twice == side ? 0.5F : 1.0F};
}

// The spectrum with zeros beyond it, scaled such that values stay what they are.
Result<MapSpectrum> padded(const MapSpectrum& coarse, std::int64_t times) {
  const std::int64_t n = coarse.side();
  auto fine = MapSpectrum::zeros(times * n);
  if (!fine) return fine;
  const auto scale = static_cast<float>(times * times * times);
  parallel_for(fine->side(), threads_for(n * n * n), [&](std::int64_t z) {
    const auto at_z = share_of(fine->frequency(z), n);
    if (!at_z) return;
    for (std::int64_t y = 0; y < fine->side(); ++y) {
      const auto at_y = share_of(fine->frequency(y), n);
      if (!at_y) continue;
      const std::complex<float>* const from = coarse.row(at_z->place, at_y->place);
      std::complex<float>* const to = fine->row(z, y);
      const float weight = scale * at_z->weight * at_y->weight;
      for (std::int64_t kx = 0; kx < coarse.row_length(); ++kx) {
        to[kx] = from[kx] * (2 * kx == n ? 0.5F * weight : weight);
      }
    }
  });
  return fine;
}

}  // namespace

Result<std::vector<float>> upsampled(std::span<const float> map, std::int64_t side,
                                     std::int64_t times, const JobContext& context) {
  if (times < 2) {
    return Error{"a grid cannot be " + std::to_string(times) + " times finer", "finer grid",
                 "use a whole number from 2 on"};
  }
  auto fine = [&]() -> Result<MapSpectrum> {
    auto coarse = MapSpectrum::of(map, side, context.part(0.0, 0.1));
    if (!coarse) return coarse;
    return padded(*coarse, times);
  }();
  if (!fine) return fine.error();
  if (context.stop_requested()) return cancelled_error();
  return (*std::move(fine)).to_map(context.part(0.1, 1.0));
}

std::uint64_t upsampled_bytes(std::int64_t side, std::int64_t times) {
  // A spectrum's rows are as long as an even number of voxels and up to 32 floats more.
  const auto spectrum = [](std::int64_t n) {
    return static_cast<std::uint64_t>(n * n) * static_cast<std::uint64_t>(n + 32) * sizeof(float);
  };
  const std::int64_t fine = times * side;
  const auto result = static_cast<std::uint64_t>(fine * fine * fine) * sizeof(float);
  // The coarse spectrum is gone when the result is taken out of the fine one.
  return spectrum(fine) + std::max(spectrum(side), result);
}

}  // namespace aprscope
