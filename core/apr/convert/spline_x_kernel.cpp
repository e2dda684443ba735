// The smoothing recursion along x.
// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>
#include <cstring>

#include "core/apr/convert/conversion_kernels.hpp"
#include "core/apr/structure/wide.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// first, second = weighted sums of rows that lie `stride` floats apart.
void weighted_columns(const float* first_weights, std::int64_t first_count,
                      const float* second_weights, std::int64_t second_count, const float* from,
                      std::int64_t stride, std::int64_t width, float* first, float* second) {
  const std::int64_t both = first_count < second_count ? first_count : second_count;
  for (std::int64_t y = 0; y < width; y += kPad) {
    constexpr int kVectors = static_cast<int>(kPad / kWidth);
    V a[kVectors] = {};
    V b[kVectors] = {};
    const auto add = [&](V* sum, float weight, std::int64_t k) {
      for (int i = 0; i < kVectors; ++i) {
        sum[i] = fused(weight, load(from + k * stride + y + i * kWidth), sum[i]);
      }
    };
    for (std::int64_t k = 0; k < both; ++k) {
      add(a, first_weights[k], k);
      add(b, second_weights[k], k);
    }
    for (std::int64_t k = both; k < first_count; ++k) add(a, first_weights[k], k);
    for (std::int64_t k = both; k < second_count; ++k) add(b, second_weights[k], k);
    for (int i = 0; i < kVectors; ++i) {
      store(first + y + i * kWidth, a[i]);
      store(second + y + i * kWidth, b[i]);
    }
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
  weighted_columns(f.first, f.first_count, f.second, f.second_count, at, stride, width, starts[0],
                   starts[1]);
  weighted_columns(f.last, f.last_count, f.before_last, f.before_last_count, end, -stride, width,
                   starts[2], starts[3]);
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
