#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/inserted_row.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/orientation.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/symmetry.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope::test {

// A few Gaussian atoms: density Σ w exp(−r² ÷ 2σ²), projections in closed form.
struct DrawnAtom {
  Vector3 at;
  double weight;
};
inline constexpr double kDrawnSigma = 1.2;
inline const std::vector<DrawnAtom> kDrawnAtoms = {{{1.5, -2.0, 0.5}, 1.0},
                                                   {{-3.0, 1.0, 2.5}, 0.7},
                                                   {{0.5, 3.5, -2.0}, 1.2},
                                                   {{-1.0, -1.5, -3.5}, 0.5}};

inline std::vector<float> projected(const Rotation& rotation, std::int64_t side) {
  std::vector<float> image(static_cast<std::size_t>(side * side));
  for (const DrawnAtom& atom : kDrawnAtoms) {
    const Vector3 p = rotation * atom.at;
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        const double dx = from_middle(x, side) - p[0];
        const double dy = from_middle(y, side) - p[1];
        image[static_cast<std::size_t>(y * side + x)] += static_cast<float>(
            atom.weight * std::exp(-(dx * dx + dy * dy) / (2.0 * kDrawnSigma * kDrawnSigma)));
      }
    }
  }
  return image;
}

struct DrawnCase {
  const char* name = "";
  std::int64_t side = 24;
  std::int64_t tile = 8;
  CtfUse ctf = CtfUse::none;
  int halves = 1;
  const char* symmetry = "C1";
  float scale = 1.0F;
  int images = 60;
  /// Every other image has aberrations, a magnification, or weights that follow its noise.
  bool aberrated = false;
  bool magnified = false;
  bool weighted = false;
  InsertionKernel kernel = InsertionKernel::slab;
  Blob blob = {};
};

struct DrawnInput {
  InsertionPlan plan;
  std::vector<float> images;
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;
};

// `drawn`: pixels are noise, where nothing adds up; shifts and weights differ.
inline DrawnInput input_of(const DrawnCase& c, bool drawn) {
  DrawnInput in;
  InsertionPlan& plan = in.plan;
  plan.side = c.side;
  plan.padded = 2 * c.side;
  plan.tiles = FrequencyTiles(c.side, c.tile);
  plan.kernel = c.kernel;
  plan.blob = c.blob;
  plan.slab = slab_kernel(plan.blob);
  plan.ctf = c.ctf;
  plan.halves = c.halves;
  plan.pixel_size = 2.0;
  plan.image_reach = c.side;
  const bool has_optics = c.aberrated || c.magnified || c.weighted;
  if (has_optics) plan.optics.resize(1);
  if (c.weighted) {
    for (int k = 0; k < 18; ++k) {
      plan.optics[0].weights.push_back(0.5F + 2.0F * std::abs(std::sin(0.3F * k)));
    }
  }
  if (c.magnified) {
    OpticsGroup group;
    group.magnification = {1.03, 0.02, 0.01, 0.96};
    GroupOptics& optics = plan.optics[0];
    optics.aberrated = c.ctf != CtfUse::none;
    optics.plane = plane_optics_of(group);
    optics.magnification = magnification_of(group);
    plan.largest_scale = optics.magnification.largest;
  }
  if (c.aberrated) {
    // Of pixels of 2 Å: up to a turn at the end.
    GroupOptics& optics = plan.optics[0];
    optics.aberrated = true;
    const auto set = [](PhasePolynomial& polynomial, int a, int b, double value) {
      polynomial.degree = std::max(polynomial.degree, a + b);
      polynomial.c[PhasePolynomial::kSide * a + b] = value;
    };
    set(optics.plane.odd, 1, 0, 2.0);
    set(optics.plane.odd, 3, 0, 40.0);
    set(optics.plane.odd, 1, 2, -30.0);
    set(optics.plane.even, 1, 1, 10.0);
    set(optics.plane.even, 0, 4, 90.0);
  }
  const auto group = symmetry_group(c.symmetry);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> even(-1.0, 1.0);
  for (int i = 0; i < c.images; ++i) {
    const Rotation rotation =
        from_euler(180.0 * even(random), std::acos(even(random)) * 180.0 / std::numbers::pi,
                   180.0 * even(random));
    auto image = projected(rotation, c.side);
    ImageTerms terms;
    terms.pixel_size = 2.0 * static_cast<double>(c.scale);
    terms.scale = c.scale;
    if (drawn) {
      for (float& v : image) v += 0.5F * static_cast<float>(even(random));
      terms.sign = i % 2 == 0 ? 1.0F : -1.0F;
      terms.shift_x = 3.0F * static_cast<float>(even(random));
      terms.shift_y = 3.0F * static_cast<float>(even(random));
      terms.weight = 0.75F + 0.25F * static_cast<float>(even(random));
    }
    if (c.ctf != CtfUse::none) {
      Projection row;
      // So little that a box of this size resolves its rings.
      row.defocus_u = 2000.0 + 500.0 * even(random);
      row.defocus_v = row.defocus_u - 200.0;
      row.defocus_angle = 70.0 * even(random);
      row.phase_shift = i % 5 == 0 ? 60.0 : 0.0;
      row.ctf_b_factor = i % 4 == 0 ? 40.0 : 0.0;
      OpticsGroup optics;
      optics.voltage_kv = 300.0;
      optics.spherical_aberration_mm = 2.7;
      optics.amplitude_contrast = 0.1;
      terms.ctf = ctf_of(row, optics);
    }
    if (has_optics && i % 2 == 0) terms.optics = 0;
    in.images.insert(in.images.end(), image.begin(), image.end());
    in.terms.push_back(terms);
    for (const Rotation& coset : group->cosets) {
      const Rotation r = terms.optics < 0
                             ? rotation * coset
                             : magnified(rotation * coset, plan.optics[0].magnification);
      InsertionSample sample;
      for (std::size_t k = 0; k < 9; ++k) {
        sample.rows[k] = static_cast<float>(r.rows[k / 3][k % 3]) * (k < 6 ? c.scale : 1.0F);
      }
      sample.radius = static_cast<float>(c.side + 1) * std::min(1.0F, c.scale);
      sample.image = i;
      sample.half = c.halves == 2 ? i % 2 : 0;
      in.samples.push_back(sample);
    }
  }
  return in;
}

using DrawnSums = std::vector<std::vector<float>>;

inline DrawnSums sums_of(Inserter& inserter, const DrawnInput& in, std::int64_t batch) {
  const auto count = static_cast<std::int64_t>(in.terms.size());
  const std::int64_t pixels = in.plan.side * in.plan.side;
  for (std::int64_t first = 0; first < count; first += batch) {
    const std::int64_t some = std::min(batch, count - first);
    std::vector<InsertionSample> samples;
    for (InsertionSample s : in.samples) {
      if (s.image < first || s.image >= first + some) continue;
      s.image -= static_cast<std::int32_t>(first);
      samples.push_back(s);
    }
    const Status done = inserter.insert(
        {in.images.data() + first * pixels, static_cast<std::size_t>(some * pixels)},
        {in.terms.data() + first, static_cast<std::size_t>(some)}, samples, {});
    if (!done) ADD_FAILURE() << done.error().message();
  }
  DrawnSums out;
  for (int half = 0; half < in.plan.halves; ++half) {
    auto sums = inserter.take(half);
    if (!sums) {
      ADD_FAILURE() << sums.error().message();
      return out;
    }
    out.push_back(*std::move(sums));
  }
  return out;
}

/// ‖a − b‖ ÷ ‖b‖.
inline double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double error = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    error += d * d;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(error / size);
}

}  // namespace aprscope::test
