#include "core/filter/pixel_filter.hpp"

#include <memory>

#include "core/filter/image_fft.hpp"
#include "core/filter/pixel_source.hpp"
#include "core/filter/sweep.hpp"

namespace aprscope {
namespace {

Status check_region(const Pixels<float>& input, const Region& region, const Pixels<float>& out) {
  const Size3& n = input.size;
  if (!(out.size == n) || out.values.size() != input.values.size()) {
    return Error{"the result has another size than the image", "filter", "use one of equal size"};
  }
  if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > n.z ||
      region.end.x > n.x || region.end.y > n.y) {
    return Error{"the region reaches out of the image", "filter", "choose one inside"};
  }
  return {};
}

bool is_empty(const Region& region) {
  const Size3 extent = region.size();
  return extent.z <= 0 || extent.x <= 0 || extent.y <= 0;
}

Status run(const Pixels<float>& input, const detail::SweepFilter& filter, Boundary boundary,
           const Region& region, Pixels<float>& out, const JobContext& context) {
  if (Status ok = check_region(input, region, out); !ok) return ok;
  if (is_empty(region)) return {};
  return detail::sweep(
      {{0, input.size, region, &filter, true}},
      [&] { return std::make_unique<detail::PixelSource>(input, out); }, boundary, context);
}

}  // namespace

Status convolve_pixels(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
                       const Region& region, Pixels<float>& out, const JobContext& context) {
  if (Status ok = check(stencil); !ok) return ok;
  if (Status ok = check_region(input, region, out); !ok) return ok;
  if (!is_empty(region) && detail::fft_pays(input.size, stencil, region)) {
    return detail::correlate_by_fft(input, stencil, boundary, region, out, context);
  }
  return run(input, *detail::make_correlation(stencil), boundary, region, out, context);
}

Status local_statistic_pixels(const Pixels<float>& input, LocalStatistic statistic, Size3 size,
                              Boundary boundary, const Region& region, Pixels<float>& out,
                              const JobContext& context) {
  if (size.z < 1 || size.x < 1 || size.y < 1 || size.z % 2 == 0 || size.x % 2 == 0 ||
      size.y % 2 == 0) {
    return Error{"the size of the neighbourhood is not odd", "filter", "use odd sizes"};
  }
  return run(input, *detail::make_statistic(statistic, size), boundary, region, out, context);
}

Status gradient_magnitude_pixels(const Pixels<float>& input, const std::vector<Stencil>& components,
                                 Boundary boundary, const Region& region, Pixels<float>& out,
                                 const JobContext& context) {
  for (const Stencil& s : components) {
    if (Status ok = check(s); !ok) return ok;
  }
  return run(input, *detail::make_magnitude(components), boundary, region, out, context);
}

}  // namespace aprscope
