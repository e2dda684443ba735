#include "core/deconvolution/psf/back_projector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <new>
#include <numbers>
#include <string>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/deconvolution/psf/axis_sizes.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "core/image/fft.hpp"

namespace aprscope {
namespace {

using namespace axis_sizes;  // NOLINT: sources of this folder share its words
using Widths = std::array<double, 3>;
// Reach of the kernel. Measured for Gaussians: a thousandth of its energy lies beyond.
constexpr double kKernelReach = 4.0;

bool is_fast(std::int64_t n) {
  for (const std::int64_t prime : {3, 5, 7}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

Error failed(std::string what, std::string advice) {
  return {std::move(what), "back projector", std::move(advice)};
}

Status check_arguments(const Stencil& psf, const WienerButterworth& options, const Size3& size) {
  if (Status ok = check(psf); !ok) return ok;
  if (!(options.alpha > 0.0) || !std::isfinite(options.alpha) || !(options.beta >= 0.0) ||
      !std::isfinite(options.beta) || options.order < 1 || options.order > 1000) {
    return failed("alpha, beta or the order is out of range",
                  "use an alpha above 0, a beta from 0, and an order from 1 to 1000");
  }
  const Sizes p = sizes_of(psf.size);
  const Sizes n = sizes_of(size);
  for (std::size_t d = 0; d < 3; ++d) {
    if (n[d] < p[d] || n[d] % 2 == 0) {
      return failed("its size in " + std::string(kAxisNames[d]) + " is " + std::to_string(n[d]) +
                        ", that of the PSF " + std::to_string(p[d]),
                    "use an odd size from that of the PSF on");
    }
  }
  if (!(psf.sum() > 0.0)) return failed("the PSF has no light", "use another PSF");
  return {};
}

Result<Widths> widths_of(const Stencil& psf) {
  const Widths widths = psf_report(psf).fwhm;
  const Sizes n = sizes_of(psf.size);
  for (std::size_t d = 0; d < 3; ++d) {
    if (n[d] == 1 || widths[d] > 0.0) continue;
    return failed("the PSF does not fall to half of its peak in " + std::string(kAxisNames[d]) +
                      ", so that nobody knows what it resolves",
                  "use a PSF of a larger size, or the matched back projector");
  }
  return widths;
}

// The stencil turned round in one dimension.
Stencil turned(const Stencil& stencil, std::size_t d) {
  const Size3& n = stencil.size;
  Stencil out = stencil;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        out.weights[i++] = stencil.weight(d == 0 ? n.z - 1 - z : z, d == 1 ? n.x - 1 - x : x,
                                          d == 2 ? n.y - 1 - y : y);
      }
    }
  }
  return out;
}

// Restores mirror symmetry lost by rounding: exactly symmetric stencils are computed faster.
void mirror_as(const Stencil& psf, Stencil& kernel) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (turned(psf, d).weights != psf.weights) continue;
    const Stencil other = turned(kernel, d);
    for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
      kernel.weights[i] = 0.5 * (kernel.weights[i] + other.weights[i]);
    }
  }
}

// |F| of the PSF at a frequency on axis d.
double transfer(const Stencil& psf, std::size_t d, double k) {
  const Size3& n = psf.size;
  std::complex<double> sum;
  std::size_t i = 0;
  for (std::int64_t z = -(n.z / 2); z <= n.z / 2; ++z) {
    for (std::int64_t x = -(n.x / 2); x <= n.x / 2; ++x) {
      for (std::int64_t y = -(n.y / 2); y <= n.y / 2; ++y) {
        const auto along = static_cast<double>(d == 0 ? z : d == 1 ? x : y);
        sum += psf.weights[i++] * std::polar(1.0, -2.0 * std::numbers::pi * k * along);
      }
    }
  }
  return std::abs(sum) / psf.sum();
}

double wiener_gain(double transfer, double alpha) {
  return (1.0 + alpha) * transfer / (transfer * transfer + alpha);
}

// ε of the Butterworth filter.
double steepness(const Stencil& psf, const WienerButterworth& options, const Widths& widths) {
  double gain = 0.0;
  double own = 0.0;
  double axes = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (sizes_of(psf.size)[d] == 1) continue;
    // The cut-off of a PSF narrower than two pixels lies beyond 0.5, the highest frequency.
    const double f = transfer(psf, d, std::min(1.0 / widths[d], 0.5));
    gain += wiener_gain(f, options.alpha);
    own += f;
    axes += 1.0;
  }
  if (axes == 0.0) return 0.0;
  const double beta = options.beta > 0.0 ? options.beta : own / axes;
  const double ratio = gain / axes / std::max(beta, 1e-12);
  return std::max(ratio * ratio - 1.0, 0.0);
}

// Cycles a pixel at place i of n.
double frequency(std::int64_t i, std::int64_t n) {
  return static_cast<double>(2 * i <= n ? i : i - n) / static_cast<double>(n);
}

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return i < 0 ? i + n : i; }

// Replaces F, not scaled, by B in the half spectrum that an Fft3 makes.
void filter_spectrum(Fft3& fft, std::span<float> buffer, const WienerButterworth& options,
                     const Widths& widths, double epsilon) {
  const Size3& n = fft.size();
  const float scale = 1.0F / buffer[0];
  const auto part = [&](std::size_t d, double k) {
    const double w = k * widths[d];
    return w * w;
  };
  parallel_for(n.z * n.x, threads_for(n.count()), [&](std::int64_t r) {
    auto* const row = reinterpret_cast<std::complex<float>*>(buffer.data() + r * fft.row());
    const double across = part(0, frequency(r / n.x, n.z)) + part(1, frequency(r % n.x, n.x));
    for (std::int64_t y = 0; y <= n.y / 2; ++y) {
      const std::complex<double> f(row[y] * scale);
      const double w2 = across + part(2, frequency(y, n.y));
      const double cut = 1.0 / std::sqrt(1.0 + epsilon * std::pow(w2, options.order));
      const std::complex<double> wiener =
          (1.0 + options.alpha) * std::conj(f) / (std::norm(f) + options.alpha);
      row[y] = std::complex<float>(wiener * cut);
    }
  });
}

Result<Stencil> make(const Stencil& psf, const WienerButterworth& options, const Size3& size) {
  if (Status ok = check_arguments(psf, options, size); !ok) return ok.error();
  const auto widths = widths_of(psf);
  if (!widths) return widths.error();
  auto fft = Fft3::create(size);
  if (!fft) return fft.error();
  AlignedVector<float> buffer(static_cast<std::size_t>((*fft)->buffer_count()), 0.0F);
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) -> float& {
    return buffer[static_cast<std::size_t>(
        (wrapped(z, size.z) * size.x + wrapped(x, size.x)) * (*fft)->row() + wrapped(y, size.y))];
  };
  // Calls with every place of a kernel from its middle, in order.
  const auto each = [](const Size3& n, const auto& work) {
    for (std::int64_t z = -(n.z / 2); z <= n.z / 2; ++z) {
      for (std::int64_t x = -(n.x / 2); x <= n.x / 2; ++x) {
        for (std::int64_t y = -(n.y / 2); y <= n.y / 2; ++y) work(z, x, y);
      }
    }
  };
  std::size_t i = 0;
  each(psf.size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    at(z, x, y) = static_cast<float>(psf.weights[i++]);
  });
  if (Status done = (*fft)->forward(buffer); !done) return done.error();
  filter_spectrum(**fft, buffer, options, *widths, steepness(psf, options, *widths));
  if (Status done = (*fft)->inverse(buffer); !done) return done.error();
  Stencil out;
  out.name = "Wiener–Butterworth";
  out.size = size;
  out.weights.clear();
  out.weights.reserve(static_cast<std::size_t>(size.count()));
  each(size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    out.weights.push_back(static_cast<double>(at(z, x, y)));
  });
  mirror_as(psf, out);
  return out.normalized();
}

}  // namespace

Size3 back_projector_size(const Stencil& psf, const Size3& image) {
  const Sizes own = sizes_of(psf.size);
  const Sizes most = sizes_of(largest_psf_size(image));
  const Widths widths = psf_report(psf).fwhm;
  Sizes out = own;
  for (std::size_t d = 0; d < 3; ++d) {
    if (own[d] == 1) continue;
    std::int64_t n = 2 * static_cast<std::int64_t>(std::ceil(kKernelReach * widths[d])) + 1;
    n = std::max(n, own[d]);
    while (!is_fast(n)) n += 2;
    out[d] = std::max(std::min(n, most[d]), own[d]);
  }
  return {out[0], out[1], out[2]};
}

Result<Stencil> wiener_butterworth(const Stencil& psf, const WienerButterworth& options,
                                   const Size3& size) {
  try {
    return make(psf, options, size);
  } catch (const std::bad_alloc&) {
    return failed("not enough memory for a kernel of " + std::to_string(size.count()) + " weights",
                  "truncate the PSF, or close other data");
  }
}

}  // namespace aprscope
