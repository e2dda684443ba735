// The smoothing recursion along z, in blocks of slices, from samples of any type.
// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>
#include <cstring>

#include "core/apr/conversion_kernels.hpp"
#include "core/apr/wide.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

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
      a = fused(first_weights[r], x, a);
      b = fused(second_weights[r], x, b);
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
      const V c = fused(f1, c1, fused(f2, c2, x));
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
      a1 = fused(matrix[0], first, a1);
      a1 = fused(matrix[1], second, a1);
      a2 = fused(matrix[2], first, a2);
      a2 = fused(matrix[3], second, a2);
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
      const V v = fused(f1, a1, fused(f2, a2, load(row)));
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

}  // namespace

extern const decltype(ConversionKernels::filter_z) filter_z_loop;
extern const decltype(ConversionKernels::weighted_z) weighted_z_loop;
const decltype(ConversionKernels::filter_z) filter_z_loop = {
    filter_z<std::uint8_t>, filter_z<std::uint16_t>, filter_z<float>};
const decltype(ConversionKernels::weighted_z) weighted_z_loop = {
    weighted_z<std::uint8_t>, weighted_z<std::uint16_t>, weighted_z<float>};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
