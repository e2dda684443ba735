// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>
#include <cstring>

#include "core/apr/conversion_kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#ifdef __AVX512F__
constexpr std::int64_t kWidth = 16;
#else
constexpr std::int64_t kWidth = 8;
#endif

using Any = float __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));
using V = float __attribute__((vector_size(kWidth * sizeof(float))));
using I = std::int32_t __attribute__((vector_size(kWidth * sizeof(float))));

inline V load(const float* p) { return *reinterpret_cast<const Any*>(p); }
inline void store(float* p, V v) { *reinterpret_cast<Any*>(p) = v; }
inline V larger(V a, V b) { return a > b ? a : b; }
inline V absolute(V a) { return reinterpret_cast<V>(reinterpret_cast<I>(a) & 0x7FFFFFFF); }

// Samples as floats.
inline V widen(const std::uint8_t* p) {
  using Raw = std::uint8_t __attribute__((vector_size(kWidth), aligned(1), may_alias));
  return __builtin_convertvector(__builtin_convertvector(*reinterpret_cast<const Raw*>(p), I), V);
}
inline V widen(const std::uint16_t* p) {
  using Raw = std::uint16_t __attribute__((vector_size(kWidth * 2), aligned(2), may_alias));
  return __builtin_convertvector(__builtin_convertvector(*reinterpret_cast<const Raw*>(p), I), V);
}
inline V widen(const float* p) { return load(p); }

// The same of a row's end, where `count` samples are left.
template <class T, bool part>
inline V samples(const void* row, std::int64_t at, std::int64_t count) {
  const T* const p = static_cast<const T*>(row) + at;
  if constexpr (!part) return widen(p);
  T padded[kWidth] = {};
  std::memcpy(padded, p, static_cast<std::size_t>(count) * sizeof(T));
  return widen(padded);
}

// N vectors side by side: independent recursions hide the latency of the multiply–adds.
template <class T, int N, bool part>
inline void start_columns(const SliceRows& in, std::int64_t at) {
  const std::int64_t left = in.length - at;
  V first[N] = {};
  V second[N] = {};
  for (std::int64_t t = 0; t < in.tap_count; ++t) {
    for (int n = 0; n < N; ++n) {
      const V x = samples<T, part>(in.taps[t], at + n * kWidth, left) - in.offset;
      first[n] += in.first_weights[t] * x;
      second[n] += in.second_weights[t] * x;
    }
  }
  for (int n = 0; n < N; ++n) {
    store(in.state1 + at + n * kWidth, first[n]);
    store(in.state2 + at + n * kWidth, second[n]);
  }
}

template <class T, int N, bool part>
inline void filter_columns(const SliceRows& in, std::int64_t at, V& largest, V& special) {
  const std::int64_t left = in.length - at;
  const float f1 = in.feed1;
  const float f2 = in.feed2;
  V c1[N] = {};
  V c2[N] = {};
  const bool filters = in.state1 != nullptr;
  for (int n = 0; filters && n < N; ++n) {
    c1[n] = load(in.state1 + at + n * kWidth);
    c2[n] = load(in.state2 + at + n * kWidth);
  }
  for (std::int64_t k = 0; k < in.slices; ++k) {
    float* const out = in.out[k] + at;
    for (int n = 0; n < N; ++n) {
      V x = samples<T, part>(in.rows[k], at + n * kWidth, left) - in.offset;
      // Beyond the end of the row there is nothing that counts.
      if constexpr (part) {
        for (std::int64_t i = 0; i < kWidth; ++i) x[i] = i < left ? x[i] : 0.0F;
      }
      largest = larger(absolute(x), largest);
      if constexpr (sizeof(T) == 4) special += x * 0.0F;
      const V c = f1 * c1[n] + (f2 * c2[n] + x);
      store(out + n * kWidth, c);
      c2[n] = c1[n];
      c1[n] = c;
    }
  }
  if (!filters) return;
  V a1[N];
  V a2[N];
  for (int n = 0; n < N; ++n) {
    store(in.state1 + at + n * kWidth, c1[n]);
    store(in.state2 + at + n * kWidth, c2[n]);
    const V partial1 = in.first2 * c2[n];
    const V partial2 = in.second2 * c2[n];
    a1[n] = in.first1 * c1[n] + partial1;
    a2[n] = in.second1 * c1[n] + partial2;
  }
  for (std::int64_t t = 0; t < in.tap_count; ++t) {
    const float w1 = in.first_weights[t];
    const float w2 = in.second_weights[t];
    for (int n = 0; n < N; ++n) {
      const V x = samples<T, part>(in.taps[t], at + n * kWidth, left) - in.offset;
      a1[n] += w1 * x;
      a2[n] += w2 * x;
    }
  }
  for (std::int64_t k = in.slices - 1; k >= 0; --k) {
    float* const out = in.out[k] + at;
    for (int n = 0; n < N; ++n) {
      const V v = f1 * a1[n] + (f2 * a2[n] + load(out + n * kWidth));
      store(out + n * kWidth, v);
      a2[n] = a1[n];
      a1[n] = v;
    }
  }
}

template <class T>
void start_z(const SliceRows& in) {
  std::int64_t at = 0;
  for (; at + 4 * kWidth <= in.length; at += 4 * kWidth) start_columns<T, 4, false>(in, at);
  for (; at + kWidth <= in.length; at += kWidth) start_columns<T, 1, false>(in, at);
  if (at < in.length) start_columns<T, 1, true>(in, at);
}

template <class T>
void filter_z(const SliceRows& in, RangeSeen& seen) {
  V largest = {};
  V special = {};
  std::int64_t at = 0;
  for (; at + 4 * kWidth <= in.length; at += 4 * kWidth) {
    filter_columns<T, 4, false>(in, at, largest, special);
  }
  for (; at + kWidth <= in.length; at += kWidth) {
    filter_columns<T, 1, false>(in, at, largest, special);
  }
  if (at < in.length) filter_columns<T, 1, true>(in, at, largest, special);
  for (std::int64_t i = 0; i < kWidth; ++i) {
    if (largest[i] > seen.largest) seen.largest = largest[i];
    if (!(special[i] == 0.0F)) seen.finite = false;
  }
}

// Butterfly: swaps the off-diagonal `step` × `step` parts of all 2 `step` squares of a kWidth ×
// kWidth block.
template <int step>
inline void exchange(V* m) {
  I low;
  I high;
  for (int i = 0; i < kWidth; ++i) {
    const int upper = i & step;
    low[i] = upper ? i - step + static_cast<int>(kWidth) : i;
    high[i] = upper ? i + static_cast<int>(kWidth) : i + step;
  }
  for (int i = 0; i < kWidth; ++i) {
    if (i & step) continue;
    const V a = m[i];
    const V b = m[i + step];
    m[i] = __builtin_shuffle(a, b, low);
    m[i + step] = __builtin_shuffle(a, b, high);
  }
}

inline void transpose(V* m) {
  if constexpr (kWidth == 16) exchange<8>(m);
  exchange<4>(m);
  exchange<2>(m);
  exchange<1>(m);
}

// Weighted sums of the samples at the ends of N lines of vectors: `step` floats from one sample to
// the next.
template <int N>
inline void weighted(const float* weights, std::int64_t count, const float* from, std::int64_t step,
                     V* out) {
  for (int n = 0; n < N; ++n) out[n] = V{};
  for (std::int64_t k = 0; k < count; ++k) {
    const float w = weights[k];
    for (int n = 0; n < N; ++n) out[n] += w * load(from + k * step + n * kWidth);
  }
}

void filter_y(const LineFilter& f, float* const* lines, std::int64_t n, float* scratch) {
  constexpr int kGroups = static_cast<int>(kLines / kWidth);
  const std::int64_t blocks = (n + kWidth - 1) / kWidth;
  V m[kWidth];
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (int g = 0; g < kGroups; ++g) {
      for (int i = 0; i < kWidth; ++i) m[i] = load(lines[g * kWidth + i] + b * kWidth);
      transpose(m);
      float* const to = scratch + b * kWidth * kLines + g * kWidth;
      for (int i = 0; i < kWidth; ++i) store(to + i * kLines, m[i]);
    }
  }
  V c1[kGroups];
  V c2[kGroups];
  V a1[kGroups];
  V a2[kGroups];
  float* const end = scratch + (n - 1) * kLines;
  weighted<kGroups>(f.first, f.first_count, scratch, kLines, c2);
  weighted<kGroups>(f.second, f.second_count, scratch, kLines, c1);
  weighted<kGroups>(f.last, f.last_count, end, -kLines, a2);
  weighted<kGroups>(f.before_last, f.before_last_count, end, -kLines, a1);
  for (int g = 0; g < kGroups; ++g) {
    store(scratch + g * kWidth, c2[g]);
    store(scratch + kLines + g * kWidth, c1[g]);
  }
  const float f1 = f.feed1;
  const float f2 = f.feed2;
  for (std::int64_t k = 2; k < n; ++k) {
    float* const at = scratch + k * kLines;
    for (int g = 0; g < kGroups; ++g) {
      const V c = f1 * c1[g] + (f2 * c2[g] + load(at + g * kWidth));
      store(at + g * kWidth, c);
      c2[g] = c1[g];
      c1[g] = c;
    }
  }
  for (int g = 0; g < kGroups; ++g) {
    store(end + g * kWidth, a2[g]);
    store(end - kLines + g * kWidth, a1[g]);
  }
  std::int64_t left = n - 2;
  for (std::int64_t b = blocks - 1; b >= 0; --b) {
    for (std::int64_t k = left - 1; k >= b * kWidth; --k) {
      float* const at = scratch + k * kLines;
      for (int g = 0; g < kGroups; ++g) {
        const V c = f1 * a1[g] + (f2 * a2[g] + load(at + g * kWidth));
        store(at + g * kWidth, c);
        a2[g] = a1[g];
        a1[g] = c;
      }
    }
    if (left > b * kWidth) left = b * kWidth;
    for (int g = 0; g < kGroups; ++g) {
      const float* const from = scratch + b * kWidth * kLines + g * kWidth;
      for (int i = 0; i < kWidth; ++i) m[i] = load(from + i * kLines);
      transpose(m);
      for (int i = 0; i < kWidth; ++i) store(lines[g * kWidth + i] + b * kWidth, m[i]);
    }
  }
}

template <int N>
inline void filter_tile(const LineFilter& f, float* at, std::int64_t n, std::int64_t stride,
                        float* scratch) {
  constexpr std::int64_t kTile = N * kWidth;
  V c1[N];
  V c2[N];
  V a1[N];
  V a2[N];
  float* const end = at + (n - 1) * stride;
  weighted<N>(f.first, f.first_count, at, stride, c2);
  weighted<N>(f.second, f.second_count, at, stride, c1);
  weighted<N>(f.last, f.last_count, end, -stride, a2);
  weighted<N>(f.before_last, f.before_last_count, end, -stride, a1);
  for (int i = 0; i < N; ++i) {
    store(scratch + i * kWidth, c2[i]);
    store(scratch + kTile + i * kWidth, c1[i]);
  }
  const float f1 = f.feed1;
  const float f2 = f.feed2;
  for (std::int64_t k = 2; k < n - 2; ++k) {
    for (int i = 0; i < N; ++i) {
      const V c = f1 * c1[i] + (f2 * c2[i] + load(at + k * stride + i * kWidth));
      store(scratch + k * kTile + i * kWidth, c);
      c2[i] = c1[i];
      c1[i] = c;
    }
  }
  for (int i = 0; i < N; ++i) {
    store(end + i * kWidth, a2[i]);
    store(end - stride + i * kWidth, a1[i]);
  }
  for (std::int64_t k = n - 3; k >= 0; --k) {
    for (int i = 0; i < N; ++i) {
      const V c = f1 * a1[i] + (f2 * a2[i] + load(scratch + k * kTile + i * kWidth));
      store(at + k * stride + i * kWidth, c);
      a2[i] = a1[i];
      a1[i] = c;
    }
  }
}

void filter_x(const LineFilter& f, float* at, std::int64_t n, std::int64_t stride,
              std::int64_t width, float* scratch) {
  constexpr int kVectors = static_cast<int>(4 * kPad / kWidth);
  constexpr int kFew = static_cast<int>(kPad / kWidth);
  std::int64_t y = 0;
  for (; y + 4 * kPad <= width; y += 4 * kPad) {
    filter_tile<kVectors>(f, at + y, n, stride, scratch);
  }
  for (; y < width; y += kPad) filter_tile<kFew>(f, at + y, n, stride, scratch);
}

// Largest squared gradient and sum of 2 × 2 rows at kWidth pixels.
inline void block_column(const BlockRows& in, std::int64_t y, V& largest, V& sum) {
  largest = V{};
  sum = V{};
  for (int z = 1; z < 3; ++z) {
    for (int x = 1; x < 3; ++x) {
      const float* const centre = in.rows[z][x] + y;
      const V gz = (load(in.rows[z + 1][x] + y) - load(in.rows[z - 1][x] + y)) * in.scale_z;
      const V gx = (load(in.rows[z][x + 1] + y) - load(in.rows[z][x - 1] + y)) * in.scale_x;
      const V gy = (load(centre + 1) - load(centre - 1)) * in.scale_y;
      V square = gy * gy;
      square = gx * gx + square;
      square = gz * gz + square;
      largest = larger(square, largest);
      sum += load(centre);
    }
  }
}

inline V evens(V a, V b) {
  I mask;
  for (int i = 0; i < kWidth; ++i) mask[i] = 2 * i;
  return __builtin_shuffle(a, b, mask);
}
inline V odds(V a, V b) {
  I mask;
  for (int i = 0; i < kWidth; ++i) mask[i] = 2 * i + 1;
  return __builtin_shuffle(a, b, mask);
}

void blocks(const BlockRows& in) {
  for (std::int64_t k = 0; k < in.count; k += kWidth) {
    V largest[2];
    V sum[2];
    if (in.gradient != nullptr) {
      for (int i = 0; i < 2; ++i) block_column(in, 2 * k + i * kWidth, largest[i], sum[i]);
      const V square = larger(evens(largest[0], largest[1]), odds(largest[0], largest[1]));
      V root;
      for (int i = 0; i < kWidth; ++i) root[i] = __builtin_sqrtf(square[i]);
      if (k + kWidth <= in.count) {
        store(in.gradient + k, root);
      } else {
        std::memcpy(in.gradient + k, &root, static_cast<std::size_t>(in.count - k) * sizeof(float));
      }
    } else {
      for (int i = 0; i < 2; ++i) {
        sum[i] = V{};
        for (int z = 1; z < 3; ++z) {
          for (int x = 1; x < 3; ++x) sum[i] += load(in.rows[z][x] + 2 * k + i * kWidth);
        }
      }
    }
    store(in.mean + k, (evens(sum[0], sum[1]) + odds(sum[0], sum[1])) * in.share);
  }
}

void weigh(const float* a, const float* b, const float* c, float* __restrict out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const float middle = b[i] * (4.0F / 6.0F);
    out[i] = (a[i] + c[i]) * (1.0F / 6.0F) + middle;
  }
}

inline float cut_mean(const float* in, std::int64_t i, std::int64_t n, int half) {
  const std::int64_t b = i - half > 0 ? i - half : 0;
  const std::int64_t e = i + half + 1 < n ? i + half + 1 : n;
  float sum = 0.0F;
  for (std::int64_t k = b; k < e; ++k) sum += in[k];
  return sum / static_cast<float>(e - b);
}

template <int half>
inline void box_inside(const float* in, float* __restrict out, std::int64_t begin,
                       std::int64_t end) {
  constexpr float kShare = 1.0F / static_cast<float>(2 * half + 1);
  for (std::int64_t i = begin; i < end; ++i) {
    float sum = in[i - half];
    for (int k = 1 - half; k <= half; ++k) sum += in[i + k];
    out[i] = sum * kShare;
  }
}

void box(const float* in, float* out, std::int64_t n, int half) {
  const std::int64_t begin = half < n ? half : n;
  const std::int64_t end = n - half > begin ? n - half : begin;
  for (std::int64_t i = 0; i < begin; ++i) out[i] = cut_mean(in, i, n, half);
  switch (half) {
    case 0:
      box_inside<0>(in, out, begin, end);
      break;
    case 1:
      box_inside<1>(in, out, begin, end);
      break;
    case 2:
      box_inside<2>(in, out, begin, end);
      break;
    case 3:
      box_inside<3>(in, out, begin, end);
      break;
    case 4:
      box_inside<4>(in, out, begin, end);
      break;
    case 5:
      box_inside<5>(in, out, begin, end);
      break;
    default:
      box_inside<6>(in, out, begin, end);
      break;
  }
  for (std::int64_t i = end; i < n; ++i) out[i] = cut_mean(in, i, n, half);
}

// Calls emit(i, sum of the rows at i) for vectors of all n values, the last one cut.
inline V column_sum(const float* const* rows, std::int64_t count, std::int64_t i) {
  V sum = load(rows[0] + i);
  for (std::int64_t k = 1; k < count; ++k) sum += load(rows[k] + i);
  return sum;
}

inline float value_sum(const float* const* rows, std::int64_t count, std::int64_t i) {
  float sum = rows[0][i];
  for (std::int64_t k = 1; k < count; ++k) sum += rows[k][i];
  return sum;
}

void sum_rows(const float* const* rows, std::int64_t count, float share, float* out,
              std::int64_t n) {
  std::int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) store(out + i, column_sum(rows, count, i) * share);
  for (; i < n; ++i) out[i] = value_sum(rows, count, i) * share;
}

void deviation(const float* value, const float* const* rows, std::int64_t count, float share,
               float* out, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    store(out + i, absolute(load(value + i) - column_sum(rows, count, i) * share));
  }
  for (; i < n; ++i) {
    const float d = value[i] - value_sum(rows, count, i) * share;
    out[i] = d < 0.0F ? -d : d;
  }
}

}  // namespace

extern const ConversionKernels kernels_of_conversion;
const ConversionKernels kernels_of_conversion{
    {filter_z<std::uint8_t>, filter_z<std::uint16_t>, filter_z<float>},
    {start_z<std::uint8_t>, start_z<std::uint16_t>, start_z<float>},
    filter_y,
    filter_x,
    blocks,
    weigh,
    box,
    sum_rows,
    deviation};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
