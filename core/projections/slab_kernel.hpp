#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aprscope {

/// A Kaiser–Bessel blob (Lewitt 1990), K(r) = tᵐ Iₘ(αt) ÷ Iₘ(α), t = √(1 − r²/a²), in frequencies
/// of the padded transform.
struct Blob {
  double radius = 1.5;
  double alpha = 10.0;
  int order = 0;

  [[nodiscard]] double operator()(double r) const;
  /// The blob's 3-D transform at u = |x| ÷ (padded side), 1 at 0: images are multiplied with it and
  /// maps divided by it.
  [[nodiscard]] double window(double u) const;
  /// Sum of the blob over a plane at distance d, 1 at 0: tᵐ⁺¹ Iₘ₊₁(αt) ÷ Iₘ₊₁(α).
  [[nodiscard]] double slab(double d) const;
};

/// Blob::slab() as both back ends evaluate it, f32: with u = 1 − d² · inverse_square, where u > 0:
/// u · (c[0] + u (c[1] + u (… + u c[7]))), fused multiply–adds or not; 0 elsewhere.
struct SlabKernel {
  static constexpr std::size_t kTerms = 8;

  float radius = 0.0F;
  float inverse_square = 0.0F;
  std::array<float, kTerms> c{};

  [[nodiscard]] float operator()(float d) const {
    const float u = 1.0F - d * d * inverse_square;
    if (!(u > 0.0F)) return 0.0F;
    float sum = c[kTerms - 1];
    for (std::size_t i = kTerms - 1; i-- > 0;) sum = sum * u + c[i];
    return u * sum;
  }
};

/// Fits the polynomial to a blob: within 5e-5 of Blob::slab().
SlabKernel slab_kernel(const Blob& blob);

/// ∫ k(d) dd.
double slab_integral(const SlabKernel& slab);

/// blob.window(√i · scale ÷ padded) for i in [0, count): of squared distances in pixels.
std::vector<double> window_table(const Blob& blob, std::int64_t count, double scale,
                                 std::int64_t padded);

/// The transform of linear interpolation, sinc²(x ÷ padded).
double linear_window(double x, std::int64_t padded);

}  // namespace aprscope
