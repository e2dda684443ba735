#include "core/image/fft.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <fftw3.h>
#include <omp.h>

#include "core/base/aligned_vector.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Columns that are transformed together: they fill two cache lines of a row.
constexpr std::int64_t kColumns = 16;

// FFTW plans one at a time.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

class Plan {
 public:
  Plan() = default;
  explicit Plan(fftwf_plan plan) : plan_(plan) {}
  Plan(Plan&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
  Plan& operator=(Plan&& other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
  }
  ~Plan() {
    if (plan_ == nullptr) return;
    const std::lock_guard lock(planner());
    fftwf_destroy_plan(plan_);
  }
  [[nodiscard]] fftwf_plan get() const { return plan_; }

 private:
  fftwf_plan plan_ = nullptr;
};

fftwf_complex* complex_of(float* p) { return reinterpret_cast<fftwf_complex*>(p); }

// Plans are chosen by rule and not by measuring, or one run would round differently from the next.
constexpr unsigned kRule = FFTW_ESTIMATE;

// `kColumns` interleaved columns of n complex numbers, in place.
Plan columns_plan(std::int64_t n, int sign, float* work) {
  const int length = static_cast<int>(n);
  const std::lock_guard lock(planner());
  return Plan(fftwf_plan_many_dft(1, &length, kColumns, complex_of(work), nullptr, kColumns, 1,
                                  complex_of(work), nullptr, kColumns, 1, sign, kRule));
}

bool has_small_factors(std::int64_t n) {
  for (const std::int64_t f : {2, 3, 5, 7}) {
    while (n % f == 0) n /= f;
  }
  return n == 1;
}

std::string text(const Size3& n) {
  return std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
}

}  // namespace

struct Fft3::State {
  Size3 size;
  std::int64_t row = 0;
  Plan to_rows, from_rows;                 // along y
  std::array<Plan, 2> to, from;            // along z, x
  std::vector<AlignedVector<float>> work;  // columns, one a thread

  [[nodiscard]] int threads() const { return static_cast<int>(work.size()); }
  [[nodiscard]] std::int64_t complex_row() const { return size.y / 2 + 1; }

  // Copies a block of columns out, applies `change` to it and copies it back.
  template <class Change>
  void columns(float* first, std::int64_t count, std::int64_t stride, std::int64_t width,
               float* scratch, const Change& change) const {
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(first + i * stride, 2 * width, scratch + i * 2 * kColumns);
    }
    change(scratch);
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(scratch + i * 2 * kColumns, 2 * width, first + i * stride);
    }
  }

  // All rows of one plane along x, a block of columns after the other.
  void along_x(float* plane, const Plan& plan, float* scratch) const {
    if (size.x == 1) return;
    for (std::int64_t y = 0; y < complex_row(); y += kColumns) {
      columns(plane + 2 * y, size.x, row, std::min(kColumns, complex_row() - y), scratch,
              [&](float* c) { fftwf_execute_dft(plan.get(), complex_of(c), complex_of(c)); });
    }
  }

  // Calls work(z, scratch) for all planes.
  template <class Work>
  bool planes(const JobContext& context, const Work& item) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads())
    for (std::int64_t z = 0; z < size.z; ++z) {
      if (context.stop_requested()) continue;
      item(z, work[static_cast<std::size_t>(omp_get_thread_num())].data());
    }
    return !context.stop_requested();
  }

  // Calls change(columns, offset) for all blocks of columns along z; offset is where the block's
  // first number lies in a buffer.
  template <class Change>
  bool along_z(float* buffer, const JobContext& context, const Change& change) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads())
    for (std::int64_t x = 0; x < size.x; ++x) {
      if (context.stop_requested()) continue;
      float* const scratch = work[static_cast<std::size_t>(omp_get_thread_num())].data();
      for (std::int64_t y = 0; y < complex_row(); y += kColumns) {
        const std::int64_t offset = x * row + 2 * y;
        const std::int64_t width = std::min(kColumns, complex_row() - y);
        columns(buffer + offset, size.z, size.x * row, width, scratch,
                [&](float* c) { change(c, offset, width); });
      }
    }
    return !context.stop_requested();
  }

  void forward_plane(float* plane, float* scratch) const {
    for (std::int64_t x = 0; x < size.x; ++x) {
      float* const p = plane + x * row;
      fftwf_execute_dft_r2c(to_rows.get(), p, complex_of(p));
    }
    along_x(plane, to[1], scratch);
  }
  void inverse_plane(float* plane, float* scratch) const {
    along_x(plane, from[1], scratch);
    const float scale = 1.0F / static_cast<float>(size.count());
    for (std::int64_t x = 0; x < size.x; ++x) {
      float* const p = plane + x * row;
      fftwf_execute_dft_c2r(from_rows.get(), complex_of(p), p);
      for (std::int64_t y = 0; y < size.y; ++y) p[y] *= scale;
    }
  }
  void forward_columns(float* c) const {
    if (size.z > 1) fftwf_execute_dft(to[0].get(), complex_of(c), complex_of(c));
  }
  void inverse_columns(float* c) const {
    if (size.z > 1) fftwf_execute_dft(from[0].get(), complex_of(c), complex_of(c));
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
    state->row = (2 * (size.y / 2 + 1) + 15) / 16 * 16;
    state->work.resize(static_cast<std::size_t>(thread_count()));
    for (auto& w : state->work) {
      w.resize(static_cast<std::size_t>(std::max(size.z, size.x) * 2 * kColumns));
    }
    float* const work = state->work.front().data();
    AlignedVector<float> line(static_cast<std::size_t>(state->row));
    {
      const std::lock_guard lock(planner());
      const int n = static_cast<int>(size.y);
      state->to_rows = Plan(fftwf_plan_dft_r2c_1d(n, line.data(), complex_of(line.data()), kRule));
      state->from_rows =
          Plan(fftwf_plan_dft_c2r_1d(n, complex_of(line.data()), line.data(), kRule));
    }
    bool made = state->to_rows.get() != nullptr && state->from_rows.get() != nullptr;
    const std::array<std::int64_t, 2> lengths{size.z, size.x};
    for (std::size_t d = 0; d < 2; ++d) {
      state->to[d] = columns_plan(lengths[d], FFTW_FORWARD, work);
      state->from[d] = columns_plan(lengths[d], FFTW_BACKWARD, work);
      made = made && state->to[d].get() != nullptr && state->from[d].get() != nullptr;
    }
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
  const auto grown = [](std::int64_t n, std::int64_t step) {
    if (n <= 1) return std::int64_t{1};
    n = (n + step - 1) / step * step;
    while (!has_small_factors(n)) n += step;
    return n;
  };
  return {grown(at_least.z, 1), grown(at_least.x, 1), grown(at_least.y, 2)};
}

const Size3& Fft3::size() const { return state_->size; }
std::int64_t Fft3::row() const { return state_->row; }

std::uint64_t Fft3::bytes() const {
  // What FFTW keeps for a plan are twiddle factors, about as long as the line.
  std::uint64_t total = 0;
  for (const auto& w : state_->work) total += w.size() * sizeof(float);
  const Size3& n = state_->size;
  return total + static_cast<std::uint64_t>(n.z + n.x + n.y) * 2 * sizeof(fftwf_complex);
}

Status Fft3::forward(std::span<float> buffer, const JobContext& context) {
  State& s = *state_;
  if (Status ok = s.check(buffer.size()); !ok) return ok;
  const bool done = s.planes(context, [&](std::int64_t z, float* scratch) {
    s.forward_plane(s.plane(buffer, z), scratch);
  }) && s.along_z(buffer.data(), context, [&](float* c, std::int64_t, std::int64_t) {
    s.forward_columns(c);
  });
  return done ? Status() : cancelled_error();
}

Status Fft3::inverse(std::span<float> buffer, const JobContext& context) {
  State& s = *state_;
  if (Status ok = s.check(buffer.size()); !ok) return ok;
  const bool done = s.along_z(buffer.data(), context, [&](float* c, std::int64_t, std::int64_t) {
    s.inverse_columns(c);
  }) && s.planes(context, [&](std::int64_t z, float* scratch) {
    s.inverse_plane(s.plane(buffer, z), scratch);
  });
  return done ? Status() : cancelled_error();
}

namespace {

// a ← a · k of `count` complex numbers, or a · conj(k).
inline void multiply_row(const float* a, const float* k, std::int64_t count, float sign,
                         float* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float re = a[2 * i];
    const float im = a[2 * i + 1];
    const float kr = k[2 * i];
    const float ki = sign * k[2 * i + 1];
    out[2 * i] = re * kr - im * ki;
    out[2 * i + 1] = re * ki + im * kr;
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
  const auto blur = [&](float* c, std::int64_t offset, std::int64_t width) {
    s.forward_columns(c);
    for (std::int64_t z = 0; z < s.size.z; ++z) {
      float* const at = c + z * 2 * kColumns;
      multiply_row(at, kernel.data() + z * plane + offset, width, sign, at);
    }
    s.inverse_columns(c);
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

void multiply_spectra(std::span<const float> a, std::span<const float> kernel, bool conjugate,
                      std::span<float> out) {
  constexpr std::int64_t kPart = 1 << 15;
  const auto count = static_cast<std::int64_t>(std::min({a.size(), kernel.size(), out.size()}) / 2);
  const float sign = conjugate ? -1.0F : 1.0F;
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count()) if (count > 2 * kPart)
  for (std::int64_t i = 0; i < count; i += kPart) {
    multiply_row(a.data() + 2 * i, kernel.data() + 2 * i, std::min(kPart, count - i), sign,
                 out.data() + 2 * i);
  }
}

}  // namespace aprscope
