#include "core/pipeline/psf_parameters.hpp"

#include <cmath>

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

ParameterSpec vector3(const char* id, const char* label, Vector value, double maximum,
                      const char* unit, const char* help) {
  return {id, label, ParameterType::vector3, value, 0.0, maximum, unit, {}, help};
}

ParameterSpec choice(const char* id, const char* label, std::vector<std::string> choices,
                     const char* help) {
  const std::string first = choices.front();
  return {id, label, ParameterType::choice, first, 0.0, 0.0, "", std::move(choices), help};
}

// The size asked for, 0 where automatic, 1 where the image has one pixel.
std::int64_t fitted(double wanted, std::int64_t pixels) {
  return pixels <= 1 ? 1 : static_cast<std::int64_t>(wanted);
}

}  // namespace

std::vector<ParameterSpec> psf_parameters() {
  std::vector<ParameterSpec> all;
  all.push_back(choice("psf", "PSF", {"gaussian"}, "Where the point-spread function comes from."));
  all.push_back(vector3("psf_sigma", "Sigma", {2, 2, 2}, 100.0, "px",
                        "Standard deviation of the Gaussian in z, x, y."));
  all.push_back(choice("psf_sigma_unit", "Unit of sigma", {"pixels", "physical"},
                       "Whether sigma counts pixels, or the physical unit of the image."));
  ParameterSpec size = vector3("psf_size", "Truncation", {0, 0, 0}, 1023.0, "px",
                               "Size of the PSF in z, x, y (odd); 0 chooses it.");
  size.odd = true;
  all.push_back(std::move(size));
  return all;
}

Result<Stencil> psf_of(const Operation& complete, const VoxelSize& voxel, const Size3& size) {
  Vector sigma = parameter<Vector>(complete, "psf_sigma");
  const Vector distance{voxel.z, voxel.x, voxel.y};
  const std::array<std::int64_t, 3> extent{size.z, size.x, size.y};
  const bool physical = parameter<std::string>(complete, "psf_sigma_unit") == "physical";
  for (std::size_t d = 0; d < 3; ++d) {
    if (physical) sigma[d] /= distance[d];
    if (!std::isfinite(sigma[d]) || sigma[d] > 1000.0) {
      return Error{"sigma is " + std::to_string(sigma[d]) + " pixels in this image", "PSF",
                   "use a smaller sigma or check the voxel size"};
    }
    if (extent[d] <= 1) sigma[d] = 0.0;
  }
  const auto& n = parameter<Vector>(complete, "psf_size");
  const Size3 wanted{fitted(n[0], size.z), fitted(n[1], size.x), fitted(n[2], size.y)};
  return gaussian_stencil(sigma, wanted).normalized();
}

}  // namespace aprscope
