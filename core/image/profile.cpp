#include "core/image/profile.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

// The two neighbours of a place along one dimension and the weight of the second.
struct Between {
  std::int64_t first = 0;
  std::int64_t second = 0;
  double share = 0.0;
};

Between between(double at, std::int64_t count) {
  const double centre = std::clamp(at - 0.5, 0.0, static_cast<double>(count - 1));
  const auto first = static_cast<std::int64_t>(std::floor(centre));
  return {first, std::min(first + 1, count - 1), centre - static_cast<double>(first)};
}

bool inside(const Plane& plane, double row, double col) {
  return row >= 0.0 && row <= static_cast<double>(plane.rows) && col >= 0.0 &&
         col <= static_cast<double>(plane.cols);
}

double sample(const Plane& plane, double row, double col) {
  const Between r = between(row, plane.rows);
  const Between c = between(col, plane.cols);
  const auto value = [&](std::int64_t i, std::int64_t k) {
    return static_cast<double>(plane.values[static_cast<std::size_t>(i * plane.cols + k)]);
  };
  // A weight of zero must not bring in a neighbour that is no number.
  const auto along_row = [&](std::int64_t i) {
    const double first = value(i, c.first);
    return c.share == 0.0 ? first : (1.0 - c.share) * first + c.share * value(i, c.second);
  };
  const double first = along_row(r.first);
  return r.share == 0.0 ? first : (1.0 - r.share) * first + r.share * along_row(r.second);
}

// Where the profile falls to `level`, going from sample `top` by steps of `step` (1 or −1); none
// where it does not.
std::optional<double> falls_to(const LineProfile& profile, double level, std::ptrdiff_t top,
                               std::ptrdiff_t step) {
  const auto count = static_cast<std::ptrdiff_t>(profile.values.size());
  const auto at = [](const std::vector<double>& of, std::ptrdiff_t i) {
    return of[static_cast<std::size_t>(i)];
  };
  for (std::ptrdiff_t i = top + step; i >= 0 && i < count; i += step) {
    const double inner = at(profile.values, i - step);
    const double outer = at(profile.values, i);
    if (std::isnan(outer)) return std::nullopt;
    if (outer > level) continue;
    const double share = (inner - level) / (inner - outer);
    const double from = at(profile.distance, i - step);
    return from + share * (at(profile.distance, i) - from);
  }
  return std::nullopt;
}

}  // namespace

std::optional<PeakWidth> width_at_half_maximum(const LineProfile& profile) {
  std::ptrdiff_t top = -1;
  double low = 0.0;
  double high = 0.0;
  for (std::size_t i = 0; i < profile.values.size(); ++i) {
    const double value = profile.values[i];
    if (std::isnan(value)) continue;
    if (top < 0 || value < low) low = value;
    if (top < 0 || value > high) {
      high = value;
      top = static_cast<std::ptrdiff_t>(i);
    }
  }
  if (top < 0 || !(low < high)) return std::nullopt;
  const double level = low + 0.5 * (high - low);
  const auto begin = falls_to(profile, level, top, -1);
  const auto end = falls_to(profile, level, top, 1);
  if (!begin || !end) return std::nullopt;
  return PeakWidth{level, *begin, *end};
}

LineProfile line_profile(const Plane& plane, const PlaneLine& line, const ProfileOptions& options) {
  LineProfile out;
  const bool empty = plane.rows <= 0 || plane.cols <= 0 ||
                     static_cast<std::int64_t>(plane.values.size()) != plane.rows * plane.cols;
  if (empty) return out;
  const double rows = line.to.row - line.from.row;
  const double cols = line.to.col - line.from.col;
  const double pixels = std::hypot(rows, cols);
  const int count = options.samples > 0 ? options.samples
                    : pixels > 0.0      ? static_cast<int>(std::ceil(pixels)) + 1
                                        : 1;
  const double length = std::hypot(rows * options.row_step, cols * options.col_step);
  const int width = std::max(1, options.width);
  // One pixel to the side of the line, perpendicular to it in space.
  const double across_row = cols * options.col_step / options.row_step;
  const double across_col = -rows * options.row_step / options.col_step;
  const double across = std::hypot(across_row, across_col);
  const double side_row = across > 0.0 ? across_row / across : 0.0;
  const double side_col = across > 0.0 ? across_col / across : 0.0;
  for (int i = 0; i < count; ++i) {
    const double t = count > 1 ? static_cast<double>(i) / (count - 1) : 0.0;
    double sum = 0.0;
    int seen = 0;
    for (int k = 0; k < width; ++k) {
      const double off = k - 0.5 * (width - 1);
      const double row = line.from.row + t * rows + off * side_row;
      const double col = line.from.col + t * cols + off * side_col;
      if (!inside(plane, row, col)) continue;
      sum += sample(plane, row, col);
      ++seen;
    }
    out.distance.push_back(t * length);
    out.values.push_back(seen > 0 ? sum / seen : std::nan(""));
  }
  return out;
}

}  // namespace aprscope
