#include "core/deconvolution/psf/psf_models.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <numbers>
#include <utility>

#include "core/deconvolution/psf/radial_psf.hpp"

namespace aprscope {
namespace {

// An image may be larger than what is worth summing for the coverage.
constexpr Size3 kLargestReference{257, 513, 513};

std::string text(double value) {
  std::array<char, 40> out{};
  std::snprintf(out.data(), out.size(), "%g", value);
  return out.data();
}

Result<std::array<double, 3>> voxel_in_micrometres(const VoxelSize& voxel) {
  const auto scale = psf_micrometres(voxel.unit);
  if (!scale) {
    return Error{"the image has no voxel size in µm (its unit is \"" + voxel.unit + "\")", "PSF",
                 "give the voxel size of the PSF in nm, or set that of the image"};
  }
  const std::array<double, 3> size{voxel.z * *scale, voxel.x * *scale, voxel.y * *scale};
  for (const double d : size) {
    if (!std::isfinite(d) || !(d > 0.0)) {
      return Error{"the voxel size is not positive", "PSF", "set the voxel size of the image"};
    }
  }
  return size;
}

Status check_range(const char* what, double value, double low, double high, const char* unit) {
  if (std::isfinite(value) && value >= low && value <= high) return {};
  return Error{std::string(what) + " is " + text(value), "PSF",
               "use " + text(low) + " to " + text(high) + unit};
}

Status check_microscope(const Microscope& m) {
  if (Status ok = check_range("the numerical aperture", m.na, 0.01, 1.7, ""); !ok) return ok;
  if (Status ok = check_range("the wavelength", m.wavelength, 100.0, 5000.0, " nm"); !ok) return ok;
  for (const auto& [what, n] : {std::pair("the index of the immersion medium", m.n_immersion),
                                std::pair("the index of the sample", m.n_sample),
                                std::pair("the index of the cover glass", m.n_cover_glass)}) {
    if (Status ok = check_range(what, n, 1.0, 2.5, ""); !ok) return ok;
  }
  if (m.na >= m.n_immersion) {
    return Error{"the numerical aperture " + text(m.na) +
                     " is not below the index of the immersion medium, " + text(m.n_immersion),
                 "PSF", "check both: air 1.0, water 1.33, glycerol 1.47, oil 1.518"};
  }
  if (Status ok = check_range("the depth", m.depth, 0.0, 2000.0, " µm"); !ok) return ok;
  return check_range("the thickness of the cover glass", m.cover_glass, 0.0, 2000.0, " µm");
}

// A pupil in a setting: how far its light spreads, and where its focus is.
struct Setting {
  RadialPsf::Pupil pupil;
  double focus = 0.0;  // µm
  double na = 1.4;     // of the light that arrives
  double index = 1.5;
};

// Depth: three times the first dark point of the axis; radius: the cone of light there.
Size3 automatic_size(const Setting& setting, const std::array<double, 3>& voxel,
                     const Size3& image) {
  const double lambda = setting.pupil.wavelength;
  const double depth = 3.0 * 2.0 * setting.index * lambda / (setting.na * setting.na);
  const double slope =
      setting.na / std::sqrt(setting.index * setting.index - setting.na * setting.na);
  const double rings = 5.0 * 0.61 * lambda / setting.na;
  const double radius = std::max(rings, std::min(depth * slope, 6.0 * rings));
  const auto odd = [](double half, double step) {
    return 2 * std::min<std::int64_t>(511, static_cast<std::int64_t>(std::ceil(half / step))) + 1;
  };
  Size3 size{odd(depth, voxel[0]), odd(radius, voxel[1]), odd(radius, voxel[2])};
  if (image.z == 1) size.z = 1;
  return size;
}

double distance(double x, double y) { return std::sqrt(x * x + y * y); }

Result<MadePsf> sample(const Setting& setting, const std::array<double, 3>& voxel,
                       const Size3& size, const Size3& image, const char* name,
                       const JobContext& context) {
  const auto chosen = chosen_psf_size(size, automatic_size(setting, voxel, image), image);
  if (!chosen) return chosen.error();
  // The light that a PSF as large as the image would hold.
  Size3 whole =
      largest_psf_size(image.z > 0 ? image : Size3{2 * chosen->z, 2 * chosen->x, 2 * chosen->y});
  whole = {std::clamp(whole.z, chosen->z, std::max(chosen->z, kLargestReference.z)),
           std::clamp(whole.x, chosen->x, std::max(chosen->x, kLargestReference.x)),
           std::clamp(whole.y, chosen->y, std::max(chosen->y, kLargestReference.y))};
  const Size3 radius{whole.z / 2, whole.x / 2, whole.y / 2};
  std::vector<double> planes;
  for (std::int64_t z = -radius.z; z <= radius.z; ++z) {
    planes.push_back(setting.focus + static_cast<double>(z) * voxel[0]);
  }
  const double r_max =
      distance(static_cast<double>(radius.x) * voxel[1], static_cast<double>(radius.y) * voxel[2]);
  const auto radial = RadialPsf::create(setting.pupil, planes, r_max, context);
  if (!radial) return radial.error();

  MadePsf made;
  made.psf.name = name;
  made.psf.size = *chosen;
  try {
    made.psf.weights.assign(static_cast<std::size_t>(chosen->count()), 0.0);
  } catch (const std::bad_alloc&) {
    return Error{"is too large for the memory of this machine", "PSF", "use a smaller size"};
  }
  const Size3 half{chosen->z / 2, chosen->x / 2, chosen->y / 2};
  double inside = 0.0;
  double total = 0.0;
  for (std::int64_t z = -(whole.z / 2); z <= whole.z / 2; ++z) {
    const auto plane = static_cast<std::size_t>(z + whole.z / 2);
    for (std::int64_t x = 0; x <= whole.x / 2; ++x) {
      for (std::int64_t y = 0; y <= whole.y / 2; ++y) {
        const double value = radial->at(
            plane, distance(static_cast<double>(x) * voxel[1], static_cast<double>(y) * voxel[2]));
        // Four quadrants, of which those on an axis coincide.
        const double copies = (x > 0 ? 2.0 : 1.0) * (y > 0 ? 2.0 : 1.0);
        total += copies * value;
        if (std::abs(z) > half.z || x > half.x || y > half.y) continue;
        inside += copies * value;
        for (const std::int64_t to_x : {half.x - x, half.x + x}) {
          const std::int64_t row = ((z + half.z) * chosen->x + to_x) * chosen->y;
          made.psf.weights[static_cast<std::size_t>(row + half.y - y)] = value;
          made.psf.weights[static_cast<std::size_t>(row + half.y + y)] = value;
        }
      }
    }
    if (context.stop_requested()) return cancelled_error();
  }
  made.coverage = total > 0.0 ? inside / total : 1.0;
  made.psf = made.psf.normalized();
  // Twice the highest frequency of the image that the lens makes.
  const double finest = setting.pupil.wavelength / (4.0 * setting.na);
  if (std::max(voxel[1], voxel[2]) > 1.5 * finest) {
    made.warnings.push_back("The voxels of " + text(1000.0 * std::max(voxel[1], voxel[2])) +
                            " nm are coarser than the " + text(std::round(1000.0 * finest)) +
                            " nm that this lens needs; details below them cannot come back.");
  }
  return made;
}

double root(double n, double s) { return std::sqrt(std::max(0.0, n * n - s * s)); }

}  // namespace

Result<MadePsf> born_wolf_psf(const Microscope& m, const VoxelSize& voxel, const Size3& size,
                              const Size3& image, const JobContext& context) {
  const auto step = voxel_in_micrometres(voxel);
  if (!step) return step.error();
  if (Status ok = check_microscope(m); !ok) return ok.error();
  Setting setting;
  setting.na = m.na;
  setting.index = m.n_immersion;
  setting.pupil.na = m.na;
  setting.pupil.wavelength = m.wavelength / 1000.0;
  setting.pupil.smallest_index = m.n_immersion;
  const double k = 2.0 * std::numbers::pi / setting.pupil.wavelength;
  const double n = m.n_immersion;
  setting.pupil.phase = [k, n](double s, double z) { return k * z * root(n, s); };
  const double reach =
      step->at(0) *
      static_cast<double>(std::max<std::int64_t>({kLargestReference.z, size.z, image.z, 1})) / 2.0;
  setting.pupil.phase_range = k * reach * (n - root(n, m.na));
  return sample(setting, *step, size, image, "Born–Wolf", context);
}

Result<GibsonLanniPsf> gibson_lanni_psf(const Microscope& m, const VoxelSize& voxel,
                                        const Size3& size, const Size3& image,
                                        const JobContext& context) {
  const auto step = voxel_in_micrometres(voxel);
  if (!step) return step.error();
  if (Status ok = check_microscope(m); !ok) return ok.error();
  const double ni = m.n_immersion;
  const double design = m.n_immersion_design > 0.0 ? m.n_immersion_design : ni;
  Setting setting;
  setting.na = m.na;
  setting.index = ni;
  setting.pupil.wavelength = m.wavelength / 1000.0;
  setting.pupil.smallest_index = std::min({ni, m.n_sample, m.n_cover_glass, design});
  const double lowest =
      m.depth > 0.0 ? setting.pupil.smallest_index : std::min({ni, m.n_cover_glass, design});
  std::vector<std::string> warnings;
  if (m.na > lowest * 0.999) {
    // Light above the critical angle stays at the cover glass; without depth the sample has no say.
    setting.na = lowest * 0.999;
    warnings.push_back("Only rays up to NA " + text(std::round(1000.0 * setting.na) / 1000.0) +
                       " leave the sample, whose index is " + text(m.n_sample) +
                       "; the rest of the aperture does not contribute.");
  }
  setting.pupil.na = setting.na;
  setting.pupil.smallest_index = lowest;
  const double k = 2.0 * std::numbers::pi / setting.pupil.wavelength;
  // Optical path difference of sample, glass and immersion to those of the objective's design.
  const auto aberration = [m, ni, design](double s) {
    return m.depth * (root(m.n_sample, s) - root(ni, s)) +
           m.working_distance * (root(ni, s) - root(design, s)) +
           (m.cover_glass - m.cover_glass_design) * root(m.n_cover_glass, s);
  };
  setting.pupil.phase = [k, ni, aberration](double s, double z) {
    return k * (aberration(s) - z * root(ni, s));
  };

  // Defocus that leaves the least aberration over the pupil (least squares over its area), then the
  // brightest point of the axis near it.
  constexpr int kRings = 400;
  std::array<double, 5> sums{};
  for (int i = 0; i < kRings; ++i) {
    const double s = setting.na * std::sqrt((i + 0.5) / kRings);
    const double a = aberration(s);
    const double b = root(ni, s);
    sums[0] += a;
    sums[1] += b;
    sums[2] += a * b;
    sums[3] += b * b;
  }
  const double covariance = sums[2] - sums[0] * sums[1] / kRings;
  const double variance = sums[3] - sums[1] * sums[1] / kRings;
  const double guess = covariance / variance;
  double least = 0.0;
  double most = 0.0;
  for (int i = 0; i <= kRings; ++i) {
    const double s = setting.na * i / kRings;
    const double a = k * (aberration(s) - guess * root(ni, s));
    least = i == 0 ? a : std::min(least, a);
    most = i == 0 ? a : std::max(most, a);
  }
  const double axial = 2.0 * ni * setting.pupil.wavelength / (setting.na * setting.na);
  const double left = std::max(most - least, 0.0);
  const double search = axial * (1.0 + left / std::numbers::pi);
  const double reach =
      step->at(0) *
      static_cast<double>(std::max<std::int64_t>({kLargestReference.z, size.z, image.z, 1})) / 2.0;
  setting.pupil.phase_range = left + k * (reach + search) * (ni - root(ni, setting.na));
  const double coarse = axial / 12.0;
  const auto steps = static_cast<int>(std::ceil(search / coarse));
  std::vector<double> z;
  for (int i = -steps; i <= steps; ++i) z.push_back(guess + i * coarse);
  const auto brightest_of = [&] {
    const std::vector<double> axis = RadialPsf::on_axis(setting.pupil, z);
    return z[static_cast<std::size_t>(std::max_element(axis.begin(), axis.end()) - axis.begin())];
  };
  double best = brightest_of();
  for (double fine = coarse / 4.0; fine > axial * 1e-5; fine /= 4.0) {
    if (context.stop_requested()) return cancelled_error();
    z.clear();
    for (int i = -4; i <= 4; ++i) z.push_back(best + i * fine);
    best = brightest_of();
  }
  setting.focus = best;
  auto made = sample(setting, *step, size, image, "Gibson–Lanni", context);
  if (!made) return made.error();
  warnings.insert(warnings.end(), made->warnings.begin(), made->warnings.end());
  made->warnings = std::move(warnings);
  return GibsonLanniPsf{*std::move(made), best};
}

}  // namespace aprscope
