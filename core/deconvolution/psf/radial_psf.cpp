#include "core/deconvolution/psf/radial_psf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <new>
#include <numbers>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Samples of the intensity a period of its highest frequency, 2 na / λ; interpolated over six of
// them it is right to some 1e-6 of the peak.
constexpr double kSamplesPerPeriod = 20.0;
constexpr std::int64_t kReach = 3;  // samples on each side of an interpolation

struct Nodes {
  std::vector<double> s;       // na · ρ
  std::vector<double> weight;  // 2 ρ dρ: the integral over an empty pupil is 1
};

// Gauss–Legendre nodes and weights on [0, 1]; Newton on the recurrence of the polynomials.
void legendre_rule(std::size_t n, std::vector<double>& x, std::vector<double>& w) {
  x.resize(n);
  w.resize(n);
  const auto count = static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    double t = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (count + 0.5));
    double slope = 1.0;
    for (int round = 0; round < 100; ++round) {
      double before = 1.0;
      double now = t;
      for (std::size_t k = 2; k <= n; ++k) {
        const auto degree = static_cast<double>(k);
        const double next = ((2.0 * degree - 1.0) * t * now - (degree - 1.0) * before) / degree;
        before = std::exchange(now, next);
      }
      slope = count * (t * now - before) / (t * t - 1.0);
      const double correction = now / slope;
      t -= correction;
      if (std::abs(correction) < 1e-15) break;
    }
    x[i] = 0.5 * (1.0 + t);
    w[i] = 1.0 / ((1.0 - t * t) * slope * slope);
  }
}

// Substitutes s = n sin t: the square root of n² − s² then stays smooth up to grazing rays.
Nodes pupil_nodes(const RadialPsf::Pupil& pupil, double r_max) {
  const double k = 2.0 * std::numbers::pi / pupil.wavelength;
  const double turns = k * pupil.na * r_max + pupil.phase_range;
  const auto count = static_cast<std::size_t>(std::ceil(0.6 * turns)) + 48;
  std::vector<double> x;
  std::vector<double> w;
  legendre_rule(count, x, w);
  const double n = pupil.smallest_index;
  const double rim = std::asin(std::min(1.0, pupil.na / n));
  Nodes nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = rim * x[i];
    const double s = n * std::sin(t);
    nodes.s.push_back(s);
    nodes.weight.push_back(2.0 * s / (pupil.na * pupil.na) * n * std::cos(t) * rim * w[i]);
  }
  return nodes;
}

}  // namespace

Result<RadialPsf> RadialPsf::create(const Pupil& pupil, const std::vector<double>& z, double r_max,
                                    const JobContext& context) {
  RadialPsf psf;
  try {
    const double period = pupil.wavelength / (2.0 * pupil.na);
    psf.step_ = period / kSamplesPerPeriod;
    psf.count_ = static_cast<std::size_t>(std::ceil(r_max / psf.step_)) + 2 * kReach;
    const auto radii = static_cast<std::int64_t>(psf.count_);
    const Nodes nodes = pupil_nodes(pupil, static_cast<double>(psf.count_) * psf.step_);
    const std::size_t count = nodes.s.size();
    const double k = 2.0 * std::numbers::pi / pupil.wavelength;
    const int threads = thread_count();

    // J₀ is the same in all planes.
    std::vector<double> bessel(count * psf.count_);
    const bool tabulated =
        parallel_items(static_cast<std::int64_t>(count), threads, context.part(0.0, 0.3), "PSF",
                       [&](std::int64_t j, int /*thread*/) {
                         double* const row = bessel.data() + j * radii;
                         const double frequency = k * nodes.s[static_cast<std::size_t>(j)];
                         for (std::int64_t i = 0; i < radii; ++i) {
                           row[i] = ::j0(frequency * psf.step_ * static_cast<double>(i));
                         }
                       });
    if (!tabulated) return cancelled_error();

    psf.lines_.assign(z.size() * psf.count_, 0.0);
    std::vector<double> scratch(static_cast<std::size_t>(threads) * 2 * psf.count_);
    const bool done = parallel_items(
        static_cast<std::int64_t>(z.size()), threads, context.part(0.3, 1.0), "PSF",
        [&](std::int64_t plane, int thread) {
          double* const re = scratch.data() + 2 * radii * thread;
          double* const im = re + radii;
          std::fill(re, re + 2 * radii, 0.0);
          for (std::size_t j = 0; j < count; ++j) {
            const double phase = pupil.phase(nodes.s[j], z[static_cast<std::size_t>(plane)]);
            const double c = nodes.weight[j] * std::cos(phase);
            const double s = nodes.weight[j] * std::sin(phase);
            const double* const row = bessel.data() + static_cast<std::int64_t>(j) * radii;
            for (std::int64_t i = 0; i < radii; ++i) {
              re[i] += c * row[i];
              im[i] += s * row[i];
            }
          }
          double* const line = psf.lines_.data() + plane * radii;
          for (std::int64_t i = 0; i < radii; ++i) line[i] = re[i] * re[i] + im[i] * im[i];
        });
    if (!done) return cancelled_error();
  } catch (const std::bad_alloc&) {
    return Error{"is too large for the memory of this machine", "PSF", "use a smaller size"};
  }
  return psf;
}

double RadialPsf::at(std::size_t plane, double r) const {
  const double* const line = lines_.data() + plane * count_;
  const double position = r / step_;
  const auto first = static_cast<std::int64_t>(std::floor(position)) - (kReach - 1);
  // Lagrange's polynomial through six samples; the line is even about the axis.
  const double u = position - static_cast<double>(first);
  double value = 0.0;
  for (std::int64_t i = 0; i < 2 * kReach; ++i) {
    double weight = 1.0;
    for (std::int64_t j = 0; j < 2 * kReach; ++j) {
      if (j != i) weight *= (u - static_cast<double>(j)) / static_cast<double>(i - j);
    }
    const std::int64_t at = std::min(std::abs(first + i), static_cast<std::int64_t>(count_) - 1);
    value += weight * line[at];
  }
  return std::max(0.0, value);
}

std::vector<double> RadialPsf::on_axis(const Pupil& pupil, const std::vector<double>& z) {
  const Nodes nodes = pupil_nodes(pupil, 0.0);
  std::vector<double> values;
  for (const double at : z) {
    std::complex<double> sum = 0.0;
    for (std::size_t j = 0; j < nodes.s.size(); ++j) {
      sum += nodes.weight[j] * std::polar(1.0, pupil.phase(nodes.s[j], at));
    }
    values.push_back(std::norm(sum));
  }
  return values;
}

}  // namespace aprscope
