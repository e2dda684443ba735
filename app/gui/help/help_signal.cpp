#include "app/gui/help/help_signal.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope::gui {
namespace {

constexpr int kCount = 128;
constexpr double kBound = 0.2;
constexpr double kLeastScale = 45.0;
constexpr int kInner = 6;
constexpr int kOuter = 9;

// An edge up at `begin` and one down at `end`.
double structure(double y, double begin, double end) {
  const auto edge = [y](double at) { return 0.5 * (1.0 + std::tanh((y - at) / 1.3)); };
  return edge(begin) - edge(end);
}

std::vector<double> box(const std::vector<double>& in, int half) {
  const int n = static_cast<int>(in.size());
  std::vector<double> out(in.size());
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = -half; k <= half; ++k)
      sum += in[static_cast<std::size_t>(std::clamp(i + k, 0, n - 1))];
    out[static_cast<std::size_t>(i)] = sum / (2 * half + 1);
  }
  return out;
}

// The local intensity scale: how much values vary around a pixel. A step counts by its height.
std::vector<double> variation(const std::vector<double>& in) {
  const std::vector<double> mean = box(in, kInner);
  std::vector<double> away(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) away[i] = std::abs(in[i] - mean[i]);
  return box(away, kOuter);
}

double factor() {
  std::vector<double> step(kCount, 0.0);
  std::fill(step.begin() + kCount / 2, step.end(), 1.0);
  const std::vector<double> found = variation(step);
  return 1.0 / *std::max_element(found.begin(), found.end());
}

// Divides a cell until the mean of each part keeps the bound for all its pixels.
void divide(HelpSignal& signal, int begin, int side) {
  const auto first = signal.intensity.begin() + begin;
  double mean = 0.0;
  for (int i = 0; i < side; ++i) mean += first[i] / side;
  bool kept = true;
  for (int i = 0; i < side; ++i) {
    const double allowed = signal.bound * signal.scale[static_cast<std::size_t>(begin + i)];
    kept = kept && std::abs(first[i] - mean) <= allowed;
  }
  if (kept || side == 1) {
    signal.cells.push_back({begin, side, mean});
    return;
  }
  divide(signal, begin, side / 2);
  divide(signal, begin + side / 2, side / 2);
}

}  // namespace

HelpSignal make_help_signal() {
  HelpSignal signal;
  signal.bound = kBound;
  signal.least_scale = kLeastScale;
  for (int i = 0; i < kCount; ++i) {
    const double y = i;
    signal.intensity.push_back(100.0 + 160.0 * structure(y, 20.0, 42.0) +
                               640.0 * structure(y, 74.0, 104.0));
  }
  signal.scale = variation(signal.intensity);
  const double k = factor();
  for (double& s : signal.scale) s = std::max(k * s, kLeastScale);
  constexpr int kCoarsest = 16;
  for (int begin = 0; begin < kCount; begin += kCoarsest) divide(signal, begin, kCoarsest);
  return signal;
}

}  // namespace aprscope::gui
