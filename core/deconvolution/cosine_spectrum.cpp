#include "core/deconvolution/cosine_spectrum.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <omp.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

// The cosine sums of the middle dimension of [outer][taps][inner]: [outer][n][inner]. Tap 0 is the
// kernel's middle, the others stand for themselves and their mirror images.
std::vector<double> sum_cosines(const std::vector<double>& in, std::int64_t outer,
                                std::int64_t taps, std::int64_t inner, std::int64_t n) {
  const std::vector<double> table = cosine_table(n);
  std::vector<double> out(static_cast<std::size_t>(outer * n * inner), 0.0);
#pragma omp parallel for schedule(static) num_threads(thread_count())
  for (std::int64_t task = 0; task < outer * n; ++task) {
    const std::int64_t o = task / n;
    const std::int64_t k = task % n;
    double* const to = out.data() + task * inner;
    for (std::int64_t t = 0; t < taps; ++t) {
      const double c = table[static_cast<std::size_t>(k * t % (2 * n))] * (t == 0 ? 1.0 : 2.0);
      const double* const from = in.data() + (o * taps + t) * inner;
      for (std::int64_t i = 0; i < inner; ++i) to[i] += c * from[i];
    }
  }
  return out;
}

// The same along the last dimension of [outer][taps], transposed in small pieces for the loop.
std::vector<double> sum_cosines_rows(const std::vector<double>& in, std::int64_t outer,
                                     std::int64_t taps, std::int64_t n) {
  const std::vector<double> table = cosine_table(n);
  std::vector<double> out(static_cast<std::size_t>(outer * n), 0.0);
  // waves[t][k], so that the innermost loop runs over k.
  std::vector<double> waves(static_cast<std::size_t>(taps * n));
  for (std::int64_t t = 0; t < taps; ++t) {
    for (std::int64_t k = 0; k < n; ++k) {
      waves[static_cast<std::size_t>(t * n + k)] =
          table[static_cast<std::size_t>(k * t % (2 * n))] * (t == 0 ? 1.0 : 2.0);
    }
  }
#pragma omp parallel for schedule(static) num_threads(thread_count())
  for (std::int64_t o = 0; o < outer; ++o) {
    double* const to = out.data() + o * n;
    for (std::int64_t t = 0; t < taps; ++t) {
      const double w = in[static_cast<std::size_t>(o * taps + t)];
      const double* const wave = waves.data() + t * n;
      for (std::int64_t k = 0; k < n; ++k) to[k] += w * wave[k];
    }
  }
  return out;
}

struct Pair {
  float re, im;
};
Pair load(const float* p) { return {p[0], p[1]}; }
void store(float* p, Pair v) {
  p[0] = v.re;
  p[1] = v.im;
}
Pair operator+(Pair a, Pair b) { return {a.re + b.re, a.im + b.im}; }
Pair operator-(Pair a, Pair b) { return {a.re - b.re, a.im - b.im}; }
Pair operator*(Pair a, Pair b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Pair conj(Pair a) { return {a.re, -a.im}; }
Pair half(Pair a) { return {0.5F * a.re, 0.5F * a.im}; }
Pair times_i(Pair a) { return {-a.im, a.re}; }
Pair pair(std::complex<float> c) { return {c.real(), c.imag()}; }

}  // namespace

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
        // They may differ by rounding.
        out.weights.push_back(
            0.125 * (((at(z, x, y) + at(z, x, -y)) + (at(z, -x, y) + at(z, -x, -y))) +
                     ((at(-z, x, y) + at(-z, x, -y)) + (at(-z, -x, y) + at(-z, -x, -y)))));
      }
    }
  }
  return out;
}

CosineSpectrum::CosineSpectrum(const Size3& grid, const Stencil& kernel)
    : grid_(grid), complexes_(grid.y / 2 + 1) {
  CosineKernel from = cosine_kernel(kernel);
  const Size3& taps = from.taps;
  std::vector<double> values = std::move(from.weights);
  values = sum_cosines_rows(values, taps.z * taps.x, taps.y, grid.y);
  values = sum_cosines(values, taps.z, taps.x, grid.y, grid.x);
  factors_.resize(static_cast<std::size_t>(grid.z * grid.x * complexes_ * 2));
  // The last dimension row by row, so that no grid of doubles is needed.
  const std::vector<double> table = cosine_table(grid.z);
  const int threads = thread_count();
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(threads),
                                        std::vector<double>(static_cast<std::size_t>(grid.y)));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t row = 0; row < grid.z * grid.x; ++row) {
    std::vector<double>& sums = rows[static_cast<std::size_t>(omp_get_thread_num())];
    const std::int64_t k1 = row / grid.x;
    const std::int64_t k2 = row % grid.x;
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::int64_t t = 0; t < taps.z; ++t) {
      const double c =
          table[static_cast<std::size_t>(k1 * t % (2 * grid.z))] * (t == 0 ? 1.0 : 2.0);
      const double* const line = values.data() + (t * grid.x + k2) * grid.y;
      for (std::int64_t k = 0; k < grid.y; ++k) sums[static_cast<std::size_t>(k)] += c * line[k];
    }
    float* const to = factors_.data() + row * complexes_ * 2;
    for (std::int64_t k = 0; k < complexes_; ++k) {
      to[2 * k] = static_cast<float>(sums[static_cast<std::size_t>(k)]);
      to[2 * k + 1] = static_cast<float>(sums[static_cast<std::size_t>((grid.y - k) % grid.y)]);
    }
  }
  turn_z_ = cosine_turns(grid.z, grid.z);
  turn_x_ = cosine_turns(grid.x, grid.x);
  turn_y_ = cosine_turns(grid.y, complexes_);
}

// With P the spectrum times its turn along y, the cosine coefficients at k3 and n3 − k3 are in
// A = (P(k) + conj P(−k)) / 2 and B = i (P(k) − conj P(−k)) / 2; each of those, turned along x and
// then along z, falls apart in the same way, down to the eight real coefficients of an octet.
void CosineSpectrum::multiply_octets(std::int64_t k1, std::int64_t k2, float* spectrum,
                                     std::int64_t row) const {
  const std::int64_t m1 = (grid_.z - k1) % grid_.z;
  const std::int64_t m2 = (grid_.x - k2) % grid_.x;
  const auto line = [&](std::int64_t a, std::int64_t b) {
    return spectrum + (a * grid_.x + b) * row;
  };
  const auto factor = [&](std::int64_t a, std::int64_t b) {
    return factors_.data() + (a * grid_.x + b) * complexes_ * 2;
  };
  float* const pp = line(k1, k2);
  float* const mp = line(m1, k2);
  float* const pm = line(k1, m2);
  float* const mm = line(m1, m2);
  const float* const hpp = factor(k1, k2);
  const float* const hmp = factor(m1, k2);
  const float* const hpm = factor(k1, m2);
  const float* const hmm = factor(m1, m2);
  const Pair turn_z = pair(turn_z_[static_cast<std::size_t>(k1)]);
  const Pair turn_x = pair(turn_x_[static_cast<std::size_t>(k2)]);
  const auto* const turn_y = reinterpret_cast<const float*>(turn_y_.data());

  for (std::int64_t k = 0; k < complexes_; ++k) {
    const Pair turn = load(turn_y + 2 * k);
    const Pair p1 = load(pp + 2 * k) * turn;
    const Pair p2 = load(mp + 2 * k) * turn;
    const Pair p3 = load(pm + 2 * k) * turn;
    const Pair p4 = load(mm + 2 * k) * turn;
    const auto octet = [&](Pair& plus, Pair& minus, std::int64_t part) {
      const Pair a = plus * turn_x;
      const Pair b = conj(minus * turn_x);
      Pair d = half(a + b) * turn_z;
      Pair e = times_i(half(a - b)) * turn_z;
      d = Pair{d.re * hpp[2 * k + part], d.im * hmp[2 * k + part]} * conj(turn_z);
      e = Pair{e.re * hpm[2 * k + part], e.im * hmm[2 * k + part]} * conj(turn_z);
      const Pair ie = times_i(e);
      plus = (d - ie) * conj(turn_x);
      minus = conj(d + ie) * conj(turn_x);
    };
    Pair a_plus = half(p1 + conj(p4));
    Pair a_minus = half(p2 + conj(p3));
    Pair b_plus = times_i(half(p1 - conj(p4)));
    Pair b_minus = times_i(half(p2 - conj(p3)));
    octet(a_plus, a_minus, 0);
    octet(b_plus, b_minus, 1);
    const Pair ib_plus = times_i(b_plus);
    const Pair ib_minus = times_i(b_minus);
    const Pair back = conj(turn);
    store(pp + 2 * k, (a_plus - ib_plus) * back);
    store(mm + 2 * k, conj(a_plus + ib_plus) * back);
    store(mp + 2 * k, (a_minus - ib_minus) * back);
    store(pm + 2 * k, conj(a_minus + ib_minus) * back);
  }
}

void CosineSpectrum::multiply(float* spectrum, std::int64_t row) const {
  const std::int64_t lines_x = grid_.x / 2 + 1;
  const std::int64_t tasks = (grid_.z / 2 + 1) * lines_x;
#pragma omp parallel for schedule(static) num_threads(thread_count())
  for (std::int64_t i = 0; i < tasks; ++i) {
    multiply_octets(i / lines_x, i % lines_x, spectrum, row);
  }
}

std::uint64_t CosineSpectrum::bytes() const {
  return factors_.size() * sizeof(float) +
         (turn_z_.size() + turn_x_.size() + turn_y_.size()) * sizeof(std::complex<float>);
}

}  // namespace aprscope
