#include <cmath>

#include "app/cli/bench/experiment.hpp"
#include "core/image/metrics.hpp"

namespace aprscope::cli {
namespace {

struct Moments {
  double n = 0.0, a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  double low = 0.0, high = 0.0;
};

Moments moments(const Pixels<float>& truth, const Pixels<float>& image) {
  Moments m;
  m.n = static_cast<double>(truth.values.size());
  m.low = m.high = truth.values.front();
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    const double a = truth.values[i];
    const double b = image.values[i];
    m.a += a;
    m.b += b;
    m.aa += a * a;
    m.bb += b * b;
    m.ab += a * b;
    m.low = std::min(m.low, a);
    m.high = std::max(m.high, a);
  }
  return m;
}

Result<ImageMetrics> fitted(const Pixels<float>& truth, const Pixels<float>& image, double scale,
                            double shift, const JobContext& context) {
  Pixels<float> other(image.size);
  for (std::size_t i = 0; i < other.values.size(); ++i) {
    other.values[i] = static_cast<float>(scale * static_cast<double>(image.values[i]) + shift);
  }
  return compare_images(truth, other, context);
}

}  // namespace

Result<Scores> score(const Pixels<float>& truth, const Pixels<float>& image,
                     const JobContext& context) {
  const Moments m = moments(truth, image);
  const double scale = m.bb > 0.0 ? m.ab / m.bb : 1.0;
  const auto scaled = fitted(truth, image, scale, 0.0, context);
  if (!scaled) return scaled.error();
  const double variance = m.bb / m.n - m.b * m.b / (m.n * m.n);
  const double slope = variance > 0.0 ? (m.ab / m.n - m.a * m.b / (m.n * m.n)) / variance : scale;
  const auto shifted = fitted(truth, image, slope, (m.a - slope * m.b) / m.n, context);
  if (!shifted) return shifted.error();
  return Scores{scaled->psnr, scaled->ssim, shifted->psnr, shifted->ssim};
}

double relative_error(const Pixels<float>& truth, const Pixels<float>& image) {
  const Moments m = moments(truth, image);
  const double rest = m.bb > 0.0 ? m.aa - m.ab * m.ab / m.bb : m.aa;
  const double range = m.high > m.low ? m.high - m.low : 1.0;
  return std::sqrt(std::max(0.0, rest) / m.n) / range;
}

}  // namespace aprscope::cli
