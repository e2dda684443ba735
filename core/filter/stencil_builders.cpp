#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/filter/stencil.hpp"

namespace aprscope {
namespace {

using Line = std::vector<double>;

// The outer product of three 1-D stencils, z, x, y.
Stencil outer(const StencilLines& f, std::string name) {
  Stencil out;
  out.size = {static_cast<std::int64_t>(f[0].size()), static_cast<std::int64_t>(f[1].size()),
              static_cast<std::int64_t>(f[2].size())};
  out.name = std::move(name);
  out.weights.clear();
  out.weights.reserve(f[0].size() * f[1].size() * f[2].size());
  for (const double z : f[0]) {
    for (const double x : f[1]) {
      for (const double y : f[2]) out.weights.push_back(z * x * y);
    }
  }
  return out;
}

// The most weights of a product that are written out: 2 MB, which take a millisecond.
constexpr std::size_t kWrittenOut = std::size_t{1} << 18U;

// Adds b, which has the same size, to a.
void add(Stencil& a, const Stencil& b, double factor = 1.0) {
  for (std::size_t i = 0; i < a.weights.size(); ++i) a.weights[i] += factor * b.weights[i];
}

double& centre(Stencil& stencil) { return stencil.weights[stencil.weights.size() / 2]; }

std::int64_t size_or_automatic(double sigma, std::int64_t size) {
  if (size > 0) return size;
  return sigma > 0.0 ? 2 * static_cast<std::int64_t>(std::ceil(3.0 * sigma)) + 1 : 1;
}

// Samples of a Gaussian, summing to 1; the unit impulse where sigma is 0.
Line gaussian_line(double sigma, std::int64_t size) {
  Line line(static_cast<std::size_t>(size), 0.0);
  const std::int64_t half = size / 2;
  if (sigma <= 0.0) {
    line[static_cast<std::size_t>(half)] = 1.0;
    return line;
  }
  double sum = 0.0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double u = static_cast<double>(i - half) / sigma;
    sum += line[static_cast<std::size_t>(i)] = std::exp(-0.5 * u * u);
  }
  for (double& w : line) w /= sum;
  return line;
}

// Samples of the second derivative of that Gaussian. The sum that truncation leaves is subtracted
// in the shape of the Gaussian, so that a constant gives 0.
Line second_derivative_line(double sigma, const Line& gaussian) {
  Line line(gaussian.size(), 0.0);
  if (sigma <= 0.0) return line;
  // So narrow a peak lies between all samples but one, whose part is subtracted: 0, which numbers
  // as large as 1 / σ⁴ no longer say.
  if (!std::isfinite(1.0 / (sigma * sigma * sigma * sigma))) return line;
  const auto half = static_cast<std::int64_t>(gaussian.size() / 2);
  double sum = 0.0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto u = static_cast<double>(static_cast<std::int64_t>(i) - half);
    line[i] = (u * u / (sigma * sigma) - 1.0) / (sigma * sigma) * gaussian[i];
    sum += line[i];
  }
  for (std::size_t i = 0; i < line.size(); ++i) line[i] -= sum * gaussian[i];
  return line;
}

std::array<Line, 3> gaussian_lines(const std::array<double, 3>& sigma, const Size3& size) {
  return {gaussian_line(sigma[0], size_or_automatic(sigma[0], size.z)),
          gaussian_line(sigma[1], size_or_automatic(sigma[1], size.x)),
          gaussian_line(sigma[2], size_or_automatic(sigma[2], size.y))};
}

const char* axis_name(Axis axis) { return axis == Axis::z ? "z" : axis == Axis::x ? "x" : "y"; }

}  // namespace

Stencil box_stencil(Size3 size) {
  Stencil out;
  out.size = size;
  out.name = "box";
  out.weights.assign(static_cast<std::size_t>(size.count()),
                     1.0 / static_cast<double>(size.count()));
  return out;
}

Stencil gaussian_stencil(std::array<double, 3> sigma, Size3 size) {
  return outer(gaussian_lines(sigma, size), "gaussian");
}

Stencil wide_stencil(StencilLines lines, std::string name) {
  const std::size_t count = lines[0].size() * lines[1].size() * lines[2].size();
  if (count <= kWrittenOut) return outer(lines, std::move(name));
  Stencil out;
  out.size = {static_cast<std::int64_t>(lines[0].size()),
              static_cast<std::int64_t>(lines[1].size()),
              static_cast<std::int64_t>(lines[2].size())};
  out.weights.clear();
  out.name = std::move(name);
  out.lines = std::move(lines);
  return out;
}

Stencil wide_box_stencil(Size3 size) {
  if (static_cast<std::size_t>(size.count()) <= kWrittenOut) return box_stencil(size);
  const auto line = [](std::int64_t n) {
    return Line(static_cast<std::size_t>(n), 1.0 / static_cast<double>(n));
  };
  return wide_stencil({line(size.z), line(size.x), line(size.y)}, "box");
}

Stencil wide_gaussian_stencil(std::array<double, 3> sigma, Size3 size) {
  return wide_stencil(gaussian_lines(sigma, size), "gaussian");
}

Stencil laplacian_stencil(std::array<double, 3> distance) {
  Stencil out;
  out.size = {3, 3, 3};
  out.name = "laplacian";
  out.weights.assign(27, 0.0);
  constexpr std::array<std::size_t, 3> step{9, 3, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    const double w = 1.0 / (distance[d] * distance[d]);
    out.weights[13 - step[d]] += w;
    out.weights[13 + step[d]] += w;
    out.weights[13] -= 2.0 * w;
  }
  return out;
}

Stencil log_stencil(std::array<double, 3> sigma, Size3 size) {
  const std::array<Line, 3> gaussian = gaussian_lines(sigma, size);
  Stencil out = outer(gaussian, "log");
  std::fill(out.weights.begin(), out.weights.end(), 0.0);
  for (std::size_t d = 0; d < 3; ++d) {
    std::array<Line, 3> term = gaussian;
    term[d] = second_derivative_line(sigma[d], gaussian[d]);
    add(out, outer(term, ""));
  }
  return out;
}

Stencil central_difference_stencil(Axis axis, double distance) {
  std::array<Line, 3> lines{Line{1.0}, Line{1.0}, Line{1.0}};
  lines[static_cast<std::size_t>(axis)] = {-0.5 / distance, 0.0, 0.5 / distance};
  return outer(lines, std::string("central difference ") + axis_name(axis));
}

Stencil sobel_stencil(Axis axis, double distance) {
  std::array<Line, 3> lines;
  lines.fill({0.25, 0.5, 0.25});
  lines[static_cast<std::size_t>(axis)] = {-0.5 / distance, 0.0, 0.5 / distance};
  return outer(lines, std::string("sobel ") + axis_name(axis));
}

Stencil sharpen_stencil(std::array<double, 3> sigma, double amount) {
  Stencil out = gaussian_stencil(sigma);
  out.name = "sharpen";
  for (double& w : out.weights) w *= -amount;
  centre(out) += 1.0 + amount;
  return out;
}

}  // namespace aprscope
