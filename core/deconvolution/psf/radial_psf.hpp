#pragma once

#include <functional>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// The intensity of a PSF that is symmetric about the optical axis, one radial line a plane, from
/// the scalar diffraction integral over the pupil
///   h(r) = |∫₀¹ J₀(k · na · r · ρ) exp(i W(ρ)) ρ dρ|²
/// (Born & Wolf, Principles of Optics, 8.8; Gibson & Lanni 1991), by Gauss–Legendre quadrature
/// whose nodes grow with the phase that turns over the pupil.
class RadialPsf {
 public:
  /// Parameters of the integral; lengths in µm.
  struct Pupil {
    double na = 1.4;
    /// Wavelength of the light in vacuum.
    double wavelength = 0.5;
    /// The smallest refractive index on the way: rays with na · ρ above it do not pass.
    double smallest_index = 1.518;
    /// Phase W in radians of a ray with s = na · ρ in plane z.
    std::function<double(double s, double z)> phase;
    /// A bound of how far W turns from the axis to the rim in any plane, in radians.
    double phase_range = 0.0;
  };

  /// Computes planes z (µm), each from the axis to r_max. Errors: cancelled, out of memory.
  static Result<RadialPsf> create(const Pupil& pupil, const std::vector<double>& z, double r_max,
                                  const JobContext& context = {});

  /// Intensity in a plane at distance r ≤ r_max (µm) from the axis; 1 at the focus of a perfect
  /// lens.
  [[nodiscard]] double at(std::size_t plane, double r) const;

  /// Intensity on the axis at each z.
  static std::vector<double> on_axis(const Pupil& pupil, const std::vector<double>& z);

 private:
  double step_ = 1.0;
  std::size_t count_ = 0;
  std::vector<double> lines_;
};

}  // namespace aprscope
