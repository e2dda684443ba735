#include "core/deconvolution/psf/psf_resample.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

// Keys' cubic (a = −1/2), and its integral from −∞.
double cubic(double t) {
  t = std::abs(t);
  if (t >= 2.0) return 0.0;
  if (t >= 1.0) return ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0;
  return (1.5 * t - 2.5) * t * t + 1.0;
}

double cubic_integral(double t) {
  const double u = std::abs(t);
  double half = 0.5;  // from 0 to u
  if (u < 1.0) {
    half = ((0.375 * u - 2.5 / 3.0) * u * u + 1.0) * u;
  } else if (u < 2.0) {
    const auto outer = [](double v) {
      return (((-0.125 * v + 2.5 / 3.0) * v - 2.0) * v + 2.0) * v;
    };
    half = 0.375 - 2.5 / 3.0 + 1.0 + outer(u) - outer(1.0);
  }
  return 0.5 + std::copysign(half, t);
}

struct Line {
  std::int64_t first = 0;
  std::vector<double> weights;
};

// How each new pixel is made of old ones along a dimension.
std::vector<Line> lines(std::int64_t from, double centre, double ratio, std::int64_t to) {
  // Old pixels are integrals over their own width already: variances of the boxes add up.
  const double width = ratio > 1.0 ? std::sqrt(ratio * ratio - 1.0) : 0.0;
  std::vector<Line> out(static_cast<std::size_t>(to));
  const std::int64_t middle = to / 2;
  for (std::int64_t i = 0; i < to; ++i) {
    const double at = centre + static_cast<double>(i - middle) * ratio;
    Line& line = out[static_cast<std::size_t>(i)];
    const auto first = static_cast<std::int64_t>(std::ceil(at - width / 2.0 - 2.0));
    const auto last = static_cast<std::int64_t>(std::floor(at + width / 2.0 + 2.0));
    line.first = std::max<std::int64_t>(0, first);
    for (std::int64_t j = line.first; j <= std::min(last, from - 1); ++j) {
      const double t = static_cast<double>(j) - at;
      line.weights.push_back(
          width > 1e-9 ? (cubic_integral(t + width / 2.0) - cubic_integral(t - width / 2.0)) / width
                       : cubic(t));
    }
  }
  return out;
}

// Makes dimension d of the image anew.
PsfImage along(const PsfImage& image, std::size_t d, const std::vector<Line>& lines) {
  std::array<std::int64_t, 3> n{image.size.z, image.size.x, image.size.y};
  const std::array<std::int64_t, 3> old = n;
  n[d] = static_cast<std::int64_t>(lines.size());
  PsfImage out;
  out.size = {n[0], n[1], n[2]};
  out.values.assign(static_cast<std::size_t>(out.size.count()), 0.0);
  const std::array<std::int64_t, 3> step{old[1] * old[2], old[2], 1};
  std::size_t to = 0;
  std::array<std::int64_t, 3> p{};
  for (p[0] = 0; p[0] < n[0]; ++p[0]) {
    for (p[1] = 0; p[1] < n[1]; ++p[1]) {
      for (p[2] = 0; p[2] < n[2]; ++p[2], ++to) {
        const Line& line = lines[static_cast<std::size_t>(p[d])];
        std::int64_t from = 0;
        for (std::size_t e = 0; e < 3; ++e) from += (e == d ? line.first : p[e]) * step[e];
        double sum = 0.0;
        for (const double w : line.weights) {
          sum += w * image.values[static_cast<std::size_t>(from)];
          from += step[d];
        }
        out.values[to] = sum;
      }
    }
  }
  return out;
}

// Half of the extent around a peak that is brighter than half of it, at least 1 pixel; from the
// side where that ends first, since on the other there may be a neighbour.
double half_width_at(const PsfImage& image, const Index3& peak, std::size_t d) {
  const std::array<std::int64_t, 3> n{image.size.z, image.size.x, image.size.y};
  const std::array<std::int64_t, 3> p{peak.z, peak.x, peak.y};
  const double half = image.at(p[0], p[1], p[2]) / 2.0;
  const auto reach = [&](int direction) {
    std::array<std::int64_t, 3> q = p;
    std::int64_t far = 0;
    while (q[d] + direction >= 0 && q[d] + direction < n[d]) {
      q[d] += direction;
      if (image.at(q[0], q[1], q[2]) < half) break;
      ++far;
    }
    return far;
  };
  return std::max(1.0, static_cast<double>(std::min(reach(-1), reach(1))) + 0.5);
}

}  // namespace

Index3 psf_peak(const PsfImage& image) {
  const Size3& n = image.size;
  PsfImage smooth = image;
  const std::array<std::int64_t, 3> extent{n.z, n.x, n.y};
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<Line> mean(static_cast<std::size_t>(extent[d]));
    for (std::int64_t i = 0; i < extent[d]; ++i) {
      Line& line = mean[static_cast<std::size_t>(i)];
      line.first = std::max<std::int64_t>(0, i - 1);
      // Beyond the border values count as 0, so that the border is no peak by accident.
      line.weights.assign(static_cast<std::size_t>(std::min(extent[d] - 1, i + 1) - line.first + 1),
                          1.0 / 3.0);
    }
    if (extent[d] > 1) smooth = along(smooth, d, mean);
  }
  const auto at = static_cast<std::int64_t>(
      std::max_element(smooth.values.begin(), smooth.values.end()) - smooth.values.begin());
  return {at / (n.x * n.y), at / n.y % n.x, at % n.y};
}

PsfPoint psf_centre(const PsfImage& image, const Index3& start) {
  const std::array<std::int64_t, 3> n{image.size.z, image.size.x, image.size.y};
  PsfPoint centre{static_cast<double>(start.z), static_cast<double>(start.x),
                  static_cast<double>(start.y)};
  PsfPoint sigma{};
  for (std::size_t d = 0; d < 3; ++d) sigma[d] = half_width_at(image, start, d) / 1.18;
  for (int round = 0; round < 60; ++round) {
    std::array<std::int64_t, 3> low{};
    std::array<std::int64_t, 3> high{};
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::max<std::int64_t>(
          0, static_cast<std::int64_t>(std::floor(centre[d] - 4.0 * sigma[d])));
      high[d] =
          std::min(n[d] - 1, static_cast<std::int64_t>(std::ceil(centre[d] + 4.0 * sigma[d])));
    }
    PsfPoint moment{};
    double mass = 0.0;
    for (std::int64_t z = low[0]; z <= high[0]; ++z) {
      for (std::int64_t x = low[1]; x <= high[1]; ++x) {
        for (std::int64_t y = low[2]; y <= high[2]; ++y) {
          const PsfPoint from{static_cast<double>(z) - centre[0],
                              static_cast<double>(x) - centre[1],
                              static_cast<double>(y) - centre[2]};
          double exponent = 0.0;
          for (std::size_t d = 0; d < 3; ++d) {
            exponent += from[d] * from[d] / (2.0 * sigma[d] * sigma[d]);
          }
          const double w = std::exp(-exponent) * std::max(0.0, image.at(z, x, y));
          mass += w;
          for (std::size_t d = 0; d < 3; ++d) moment[d] += w * from[d];
        }
      }
    }
    if (!(mass > 0.0)) break;
    double moved = 0.0;
    for (std::size_t d = 0; d < 3; ++d) {
      if (n[d] == 1) continue;
      // The window pulls half of the way back where it is as wide as the spot.
      const double step = 2.0 * moment[d] / mass;
      centre[d] = std::clamp(centre[d] + step, 0.0, static_cast<double>(n[d] - 1));
      moved = std::max(moved, std::abs(step));
    }
    if (moved < 1e-6) break;
  }
  return centre;
}

PsfImage psf_resample(const PsfImage& image, const PsfPoint& centre,
                      const std::array<double, 3>& ratio, const Size3& size) {
  const std::array<std::int64_t, 3> from{image.size.z, image.size.x, image.size.y};
  const std::array<std::int64_t, 3> to{size.z, size.x, size.y};
  PsfImage out = image;
  for (std::size_t d = 0; d < 3; ++d) {
    out = along(out, d, lines(from[d], centre[d], ratio[d], to[d]));
  }
  return out;
}

}  // namespace aprscope
