#include "core/image/cosine_convolution.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>
#include <string>

#include "core/base/parallel.hpp"
#include "core/image/complex_lanes.hpp"

namespace aprscope {
namespace {

using detail::conjugate;
using detail::FftColumns;
using detail::Lanes;
using detail::load_lanes;
using detail::store_lanes;
using detail::swapped;

constexpr std::int64_t kBlock = 2 * FftColumns::kWidth;  // values of a row of a block of columns
// A sum of this many cosines is sooner made than read.
constexpr std::int64_t kShortKernel = 16;

// Where value i of n lies in Makhoul's order: even i first, then the odd ones backwards.
std::int64_t place(std::int64_t i, std::int64_t n) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; }

// Rows of a block of columns, one of which may be narrower than the others.
void read_row(const float* from, std::int64_t width, float* to) {
  if (width == kBlock) {
    detail::copy_block(from, to);
    // Prefetch the next block: the processor does not foresee strides this long.
    __builtin_prefetch(from + kBlock, 0, 2);
  } else {
    std::copy_n(from, width, to);
    std::fill(to + width, to + kBlock, 0.0F);
  }
}
void write_row(const float* from, std::int64_t width, float* to) {
  if (width == kBlock) {
    detail::copy_block(from, to);
  } else {
    std::copy_n(from, width, to);
  }
}
void read_columns(const float* first, std::int64_t n, std::int64_t stride, std::int64_t width,
                  bool ordered, float* to) {
  for (std::int64_t i = 0; i < n; ++i) {
    read_row(first + i * stride, width, to + (ordered ? place(i, n) : i) * kBlock);
  }
}
void write_columns(const float* from, std::int64_t n, std::int64_t stride, std::int64_t width,
                   bool ordered, float* first) {
  for (std::int64_t i = 0; i < n; ++i) {
    write_row(from + (ordered ? place(i, n) : i) * kBlock, width, first + i * stride);
  }
}

Lanes turned(Lanes v, std::complex<float> by) {
  return v * by.real() - conjugate(swapped(v)) * by.imag();
}

// With Z the Fourier transform of a line in Makhoul's order and t = exp(−iπk / 2n): u = t Z(k) and
// v = t* Z(n − k) make the cosine transform C(k) = (u + v) / 2, C(n − k) = i (u − v) / 2; back,
// Z(k) = t* (C(k) − i C(n − k)), Z(n − k) = t (C(k) + i C(n − k)). This holds for two real lines
// stored as one complex line, too. Calls item(k, n − k, t) for all pairs, from k = 1 on.
template <class Item>
void for_pairs(std::int64_t n, const std::vector<std::complex<float>>& turns, const Item& item) {
  for (std::int64_t k = 1; 2 * k <= n; ++k) item(k, n - k, turns[static_cast<std::size_t>(k)]);
}

void spectrum_to_cosines(float* lines, std::int64_t n,
                         const std::vector<std::complex<float>>& turns) {
  for_pairs(n, turns, [&](std::int64_t k, std::int64_t m, std::complex<float> t) {
    for (std::int64_t c = 0; c < kBlock; c += 8) {
      const Lanes u = turned(load_lanes(lines + k * kBlock + c), t);
      const Lanes v = turned(load_lanes(lines + m * kBlock + c), std::conj(t));
      store_lanes(lines + m * kBlock + c, 0.5F * detail::times_i(u - v));
      store_lanes(lines + k * kBlock + c, 0.5F * (u + v));
    }
  });
}
void cosines_to_spectrum(float* lines, std::int64_t n,
                         const std::vector<std::complex<float>>& turns) {
  for_pairs(n, turns, [&](std::int64_t k, std::int64_t m, std::complex<float> t) {
    for (std::int64_t c = 0; c < kBlock; c += 8) {
      const Lanes a = load_lanes(lines + k * kBlock + c);
      const Lanes b = detail::times_i(load_lanes(lines + m * kBlock + c));
      store_lanes(lines + m * kBlock + c, turned(a + b, t));
      store_lanes(lines + k * kBlock + c, turned(a - b, std::conj(t)));
    }
  });
}
// Both conversions in one sweep, with the factors of the cosines between them.
void multiply_cosines(float* lines, const float* factors, std::int64_t n,
                      const std::vector<std::complex<float>>& turns) {
  for (std::int64_t c = 0; c < kBlock; c += 8) {
    store_lanes(lines + c, load_lanes(lines + c) * load_lanes(factors + c));
  }
  for_pairs(n, turns, [&](std::int64_t k, std::int64_t m, std::complex<float> t) {
    for (std::int64_t c = 0; c < kBlock; c += 8) {
      const Lanes u = turned(load_lanes(lines + k * kBlock + c), t);
      const Lanes v = turned(load_lanes(lines + m * kBlock + c), std::conj(t));
      const Lanes a = 0.5F * (u + v) * load_lanes(factors + k * kBlock + c);
      const Lanes b = 0.5F * detail::times_i(u - v) * load_lanes(factors + m * kBlock + c);
      const Lanes other = detail::times_i(b);
      store_lanes(lines + m * kBlock + c, turned(a + other, t));
      store_lanes(lines + k * kBlock + c, turned(a - other, std::conj(t)));
    }
  });
}

std::vector<std::complex<float>> turns(std::int64_t n) {
  std::vector<std::complex<float>> all;
  for (std::int64_t k = 0; 2 * k <= n; ++k) {
    all.push_back(std::complex<float>(std::polar(
        1.0, -0.5 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n))));
  }
  return all;
}

// cos(π k t / n), tap t standing for its mirror image as well.
double cosine(std::int64_t k, std::int64_t t, std::int64_t n) {
  const double angle =
      std::numbers::pi * static_cast<double>(k * t % (2 * n)) / static_cast<double>(n);
  return t == 0 ? 1.0 : 2.0 * std::cos(angle);
}

// cosine(k, t, n) for all k < n and t < taps.
std::vector<double> cosines(std::int64_t n, std::int64_t taps) {
  std::vector<double> waves;
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t t = 0; t < taps; ++t) waves.push_back(cosine(k, t, n));
  }
  return waves;
}

// The sums Σ_t in(outer, t, inner) cosine(k, t, n) for all k < n, as (outer, n, inner).
std::vector<double> sum_cosines(const std::vector<double>& in, std::int64_t outer,
                                std::int64_t taps, std::int64_t inner, std::int64_t n) {
  const std::vector<double> waves = cosines(n, taps);
  std::vector<double> out(static_cast<std::size_t>(outer * n * inner), 0.0);
  parallel_for(outer * n, thread_count(), [&](std::int64_t task) {
    double* const to = out.data() + task * inner;
    for (std::int64_t t = 0; t < taps; ++t) {
      const double c = waves[static_cast<std::size_t>(task % n * taps + t)];
      const double* const from = in.data() + (task / n * taps + t) * inner;
      for (std::int64_t i = 0; i < inner; ++i) to[i] += c * from[i];
    }
  });
  return out;
}

// The octant of offsets ≥ 0; the mean of the eight where they differ by rounding.
std::vector<double> octant(const Size3& n, std::span<const double> kernel) {
  std::vector<double> out;
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return kernel[static_cast<std::size_t>(((n.z / 2 + z) * n.x + n.x / 2 + x) * n.y + n.y / 2 +
                                           y)];
  };
  for (std::int64_t z = 0; z <= n.z / 2; ++z) {
    for (std::int64_t x = 0; x <= n.x / 2; ++x) {
      for (std::int64_t y = 0; y <= n.y / 2; ++y) {
        out.push_back(0.125 *
                      (((at(z, x, y) + at(z, x, -y)) + (at(z, -x, y) + at(z, -x, -y))) +
                       ((at(-z, x, y) + at(-z, x, -y)) + (at(-z, -x, y) + at(-z, -x, -y)))));
      }
    }
  }
  return out;
}

}  // namespace

CosineConvolution::CosineConvolution(const Size3& image)
    : image_(image),
      rows_(image.y),
      lines_z_(image.z),
      lines_x_(image.x),
      turns_z_(turns(image.z)),
      turns_x_(turns(image.x)),
      half_(std::max(lines_z_.size(), lines_x_.size())),
      row_work_(rows_.pitch()),
      work_(static_cast<std::size_t>(thread_count())) {
  // Real and imaginary parts; padded, as the loop reads eight numbers at once.
  turns_y_.resize(static_cast<std::size_t>(image.y + 20), 0.0F);
  std::size_t i = 0;
  for (const std::complex<float>& t : turns(image.y)) {
    turns_y_[i++] = t.real();
    turns_y_[i++] = t.imag();
  }
  const std::int64_t scratch = std::max(3 * half_, row_work_ + rows_.scratch());
  for (auto& w : work_) w.resize(static_cast<std::size_t>(scratch));
}

bool CosineConvolution::is_fast(const Size3& image) {
  const auto fast = [](std::int64_t n) { return detail::fft_steps(n).first > 0; };
  return fast(image.z) && fast(image.x) &&
         (fast(image.y) || (image.y % 2 == 0 && fast(image.y / 2)));
}

Result<std::unique_ptr<CosineConvolution>> CosineConvolution::create(
    const Size3& image, const Size3& kernel_size, std::span<const double> kernel) {
  const std::string extent =
      std::to_string(image.z) + " × " + std::to_string(image.x) + " × " + std::to_string(image.y);
  try {
    std::unique_ptr<CosineConvolution> made(new CosineConvolution(image));
    if (!made->rows_.ok() || !made->lines_z_.ok() || !made->lines_x_.ok()) {
      return Error{"FFTW has no plan for " + extent, "cosine transform", "use a smaller image"};
    }
    made->make_factors(kernel_size, kernel);
    return made;
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to transform " + extent, "cosine transform",
                 "truncate the PSF, convert to particles, or close other data"};
  }
}

std::uint64_t CosineConvolution::bytes() const {
  std::uint64_t floats = factors_.size() + cosines_y_.size() + turns_y_.size();
  for (const auto& w : work_) floats += w.size();
  return floats * sizeof(float) + rows_.bytes() + lines_z_.bytes() + lines_x_.bytes();
}

template <class Work>
bool CosineConvolution::for_each(std::int64_t count, const JobContext& context, const Work& work) {
  parallel_each(count, static_cast<int>(work_.size()), [&](std::int64_t i, int thread) {
    if (!context.stop_requested()) work(i, work_[static_cast<std::size_t>(thread)].data());
  });
  return !context.stop_requested();
}

void CosineConvolution::make_factors(const Size3& size, std::span<const double> kernel) {
  const Size3& n = image_;
  const Size3 taps{size.z / 2 + 1, size.x / 2 + 1, size.y / 2 + 1};
  std::vector<double> values = octant(size, kernel);
  if (taps.y <= kShortKernel) {
    taps_ = taps.y;
    values = sum_cosines(values, taps.z, taps.x, taps.y, n.x);
    values = sum_cosines(values, 1, taps.z, n.x * taps.y, n.z);
    factors_.assign(values.begin(), values.end());
    const std::int64_t row = (n.y + kBlock - 1) / kBlock * kBlock;
    cosines_y_.resize(static_cast<std::size_t>(row * taps.y), 0.0F);
    for (std::int64_t t = 0; t < taps.y; ++t) {
      for (std::int64_t k = 0; k < n.y; ++k) {
        cosines_y_[static_cast<std::size_t>(t * row + k)] = static_cast<float>(cosine(k, t, n.y));
      }
    }
    return;
  }
  values = sum_cosines(values, taps.z * taps.x, taps.y, 1, n.y);
  values = sum_cosines(values, taps.z, taps.x, n.y, n.x);
  // The last dimension row by row, so that no image of doubles is needed.
  factors_.resize(static_cast<std::size_t>(n.count() + kBlock), 0.0F);
  const std::vector<double> waves = cosines(n.z, taps.z);
  parallel_for(n.z * n.x, thread_count(), [&](std::int64_t task) {
    // Blocks of the row, whose sums stay at hand.
    for (std::int64_t y = 0; y < n.y; y += kBlock) {
      double sums[kBlock] = {};
      const std::int64_t width = std::min(kBlock, n.y - y);
      for (std::int64_t t = 0; t < taps.z; ++t) {
        const double c = waves[static_cast<std::size_t>(task / n.x * taps.z + t)];
        const double* const from = values.data() + (t * n.x + task % n.x) * n.y + y;
        for (std::int64_t i = 0; i < width; ++i) sums[i] += c * from[i];
      }
      std::transform(sums, sums + width, factors_.data() + task * n.y + y,
                     [](double v) { return static_cast<float>(v); });
    }
  });
}

void CosineConvolution::factors(std::int64_t x, std::int64_t y, float* to) const {
  const Size3& n = image_;
  const std::int64_t width = std::min(kBlock, n.y - y);
  if (taps_ == 0) {
    read_columns(factors_.data() + x * n.y + y, n.z, n.x * n.y, width, false, to);
    return;
  }
  const std::int64_t row = (n.y + kBlock - 1) / kBlock * kBlock;
  for (std::int64_t z = 0; z < n.z; ++z) {
    const float* const sums = factors_.data() + (z * n.x + x) * taps_;
    Lanes low{};
    Lanes high{};
    for (std::int64_t t = 0; t < taps_; ++t) {
      const float* const wave = cosines_y_.data() + t * row + y;
      low += sums[t] * load_lanes(wave);
      high += sums[t] * load_lanes(wave + 8);
    }
    store_lanes(to + z * kBlock, low);
    store_lanes(to + z * kBlock + 8, high);
  }
}

// C(k) = Re(t V(k)), C(n − k) = −Im(t V(k)), with V the spectrum of the row in Makhoul's order.
void CosineConvolution::row_to_cosines(const float* from, float* row, float* scratch) const {
  const std::int64_t n = image_.y;
  float* const v = scratch;
  for (std::int64_t i = 0; 2 * i < n; ++i) v[i] = from[2 * i];
  for (std::int64_t i = 0; 2 * i + 1 < n; ++i) v[n - 1 - i] = from[2 * i + 1];
  rows_.forward(v, scratch + row_work_);
  row[0] = v[0];
  const float* const turn = turns_y_.data();
  for (std::int64_t k = 1; 2 * k <= n; ++k) {
    const float re = v[2 * k] * turn[2 * k] - v[2 * k + 1] * turn[2 * k + 1];
    const float im = v[2 * k + 1] * turn[2 * k] + v[2 * k] * turn[2 * k + 1];
    row[n - k] = -im;
    row[k] = re;
  }
}

// V(k) = t* (C(k) − i C(n − k)).
void CosineConvolution::row_from_cosines(float* row, float* scratch) const {
  const std::int64_t n = image_.y;
  float* const v = scratch;
  v[0] = row[0];
  v[1] = 0.0F;
  const float* const turn = turns_y_.data();
  for (std::int64_t k = 1; 2 * k <= n; ++k) {
    const float re = row[k];
    const float im = -row[n - k];
    v[2 * k] = re * turn[2 * k] + im * turn[2 * k + 1];
    v[2 * k + 1] = im * turn[2 * k] - re * turn[2 * k + 1];
  }
  rows_.inverse(v, scratch + row_work_, 1.0F / static_cast<float>(image_.count()));
  for (std::int64_t i = 0; 2 * i < n; ++i) row[2 * i] = v[i];
  for (std::int64_t i = 0; 2 * i + 1 < n; ++i) row[2 * i + 1] = v[n - 1 - i];
}

void CosineConvolution::to_cosines(const float* image, float* plane, float* scratch) const {
  const Size3& n = image_;
  for (std::int64_t x = 0; x < n.x; ++x) row_to_cosines(image + x * n.y, plane + x * n.y, scratch);
  if (n.x == 1) return;
  for (std::int64_t y = 0; y < n.y; y += kBlock) {
    const std::int64_t width = std::min(kBlock, n.y - y);
    read_columns(plane + y, n.x, n.y, width, true, scratch);
    float* const done = lines_x_.forward(scratch, scratch + half_);
    spectrum_to_cosines(done, n.x, turns_x_);
    write_columns(done, n.x, n.y, width, false, plane + y);
  }
}

void CosineConvolution::from_cosines(float* plane, float* scratch) const {
  const Size3& n = image_;
  for (std::int64_t y = 0; n.x > 1 && y < n.y; y += kBlock) {
    const std::int64_t width = std::min(kBlock, n.y - y);
    read_columns(plane + y, n.x, n.y, width, false, scratch);
    cosines_to_spectrum(scratch, n.x, turns_x_);
    const float* const done = lines_x_.inverse(scratch, scratch + half_);
    write_columns(done, n.x, n.y, width, true, plane + y);
  }
  for (std::int64_t x = 0; x < n.x; ++x) row_from_cosines(plane + x * n.y, scratch);
}

void CosineConvolution::multiply(float* volume, std::int64_t x, float* scratch) const {
  const Size3& n = image_;
  float* const other = scratch + half_;
  float* const products = scratch + 2 * half_;
  for (std::int64_t y = 0; y < n.y; y += kBlock) {
    const std::int64_t width = std::min(kBlock, n.y - y);
    float* const first = volume + x * n.y + y;
    factors(x, y, products);
    read_columns(first, n.z, n.x * n.y, width, true, scratch);
    float* const done = lines_z_.forward(scratch, other);
    multiply_cosines(done, products, n.z, turns_z_);
    const float* const back = lines_z_.inverse(done, done == scratch ? other : scratch);
    write_columns(back, n.z, n.x * n.y, width, true, first);
  }
}

Status CosineConvolution::apply(std::span<const float> image, std::span<float> out,
                                const JobContext& context) {
  const std::int64_t plane = image_.x * image_.y;
  float* const volume = out.data();
  const bool done =
      for_each(image_.z, context,
               [&](std::int64_t z, float* scratch) {
                 to_cosines(image.data() + z * plane, volume + z * plane, scratch);
               }) &&
      for_each(image_.x, context,
               [&](std::int64_t x, float* scratch) { multiply(volume, x, scratch); }) &&
      for_each(image_.z, context,
               [&](std::int64_t z, float* scratch) { from_cosines(volume + z * plane, scratch); });
  return done ? Status() : cancelled_error();
}

}  // namespace aprscope
