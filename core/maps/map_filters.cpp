#include "core/maps/map_filters.hpp"

#include <algorithm>

#include "core/maps/map_spectrum.hpp"
#include "core/maps/raised_cosine.hpp"

namespace aprscope {

Result<std::vector<float>> low_passed(std::span<const float> map, std::int64_t side, double limit,
                                      const JobContext& context) {
  auto spectrum = MapSpectrum::of(map, side, context.part(0.0, 0.5));
  if (!spectrum) return spectrum.error();
  const double last = static_cast<double>(side) / limit;
  spectrum->multiply([&](double k) { return low_pass_weight(k, last); });
  return (*std::move(spectrum)).to_map(context.part(0.5, 1.0));
}

std::vector<float> flipped_hand(std::span<const float> map, std::int64_t slice) {
  const std::int64_t count = static_cast<std::int64_t>(map.size()) / slice;
  std::vector<float> out(map.size());
  for (std::int64_t z = 0; z < count; ++z) {
    const std::int64_t from = (2 * (count / 2) - z) % count;
    std::copy_n(map.data() + from * slice, slice, out.data() + z * slice);
  }
  return out;
}

}  // namespace aprscope
