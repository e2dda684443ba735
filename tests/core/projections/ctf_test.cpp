#include "core/projections/ctf.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

Projection row() {
  Projection projection;
  projection.defocus_u = 15000;
  projection.defocus_v = 14000;
  projection.defocus_angle = 30;
  return projection;
}

OpticsGroup microscope() {
  OpticsGroup optics;
  optics.voltage_kv = 300;
  optics.spherical_aberration_mm = 2.7;
  optics.amplitude_contrast = .1;
  optics.pixel_size = 1.0;
  return optics;
}

TEST(Ctf, WavelengthsOfElectrons) {
  EXPECT_NEAR(electron_wavelength(300), .0196876, 1e-7);
  EXPECT_NEAR(electron_wavelength(200), .0250795, 1e-7);
}

// Values worked out by an independent program.
TEST(Ctf, OfAnAstigmaticImage) {
  const Ctf ctf = ctf_of(row(), microscope());
  EXPECT_NEAR(ctf(0, 0), .1, 1e-12);
  EXPECT_NEAR(ctf(.05, 0), .690885, 2e-6);
  EXPECT_NEAR(ctf(0, .05), .744660, 2e-6);
  EXPECT_NEAR(ctf(.1, .1), -.395460, 2e-6);
  EXPECT_NEAR(ctf(.02, -.15), .898317, 2e-6);
  EXPECT_NEAR(ctf(-.02, .15), .898317, 2e-6);
}

TEST(Ctf, WithAPhasePlate) {
  Projection projection = row();
  projection.phase_shift = 60;
  const Ctf ctf = ctf_of(projection, microscope());
  EXPECT_NEAR(ctf(.05, 0), -.280664, 2e-6);
  EXPECT_NEAR(ctf(0, .05), -.205694, 2e-6);
  EXPECT_NEAR(ctf(.1, .1), .597699, 2e-6);
  EXPECT_NEAR(ctf(.02, -.15), .829645, 2e-6);
}

TEST(Ctf, ScaleAndEnvelope) {
  Projection projection = row();
  projection.ctf_scale = .5;
  projection.ctf_b_factor = 80;
  const Ctf ctf = ctf_of(projection, microscope());
  // k² = .02: exp(−80 · .02 ÷ 4) = .670320.
  EXPECT_NEAR(ctf(.1, .1), -.395460 * .5 * .670320, 2e-6);
}

}  // namespace
}  // namespace aprscope
