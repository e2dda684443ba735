#include "core/apr/convert/local_scale.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

constexpr std::array<int, 6> kInner{1, 1, 1, 2, 2, 3};
constexpr std::array<int, 6> kOuter{2, 3, 4, 4, 5, 6};
// Factors by the number of dimensions that take part, then by class.
constexpr std::array<std::array<double, 6>, 3> kFactor{{
    {13.9040, 31.2843, 57.4037, 30.3767, 45.9930, 29.0890},
    {13.2421, 28.7069, 52.0385, 24.4272, 34.9565, 21.1891},
    {12.8214, 26.1256, 40.2795, 23.3692, 36.2061, 27.0385},
}};

std::size_t psf_class(float psf, float d) {
  const double wanted = std::round(static_cast<double>(psf) / static_cast<double>(d)) - 1.0;
  return static_cast<std::size_t>(std::clamp(wanted, 0.0, 5.0));
}

}  // namespace

ScaleWindows scale_windows(const Size3& half, const ConversionParameters& p) {
  const std::array<std::size_t, 3> classes{psf_class(p.psfz, p.dz), psf_class(p.psfx, p.dx),
                                           psf_class(p.psfy, p.dy)};
  const std::array<std::int64_t, 3> length{half.z, half.x, half.y};
  ScaleWindows out;
  std::size_t active = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const int inner = kInner[classes[d]];
    const int outer = kOuter[classes[d]];
    if (length[d] <= std::max(inner, outer)) continue;
    out.window[d] = {inner, outer};
    ++active;
  }
  double product = 1.0;
  bool equal = true;
  std::size_t seen = 6;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!out.window[d].active()) continue;
    product *= kFactor[active - 1][classes[d]];
    equal = equal && (seen == 6 || seen == classes[d]);
    seen = classes[d];
  }
  if (active > 0) {
    out.factor = static_cast<float>(equal ? kFactor[active - 1][seen]
                                          : std::pow(product, 1.0 / static_cast<double>(active)));
  }
  return out;
}

}  // namespace aprscope
