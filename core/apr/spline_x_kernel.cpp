// The smoothing recursion along x.
// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>
#include <cstring>

#include "core/apr/conversion_kernels.hpp"
#include "core/apr/wide.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// Weighted sums of the samples at the ends of N lines of vectors: `step` floats from one sample to
// the next.
template <int N>
inline void weighted(const float* weights, std::int64_t count, const float* from, std::int64_t step,
                     V* out) {
  for (int n = 0; n < N; ++n) out[n] = V{};
  for (std::int64_t k = 0; k < count; ++k) {
    const float w = weights[k];
    for (int n = 0; n < N; ++n) out[n] = fused(w, load(from + k * step + n * kWidth), out[n]);
  }
}

// sum = weighted sum of `count` rows that lie `stride` floats apart.
void weighted_columns(const float* weights, std::int64_t count, const float* from,
                      std::int64_t stride, std::int64_t width, float* sum) {
  for (std::int64_t y = 0; y < width; y += kPad) {
    constexpr int kVectors = static_cast<int>(kPad / kWidth);
    V v[kVectors];
    weighted<kVectors>(weights, count, from + y, stride, v);
    for (int i = 0; i < kVectors; ++i) store(sum + y + i * kWidth, v[i]);
  }
}

// R rows of a recursion from the two rows before; `step` is the way to the next row.
template <int R>
inline void recursion_rows(const LineFilter& f, float* row, std::int64_t step, std::int64_t width) {
  const float f1 = f.feed1;
  const float f2 = f.feed2;
  constexpr std::int64_t kAhead = 8;
  for (std::int64_t y = 0; y < width; y += kWidth) {
    V c1 = load(row - step + y);
    V c2 = load(row - 2 * step + y);
    for (int r = 0; r < R; ++r) {
      float* const at = row + r * step + y;
      __builtin_prefetch(at + kAhead * step, 1);
      const V c = fused(f1, c1, fused(f2, c2, load(at)));
      store(at, c);
      c2 = c1;
      c1 = c;
    }
  }
}

void filter_x(const LineFilter& f, float* at, std::int64_t n, std::int64_t stride,
              std::int64_t width, float* scratch) {
  float* const end = at + (n - 1) * stride;
  float* const starts[4] = {scratch, scratch + width, scratch + 2 * width, scratch + 3 * width};
  weighted_columns(f.first, f.first_count, at, stride, width, starts[0]);
  weighted_columns(f.second, f.second_count, at, stride, width, starts[1]);
  weighted_columns(f.last, f.last_count, end, -stride, width, starts[2]);
  weighted_columns(f.before_last, f.before_last_count, end, -stride, width, starts[3]);
  const auto bytes = static_cast<std::size_t>(width) * sizeof(float);
  const auto pass = [&](float* from, std::int64_t step, const float* first, const float* second) {
    std::memcpy(from, first, bytes);
    std::memcpy(from + step, second, bytes);
    std::int64_t k = 2;
    for (; k + 4 <= n; k += 4) recursion_rows<4>(f, from + k * step, step, width);
    for (; k < n; ++k) recursion_rows<1>(f, from + k * step, step, width);
  };
  pass(at, stride, starts[0], starts[1]);
  pass(end, -stride, starts[2], starts[3]);
}

}  // namespace

extern const decltype(ConversionKernels::filter_x) filter_x_loop;
const decltype(ConversionKernels::filter_x) filter_x_loop = filter_x;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
