#include "core/image/fft.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/image/complex_lanes.hpp"
#include "core/image/fft_lines.hpp"

namespace aprscope {

using detail::FftColumns;
using detail::FftRow;

namespace {

// The next length of which transforms are fast, as long as it is not much longer.
std::int64_t good_line(std::int64_t n) {
  for (std::int64_t i = std::max<std::int64_t>(n, 1); i <= n + n / 4 + 1; ++i) {
    if (detail::fft_steps(i).first > 0) return i;
  }
  const auto has_small_factors = [](std::int64_t i) {
    for (const std::int64_t f : {2, 3, 5, 7}) {
      while (i % f == 0) i /= f;
    }
    return i == 1;
  };
  while (!has_small_factors(n)) ++n;
  return n;
}

// Rows are transformed as half as many pairs; multiples of 16 of those take half the time.
std::int64_t good_row(std::int64_t n) {
  if (n <= 1) return 1;
  const std::int64_t half = good_line((n + 1) / 2);
  const std::int64_t sixteens = 16 * good_line((n + 31) / 32);
  return 2 * (4 * sixteens <= 5 * half ? sixteens : half);
}

std::string text(const Size3& n) {
  return std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
}

}  // namespace

struct Fft3::State {
  Size3 size;
  std::int64_t row = 0;
  FftRow rows;
  std::array<FftColumns, 2> lines;         // along z, x
  std::vector<AlignedVector<float>> work;  // one a thread
  std::int64_t half = 0;                   // floats of one of two blocks of columns

  [[nodiscard]] int threads() const { return static_cast<int>(work.size()); }
  [[nodiscard]] std::int64_t complex_row() const { return size.y / 2 + 1; }

  // Copies a block of columns out, transforms it by `change`, which returns where it left the
  // result, and copies that back.
  template <class Change>
  void columns(float* first, std::int64_t count, std::int64_t stride, std::int64_t width,
               float* scratch, const Change& change) const {
    constexpr std::int64_t kBlock = 2 * FftColumns::kWidth;
    if (width == FftColumns::kWidth) {
      for (std::int64_t i = 0; i < count; ++i) {
        detail::copy_block(first + i * stride, scratch + i * kBlock);
        // Prefetch the next block: the processor does not foresee strides this long.
        __builtin_prefetch(first + i * stride + kBlock, 0, 2);
      }
      const float* const from = change(scratch, scratch + half);
      for (std::int64_t i = 0; i < count; ++i) {
        detail::copy_block(from + i * kBlock, first + i * stride);
      }
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      float* const to = scratch + i * kBlock;
      std::copy_n(first + i * stride, 2 * width, to);
      std::fill(to + 2 * width, to + kBlock, 0.0F);
    }
    const float* const from = change(scratch, scratch + half);
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(from + i * kBlock, 2 * width, first + i * stride);
    }
  }

  // Transforms all columns of one plane along x, one block after the other.
  template <class Change>
  void along_x(float* plane, float* scratch, const Change& change) const {
    if (size.x == 1) return;
    for (std::int64_t y = 0; y < complex_row(); y += FftColumns::kWidth) {
      columns(plane + 2 * y, size.x, row, std::min(FftColumns::kWidth, complex_row() - y), scratch,
              change);
    }
  }

  // Calls work(z, scratch) for all planes.
  template <class Work>
  bool planes(const JobContext& context, const Work& item) {
    parallel_each(size.z, threads(), [&](std::int64_t z, int thread) {
      if (!context.stop_requested()) item(z, work[static_cast<std::size_t>(thread)].data());
    });
    return !context.stop_requested();
  }

  // Calls change(columns, other, offset, width) for all blocks of columns along z; offset is where
  // the block's first number lies in a buffer.
  template <class Change>
  bool along_z(float* buffer, const JobContext& context, const Change& change) {
    parallel_each(size.x, threads(), [&](std::int64_t x, int thread) {
      if (context.stop_requested()) return;
      float* const scratch = work[static_cast<std::size_t>(thread)].data();
      for (std::int64_t y = 0; y < complex_row(); y += FftColumns::kWidth) {
        const std::int64_t offset = x * row + 2 * y;
        const std::int64_t width = std::min(FftColumns::kWidth, complex_row() - y);
        columns(buffer + offset, size.z, size.x * row, width, scratch,
                [&](float* a, float* b) { return change(a, b, offset, width); });
      }
    });
    return !context.stop_requested();
  }

  void forward_plane(float* plane, float* scratch) const {
    for (std::int64_t x = 0; x < size.x; ++x) rows.forward(plane + x * row, scratch);
    along_x(plane, scratch, [&](float* a, float* b) { return lines[1].forward(a, b); });
  }
  void inverse_plane(float* plane, float* scratch) const {
    along_x(plane, scratch, [&](float* a, float* b) { return lines[1].inverse(a, b); });
    const float scale = 1.0F / static_cast<float>(size.count());
    for (std::int64_t x = 0; x < size.x; ++x) rows.inverse(plane + x * row, scratch, scale);
  }
  [[nodiscard]] float* plane(std::span<float> buffer, std::int64_t z) const {
    return buffer.data() + z * size.x * row;
  }

  [[nodiscard]] Status check(std::size_t count) const {
    if (static_cast<std::int64_t>(count) == size.z * size.x * row) return {};
    return Error{"the buffer has " + std::to_string(count) + " values", "Fourier transform",
                 "use one of buffer_count() values"};
  }
};

Fft3::Fft3(std::unique_ptr<State> state) : state_(std::move(state)) {}
Fft3::~Fft3() = default;

Result<std::unique_ptr<Fft3>> Fft3::create(const Size3& size) {
  constexpr std::int64_t limit = 1 << 20;
  for (const std::int64_t n : {size.z, size.x, size.y}) {
    if (n < 1 || n > limit) {
      return Error{"cannot transform a volume of " + text(size), "Fourier transform",
                   "use sizes from 1 to " + std::to_string(limit)};
    }
  }
  try {
    auto state = std::make_unique<State>();
    state->size = size;
    state->rows = FftRow(size.y);
    state->row = state->rows.pitch();
    state->lines = {FftColumns(size.z), FftColumns(size.x)};
    state->half = std::max(state->lines[0].size(), state->lines[1].size());
    const std::int64_t scratch = std::max(2 * state->half, state->rows.scratch());
    state->work.resize(static_cast<std::size_t>(thread_count()));
    for (auto& w : state->work) w.resize(static_cast<std::size_t>(scratch));
    const bool made = state->rows.ok() && state->lines[0].ok() && state->lines[1].ok();
    if (!made) {
      return Error{"FFTW has no plan for " + text(size), "Fourier transform",
                   "use a size from Fft3::good_size()"};
    }
    return std::unique_ptr<Fft3>(new Fft3(std::move(state)));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to transform " + text(size), "Fourier transform",
                 "close other data or use a smaller image"};
  }
}

Size3 Fft3::good_size(const Size3& at_least) {
  return {good_line(at_least.z), good_line(at_least.x), good_row(at_least.y)};
}

const Size3& Fft3::size() const { return state_->size; }
std::int64_t Fft3::row() const { return state_->row; }

std::uint64_t Fft3::bytes() const {
  // FFTW's plans hold twiddle factors, about as many as a line is long.
  std::uint64_t total = state_->rows.bytes() + state_->lines[0].bytes() + state_->lines[1].bytes();
  for (const auto& w : state_->work) total += w.size() * sizeof(float);
  const Size3& n = state_->size;
  return total + static_cast<std::uint64_t>(n.z + n.x + n.y) * 2 * sizeof(fftwf_complex);
}

Status Fft3::forward(std::span<float> buffer, const JobContext& context) {
  State& s = *state_;
  if (Status ok = s.check(buffer.size()); !ok) return ok;
  const bool done = s.planes(context, [&](std::int64_t z, float* scratch) {
    s.forward_plane(s.plane(buffer, z), scratch);
  }) && s.along_z(buffer.data(), context, [&](float* a, float* b, std::int64_t, std::int64_t) {
    return s.lines[0].forward(a, b);
  });
  return done ? Status() : cancelled_error();
}

Status Fft3::inverse(std::span<float> buffer, const JobContext& context) {
  State& s = *state_;
  if (Status ok = s.check(buffer.size()); !ok) return ok;
  const bool done = s.along_z(buffer.data(), context,
                              [&](float* a, float* b, std::int64_t, std::int64_t) {
                                return s.lines[0].inverse(a, b);
                              }) &&
                    s.planes(context, [&](std::int64_t z, float* scratch) {
                      s.inverse_plane(s.plane(buffer, z), scratch);
                    });
  return done ? Status() : cancelled_error();
}

namespace {

// out = a · k of `count` complex numbers, or a · conj(k) where `sign` is −1.
inline void multiply_row(const float* a, const float* k, std::int64_t count, float sign,
                         float* out) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    detail::store_lanes(out + 2 * i, detail::product(detail::load_lanes(a + 2 * i),
                                                     detail::load_lanes(k + 2 * i), sign));
  }
  for (; i < count; ++i) {
    const float re = a[2 * i];
    const float im = a[2 * i + 1];
    const float kr = k[2 * i];
    const float ki = sign * k[2 * i + 1];
    out[2 * i] = re * kr - im * ki;
    out[2 * i + 1] = im * kr + re * ki;
  }
}

}  // namespace

Status Fft3::filter(std::span<float> buffer, std::span<const float> kernel, bool conjugate,
                    const JobContext& context) {
  State& s = *state_;
  if (Status ok = s.check(buffer.size()); !ok) return ok;
  if (Status ok = s.check(kernel.size()); !ok) return ok;
  const float sign = conjugate ? -1.0F : 1.0F;
  const std::int64_t plane = s.size.x * s.row;
  const auto blur = [&](float* a, float* b, std::int64_t offset, std::int64_t width) {
    float* const spectrum = s.lines[0].forward(a, b);
    for (std::int64_t z = 0; z < s.size.z; ++z) {
      float* const at = spectrum + z * 2 * FftColumns::kWidth;
      multiply_row(at, kernel.data() + z * plane + offset, width, sign, at);
    }
    return s.lines[0].inverse(spectrum, spectrum == a ? b : a);
  };
  const bool done =
      s.planes(context, [&](std::int64_t z,
                            float* scratch) { s.forward_plane(s.plane(buffer, z), scratch); }) &&
      s.along_z(buffer.data(), context, blur) &&
      s.planes(context, [&](std::int64_t z, float* scratch) {
        s.inverse_plane(s.plane(buffer, z), scratch);
      });
  return done ? Status() : cancelled_error();
}

}  // namespace aprscope
