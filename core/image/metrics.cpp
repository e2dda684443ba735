#include "core/image/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"

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

// Blurs an image along one dimension with the Gaussian window.
void blur(Doubles& values, const Size3& size, Axis axis) {
  static const auto window = gaussian_window();
  const std::int64_t length = axis == Axis::z ? size.z : axis == Axis::x ? size.x : size.y;
  if (length == 1) return;
  const std::int64_t stride = axis == Axis::z ? size.x * size.y : axis == Axis::x ? size.y : 1;
  const std::int64_t lines = size.count() / length;
  parallel_stretches(lines, thread_count(), [&](std::int64_t begin, std::int64_t end, int) {
    Doubles line(static_cast<std::size_t>(length));
    for (std::int64_t n = begin; n < end; ++n) {
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
  });
}

// Five products whose local means make up the structural similarity, of one plane.
using Moments = std::array<Doubles, 5>;  // a, b, a², b², ab

void blur_plane(const Pixels<float>& a, const Pixels<float>& b, std::int64_t z, Moments& out) {
  const auto plane = static_cast<std::size_t>(a.size.x * a.size.y);
  const std::size_t first = static_cast<std::size_t>(z) * plane;
  for (Doubles& values : out) values.resize(plane);
  for (std::size_t i = 0; i < plane; ++i) {
    const double va = a.values[first + i];
    const double vb = b.values[first + i];
    out[0][i] = va;
    out[1][i] = vb;
    out[2][i] = va * va;
    out[3][i] = vb * vb;
    out[4][i] = va * vb;
  }
  for (Doubles& values : out) {
    blur(values, {1, a.size.x, a.size.y}, Axis::y);
    blur(values, {1, a.size.x, a.size.y}, Axis::x);
  }
}

// The similarity at a pixel from the local means of the five products.
double similarity(const std::array<double, 5>& mean, double c1, double c2) {
  const double ma = mean[0];
  const double mb = mean[1];
  const double va = mean[2] - ma * ma;
  const double vb = mean[3] - mb * mb;
  const double cov = mean[4] - ma * mb;
  const double denominator = (ma * ma + mb * mb + c1) * (va + vb + c2);
  // Both windows are 0 everywhere: they are equal.
  return denominator == 0.0 ? 1.0 : (2 * ma * mb + c1) * (2 * cov + c2) / denominator;
}

// Goes through the planes with the window's eleven in memory, whatever the size of the image.
double mean_ssim(const Pixels<float>& a, const Pixels<float>& b, double range,
                 const JobContext& context) {
  constexpr std::int64_t kPlanes = 2 * kRadius + 1;
  static const auto window = gaussian_window();
  const Size3& size = a.size;
  const double c1 = std::pow(0.01 * range, 2);
  const double c2 = std::pow(0.03 * range, 2);
  std::vector<Moments> planes(static_cast<std::size_t>(std::min(kPlanes, size.z)));
  Doubles rows(static_cast<std::size_t>(size.x));
  double sum = 0.0;
  std::int64_t next = 0;
  for (std::int64_t z = 0; z < size.z; ++z) {
    if (context.stop_requested()) break;
    context.report(static_cast<double>(z) / static_cast<double>(size.z), "comparing");
    for (; next <= std::min(z + kRadius, size.z - 1); ++next) {
      blur_plane(a, b, next, planes[static_cast<std::size_t>(next % kPlanes)]);
    }
    std::array<const Moments*, kPlanes> near{};
    for (int k = 0; k < kPlanes; ++k) {
      const std::int64_t plane = size.z == 1 ? 0 : reflect(z + k - kRadius, size.z);
      near[static_cast<std::size_t>(k)] = &planes[static_cast<std::size_t>(plane % kPlanes)];
    }
    parallel_for(size.x, thread_count(), [&](std::int64_t x) {
      double row = 0.0;
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto i = static_cast<std::size_t>(x * size.y + y);
        std::array<double, 5> mean{};
        for (std::size_t k = 0; k < near.size(); ++k) {
          for (std::size_t m = 0; m < mean.size(); ++m) mean[m] += window[k] * (*near[k])[m][i];
        }
        row += similarity(mean, c1, c2);
      }
      rows[static_cast<std::size_t>(x)] = row;
    });
    for (const double row : rows) sum += row;
  }
  return sum / static_cast<double>(size.count());
}

}  // namespace

Result<ImageMetrics> compare_images(const Pixels<float>& a, const Pixels<float>& b,
                                    const JobContext& context) {
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
  double sum = 0.0;
  double squares = 0.0;
  std::size_t worst = 0;
  constexpr std::size_t kStep = 1 << 20;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (i % kStep == 0 && context.stop_requested()) return cancelled_error();
    const double va = a.values[i];
    const double vb = b.values[i];
    if (!std::isfinite(va) || !std::isfinite(vb)) {
      return Error{"a value is not finite", "compare", "remove NaN and infinity first"};
    }
    low = std::min(low, va);
    high = std::max(high, va);
    const double d = std::abs(va - vb);
    sum += vb - va;
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
  out.rms_diff = std::sqrt(mse);
  out.mean_diff = sum / static_cast<double>(a.values.size());
  out.nrmse = out.rms_diff / range;
  out.ssim = mean_ssim(a, b, range, context);
  if (context.stop_requested()) return cancelled_error();
  return out;
}

}  // namespace aprscope
