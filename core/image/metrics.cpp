#include "core/image/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

constexpr int kRadius = 5;  // int(3.5 · 1.5 + 0.5)

std::array<double, 2 * kRadius + 1> gaussian_window() {
  std::array<double, 2 * kRadius + 1> w{};
  double sum = 0.0;
  for (int i = -kRadius; i <= kRadius; ++i) {
    w[static_cast<std::size_t>(i + kRadius)] = std::exp(-0.5 * i * i / (1.5 * 1.5));
    sum += w[static_cast<std::size_t>(i + kRadius)];
  }
  for (double& v : w) v /= sum;
  return w;
}

// Index reflected about the border between pixels (… 1 0 0 1 …), as SciPy's `reflect`.
std::int64_t reflect(std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) i = i < 0 ? -i - 1 : 2 * n - 1 - i;
  return i;
}

using Doubles = std::vector<double>;

// Blurs along one dimension of `length` with distance `stride` between neighbours.
void blur(Doubles& values, const Size3& size, Axis axis) {
  static const auto window = gaussian_window();
  const std::int64_t length = axis == Axis::z ? size.z : axis == Axis::x ? size.x : size.y;
  if (length == 1) return;
  const std::int64_t stride = axis == Axis::z ? size.x * size.y : axis == Axis::x ? size.y : 1;
  const std::int64_t lines = size.count() / length;
#pragma omp parallel num_threads(thread_count())
  {
    Doubles line(static_cast<std::size_t>(length));
#pragma omp for schedule(static)
    for (std::int64_t n = 0; n < lines; ++n) {
      double* const start = values.data() + n / stride * stride * length + n % stride;
      for (std::int64_t i = 0; i < length; ++i) {
        line[static_cast<std::size_t>(i)] = start[i * stride];
      }
      for (std::int64_t i = 0; i < length; ++i) {
        double sum = 0.0;
        for (int k = -kRadius; k <= kRadius; ++k) {
          sum += window[static_cast<std::size_t>(k + kRadius)] *
                 line[static_cast<std::size_t>(reflect(i + k, length))];
        }
        start[i * stride] = sum;
      }
    }
  }
}

Doubles blurred_product(const Pixels<float>& a, const Pixels<float>& b) {
  Doubles out(a.values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<double>(a.values[i]) * b.values[i];
  }
  for (const Axis axis : {Axis::y, Axis::x, Axis::z}) blur(out, a.size, axis);
  return out;
}

double mean_ssim(const Pixels<float>& a, const Pixels<float>& b, double range) {
  Doubles mean_a(a.values.begin(), a.values.end());
  Doubles mean_b(b.values.begin(), b.values.end());
  for (const Axis axis : {Axis::y, Axis::x, Axis::z}) {
    blur(mean_a, a.size, axis);
    blur(mean_b, a.size, axis);
  }
  const Doubles aa = blurred_product(a, a);
  const Doubles bb = blurred_product(b, b);
  const Doubles ab = blurred_product(a, b);
  const double c1 = std::pow(0.01 * range, 2);
  const double c2 = std::pow(0.03 * range, 2);
  double sum = 0.0;
  for (std::size_t i = 0; i < aa.size(); ++i) {
    const double ma = mean_a[i];
    const double mb = mean_b[i];
    const double va = aa[i] - ma * ma;
    const double vb = bb[i] - mb * mb;
    const double cov = ab[i] - ma * mb;
    const double denominator = (ma * ma + mb * mb + c1) * (va + vb + c2);
    // Both images flat and black: equal.
    sum += denominator == 0.0 ? 1.0 : (2 * ma * mb + c1) * (2 * cov + c2) / denominator;
  }
  return sum / static_cast<double>(aa.size());
}

}  // namespace

Result<ImageMetrics> compare_images(const Pixels<float>& a, const Pixels<float>& b) {
  if (!(a.size == b.size)) {
    const auto text = [](const Size3& s) {
      return std::to_string(s.z) + " × " + std::to_string(s.x) + " × " + std::to_string(s.y);
    };
    return Error{"the sizes differ: " + text(a.size) + " and " + text(b.size), "compare",
                 "compare images of one size"};
  }
  ImageMetrics out;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double squares = 0.0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double va = a.values[i];
    const double vb = b.values[i];
    if (!std::isfinite(va) || !std::isfinite(vb)) {
      return Error{"a value is not finite", "compare", "remove NaN and infinity first"};
    }
    low = std::min(low, va);
    high = std::max(high, va);
    const double d = std::abs(va - vb);
    squares += d * d;
    if (d > out.max_abs_diff) {
      out.max_abs_diff = d;
      worst = i;
    }
  }
  const auto at = static_cast<std::int64_t>(worst);
  out.max_at = {at / (a.size.x * a.size.y), at / a.size.y % a.size.x, at % a.size.y};
  const double mse = squares / static_cast<double>(a.values.size());
  const double range = high > low ? high - low : 1.0;  // a flat reference has no range of its own
  out.psnr =
      mse == 0.0 ? std::numeric_limits<double>::infinity() : 10.0 * std::log10(range * range / mse);
  out.nrmse = std::sqrt(mse) / range;
  out.ssim = mean_ssim(a, b, range);
  return out;
}

}  // namespace aprscope
