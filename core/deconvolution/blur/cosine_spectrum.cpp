#include "core/deconvolution/blur/cosine_spectrum.hpp"

#include <cmath>
#include <numbers>

namespace aprscope {

std::vector<double> cosine_table(std::int64_t n) {
  std::vector<double> table(static_cast<std::size_t>(2 * n));
  for (std::int64_t i = 0; i < 2 * n; ++i) {
    table[static_cast<std::size_t>(i)] =
        std::cos(std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
  }
  return table;
}

std::vector<std::complex<float>> cosine_turns(std::int64_t n, std::int64_t count) {
  std::vector<std::complex<float>> out(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) {
    out[static_cast<std::size_t>(k)] = std::complex<float>(
        std::polar(1.0, -0.5 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
  }
  return out;
}

CosineKernel cosine_kernel(const Stencil& kernel) {
  const Size3& n = kernel.size;
  CosineKernel out;
  out.taps = {n.z / 2 + 1, n.x / 2 + 1, n.y / 2 + 1};
  out.weights.reserve(static_cast<std::size_t>(out.taps.count()));
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return kernel
        .weights[static_cast<std::size_t>(((n.z / 2 + z) * n.x + n.x / 2 + x) * n.y + n.y / 2 + y)];
  };
  for (std::int64_t z = 0; z < out.taps.z; ++z) {
    for (std::int64_t x = 0; x < out.taps.x; ++x) {
      for (std::int64_t y = 0; y < out.taps.y; ++y) {
        // Mirrored weights may differ by rounding, so take the mean of all eight.
        out.weights.push_back(
            0.125 * (((at(z, x, y) + at(z, x, -y)) + (at(z, -x, y) + at(z, -x, -y))) +
                     ((at(-z, x, y) + at(-z, x, -y)) + (at(-z, -x, y) + at(-z, -x, -y)))));
      }
    }
  }
  return out;
}

}  // namespace aprscope
