// The smoothing recursions along z, in blocks of slices, from samples of any type, and along y.
// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>
#include <cstring>

#include "core/apr/convert/conversion_kernels.hpp"
#include "core/apr/structure/wide.inl.hpp"
#include "core/apr/structure/wide_transpose.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

constexpr int kMost = static_cast<int>(kBlockSlices);
// Lines hold a value of each slice of a block, one position along y after the other:
// lines[y · kBlockSlices + slice].

// kWidth samples of a row as floats; `part`: only `count` are left in the row, the rest is 0.
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

// Prefetches what lies at `sample` of `count` rows.
template <class T>
inline void prefetch(const void* const* rows, std::int64_t count, std::int64_t sample) {
  for (std::int64_t r = 0; r < count; ++r) {
    __builtin_prefetch(static_cast<const T*>(rows[r]) + sample);
  }
}

// first and second (+)= weighted sums of R rows.
template <class T, int R>
inline void add_weighted(const WeightedRows& in, std::int64_t t, const void* const* next,
                         std::int64_t next_count) {
  constexpr auto kLine = static_cast<std::int64_t>(64 / sizeof(T));
  V first_weights[R];
  V second_weights[R];
  const void* rows[R];
  for (int r = 0; r < R; ++r) {
    first_weights[r] = spread(in.first_weights[t + r]);
    second_weights[r] = spread(in.second_weights[t + r]);
    rows[r] = in.rows[t + r];
  }
  const V offset = spread(in.offset);
  const auto step = [&]<bool part>(std::int64_t at, std::int64_t left) {
    // The rows are done with this cache line: its place in the caches is free for the next rows.
    if ((at + kWidth) % kLine == 0) prefetch<T>(next, next_count, at);
    V a = t == 0 ? V{} : load(in.first + at);
    V b = t == 0 ? V{} : load(in.second + at);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const V x = samples<T, part>(rows[r], at, left) - offset;
      a = fused(first_weights[r], x, a);
      b = fused(second_weights[r], x, b);
    }
    store(in.first + at, a);
    store(in.second + at, b);
  };
  std::int64_t at = 0;
  for (; at + kWidth <= in.length; at += kWidth) step.template operator()<false>(at, kWidth);
  if (at < in.length) step.template operator()<true>(at, in.length - at);
}

// `next` is read after these rows.
template <class T>
void weighted_rows(const WeightedRows& in, const void* const* next, std::int64_t next_count) {
  std::int64_t t = 0;
  for (; t + kTogether <= in.count; t += kTogether) {
    const std::int64_t left = in.count - t - kTogether;
    if (left > 0) {
      add_weighted<T, kTogether>(in, t, in.rows + t + kTogether,
                                 left < kTogether ? left : kTogether);
    } else {
      add_weighted<T, kTogether>(in, t, next, next_count);
    }
  }
  for (; t < in.count; ++t) add_weighted<T, 1>(in, t, nullptr, 0);
}

template <class T>
void weighted_z(const WeightedRows& in) {
  weighted_rows<T>(in, nullptr, 0);
}

// The kept state of the kWidth pixels of a row from `at` on.
inline float* kept_at(const SliceRows& in, std::int64_t at) {
  return in.kept + at / kPad * in.group + at % kPad;
}

// Range of the samples so far, a lane for each position.
struct Seen {
  V largest = {};
  V special = {};
};

// The results of all slices, which are kMost where `whole`, at kWidth pixels of a row, all of which
// stay in registers.
template <class T, bool whole, bool filters, bool part>
inline void z_column(const SliceRows& in, std::int64_t at, std::int64_t left, V* c, Seen& seen) {
  const int slices = whole ? kMost : static_cast<int>(in.slices);
  const V f1 = spread(in.feed1);
  const V f2 = spread(in.feed2);
  const V offset = spread(in.offset);
  V c1 = {};
  V c2 = {};
  if constexpr (filters) {
    c1 = load(kept_at(in, at));
    c2 = load(kept_at(in, at) + kPad);
  }
#pragma GCC unroll 8
  for (int k = 0; k < slices; ++k) {
    V x = samples<T, part>(in.rows[k], at, left) - offset;
    // Values beyond the end of the row do not count.
    if constexpr (part) {
      for (std::int64_t i = 0; i < kWidth; ++i) x[i] = i < left ? x[i] : 0.0F;
    }
    seen.largest = larger(absolute(x), seen.largest);
    if constexpr (sizeof(T) == 4) seen.special += x * 0.0F;
    if constexpr (filters) x = fused(f1, c1, fused(f2, c2, x));
    c[k] = x;
    c2 = c1;
    c1 = x;
  }
  if constexpr (filters) {
    // The two results behind the block, from the state, the known pairs and the new one.
    V a1 = {};
    V a2 = {};
    const auto add = [&](const float* matrix, V first, V second) {
      a1 = fused(matrix[0], first, a1);
      a1 = fused(matrix[1], second, a1);
      a2 = fused(matrix[2], first, a2);
      a2 = fused(matrix[3], second, a2);
    };
    float* const kept = kept_at(in, at);
    add(in.state_matrix, c1, c2);
    store(kept, c1);
    store(kept + kPad, c2);
    for (std::int64_t m = 0; m < in.pairs; ++m) {
      const float* const pair = kept + in.pair_at[m];
      add(in.pair_matrices + 4 * m, load(pair), load(pair + kPad));
    }
    const V p1 = load(in.work[0] + at);
    const V p2 = load(in.work[1] + at);
    add(in.pair_matrices + 4 * in.pairs, p1, p2);
    if (in.pairs > 0) {
      store(kept + in.pair_at[0], p1);
      store(kept + in.pair_at[0] + kPad, p2);
    }
#pragma GCC unroll 8
    for (int k = slices - 1; k >= 0; --k) {
      const V v = fused(f1, a1, fused(f2, a2, c[k]));
      c[k] = v;
      a2 = a1;
      a1 = v;
    }
  }
}

// The pair that is made now.
template <class T>
inline void new_pair(const SliceRows& in) {
  weighted_rows<T>({in.ahead, in.ahead_count, in.first_weights, in.second_weights, in.offset,
                    in.work[0], in.work[1], in.length},
                   in.rows, in.slices);
}

// A word ahead about what the next row needs at the same place: it lies behind this one.
template <class T, bool filters>
inline void ahead_of_next(const SliceRows& in, std::int64_t at) {
  for (std::int64_t k = 0; k < in.slices; ++k) __builtin_prefetch(in.out[k] + at, 1);
  if constexpr (filters) {
    constexpr std::int64_t kGroups = 6;
    const float* const later = kept_at(in, at) + kGroups * in.group;
    for (std::int64_t i = 0; i < in.group; i += kPad) __builtin_prefetch(later + i, 1);
    prefetch<T>(in.ahead, kTogether, at + in.length);
  }
}

// sum of weight[k] · lines[at + k · step].
inline H weighted_lines(const float* weights, std::int64_t count, const float* at,
                        std::int64_t step) {
  H sum = {};
  for (std::int64_t k = 0; k < count; ++k) {
    sum = fused8(_mm256_set1_ps(weights[k]), load8(at + k * step * kBlockSlices), sum);
  }
  return sum;
}

// Lines that were filtered forward along y are filtered back and leave, a block of kWidth values at
// a time, the last one first.
class Leaving {
 public:
  Leaving(const WaitingLines& from, const LineFilter& f, std::int64_t n)
      : from_(from), f1_(_mm256_set1_ps(f.feed1)), f2_(_mm256_set1_ps(f.feed2)), n_(n) {
    if (from.slices == 0) return;
    a1_ = load8(from.from->last);
    a2_ = a1_;
  }

  inline void block(std::int64_t b) {
    if (from_.slices == 0) return;
    H r[kWidth];
    const float* const lines = from_.from->lines + b * kWidth * kBlockSlices;
    if ((b + 1) * kWidth <= n_ - 2) {
      H a1 = a1_;
      H a2 = a2_;
#pragma GCC unroll 16
      for (int i = static_cast<int>(kWidth) - 1; i >= 0; --i) {
        const H v = fused8(f1_, a1, fused8(f2_, a2, load8(lines + i * kBlockSlices)));
        r[i] = v;
        a2 = a1;
        a1 = v;
      }
      a1_ = a1;
      a2_ = a2;
    } else {
      for (int i = static_cast<int>(kWidth) - 1; i >= 0; --i) {
        const std::int64_t k = b * kWidth + i;
        H v = {};
        if (k < n_ - 2) v = fused8(f1_, a1_, fused8(f2_, a2_, load8(lines + i * kBlockSlices)));
        if (k == n_ - 2) v = load8(from_.from->before_last);
        if (k == n_ - 1) v = load8(from_.from->last);
        r[i] = v;
        if (k <= n_ - 2) a2_ = a1_;
        if (k <= n_ - 1) a1_ = v;
      }
    }
    V out[kMost];
    from_lines(r, out);
    if (from_.slices == kMost) {
#pragma GCC unroll 8
      for (int s = 0; s < kMost; ++s) store(from_.out[s] + b * kWidth, out[s]);
    } else {
      for (std::int64_t s = 0; s < from_.slices; ++s) store(from_.out[s] + b * kWidth, out[s]);
    }
  }

 private:
  const WaitingLines& from_;
  H f1_, f2_;
  H a1_ = {};
  H a2_ = {};
  std::int64_t n_;
};

template <class T, bool whole, bool filters>
void zy_row(const SliceRows& in, const LineFilter& f, const WaitingLines& leaving,
            LineScratch& scratch, Seen& all) {
  float* const lines = scratch.lines;
  float* const tail = scratch.tail;
  const std::int64_t n = in.length;
  const std::int64_t blocks = (n + kWidth - 1) / kWidth;
  const std::int64_t head_count = f.first_count > f.second_count ? f.first_count : f.second_count;
  const std::int64_t tail_count =
      f.last_count > f.before_last_count ? f.last_count : f.before_last_count;
  // Blocks that the first two results need, and the first one that the last two need.
  std::int64_t head = (head_count + kWidth - 1) / kWidth;
  if (head > blocks) head = blocks;
  const std::int64_t tail_begin = (n - tail_count) / kWidth;
  const H f1 = _mm256_set1_ps(f.feed1);
  const H f2 = _mm256_set1_ps(f.feed2);
  H c1 = {};
  H c2 = {};
  Leaving back(leaving, f, n);
  Seen seen = all;
  const auto block = [&]<bool part>(std::int64_t b) {
    V c[kMost];
    ahead_of_next<T, filters>(in, b * kWidth);
    z_column<T, whole, filters, part>(in, b * kWidth, n - b * kWidth, c, seen);
    for (int k = whole ? kMost : static_cast<int>(in.slices); k < kMost; ++k) c[k] = V{};
    H t[kWidth];
    to_lines(c, t);
    float* const at = lines + b * kWidth * kBlockSlices;
    if (b >= tail_begin) {
      float* const kept = tail + (b - tail_begin) * kWidth * kBlockSlices;
      for (int i = 0; i < kWidth; ++i) store8(kept + i * kBlockSlices, t[i]);
    }
    if (b >= head) {
#pragma GCC unroll 16
      for (int i = 0; i < kWidth; ++i) {
        const H v = fused8(f1, c1, fused8(f2, c2, t[i]));
        store8(at + i * kBlockSlices, v);
        c2 = c1;
        c1 = v;
      }
    } else {
      for (int i = 0; i < kWidth; ++i) store8(at + i * kBlockSlices, t[i]);
      if (b + 1 == head) {
        c2 = weighted_lines(f.first, f.first_count, lines, 1);
        c1 = weighted_lines(f.second, f.second_count, lines, 1);
        const std::int64_t end = head * kWidth < n ? head * kWidth : n;
        store8(lines, c2);
        store8(lines + kBlockSlices, c1);
        for (std::int64_t k = 2; k < end; ++k) {
          const H v = fused8(f1, c1, fused8(f2, c2, load8(lines + k * kBlockSlices)));
          store8(lines + k * kBlockSlices, v);
          c2 = c1;
          c1 = v;
        }
      }
    }
    back.block(blocks - 1 - b);
  };
  std::int64_t b = 0;
  for (; (b + 1) * kWidth <= n; ++b) block.template operator()<false>(b);
  if (b < blocks) block.template operator()<true>(b);
  all = seen;
  // The last two results, from what came before they were filtered forward.
  const float* const end = tail + (n - 1 - tail_begin * kWidth) * kBlockSlices;
  store8(scratch.last, weighted_lines(f.last, f.last_count, end, -1));
  store8(scratch.before_last, weighted_lines(f.before_last, f.before_last_count, end, -1));
}

void keep(const Seen& from, RangeSeen& seen) {
  for (std::int64_t i = 0; i < kWidth; ++i) {
    if (from.largest[i] > seen.largest) seen.largest = from.largest[i];
    if (!(from.special[i] == 0.0F)) seen.finite = false;
  }
}

template <class T>
void filter_zy(const SliceRows& in, const LineFilter& f, const WaitingLines& leaving,
               LineScratch& scratch, RangeSeen& range) {
  Seen seen;
  const bool whole = in.slices == kMost;
  if (in.kept == nullptr) {
    whole ? zy_row<T, true, false>(in, f, leaving, scratch, seen)
          : zy_row<T, false, false>(in, f, leaving, scratch, seen);
  } else {
    new_pair<T>(in);
    whole ? zy_row<T, true, true>(in, f, leaving, scratch, seen)
          : zy_row<T, false, true>(in, f, leaving, scratch, seen);
  }
  keep(seen, range);
}

void leave(const LineFilter& f, const WaitingLines& lines, std::int64_t n) {
  Leaving back(lines, f, n);
  for (std::int64_t b = (n + kWidth - 1) / kWidth - 1; b >= 0; --b) back.block(b);
}

template <class T, bool whole, bool filters>
void z_row(const SliceRows& in, Seen& seen) {
  const auto step = [&]<bool part>(std::int64_t at, std::int64_t left) {
    V c[kMost];
    z_column<T, whole, filters, part>(in, at, left, c, seen);
    for (std::int64_t k = 0; k < in.slices; ++k) store(in.out[k] + at, c[k]);
  };
  std::int64_t at = 0;
  for (; at + kWidth <= in.length; at += kWidth) step.template operator()<false>(at, kWidth);
  if (at < in.length) step.template operator()<true>(at, in.length - at);
}

template <class T>
void filter_z(const SliceRows& in, RangeSeen& range) {
  Seen seen;
  if (in.kept == nullptr) {
    z_row<T, false, false>(in, seen);
  } else {
    new_pair<T>(in);
    z_row<T, false, true>(in, seen);
  }
  keep(seen, range);
}

}  // namespace

extern const decltype(ConversionKernels::filter_z) filter_z_loop;
extern const decltype(ConversionKernels::weighted_z) weighted_z_loop;
extern const decltype(ConversionKernels::filter_zy) filter_zy_loop;
extern const decltype(ConversionKernels::leave) leave_loop;
const decltype(ConversionKernels::filter_z) filter_z_loop = {
    filter_z<std::uint8_t>, filter_z<std::uint16_t>, filter_z<float>};
const decltype(ConversionKernels::weighted_z) weighted_z_loop = {
    weighted_z<std::uint8_t>, weighted_z<std::uint16_t>, weighted_z<float>};
const decltype(ConversionKernels::filter_zy) filter_zy_loop = {
    filter_zy<std::uint8_t>, filter_zy<std::uint16_t>, filter_zy<float>};
const decltype(ConversionKernels::leave) leave_loop = leave;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
