#include "core/deconvolution/psf/psf_background.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aprscope {
namespace {

// Calls work for every neighbour of a pixel (26), where there is one.
template <class Work>
void neighbours(const Size3& n, std::size_t at, const Work& work) {
  const auto i = static_cast<std::int64_t>(at);
  const std::int64_t z = i / (n.x * n.y);
  const std::int64_t x = i / n.y % n.x;
  const std::int64_t y = i % n.y;
  for (std::int64_t a = std::max<std::int64_t>(0, z - 1); a <= std::min(n.z - 1, z + 1); ++a) {
    for (std::int64_t b = std::max<std::int64_t>(0, x - 1); b <= std::min(n.x - 1, x + 1); ++b) {
      for (std::int64_t c = std::max<std::int64_t>(0, y - 1); c <= std::min(n.y - 1, y + 1); ++c) {
        work(static_cast<std::size_t>((a * n.x + b) * n.y + c));
      }
    }
  }
}

// Marks what is reached from `start` over pixels of at least `threshold`.
void flood(const PsfImage& image, std::size_t start, double threshold,
           std::vector<std::uint8_t>& seen) {
  std::vector<std::size_t> open{start};
  seen[start] = 1;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    neighbours(image.size, at, [&](std::size_t next) {
      if (seen[next] != 0 || image.values[next] < threshold) return;
      seen[next] = 1;
      open.push_back(next);
    });
  }
}

}  // namespace

PsfBackground psf_background(const PsfImage& image) {
  const Size3& n = image.size;
  std::vector<double> shell;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const bool border = (n.z > 2 && (z == 0 || z == n.z - 1)) || x == 0 || x == n.x - 1 ||
                            y == 0 || y == n.y - 1;
        if (border) shell.push_back(image.at(z, x, y));
      }
    }
  }
  // Mean and deviation of what lies within 3 deviations of the mean, until nothing more is left
  // out.
  PsfBackground background;
  double limit = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 50; ++round) {
    double sum = 0.0;
    double squares = 0.0;
    double count = 0.0;
    for (const double v : shell) {
      if (std::abs(v - background.level) > limit) continue;
      sum += v;
      squares += v * v;
      count += 1.0;
    }
    if (count == 0.0) break;
    const double mean = sum / count;
    const double deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
    const bool settled = mean == background.level && 3.0 * deviation == limit;
    background = {mean, deviation};
    limit = 3.0 * deviation;
    if (settled || limit == 0.0) break;
  }
  return background;
}

void remove_psf_background(PsfImage& image, const PsfBackground& background) {
  const Size3 n = image.size;
  for (double& v : image.values) v -= background.level;
  std::vector<double> kept(image.values.size(), 0.0);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    double sum = 0.0;
    int count = 0;
    neighbours(n, i, [&](std::size_t j) {
      sum += image.values[j];
      ++count;
    });
    // The sum of independent noise grows with the root of their number.
    if (sum > 5.0 * background.noise * std::sqrt(count)) kept[i] = std::max(0.0, image.values[i]);
  }
  image.values = std::move(kept);
}

double second_spot(const PsfImage& image, const Index3& peak) {
  const auto start =
      static_cast<std::size_t>((peak.z * image.size.x + peak.x) * image.size.y + peak.y);
  const double brightest = image.values[start];
  if (!(brightest > 0.0)) return 0.0;
  std::vector<std::uint8_t> seen(image.values.size(), 0);
  flood(image, start, 0.3 * brightest, seen);
  double second = 0.0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == 0 && image.values[i] >= 0.3 * brightest) {
      second = std::max(second, image.values[i]);
    }
  }
  return second / brightest;
}

}  // namespace aprscope
