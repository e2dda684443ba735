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

// Rows of many slices of an image of a power of two map to the same few lines of the caches, which
// hold eight of them: hence few slices at a time, each a whole row long, and a word ahead to the
// caches about the rows that come next.
constexpr int kTogether = 4;

// Rows that will be read next; fewer than kTogether at the end.
struct Next {
  const void* rows[kTogether] = {};
  int count = 0;
};
inline Next next_of(const void* const* rows, std::int64_t from, std::int64_t count) {
  Next next;
  for (; next.count < kTogether && from < count; ++next.count) next.rows[next.count] = rows[from++];
  return next;
}
// Prefetches what lies `bytes` behind the start of the rows.
inline void prefetch(const Next& next, std::int64_t bytes) {
  for (int r = 0; r < next.count; ++r) {
    __builtin_prefetch(static_cast<const char*>(next.rows[r]) + bytes);
  }
}

// Calls work.operator()<part>(at, left) for each vector of a row, prefetching `next` along the way.
template <class T, class Work>
inline void along_row(std::int64_t length, const Next& next, const Work& work) {
  constexpr auto kStep = static_cast<std::int64_t>(64 / sizeof(T));
  std::int64_t at = 0;
  for (; at + kStep <= length; at += kStep) {
    prefetch(next, at * static_cast<std::int64_t>(sizeof(T)));
    for (std::int64_t i = 0; i < kStep; i += kWidth)
      work.template operator()<false>(at + i, kWidth);
  }
  prefetch(next, at * static_cast<std::int64_t>(sizeof(T)));
  for (; at + kWidth <= length; at += kWidth) work.template operator()<false>(at, kWidth);
  if (at < length) work.template operator()<true>(at, length - at);
}

// first and second (+)= weighted sums of R rows.
template <class T, int R>
inline void add_weighted(const void* const* rows, const float* first_weights,
                         const float* second_weights, float offset, bool fresh, const Next& next,
                         std::int64_t length, float* first, float* second) {
  along_row<T>(length, next, [&]<bool part>(std::int64_t at, std::int64_t left) {
    V a = fresh ? V{} : load(first + at);
    V b = fresh ? V{} : load(second + at);
    for (int r = 0; r < R; ++r) {
      const V x = samples<T, part>(rows[r], at, left) - offset;
      a += first_weights[r] * x;
      b += second_weights[r] * x;
    }
    store(first + at, a);
    store(second + at, b);
  });
}

template <class T>
void weighted_rows(const WeightedRows& in, const Next& last) {
  std::int64_t t = 0;
  for (; t + kTogether <= in.count; t += kTogether) {
    Next next = next_of(in.rows, t + kTogether, in.count);
    if (next.count == 0) next = last;
    add_weighted<T, kTogether>(in.rows + t, in.first_weights + t, in.second_weights + t, in.offset,
                               t == 0, next, in.length, in.first, in.second);
  }
  for (; t < in.count; ++t) {
    add_weighted<T, 1>(in.rows + t, in.first_weights + t, in.second_weights + t, in.offset, t == 0,
                       {}, in.length, in.first, in.second);
  }
}

template <class T>
void weighted_z(const WeightedRows& in) {
  weighted_rows<T>(in, {});
}

// Causal results of R slices from those of the two before.
template <class T, int R>
inline void filter_forward(const SliceRows& in, std::int64_t k, const float* before1,
                           const float* before2, const Next& next, V& largest_seen,
                           V& special_seen) {
  const float f1 = in.feed1;
  const float f2 = in.feed2;
  const float offset = in.offset;
  const bool filters = in.state1 != nullptr;
  const void* const* const rows = in.rows + k;
  float* const* const out = in.out + k;
  V largest = largest_seen;
  V special = special_seen;
  along_row<T>(in.length, next, [&]<bool part>(std::int64_t at, std::int64_t left) {
    V c1 = filters ? load(before1 + at) : V{};
    V c2 = filters ? load(before2 + at) : V{};
    for (int r = 0; r < R; ++r) {
      V x = samples<T, part>(rows[r], at, left) - offset;
      // Beyond the end of the row there is nothing that counts.
      if constexpr (part) {
        for (std::int64_t i = 0; i < kWidth; ++i) x[i] = i < left ? x[i] : 0.0F;
      }
      largest = larger(absolute(x), largest);
      if constexpr (sizeof(T) == 4) special += x * 0.0F;
      const V c = f1 * c1 + (f2 * c2 + x);
      store(out[r] + at, c);
      c2 = c1;
      c1 = c;
    }
  });
  largest_seen = largest;
  special_seen = special;
}

// The two results behind the block, in work[2] and work[3], from the state, the known pairs and
// the new one in work[0] and work[1]; keeps state and pair.
void results_behind(const SliceRows& in) {
  const float* const last = in.out[in.slices - 1];
  const float* const before = in.slices > 1 ? in.out[in.slices - 2] : in.state1;
  for (std::int64_t at = 0; at < in.length; at += kWidth) {
    V a1 = {};
    V a2 = {};
    const auto add = [&](const float* matrix, V first, V second) {
      a1 = matrix[0] * first + a1;
      a1 = matrix[1] * second + a1;
      a2 = matrix[2] * first + a2;
      a2 = matrix[3] * second + a2;
    };
    const V c1 = load(last + at);
    const V c2 = load(before + at);
    add(in.state_matrix, c1, c2);
    store(in.state2 + at, c2);
    store(in.state1 + at, c1);
    for (std::int64_t m = 0; m < in.pairs; ++m) {
      add(in.pair_matrices + 4 * m, load(in.pairs_first[m] + at), load(in.pairs_second[m] + at));
    }
    const V p1 = load(in.work[0] + at);
    const V p2 = load(in.work[1] + at);
    add(in.pair_matrices + 4 * in.pairs, p1, p2);
    if (in.pairs > 0) {
      store(in.pairs_first[0] + at, p1);
      store(in.pairs_second[0] + at, p2);
    }
    store(in.work[2] + at, a1);
    store(in.work[3] + at, a2);
  }
}

// Final results of slices k … k − R + 1 from those of the two behind.
template <int R>
inline void filter_back(const SliceRows& in, std::int64_t k, const float* behind1,
                        const float* behind2) {
  const float f1 = in.feed1;
  const float f2 = in.feed2;
  for (std::int64_t at = 0; at < in.length; at += kWidth) {
    V a1 = load(behind1 + at);
    V a2 = load(behind2 + at);
    for (int r = 0; r < R; ++r) {
      float* const row = in.out[k - r] + at;
      const V v = f1 * a1 + (f2 * a2 + load(row));
      store(row, v);
      a2 = a1;
      a1 = v;
    }
  }
}

template <class T>
void filter_slices(const SliceRows& in, V& largest, V& special) {
  const bool filters = in.state1 != nullptr;
  if (filters) {
    weighted_rows<T>({in.ahead, in.ahead_count, in.first_weights, in.second_weights, in.offset,
                      in.work[0], in.work[1], in.length},
                     next_of(in.rows, 0, in.slices));
  }
  const auto before = [&](std::int64_t k) -> const float* {
    return k >= 0 ? in.out[k] : k == -1 ? in.state1 : in.state2;
  };
  std::int64_t k = 0;
  for (; k + kTogether <= in.slices; k += kTogether) {
    filter_forward<T, kTogether>(in, k, before(k - 1), before(k - 2),
                                 next_of(in.rows, k + kTogether, in.slices), largest, special);
  }
  for (; k < in.slices; ++k) {
    filter_forward<T, 1>(in, k, before(k - 1), before(k - 2), {}, largest, special);
  }
  if (!filters) return;
  results_behind(in);
  const auto behind = [&](std::int64_t i) -> const float* {
    return i < in.slices ? in.out[i] : in.work[2 + i - in.slices];
  };
  k = in.slices - 1;
  for (; k >= kTogether - 1; k -= kTogether) {
    filter_back<kTogether>(in, k, behind(k + 1), behind(k + 2));
  }
  for (; k >= 0; --k) filter_back<1>(in, k, behind(k + 1), behind(k + 2));
}

template <class T>
void filter_z(const SliceRows& in, RangeSeen& seen) {
  V largest = {};
  V special = {};
  filter_slices<T>(in, largest, special);
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

void filter_y(const LineFilter& f, const float* const* in, float* const* out, std::int64_t n,
              float* scratch) {
  constexpr int kGroups = static_cast<int>(kLines / kWidth);
  const std::int64_t blocks = (n + kWidth - 1) / kWidth;
  V m[kWidth];
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (int g = 0; g < kGroups; ++g) {
      // Stores wait for their lines one by one; ask for them early.
      for (int i = 0; i < kWidth; ++i) __builtin_prefetch(out[g * kWidth + i] + b * kWidth, 1);
      for (int i = 0; i < kWidth; ++i) m[i] = load(in[g * kWidth + i] + b * kWidth);
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
      for (int i = 0; i < kWidth; ++i) store(out[g * kWidth + i] + b * kWidth, m[i]);
    }
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
      const V c = f1 * c1 + (f2 * c2 + load(at));
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

// Levels of kWidth voxels.
inline I level_vector(const LevelRow& in, V gradient, V scale) {
  const V zero = {};
  const V smallest = scale < in.sigma_th_max ? zero + in.infinite : zero + in.sigma_th;
  const V sigma = scale < in.sigma_th ? smallest : scale;
  V ratio = gradient / sigma * in.factor;
  ratio = gradient > in.above ? ratio : zero;
  ratio = gradient >= in.least ? ratio : zero;
  // The exponent of a float ≥ 1 is the floor of its logarithm; NaN and infinity have 128.
  I level = (reinterpret_cast<I>(ratio) >> 23) - 127;
  level = level > 1 ? level : level * 0 + 1;
  return level < in.highest ? level : level * 0 + in.highest;
}

void levels(const LevelRow& in) {
  using Bytes = std::uint8_t __attribute__((vector_size(kWidth), aligned(1), may_alias));
  std::int64_t i = 0;
  for (; i + kWidth <= in.count; i += kWidth) {
    const I level = level_vector(in, load(in.gradient + i), load(in.scale + i));
    *reinterpret_cast<Bytes*>(in.levels + i) = __builtin_convertvector(level, Bytes);
  }
  for (; i < in.count; ++i) {
    const I level = level_vector(in, V{} + in.gradient[i], V{} + in.scale[i]);
    in.levels[i] = static_cast<std::uint8_t>(level[0]);
  }
}

template <class T, int rows>
inline void pair_sums(const PairRows& in) {
  const T* row[rows];
  for (int r = 0; r < rows; ++r) row[r] = static_cast<const T*>(in.rows[r]);
  std::int64_t k = 0;
  for (; k + kWidth <= in.count; k += kWidth) {
    V a = widen(row[0] + 2 * k);
    V b = widen(row[0] + 2 * k + kWidth);
    for (int r = 1; r < rows; ++r) {
      a += widen(row[r] + 2 * k);
      b += widen(row[r] + 2 * k + kWidth);
    }
    store(in.out + k, (evens(a, b) + odds(a, b)) * in.share);
  }
  for (; k < in.count; ++k) {
    float a = static_cast<float>(row[0][2 * k]);
    float b = static_cast<float>(row[0][2 * k + 1]);
    for (int r = 1; r < rows; ++r) {
      a += static_cast<float>(row[r][2 * k]);
      b += static_cast<float>(row[r][2 * k + 1]);
    }
    in.out[k] = (a + b) * in.share;
  }
}

template <class T>
void pair_means(const PairRows& in) {
  if (in.row_count == 4) return pair_sums<T, 4>(in);
  if (in.row_count == 2) return pair_sums<T, 2>(in);
  pair_sums<T, 1>(in);
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
    {weighted_z<std::uint8_t>, weighted_z<std::uint16_t>, weighted_z<float>},
    filter_y,
    filter_x,
    blocks,
    levels,
    {pair_means<std::uint8_t>, pair_means<std::uint16_t>, pair_means<float>},
    weigh,
    box,
    sum_rows,
    deviation};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
