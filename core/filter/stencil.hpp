#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// A centred stencil of odd size in each dimension, applied as a correlation. Weight (z, x, y) lies
/// at (z · size.x + x) · size.y + y.
struct Stencil {
  Size3 size{1, 1, 1};
  std::vector<double> weights{1.0};
  std::string name;

  [[nodiscard]] double sum() const;
  /// Scaled to sum 1; unchanged when the sum is 0 (a derivative).
  [[nodiscard]] Stencil normalized() const;
  friend bool operator==(const Stencil&, const Stencil&) = default;
};

/// Checks odd, positive sizes, count and finiteness of the weights.
Status check(const Stencil& stencil);

/// The three 1-D factors (z, x, y) if the stencil is their outer product to 1e-12 of its largest
/// weight, else nothing.
std::optional<std::array<std::vector<double>, 3>> separate(const Stencil& stencil);

/// Builders. Sigmas in pixels of each dimension (z, x, y); size 0 = 2·ceil(3σ) + 1 (1 where σ is 0
/// or the image has one pixel).
Stencil identity_stencil();
Stencil box_stencil(Size3 size);
Stencil gaussian_stencil(std::array<double, 3> sigma, Size3 size = {0, 0, 0});
/// Laplacian with the given pixel distances (second differences ÷ d²).
Stencil laplacian_stencil(std::array<double, 3> distance = {1, 1, 1});
/// Laplacian of Gaussian, weights summing to 0.
Stencil log_stencil(std::array<double, 3> sigma, Size3 size = {0, 0, 0});
/// Central difference ÷ (2 d) along an axis.
Stencil central_difference_stencil(Axis axis, double distance = 1.0);
/// Sobel: central difference along the axis, [1 2 1]/4 across.
Stencil sobel_stencil(Axis axis, double distance = 1.0);
/// Identity + amount · (identity − Gaussian(sigma)).
Stencil sharpen_stencil(std::array<double, 3> sigma, double amount);

}  // namespace aprscope
