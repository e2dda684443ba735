// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>

#include "core/filter/kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using Vector = float __attribute__((vector_size(kBlock * sizeof(float)), aligned(4)));
using Result = float __attribute__((vector_size(kBlock * sizeof(float))));

inline Result load(const float* p) { return *reinterpret_cast<const Vector*>(p); }
inline void store(float* p, Result v) { *reinterpret_cast<Vector*>(p) = v; }

// N blocks at a time: independent sums hide the latency of the multiply–adds.
template <int N>
inline void sum_blocks(const float* base, const std::int64_t* offsets, const float* weights,
                       std::int64_t taps, const std::int32_t* blocks, float* out) {
  Result sum[N] = {};
  for (std::int64_t k = 0; k < taps; ++k) {
    const float* const tap = base + offsets[k];
    const float w = weights[k];
    for (int n = 0; n < N; ++n) sum[n] += w * load(tap + blocks[n]);
  }
  for (int n = 0; n < N; ++n) store(out + blocks[n], sum[n]);
}

void weighted_blocks(const float* base, const std::int64_t* offsets, const float* weights,
                     std::int64_t taps, const std::int32_t* blocks, std::int64_t count,
                     float* out) {
  std::int64_t b = 0;
  for (; b + 4 <= count; b += 4) sum_blocks<4>(base, offsets, weights, taps, blocks + b, out);
  for (; b < count; ++b) sum_blocks<1>(base, offsets, weights, taps, blocks + b, out);
}

template <int N>
inline void sum_span(const float* const* rows, const float* weights, std::int64_t count,
                     std::int64_t at, float* out) {
  Result sum[N] = {};
  for (std::int64_t k = 0; k < count; ++k) {
    const float w = weights[k];
    for (int n = 0; n < N; ++n) sum[n] += w * load(rows[k] + at + n * kBlock);
  }
  for (int n = 0; n < N; ++n) store(out + at + n * kBlock, sum[n]);
}

void weighted_rows(const float* const* rows, const float* weights, std::int64_t count,
                   std::int64_t length, float* out) {
  std::int64_t i = 0;
  for (; i + 4 * kBlock <= length; i += 4 * kBlock) sum_span<4>(rows, weights, count, i, out);
  for (; i + kBlock <= length; i += kBlock) sum_span<1>(rows, weights, count, i, out);
}

void largest_rows(const float* const* rows, std::int64_t count, std::int64_t length, float* out) {
  for (std::int64_t i = 0; i < length; ++i) out[i] = rows[0][i];
  for (std::int64_t k = 1; k < count; ++k) {
    const float* const row = rows[k];
    for (std::int64_t i = 0; i < length; ++i) out[i] = row[i] > out[i] ? row[i] : out[i];
  }
}

void smallest_rows(const float* const* rows, std::int64_t count, std::int64_t length, float* out) {
  for (std::int64_t i = 0; i < length; ++i) out[i] = rows[0][i];
  for (std::int64_t k = 1; k < count; ++k) {
    const float* const row = rows[k];
    for (std::int64_t i = 0; i < length; ++i) out[i] = row[i] < out[i] ? row[i] : out[i];
  }
}

}  // namespace

extern const FilterKernels kernels;
const FilterKernels kernels{weighted_blocks, weighted_rows, largest_rows, smallest_rows};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
