#include "core/image/line_transforms.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "core/image/fft.hpp"
#include "core/image/fft_lines.hpp"

namespace aprscope {

struct LineTransforms::State {
  detail::FftRow row;
  detail::FftColumns columns;
};

LineTransforms::LineTransforms(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineTransforms::~LineTransforms() = default;
LineTransforms::LineTransforms(LineTransforms&&) noexcept = default;
LineTransforms& LineTransforms::operator=(LineTransforms&&) noexcept = default;

Result<LineTransforms> LineTransforms::create(std::int64_t n) {
  constexpr std::int64_t limit = 1 << 20;
  if (n < 1 || n > limit) {
    return Error{"cannot transform a line of " + std::to_string(n), "Fourier transform",
                 "use lengths from 1 to " + std::to_string(limit)};
  }
  try {
    auto state = std::make_unique<State>();
    state->row = detail::FftRow(n);
    state->columns = detail::FftColumns(n);
    if (!state->row.ok() || !state->columns.ok()) {
      return Error{"FFTW has no plan for a line of " + std::to_string(n), "Fourier transform",
                   "use another length"};
    }
    return LineTransforms(std::move(state));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to transform lines of " + std::to_string(n),
                 "Fourier transform", "close other data"};
  }
}

std::int64_t LineTransforms::good_length(std::int64_t at_least) {
  const std::int64_t first = std::max<std::int64_t>(at_least + at_least % 2, 2);
  for (std::int64_t n = first; n <= first + first / 8; n += 2) {
    const Size3 good = Fft3::good_size({1, n, n});
    if (good.x == n && good.y == n) return n;
  }
  return Fft3::good_size({1, 1, first}).y;
}

std::int64_t LineTransforms::columns_floats() const { return state_->columns.size(); }
float* LineTransforms::columns_forward(float* a, float* b) const {
  return state_->columns.forward(a, b);
}
float* LineTransforms::columns_inverse(float* a, float* b) const {
  return state_->columns.inverse(a, b);
}
std::int64_t LineTransforms::row_floats() const { return state_->row.pitch(); }
std::int64_t LineTransforms::row_scratch() const { return state_->row.scratch(); }
void LineTransforms::row_forward(float* row, float* scratch) const {
  state_->row.forward(row, scratch);
}
void LineTransforms::row_inverse(float* row, float* scratch, float scale) const {
  state_->row.inverse(row, scratch, scale);
}

}  // namespace aprscope
