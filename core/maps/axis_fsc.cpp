#include "core/maps/axis_fsc.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <new>
#include <numbers>
#include <string>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/image/fft.hpp"
#include "core/maps/directional_fsc.hpp"
#include "core/maps/raised_cosine.hpp"

namespace aprscope {
namespace {

// Fewer numbers, those at −k counted, say nothing.
constexpr double kFewestOfShell = 12.0;
constexpr double kUnknown = -2.0;
// Planes are summed in so many parts, added in order, whoever summed them.
constexpr std::int64_t kParts = 16;

std::array<std::int64_t, 3> sizes_of(const Size3& n) { return {n.z, n.x, n.y}; }

std::vector<float> fading(std::int64_t n) {
  std::vector<float> out(static_cast<std::size_t>(n), 1.0F);
  if (n == 1) return out;
  const double half = static_cast<double>(n) / 2.0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double from_middle = std::abs(static_cast<double>(i) + 0.5 - half);
    out[static_cast<std::size_t>(i)] = static_cast<float>(raised_cosine(from_middle, 0.0, half));
  }
  return out;
}

// The spectrum of an image without its mean, faded out at its borders.
class Spectrum {
 public:
  static Result<Spectrum> of(std::span<const float> image, const Size3& size,
                             const JobContext& context) {
    Spectrum out;
    auto fft = Fft3::create(size);
    if (!fft) return fft.error();
    out.fft_ = *std::move(fft);
    out.buffer_.resize(static_cast<std::size_t>(out.fft_->buffer_count()));
    double mean = 0.0;
    for (const float v : image) mean += static_cast<double>(v);
    mean /= static_cast<double>(image.size());
    const std::vector<float> z = fading(size.z);
    const std::vector<float> x = fading(size.x);
    const std::vector<float> y = fading(size.y);
    parallel_for(size.z * size.x, threads_for(size.count()), [&](std::int64_t r) {
      const float* const from = image.data() + r * size.y;
      float* const to = out.buffer_.data() + r * out.fft_->row();
      const float across =
          z[static_cast<std::size_t>(r / size.x)] * x[static_cast<std::size_t>(r % size.x)];
      for (std::int64_t i = 0; i < size.y; ++i) {
        to[i] = (from[i] - static_cast<float>(mean)) * across * y[static_cast<std::size_t>(i)];
      }
    });
    if (Status done = out.fft_->forward(out.buffer_, context); !done) return done.error();
    return out;
  }

  [[nodiscard]] const std::complex<float>* row(std::int64_t r) const {
    return reinterpret_cast<const std::complex<float>*>(buffer_.data() + r * fft_->row());
  }

 private:
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> buffer_;
};

// For each shell: Re Σ F₁F₂*, Σ|F₁|², Σ|F₂|², and how many frequencies.
using OneAxisSums = std::vector<std::array<double, 4>>;
using AxisSums = std::array<OneAxisSums, 3>;

double frequency(std::int64_t i, std::int64_t n) {
  return static_cast<double>(2 * i <= n ? i : i - n);
}

// Adds what the numbers of a plane in z say of each axis.
class Cones {
 public:
  Cones(const Spectrum& a, const Spectrum& b, const Size3& size, const std::array<double, 3>& voxel)
      : a_(a), b_(b), size_(size) {
    for (std::size_t d = 0; d < 3; ++d) {
      length_[d] = static_cast<double>(sizes_of(size)[d]) * voxel[d];
    }
  }

  [[nodiscard]] AxisSums none() const {
    AxisSums out;
    for (std::size_t d = 0; d < 3; ++d) {
      out[d].resize(static_cast<std::size_t>(sizes_of(size_)[d] / 2 + 1));
    }
    return out;
  }

  void add(std::int64_t z, AxisSums& sums) const {
    const double fz = frequency(z, size_.z) / length_[0];
    for (std::int64_t x = 0; x < size_.x; ++x) {
      const double fx = frequency(x, size_.x) / length_[1];
      const std::complex<float>* const u = a_.row(z * size_.x + x);
      const std::complex<float>* const v = b_.row(z * size_.x + x);
      for (std::int64_t y = 0; y <= size_.y / 2; ++y) {
        const std::array<double, 3> f{fz, fx, static_cast<double>(y) / length_[2]};
        const double whole = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        for (std::size_t d = 0; d < 3; ++d) {
          if (std::abs(f[d]) < cosine_ * whole) continue;
          const auto shell = static_cast<std::size_t>(std::llround(whole * length_[d]));
          if (shell >= sums[d].size()) continue;
          const double weight = y == 0 || 2 * y == size_.y ? 1.0 : 2.0;
          const std::complex<double> p(u[y]);
          const std::complex<double> q(v[y]);
          auto& sum = sums[d][shell];
          sum[0] += weight * (p.real() * q.real() + p.imag() * q.imag());
          sum[1] += weight * std::norm(p);
          sum[2] += weight * std::norm(q);
          sum[3] += weight;
        }
      }
    }
  }

 private:
  const Spectrum& a_;
  const Spectrum& b_;
  Size3 size_;
  std::array<double, 3> length_{};
  double cosine_ = std::cos(kConeDegrees * std::numbers::pi / 180.0);
};

std::vector<double> curve_of(const std::vector<AxisSums>& parts, std::size_t d) {
  OneAxisSums shells(parts.front()[d].size());
  for (std::size_t s = 0; s < shells.size(); ++s) {
    for (const AxisSums& part : parts) {
      for (std::size_t c = 0; c < 4; ++c) shells[s][c] += part[d][s][c];
    }
  }
  std::vector<double> curve(shells.size(), kUnknown);
  for (std::size_t s = 1; s < shells.size(); ++s) {
    std::array<double, 4> sum = shells[s];
    for (std::size_t lower = s; sum[3] < kFewestOfShell && --lower > 0;) {
      for (std::size_t c = 0; c < 4; ++c) sum[c] += shells[lower][c];
    }
    const double power = std::sqrt(sum[1]) * std::sqrt(sum[2]);
    if (sum[3] >= kFewestOfShell) curve[s] = power > 0.0 ? sum[0] / power : 0.0;
  }
  const auto known =
      std::find_if(curve.begin(), curve.end(), [](double v) { return v > kUnknown; });
  if (known == curve.end()) return {};
  std::fill(curve.begin(), known, *known);
  return curve;
}

Result<AxisFsc> correlate(std::span<const float> first, std::span<const float> second,
                          const Size3& size, const std::array<double, 3>& voxel,
                          const JobContext& context) {
  const auto a = Spectrum::of(first, size, context.part(0.0, 0.35));
  if (!a) return a.error();
  const auto b = Spectrum::of(second, size, context.part(0.35, 0.7));
  if (!b) return b.error();
  const Cones cones(*a, *b, size, voxel);
  std::vector<AxisSums> parts(kParts, cones.none());
  parallel_for(kParts, threads_for(size.count()), [&](std::int64_t part) {
    for (std::int64_t z = part; z < size.z; z += kParts) {
      if (context.stop_requested()) return;
      cones.add(z, parts[static_cast<std::size_t>(part)]);
    }
  });
  if (context.stop_requested()) return cancelled_error();
  AxisFsc out;
  for (std::size_t d = 0; d < 3; ++d) {
    if (sizes_of(size)[d] > 1) out.curves[d] = curve_of(parts, d);
  }
  return out;
}

}  // namespace

Result<AxisFsc> axis_fsc(std::span<const float> first, std::span<const float> second,
                         const Size3& size, const std::array<double, 3>& voxel,
                         const JobContext& context) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(size.count(), 0));
  if (count == 0 || first.size() != count || second.size() != count) {
    return Error{"the images have " + std::to_string(first.size()) + " and " +
                     std::to_string(second.size()) + " values instead of " + std::to_string(count),
                 "Fourier shell correlation", "use two images of one size"};
  }
  for (const double v : voxel) {
    if (v > 0.0 && std::isfinite(v)) continue;
    return Error{"the voxel size is not positive", "Fourier shell correlation",
                 "set the voxel size of the image"};
  }
  try {
    return correlate(first, second, size, voxel, context);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for two spectra", "Fourier shell correlation",
                 "close other data first"};
  }
}

std::uint64_t axis_fsc_bytes(const Size3& size) {
  const auto row = static_cast<std::uint64_t>((size.y / 2 + 1) * 2 + 16);
  return 2 * static_cast<std::uint64_t>(size.z * size.x) * row * sizeof(float);
}

}  // namespace aprscope
