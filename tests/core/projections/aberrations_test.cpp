#include "core/projections/aberrations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/ctf.hpp"
#include "core/projections/project.hpp"
#include "core/projections/shells.hpp"
#include "tests/core/projections/atoms.hpp"
#include "tests/core/projections/cryo_data.hpp"

namespace aprscope {
namespace {

using test::GaussianAtom;
using test::map_of_atoms;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

OpticsGroup microscope() {
  OpticsGroup group;
  group.name = "hall 3";
  group.voltage_kv = 200.0;
  group.spherical_aberration_mm = 2.7;
  group.amplitude_contrast = 0.1;
  group.pixel_size = 1.2;
  return group;
}

// In pixels.
const std::vector<GaussianAtom> kAtoms = {
    {{5, 1, -2}, 1.1, 1}, {{-3, 4, 1}, 1.2, .8}, {{0, -5, 3}, 1.1, 1.2}, {{2, 2, 5}, 1.0, .6}};
constexpr std::int64_t kSide = 24;

std::vector<float> truth() { return map_of_atoms(kAtoms, kSide); }

// Zernike's polynomials of degrees 1 and 3, and of degrees 0, 2 and 4, as books list them.
double odd_zernike(std::size_t i, double x, double y) {
  const double r2 = x * x + y * y;
  switch (i) {
    case 0:
      return y;
    case 1:
      return x;
    case 2:
      return 3 * x * x * y - y * y * y;
    case 3:
      return (3 * r2 - 2) * y;
    case 4:
      return (3 * r2 - 2) * x;
    default:
      return x * x * x - 3 * x * y * y;
  }
}
double even_zernike(std::size_t i, double x, double y) {
  const double r2 = x * x + y * y;
  switch (i) {
    case 0:
      return 1;
    case 1:
      return 2 * x * y;
    case 2:
      return 2 * r2 - 1;
    case 3:
      return x * x - y * y;
    case 4:
      return 4 * x * y * (x * x - y * y);
    case 5:
      return (4 * r2 - 3) * 2 * x * y;
    case 6:
      return 6 * r2 * r2 - 6 * r2 + 1;
    case 7:
      return (4 * r2 - 3) * (x * x - y * y);
    default:
      return x * x * x * x - 6 * x * x * y * y + y * y * y * y;
  }
}

// What a microscope does to an image at a frequency in 1/Å, beside the CTF: radians, written down
// again from RELION's papers.
double odd_phase(const OpticsGroup& group, double x, double y) {
  const double wave = electron_wavelength(group.voltage_kv);
  const double k2 = x * x + y * y;
  const double along = (x * group.beam_tilt_x + y * group.beam_tilt_y) * 1e-3;
  double sum =
      -2.0 * std::numbers::pi * group.spherical_aberration_mm * 1e7 * wave * wave * k2 * along;
  for (std::size_t i = 0; i < group.odd_zernike.size(); ++i) {
    sum += group.odd_zernike[i] * odd_zernike(i, x, y);
  }
  return sum;
}
double even_phase(const OpticsGroup& group, double x, double y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < group.even_zernike.size(); ++i) {
    sum += group.even_zernike[i] * even_zernike(i, x, y);
  }
  return sum;
}

ProjectionTable table_of(const OpticsGroup& group, std::int64_t count) {
  ProjectionTable table;
  table.path = "tilted.star";
  table.side = kSide;
  table.pixel_size = group.pixel_size;
  table.optics = {group};
  table.stacks.emplace_back("tilted.mrcs");
  for (std::int64_t i = 0; i < count; ++i) {
    Projection row;
    const auto t = (static_cast<double>(i) + .5) / static_cast<double>(count);
    row.image = i;
    row.rot = std::fmod(static_cast<double>(i) * 222.492, 360);
    row.tilt = std::acos(1 - 2 * t) * 180.0 / std::numbers::pi;
    row.psi = std::fmod(static_cast<double>(i) * 77.7, 360);
    row.defocus_u = 1500.0 + 40.0 * static_cast<double>(i % 11);
    row.defocus_v = row.defocus_u - 150.0;
    row.defocus_angle = 20.0 * static_cast<double>(i % 9);
    row.line = i + 10;
    table.rows.push_back(row);
  }
  return table;
}

// Images whose spectra are known in closed form, summed up term by term.
Projections closed_form(const ProjectionTable& table) {
  const auto n = static_cast<double>(kSide);
  std::vector<float> values;
  std::vector<std::complex<double>> waves;
  for (std::int64_t i = 0; i < kSide; ++i) {
    waves.push_back(std::polar(1.0, 2.0 * std::numbers::pi * static_cast<double>(i) / n));
  }
  for (const Projection& row : table.rows) {
    const OpticsGroup& group = table.optics[row.optics];
    const Ctf ctf = ctf_of(row, group);
    const Rotation a = from_euler(row.rot, row.tilt, row.psi);
    std::vector<std::complex<double>> image(static_cast<std::size_t>(kSide * kSide));
    for (std::int64_t ky = -kSide / 2 + 1; ky < kSide / 2; ++ky) {
      for (std::int64_t kx = -kSide / 2 + 1; kx < kSide / 2; ++kx) {
        // What the specimen has at M k.
        const auto& m = group.magnification;
        const double x = (m[0] * static_cast<double>(kx) + m[1] * static_cast<double>(ky)) / n;
        const double y = (m[2] * static_cast<double>(kx) + m[3] * static_cast<double>(ky)) / n;
        std::complex<double> sum;
        for (const GaussianAtom& atom : kAtoms) {
          const Vector3 q = a * atom.at;
          const double s2 = atom.sigma * atom.sigma;
          const double size =
              std::pow(2.0 * std::numbers::pi * s2, 1.5) *
              std::exp(-2.0 * std::numbers::pi * std::numbers::pi * s2 * (x * x + y * y));
          sum += atom.weight * std::polar(size, -2.0 * std::numbers::pi * (x * q[0] + y * q[1]));
        }
        const double fx = x / group.pixel_size;
        const double fy = y / group.pixel_size;
        // The CTF is −sin γ, and γ grows by the even ones.
        const double gamma =
            -2.0 * std::numbers::pi * ctf.turns(fx, fy) + even_phase(group, fx, fy);
        sum *= -std::sin(gamma) * (m[0] * m[3] - m[1] * m[2]) / (n * n) *
               std::polar(1.0, odd_phase(group, fx, fy));
        for (std::int64_t py = 0; py < kSide; ++py) {
          for (std::int64_t px = 0; px < kSide; ++px) {
            const std::int64_t turn = kx * (px - kSide / 2) + ky * (py - kSide / 2);
            image[static_cast<std::size_t>(py * kSide + px)] +=
                sum * waves[static_cast<std::size_t>(((turn % kSide) + kSide) % kSide)];
          }
        }
      }
    }
    for (const auto& v : image) values.push_back(static_cast<float>(v.real()));
  }
  return {table, std::make_shared<test::MemoryImages>(kSide, std::move(values))};
}

// Of shells 1 to 10 of 12.
double mean_correlation(const std::vector<float>& map) {
  const auto curve = map_shell_correlation(map, truth(), kSide);
  if (!curve) {
    ADD_FAILURE() << curve.error().message();
    return 0.0;
  }
  double sum = 0;
  for (std::size_t i = 1; i <= 10; ++i) sum += (*curve)[i];
  return sum / 10;
}

Reconstruction map_of(const Projections& set, Solve solve = Solve::division) {
  BackprojectSettings settings;
  settings.halves = Halves::none;
  settings.solve = solve;
  auto made = backproject(set, settings);
  if (!made) {
    ADD_FAILURE() << made.error().message();
    return {};
  }
  return *std::move(made);
}

TEST(Aberrations, ABeamTiltIsRelionsNumberOfDegrees) {
  OpticsGroup group = microscope();
  group.beam_tilt_x = 0.43;
  group.beam_tilt_y = -0.21;
  const PlaneOptics plane = plane_optics_of(group);
  EXPECT_EQ(plane.even.degree, -1);
  // What relion_reconstruct adds to the phase of frequency (x, y) of a box, to correct it:
  // C_s in mm, the tilt in mrad, the result in degrees.
  const double wave = electron_wavelength(group.voltage_kv);
  const double box = 100 * group.pixel_size;
  const double boost =
      0.360 * group.spherical_aberration_mm * 1e7 * wave * wave / (box * box * box);
  for (const auto& [x, y] : {std::pair(10, 0), {0, 10}, {7, -12}, {-30, 41}}) {
    const double degrees =
        boost * (x * x + y * y) * (x * group.beam_tilt_x + y * group.beam_tilt_y);
    EXPECT_NEAR(360.0 * turns_of(plane.odd, x / box, y / box), -degrees,
                1e-9 * std::abs(degrees) + 1e-12);
  }
  // 2π · 2.7e7 Å · (.0250795 Å)² · .01/Å² · .1/Å · .43e-3 = .0458835 rad.
  EXPECT_NEAR(2.0 * std::numbers::pi * turns_of(plane.odd, .1, 0.0), -.0458835, 1e-6);
}

TEST(Aberrations, ABeamTiltIsTakenAwayFromImages) {
  OpticsGroup group = microscope();
  group.beam_tilt_x = 0.9;
  group.beam_tilt_y = -0.6;
  Projections set = closed_form(table_of(group, 150));
  const double with = mean_correlation(map_of(set).map);
  set.table.optics[0].beam_tilt_x = set.table.optics[0].beam_tilt_y = 0.0;
  const double without = mean_correlation(map_of(set).map);
  // The other way round is worse still.
  set.table.optics[0].beam_tilt_x = -0.9;
  set.table.optics[0].beam_tilt_y = 0.6;
  const double wrong = mean_correlation(map_of(set).map);
  std::cout << "mean FSC to the truth: " << with << " with the beam tilt, " << without
            << " without, " << wrong << " with its opposite\n";
  EXPECT_GT(with, .99);
  EXPECT_LT(without, with - .05);
  EXPECT_LT(wrong, without);
}

// Of images in closed form with these optics, and of the same images taken for others'.
struct Gain {
  double with = 0, without = 0;
};
Gain gain(const OpticsGroup& group) {
  Projections set = closed_form(table_of(group, 150));
  Gain out;
  out.with = mean_correlation(map_of(set).map);
  set.table.optics[0] = microscope();
  out.without = mean_correlation(map_of(set).map);
  return out;
}

OpticsGroup odd_group() {
  OpticsGroup group = microscope();
  group.odd_zernike = {.5, -.3, 25, -4, 3, -30};
  return group;
}
OpticsGroup even_group() {
  OpticsGroup group = microscope();
  group.even_zernike = {.3, 3, -.6, -4, 25, -6, 4, 5, 20};
  return group;
}
OpticsGroup magnified_group() {
  OpticsGroup group = microscope();
  group.magnification = {1.08, .05, .04, .91};
  return group;
}

TEST(Aberrations, OddZernikeCoefficientsAreTakenAwayFromImages) {
  const Gain g = gain(odd_group());
  std::cout << "mean FSC to the truth: " << g.with << " with odd coefficients, " << g.without
            << " without\n";
  EXPECT_GT(g.with, .99);
  EXPECT_LT(g.without, g.with - .05);
}

TEST(Aberrations, EvenZernikeCoefficientsAreOfTheCtf) {
  const Gain g = gain(even_group());
  std::cout << "mean FSC to the truth: " << g.with << " with even coefficients, " << g.without
            << " without\n";
  EXPECT_GT(g.with, .99);
  EXPECT_LT(g.without, g.with - .05);
}

TEST(Aberrations, AMagnificationIsUndone) {
  const Gain g = gain(magnified_group());
  std::cout << "mean FSC to the truth: " << g.with << " with the magnification, " << g.without
            << " without\n";
  EXPECT_GT(g.with, .99);
  EXPECT_LT(g.without, g.with - .02);
}

OpticsGroup all_of_them() {
  OpticsGroup group = magnified_group();
  group.odd_zernike = odd_group().odd_zernike;
  group.even_zernike = even_group().even_zernike;
  group.beam_tilt_x = .9;
  group.beam_tilt_y = -.6;
  return group;
}

TEST(Aberrations, AllAtOnce) {
  const Gain g = gain(all_of_them());
  std::cout << "mean FSC to the truth: " << g.with << " with all, " << g.without << " without\n";
  EXPECT_GT(g.with, .97);
  EXPECT_LT(g.without, g.with - .2);
}

// 1/s times the frequencies is the same as pixels of s times the size.
TEST(Aberrations, AMagnificationAlikeInAllDirectionsIsAPixelSize) {
  Projections set = closed_form(table_of(microscope(), 40));
  for (Projection& row : set.table.rows) row.ctf_b_factor = 20;
  set.table.optics[0].magnification = {1 / 1.08, 0, 0, 1 / 1.08};
  const Reconstruction one = map_of(set);
  set.table.optics[0].magnification = OpticsGroup().magnification;
  set.table.optics[0].pixel_size *= 1.08;
  const Reconstruction two = map_of(set);
  double worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < one.map.size(); ++i) {
    worst = std::max(worst, std::abs(double{one.map[i]} - double{two.map[i]}));
    largest = std::max(largest, std::abs(double{two.map[i]}));
  }
  EXPECT_LT(worst, 1e-4 * largest);
}

// An envelope of a magnified image: along neither axis.
TEST(Aberrations, TheEnvelopeIsThatOfTheSpecimensFrequencies) {
  ProjectionTable table = table_of(microscope(), 60);
  table.optics[0].magnification = {1.0, .3, .3, 1.0};
  std::vector<float> values;
  const auto images_of = [&](double b) {
    for (Projection& row : table.rows) row.ctf_b_factor = b;
    ProjectSettings settings;
    settings.ctf = true;
    values.clear();
    EXPECT_TRUE(project(truth(), kSide, table, settings,
                        [&](std::int64_t, std::span<const float> images) -> Status {
                          values.insert(values.end(), images.begin(), images.end());
                          return {};
                        })
                    .ok());
    return Projections{table, std::make_shared<test::MemoryImages>(kSide, values)};
  };
  // No damping to speak of: then what the sums are divided by is what they were multiplied with.
  BackprojectSettings settings;
  settings.halves = Halves::none;
  settings.tau = 1e-5;
  const auto correlation = [&](const Projections& set) {
    const auto made = backproject(set, settings);
    return made ? mean_correlation(made->map) : 0.0;
  };
  Projections set = images_of(30.0);
  const double right = correlation(set);
  set.table.optics[0].magnification = {1.0, -.3, -.3, 1.0};
  EXPECT_GT(right, .97);
  EXPECT_LT(correlation(set), right - .1);
}

TEST(Aberrations, ZernikesPolynomialsAreThoseOfBooks) {
  for (std::size_t i = 0; i < 9; ++i) {
    OpticsGroup group;
    group.even_zernike.assign(9, 0.0);
    group.even_zernike[i] = 2.0 * std::numbers::pi;
    if (i < 6) {
      group.odd_zernike.assign(6, 0.0);
      group.odd_zernike[i] = 2.0 * std::numbers::pi;
    }
    const PlaneOptics plane = plane_optics_of(group);
    for (const auto& [x, y] : {std::pair(.3, .0), {.0, -.4}, {.7, .2}, {-1.1, .9}}) {
      EXPECT_NEAR(turns_of(plane.even, x, y), -even_zernike(i, x, y), 1e-12) << i;
      if (i < 6) {
        EXPECT_NEAR(turns_of(plane.odd, x, y), odd_zernike(i, x, y), 1e-12) << i;
      }
    }
  }
  // Of degree 8, m = 0: 70 r⁸ − 140 r⁶ + 90 r⁴ − 20 r² + 1; of degree 7, m = 7: cos 7ϑ r⁷.
  OpticsGroup group;
  group.even_zernike.assign(25, 0.0);
  group.even_zernike[20] = 2.0 * std::numbers::pi;
  group.odd_zernike.assign(20, 0.0);
  group.odd_zernike[19] = 2.0 * std::numbers::pi;
  const PlaneOptics plane = plane_optics_of(group);
  const double r2 = .7 * .7 + .4 * .4;
  EXPECT_NEAR(turns_of(plane.even, .7, -.4), -(((70 * r2 - 140) * r2 + 90) * r2 * r2 - 20 * r2 + 1),
              1e-12);
  EXPECT_NEAR(turns_of(plane.odd, .7, -.4), std::pow(std::complex(.7, -.4), 7).real(), 1e-12);
}

// As RELION puts a tilt among the coefficients: −20000 π C_s λ² b ÷ 3 at (3 r² − 2) x, and twice
// that at x.
TEST(Aberrations, ABeamTiltIsTwoOddCoefficients) {
  OpticsGroup tilted = microscope();
  tilted.beam_tilt_x = 0.9;
  tilted.beam_tilt_y = -0.6;
  const double wave = electron_wavelength(tilted.voltage_kv);
  const double third =
      -20000.0 * std::numbers::pi * tilted.spherical_aberration_mm * wave * wave / 3.0;
  OpticsGroup listed = microscope();
  listed.odd_zernike = {2 * third * -0.6, 2 * third * 0.9, 0, third * -0.6, third * 0.9, 0};
  const PlaneOptics a = plane_optics_of(tilted);
  const PlaneOptics b = plane_optics_of(listed);
  for (const auto& [x, y] : {std::pair(.1, .0), {.0, -.4}, {.3, .2}}) {
    EXPECT_NEAR(turns_of(a.odd, x, y), turns_of(b.odd, x, y), 1e-9);
  }
}

TEST(Aberrations, ProjectionsHaveThem) {
  for (const OpticsGroup& group : {odd_group(), even_group(), magnified_group(), all_of_them()}) {
    ProjectionTable table = table_of(group, 12);
    const Projections set = closed_form(table);
    std::vector<float> wanted(table.rows.size() * kSide * kSide);
    ASSERT_TRUE(set.images->read(table.rows, wanted, {}).ok());
    const auto far = [&]() {
      ProjectSettings settings;
      settings.ctf = true;
      double error = 0;
      double size = 0;
      const Status done =
          project(truth(), kSide, table, settings,
                  [&](std::int64_t first, std::span<const float> images) -> Status {
                    for (std::size_t i = 0; i < images.size(); ++i) {
                      const double w = wanted[static_cast<std::size_t>(first * kSide * kSide) + i];
                      error += std::pow(images[i] - w, 2);
                      size += w * w;
                    }
                    return {};
                  });
      EXPECT_TRUE(done.ok());
      return std::sqrt(error / size);
    };
    const double right = far();
    table.optics[0] = microscope();
    const double without = far();
    std::cout << "relative difference to closed forms: " << right << ", without " << without
              << "\n";
    // Rings that leave the box come in again in these closed forms.
    EXPECT_LT(right, .15);
    EXPECT_GT(without, 3 * right);
  }
}

TEST(Aberrations, TheSameBytesForAnyNumberOfThreads) {
  const Projections set = closed_form(table_of(all_of_them(), 9));
  const int before = thread_count();
  set_thread_count(1);
  const std::vector<float> one = map_of(set).map;
  set_thread_count(2);
  EXPECT_EQ(map_of(set).map, one);
  set_thread_count(before);
}

// The error of a set whose only group is this.
std::string error_of(const OpticsGroup& group, CtfUse ctf = CtfUse::automatic) {
  Projections set = closed_form(table_of(microscope(), 2));
  set.table.optics[0] = group;
  BackprojectSettings settings;
  settings.ctf = ctf;
  const auto made = backproject(set, settings);
  return made ? "" : made.error().message();
}

TEST(Aberrations, WhatCannotBeCorrectedIsNamed) {
  const auto wrong = [](double OpticsGroup::*member, double value) {
    OpticsGroup group = microscope();
    group.beam_tilt_x = 0.1;
    group.*member = value;
    return error_of(group);
  };
  const auto names = [](const std::string& error, const std::string& what) {
    return error.find("optics group hall 3 has " + what) != std::string::npos &&
           error.find("tilted.star") != std::string::npos;
  };
  EXPECT_TRUE(names(wrong(&OpticsGroup::beam_tilt_y, kNan), "a beam tilt that is not a number"));
  EXPECT_TRUE(names(wrong(&OpticsGroup::beam_tilt_y, 1e4), "a beam tilt of more than 1000 mrad"));
  EXPECT_TRUE(names(wrong(&OpticsGroup::voltage_kv, kNan), "a beam tilt and no voltage"));
  EXPECT_TRUE(names(wrong(&OpticsGroup::spherical_aberration_mm, kNan),
                    "a beam tilt and no spherical aberration"));
  OpticsGroup listed = microscope();
  listed.odd_zernike = {1, 2, 3, 4, 5};
  EXPECT_TRUE(names(error_of(listed), "an rlnOddZernike of 5 values, not of 2, 6, 12 or 20"));
  listed.odd_zernike = {1, kNan};
  EXPECT_TRUE(names(error_of(listed), "an rlnOddZernike with a value that is not a number"));
  listed.odd_zernike.clear();
  listed.even_zernike = {1, 2};
  EXPECT_TRUE(names(error_of(listed), "an rlnEvenZernike of 2 values, not of 1, 4, 9, 16 or 25"));
  // Of nothing, any number will do.
  listed.even_zernike = {0, 0};
  EXPECT_EQ(error_of(listed), "");
  OpticsGroup stretched = microscope();
  for (const auto& [matrix, what] :
       {std::pair(std::array{1.0, kNan, 0.0, 1.0}, "that is not of numbers"),
        {std::array{1.0, 0.0, 0.0, 3.0}, "with a value beyond 2"},
        {std::array{1.0, 0.0, 0.0, -1.0}, "that mirrors images or shrinks them to half"}}) {
    stretched.magnification = matrix;
    for (const CtfUse use : {CtfUse::automatic, CtfUse::none}) {
      EXPECT_TRUE(names(error_of(stretched, use),
                        std::string("a magnification matrix (rlnMagMat) ") + what));
    }
  }
}

TEST(Aberrations, WithoutACtfTheyAreLeftAloneAndSaidSo) {
  OpticsGroup group = microscope();
  group.beam_tilt_x = 0.9;
  const Projections set = closed_form(table_of(group, 4));
  BackprojectSettings settings;
  settings.ctf = CtfUse::none;
  const auto made = backproject(set, settings);
  ASSERT_TRUE(made.ok()) << made.error().message();
  ASSERT_FALSE(made->notes.empty());
  EXPECT_NE(made->notes[0].find("no beam tilt"), std::string::npos) << made->notes[0];
}

}  // namespace
}  // namespace aprscope
