#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Factors of a product: weight (z, x, y) is lines[0][z] · lines[1][x] · lines[2][y].
using StencilLines = std::array<std::vector<double>, 3>;

/// A centred stencil of odd size in each dimension, applied as a correlation. Weight (z, x, y) lies
/// at (z · size.x + x) · size.y + y.
struct Stencil {
  Size3 size{1, 1, 1};
  std::vector<double> weights{1.0};
  std::string name;
  /// Set for a product too wide to be written out (see wide_stencil()): `weights` is empty then.
  std::optional<StencilLines> lines = std::nullopt;

  /// The weight at an index (from 0), also of a product.
  [[nodiscard]] double weight(std::int64_t z, std::int64_t x, std::int64_t y) const;
  /// The largest of their magnitudes.
  [[nodiscard]] double largest() const;
  [[nodiscard]] double sum() const;
  /// The stencil scaled to sum 1; unchanged when the sum is 0 (a derivative).
  [[nodiscard]] Stencil normalized() const;
  friend bool operator==(const Stencil&, const Stencil&) = default;
};

/// Checks odd, positive sizes, count and finiteness of the weights.
Status check(const Stencil& stencil);

/// The three 1-D factors (z, x, y) if the stencil is their outer product to 1e-12 of its largest
/// weight, else nothing.
std::optional<StencilLines> separate(const Stencil& stencil);

/// The product of three lines. Up to 2^18 weights are written out; of more there are only the
/// lines: 601³ weights would be 1.7 GB, where passes over 3 · 601 do. Only filters know such
/// stencils.
Stencil wide_stencil(StencilLines lines, std::string name);

/// Builders. Sigmas in pixels of each dimension (z, x, y); size 0 = 2·ceil(3σ) + 1 (1 where σ is 0
/// or the image has one pixel).
Stencil box_stencil(Size3 size);
Stencil gaussian_stencil(std::array<double, 3> sigma, Size3 size = {0, 0, 0});
/// The same builders for filters: as lines where the stencil is wide.
Stencil wide_box_stencil(Size3 size);
Stencil wide_gaussian_stencil(std::array<double, 3> sigma, Size3 size = {0, 0, 0});
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
