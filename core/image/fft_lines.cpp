#include "core/image/fft_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <mutex>
#include <numbers>

#include "core/image/complex_lanes.hpp"

namespace aprscope::detail {
namespace {

constexpr unsigned kRule = FFTW_ESTIMATE;

// FFTW plans one at a time.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

fftwf_complex* complex_of(float* p) { return reinterpret_cast<fftwf_complex*>(p); }

std::complex<double> turn(std::int64_t k, std::int64_t n, int sign) {
  return std::polar(
      1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

// Complex transforms of length n, `stride` numbers apart, for two dimensions of lines.
fftwf_plan plan(std::int64_t n, std::int64_t stride, std::int64_t stride_out,
                const std::array<fftwf_iodim, 2>& lines, float* in, float* out, int sign) {
  const fftwf_iodim line{static_cast<int>(n), static_cast<int>(stride),
                         static_cast<int>(stride_out)};
  return fftwf_plan_guru_dft(1, &line, 2, lines.data(), complex_of(in), complex_of(out), sign,
                             kRule);
}

fftwf_iodim dimension(std::int64_t n, std::int64_t in, std::int64_t out) {
  return {static_cast<int>(n), static_cast<int>(in), static_cast<int>(out)};
}

}  // namespace

FftPlan::~FftPlan() {
  if (plan_ == nullptr) return;
  const std::lock_guard lock(planner());
  fftwf_destroy_plan(plan_);
}

FftSteps fft_steps(std::int64_t n) {
  // Longer ones (25) or none between take FFTW twice as long a value.
  constexpr std::int64_t kLengths[] = {2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 14, 15, 16, 20, 32, 64};
  if (n == 1 || n == 128) return {n, 1};
  FftSteps best;
  for (const std::int64_t first : kLengths) {
    if (first == n) return {n, 1};
    if (n % first != 0) continue;
    const std::int64_t second = n / first;
    if (second < first ||
        std::find(std::begin(kLengths), std::end(kLengths), second) == std::end(kLengths)) {
      continue;
    }
    best = {first, second};  // the last are the most alike
  }
  return best;
}

// Cooley–Tukey, with j = j1 · second + j2 and k = k1 + first · k2: transforms over j1, a turn by j2
// · k1 ÷ n, then transforms over j2, whose results are written to their final places.
FftColumns::Way FftColumns::make(std::int64_t n, int sign, float* a, float* b) {
  Way way;
  const auto [first, second] = fft_steps(n);
  const std::lock_guard lock(planner());
  if (second <= 1) {
    way.first =
        FftPlan(plan(n, kWidth, kWidth, {dimension(kWidth, 1, 1), dimension(1, 1, 1)}, a, a, sign));
    return way;
  }
  const std::int64_t row = second * kWidth;
  way.first =
      FftPlan(plan(first, row, row, {dimension(row, 1, 1), dimension(1, 1, 1)}, a, a, sign));
  way.second = FftPlan(plan(second, kWidth, first * kWidth,
                            {dimension(first, row, kWidth), dimension(kWidth, 1, 1)}, a, b, sign));
  if (way.second.get() == nullptr) way.first = {};
  way.turns.reserve(static_cast<std::size_t>(2 * n));
  for (std::int64_t k = 0; k < first; ++k) {
    for (std::int64_t j = 0; j < second; ++j) {
      const std::complex<double> t = turn(j * k, n, sign);
      way.turns.push_back(static_cast<float>(t.real()));
      way.turns.push_back(static_cast<float>(t.imag()));
    }
  }
  return way;
}

FftColumns::FftColumns(std::int64_t n) : n_(n), second_(fft_steps(n).second) {
  if (n == 1) return;
  AlignedVector<float> a(static_cast<std::size_t>(size()));
  AlignedVector<float> b(a.size());
  to_ = make(n, FFTW_FORWARD, a.data(), b.data());
  from_ = make(n, FFTW_BACKWARD, a.data(), b.data());
}

float* FftColumns::run(const Way& way, float* a, float* b) const {
  if (n_ == 1) return a;
  fftwf_execute_dft(way.first.get(), complex_of(a), complex_of(a));
  if (way.second.get() == nullptr) return a;
  const std::int64_t second = second_;
  for (std::int64_t i = second; i < n_; ++i) {
    const float* const t = way.turns.data() + 2 * i;
    const Lanes re = Lanes{} + t[0];
    const Lanes im = conjugate(Lanes{} - t[1]);
    float* const p = a + i * 2 * kWidth;
    for (std::int64_t c = 0; c < 2 * kWidth; c += 8) {
      const Lanes v = load_lanes(p + c);
      store_lanes(p + c, v * re + swapped(v) * im);
    }
  }
  fftwf_execute_dft(way.second.get(), complex_of(a), complex_of(b));
  return b;
}

FftRow::FftRow(std::int64_t n) : n_(n) {
  AlignedVector<float> row(static_cast<std::size_t>(pitch()));
  AlignedVector<float> work(static_cast<std::size_t>(scratch()));
  const std::lock_guard lock(planner());
  const int length = static_cast<int>(n);
  if (!halves()) {
    to_ = FftPlan(fftwf_plan_dft_r2c_1d(length, row.data(), complex_of(row.data()), kRule));
    from_ = FftPlan(fftwf_plan_dft_c2r_1d(length, complex_of(row.data()), row.data(), kRule));
    return;
  }
  const int half = length / 2;
  float* const middle = work.data() + 16;
  to_ = FftPlan(
      fftwf_plan_dft_1d(half, complex_of(row.data()), complex_of(middle), FFTW_FORWARD, kRule));
  from_ = FftPlan(
      fftwf_plan_dft_1d(half, complex_of(middle), complex_of(row.data()), FFTW_BACKWARD, kRule));
  turns_.resize(static_cast<std::size_t>(pitch()), 0.0F);
  for (std::int64_t k = 0; k <= half; ++k) {
    const std::complex<double> t = turn(k, n, -1);
    turns_[static_cast<std::size_t>(2 * k)] = static_cast<float>(t.real());
    turns_[static_cast<std::size_t>(2 * k + 1)] = static_cast<float>(t.imag());
  }
}

// With Z the transform of the pairs (even, odd): X(k) = (Z(k) + Z*(h − k)) / 2 − i/2 · turn(k) ·
// (Z(k) − Z*(h − k)), h = n / 2, Z(h) = Z(0).
void FftRow::forward(float* row, float* scratch) const {
  if (!halves()) {
    fftwf_execute_dft_r2c(to_.get(), row, complex_of(row));
    return;
  }
  const std::int64_t h = n_ / 2;
  float* const z = scratch + 16;
  fftwf_execute_dft(to_.get(), complex_of(row), complex_of(z));
  z[2 * h] = z[0];
  z[2 * h + 1] = z[1];
  for (std::int64_t k = 0; k <= h; k += 4) {
    const Lanes there = load_lanes(z + 2 * k);
    const Lanes back = conjugate(backwards(load_lanes(z + 2 * (h - k) - 6)));
    const Lanes odd = product(there - back, load_lanes(turns_.data() + 2 * k));
    // −i · (a + bi) = b − ai
    store_lanes(row + 2 * k, 0.5F * ((there + back) + conjugate(swapped(odd))));
  }
}

void FftRow::inverse(float* row, float* scratch, float scale) const {
  if (!halves()) {
    fftwf_execute_dft_c2r(from_.get(), complex_of(row), row);
    for (std::int64_t y = 0; y < n_; ++y) row[y] *= scale;
    return;
  }
  const std::int64_t h = n_ / 2;
  float* const z = scratch + 16;
  // Reads up to three numbers before the row's first and writes as many behind z's last.
  for (std::int64_t k = 0; k < h; k += 4) {
    const Lanes there = load_lanes(row + 2 * k);
    const std::int64_t first = h - k - 3;
    Lanes behind;
    if (first >= 0) {
      behind = load_lanes(row + 2 * first);
    } else {
      float edge[8] = {};
      std::copy_n(row, 2 * (h - k + 1), edge - 2 * first);
      behind = load_lanes(edge);
    }
    const Lanes back = conjugate(backwards(behind));
    const Lanes turned = product(conjugate(there - back), load_lanes(turns_.data() + 2 * k));
    // i · conj(turned), turned being the conjugate of the odd numbers' spectrum
    store_lanes(z + 2 * k, scale * ((there + back) + swapped(turned)));
  }
  fftwf_execute_dft(from_.get(), complex_of(z), complex_of(row));
}

}  // namespace aprscope::detail
