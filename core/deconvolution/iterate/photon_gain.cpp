#include "core/deconvolution/iterate/photon_gain.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kDeep = 4;
constexpr std::int64_t kHigh = 4;
constexpr std::int64_t kWide = 8;
// Blocks needed to measure one variance; the most bins, which hold equally many blocks.
constexpr std::size_t kLeastBlocks = 16;
constexpr std::size_t kMostBins = 24;

// The variance of the noise, measured twice: between adjacent pixels, and between every second one
// (`wide`). Both are alike where the noise of pixels is independent.
struct Block {
  double mean = 0.0;
  double variance = 0.0;
  double wide = 0.0;
};

using Point = Block;

// Largest wide ÷ variance of independent noise; means of three pixels have 2.5, of two 1.7.
constexpr double kMostAlike = 1.5;

Error gain_unknown(const std::string& why) {
  return {"its photon gain cannot be guessed: " + why, "deconvolution",
          "type the gain, in grey values a photon, or end by the change of an iteration"};
}

Block look_at(std::span<const float> values, const Size3& size, std::int64_t z, std::int64_t x,
              std::int64_t y) {
  double sum = 0.0;
  double squares = 0.0;
  double wide = 0.0;
  std::int64_t rows = 0;
  for (std::int64_t dz = z; dz < std::min(z + kDeep, size.z); ++dz) {
    for (std::int64_t dx = x; dx < x + kHigh; ++dx) {
      const float* const row = values.data() + (dz * size.x + dx) * size.y + y;
      const auto difference = [&](std::int64_t i, std::int64_t step) {
        const double d = static_cast<double>(row[i - step]) - 2.0 * static_cast<double>(row[i]) +
                         static_cast<double>(row[i + step]);
        return d * d / 6.0;
      };
      for (std::int64_t i = 0; i < kWide; ++i) sum += static_cast<double>(row[i]);
      for (std::int64_t i = 1; i + 1 < kWide; ++i) squares += difference(i, 1);
      for (std::int64_t i = 2; i + 2 < kWide; ++i) wide += difference(i, 2);
      ++rows;
    }
  }
  const auto n = static_cast<double>(rows);
  return {sum / (n * kWide), squares / (n * (kWide - 2)), wide / (n * (kWide - 4))};
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Whether neighbours share their noise, as smoothing makes them: told by the darker half, where
// there is least that is no noise.
bool is_smoothed(const std::vector<Point>& points) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < (points.size() + 1) / 2; ++i) {
    if (points[i].variance > 0.0) ratios.push_back(points[i].wide / points[i].variance);
  }
  return !ratios.empty() && median(ratios) > kMostAlike;
}

// Bins of as many blocks each, by their means.
std::vector<Point> transfer_curve(std::vector<Block>& blocks) {
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.mean < b.mean; });
  const std::size_t bins = std::min(kMostBins, blocks.size() / kLeastBlocks);
  std::vector<Point> points;
  std::vector<double> variances;
  std::vector<double> wide;
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t begin = blocks.size() * b / bins;
    const std::size_t end = blocks.size() * (b + 1) / bins;
    double mean = 0.0;
    variances.clear();
    wide.clear();
    for (std::size_t i = begin; i < end; ++i) {
      mean += blocks[i].mean;
      variances.push_back(blocks[i].variance);
      wide.push_back(blocks[i].wide);
    }
    points.push_back({mean / static_cast<double>(end - begin), median(variances), median(wide)});
  }
  return points;
}

}  // namespace

Result<double> guess_photon_gain(std::span<const float> values, const Size3& size) {
  const std::int64_t deep = std::max<std::int64_t>(size.z / kDeep, 1);
  const std::int64_t high = size.x / kHigh;
  const std::int64_t wide = size.y / kWide;
  const std::int64_t count = deep * high * wide;
  if (count < static_cast<std::int64_t>(4 * kLeastBlocks))
    return gain_unknown("the image is too small");
  std::vector<Block> blocks(static_cast<std::size_t>(count));
  parallel_for(count, threads_for(size.count()), [&](std::int64_t i) {
    const std::int64_t z = i / (high * wide) * kDeep;
    const std::int64_t x = i / wide % high * kHigh;
    blocks[static_cast<std::size_t>(i)] = look_at(values, size, z, x, i % wide * kWide);
  });
  std::erase_if(
      blocks, [](const Block& b) { return !std::isfinite(b.mean) || !std::isfinite(b.variance); });
  if (blocks.size() < 4 * kLeastBlocks) return gain_unknown("too few of its pixels are finite");
  const std::vector<Point> points = transfer_curve(blocks);
  if (is_smoothed(points)) {
    return gain_unknown("neighbouring pixels share their noise, as after smoothing or resampling");
  }
  // A variance is known to a share of itself: each counts by the inverse of its square, and the
  // darkest ones, which may be all 0, by no more than a hundredth of the largest.
  double largest = 0.0;
  for (const Point& p : points) largest = std::max(largest, p.variance);
  if (!(largest > 0.0)) return gain_unknown("it has no noise");
  double w = 0.0, wm = 0.0, wv = 0.0, wmm = 0.0, wmv = 0.0;
  for (const Point& p : points) {
    const double deviation = std::max(p.variance, largest / 100.0);
    const double weight = 1.0 / (deviation * deviation);
    w += weight;
    wm += weight * p.mean;
    wv += weight * p.variance;
    wmm += weight * p.mean * p.mean;
    wmv += weight * p.mean * p.variance;
  }
  const double spread = wmm / w - wm / w * (wm / w);
  const double slope = (wmv / w - wm / w * (wv / w)) / spread;
  if (!(spread > 0.0) || !std::isfinite(slope) || slope <= 0.0) {
    return gain_unknown("its noise does not rise with its light");
  }
  return slope;
}

}  // namespace aprscope
