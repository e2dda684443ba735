#include "core/deconvolution/psf/psf_source.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace aprscope {
namespace {

// The largest image: as doubles and with copies it takes 4 GB.
constexpr std::int64_t kMostPixels = std::int64_t{1} << 27;

std::string text(const VoxelSize& v) {
  std::array<char, 120> out{};
  std::snprintf(out.data(), out.size(), "%.4g × %.4g × %.4g ", v.z, v.x, v.y);
  return out.data() + v.unit;
}

}  // namespace

std::string psf_where(const Volume& volume) {
  return volume.name.empty() ? std::string("PSF") : "PSF " + volume.name;
}

Result<PsfImage> psf_source(const Volume& volume) {
  const std::string where = psf_where(volume);
  PsfImage image;
  image.size = volume.size();
  const Size3& n = image.size;
  if (n.z < 1 || n.x < 1 || n.y < 1) return Error{"has no pixels", where, "choose another image"};
  if (n.count() > kMostPixels) {
    return Error{"has more pixels than a PSF needs", where, "crop it around the bead"};
  }
  if (const NonFinite bad = count_non_finite(volume); bad.count > 0) {
    return Error{non_finite_text(bad), where, "replace them, or scale the image, first"};
  }
  const Pixels<float> pixels = volume.to_float();
  image.values.assign(pixels.values.begin(), pixels.values.end());
  const auto [least, most] = std::minmax_element(image.values.begin(), image.values.end());
  if (*least == *most && (image.values.size() > 1 || *most == 0.0)) {
    return Error{*most == 0.0 ? "is zero everywhere" : "has the same value everywhere", where,
                 "use an image that shows a bead or a PSF"};
  }
  return image;
}

std::array<double, 3> sampling_ratio(const Volume& source, const MeasureOptions& options,
                                     const VoxelSize& voxel, std::vector<std::string>& warnings) {
  std::array<double, 3> ratio{1.0, 1.0, 1.0};
  const auto own = psf_micrometres(source.voxel.unit);
  const auto target = psf_micrometres(voxel.unit);
  if (!own || !target) {
    // If neither the image nor the PSF has a voxel size, both are taken to be alike: no warning.
    if (own || target) {
      warnings.push_back(std::string(own ? "The image" : "The PSF") +
                         " has no voxel size: the PSF is taken to have the image's voxels.");
    }
    return ratio;
  }
  const std::array<double, 3> a{source.voxel.z, source.voxel.x, source.voxel.y};
  const std::array<double, 3> b{voxel.z, voxel.x, voxel.y};
  bool differs = false;
  for (std::size_t d = 0; d < 3; ++d) {
    const double r = b[d] * *target / (a[d] * *own);
    if (!std::isfinite(r) || !(r > 0.0)) continue;
    if (std::abs(r - 1.0) < 1e-3) continue;
    differs = true;
    ratio[d] = r;
  }
  if (!differs) return ratio;
  const std::string what =
      "The PSF's voxels (" + text(source.voxel) + ") differ from the image's (" + text(voxel) + ")";
  if (!options.resample) {
    warnings.push_back(what + ": switch resampling on unless that is a mistake in the file.");
    return {1.0, 1.0, 1.0};
  }
  warnings.push_back(what + "; it was resampled.");
  return ratio;
}

Result<Size3> resampled_size(const std::string& where, const Size3& source,
                             const std::array<double, 3>& widths,
                             const std::array<double, 3>& ratio) {
  // Most values, also of intermediate grids: half a GiB, of which a few copies are needed.
  constexpr double kMostValues = 1U << 26U;
  const std::array<double, 3> from{static_cast<double>(source.z), static_cast<double>(source.x),
                                   static_cast<double>(source.y)};
  double done = 1.0;
  for (std::size_t d = 0; d < 3; ++d) {
    // Dimensions are resampled one after another: z first, then x, then y.
    done *= widths[d];
    double values = done;
    for (std::size_t later = d + 1; later < 3; ++later) values *= from[later];
    if (values <= kMostValues) continue;
    std::array<char, 40> factor{};
    std::snprintf(factor.data(), factor.size(), "%.3g", 1.0 / ratio[d]);
    return Error{"would be too large on the grid of the image: its voxels are " +
                     std::string(factor.data()) + " times as large as the image's in " +
                     std::string(1, "zxy"[d]),
                 where,
                 "check the voxel sizes of both, switch resampling off, or choose a smaller size"};
  }
  return Size3{static_cast<std::int64_t>(widths[0]), static_cast<std::int64_t>(widths[1]),
               static_cast<std::int64_t>(widths[2])};
}

Result<Stencil> psf_stencil(PsfImage image, const Volume& source) {
  Stencil out;
  out.size = image.size;
  out.name = source.name;
  out.weights = std::move(image.values);
  double sum = 0.0;
  for (double& w : out.weights) sum += w = std::max(0.0, w);
  if (!(sum > 0.0)) {
    return Error{"has nothing that stands out of its background", psf_where(source),
                 "use the image of a bright bead, or switch background removal off"};
  }
  for (double& w : out.weights) w /= sum;
  return out;
}

}  // namespace aprscope
