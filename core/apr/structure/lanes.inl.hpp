// Sixteen cells of a row as the instruction set has them: from packed values and bits, and back.
// Included by kernels only, inside the namespace of their instruction set: nothing is shared.
#pragma once

#include <cstdint>

#include <immintrin.h>

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int64_t;
using std::uint16_t;
using std::uint64_t;

// 8 bits → 16, each doubled.
inline unsigned doubled(unsigned bits) {
  return static_cast<unsigned>(_pdep_u64(bits, 0x5555)) * 3U;
}

// Bit i of the result: byte i of the word is not 0.
inline unsigned bytes_in_use(uint64_t v) {
  v |= v >> 4;
  v |= v >> 2;
  v |= v >> 1;
  return static_cast<unsigned>(_pext_u64(v, 0x0101010101010101ULL));
}

// Positions [first, first + width): the bits of those that are below n.
inline unsigned below(int64_t n, int64_t first, unsigned width) {
  const int64_t left = n - first;
  if (left >= width) return (1U << width) - 1U;
  return left <= 0 ? 0U : (1U << left) - 1U;
}

// `width` bits from position i·width of a row, and how many bits of the row are set before them.
struct Field {
  unsigned bits;
  int64_t rank;
};
template <unsigned width>
inline Field field(const uint64_t* row, const uint16_t* ranks, int64_t i) {
  constexpr int64_t kPerWord = 64 / width;
  const uint64_t word = row[i / kPerWord];
  const auto shift = static_cast<unsigned>(i % kPerWord) * width;
  const auto mask = (uint64_t{1} << width) - 1;
  return {static_cast<unsigned>((word >> shift) & mask),
          ranks[i / kPerWord] +
              static_cast<int64_t>(_mm_popcnt_u64(word & ((uint64_t{1} << shift) - 1)))};
}

// The same from any bit on; the row ends after `words` words.
template <unsigned width>
inline Field field_at(const uint64_t* row, const uint16_t* ranks, int64_t words, int64_t bit) {
  const int64_t w = bit >> 6;
  const auto shift = static_cast<unsigned>(bit & 63);
  uint64_t bits = row[w] >> shift;
  if (shift > 64 - width && w + 1 < words) bits |= row[w + 1] << (64 - shift);
  const auto mask = (uint64_t{1} << width) - 1;
  return {static_cast<unsigned>(bits & mask),
          ranks[w] + static_cast<int64_t>(_mm_popcnt_u64(row[w] & ((uint64_t{1} << shift) - 1)))};
}

#ifdef __AVX512F__

struct Cells {
  __m512 v;
};

// Spreads values from p to the lanes whose bit is set; others are those of `under`. Reads only
// those values, or, where it is `open`, sixteen.
template <bool open>
inline Cells expand(unsigned mask, const float* p, Cells under) {
  __m512 packed;
  if constexpr (open) {
    packed = _mm512_loadu_ps(p);
  } else {
    const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
    packed = _mm512_maskz_loadu_ps(static_cast<__mmask16>(_bzhi_u32(0xFFFF, count)), p);
  }
  return {_mm512_mask_expand_ps(under.v, static_cast<__mmask16>(mask), packed)};
}

// The same, where other lanes may hold anything.
template <bool open>
inline Cells expand_some(unsigned mask, const float* p) {
  return expand<open>(mask, p, {_mm512_setzero_ps()});
}

// Eight bits, each of which stands for two equal cells; other lanes are 0. Reads only those values,
// or, where it is `open`, eight.
template <bool open>
inline Cells expand_twice(unsigned mask, const float* p) {
  __m256 packed;
  if constexpr (open) {
    packed = _mm256_loadu_ps(p);
  } else {
    const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
    packed = _mm256_maskz_loadu_ps(static_cast<__mmask8>(_bzhi_u32(0xFFFF, count)), p);
  }
  const __m256 spread = _mm256_maskz_expand_ps(static_cast<__mmask8>(mask), packed);
  const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  return {_mm512_permutexvar_ps(twice, _mm512_castps256_ps512(spread))};
}

inline void put(float* to, Cells c) { _mm512_storeu_ps(to, c.v); }

// Four values, four times each.
inline Cells four_times(const float* p) {
  const __m512i four = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  return {_mm512_permutexvar_ps(four, _mm512_castps128_ps512(_mm_loadu_ps(p)))};
}
// The lanes of b where the bit of a cell is set, else those of a.
inline Cells choose(unsigned mask, Cells a, Cells b) {
  return {_mm512_mask_blend_ps(static_cast<__mmask16>(mask), a.v, b.v)};
}

inline Cells operator+(Cells a, Cells b) { return {_mm512_add_ps(a.v, b.v)}; }
inline Cells smaller(Cells a, Cells b) { return {_mm512_min_ps(b.v, a.v)}; }
inline Cells larger(Cells a, Cells b) { return {_mm512_max_ps(b.v, a.v)}; }
// Cells 2k (first) or 2k + 1 (second) of all eight pairs.
struct Pairs {
  __m256 first, second;
};
inline Pairs pairs(Cells c) {
  const __m512i order = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
  const __m512 v = _mm512_permutexvar_ps(order, c.v);
  return {_mm512_castps512_ps256(v),
          _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1))};
}

// Stores the cells of a mask one after another; nothing else is touched.
inline void compress(unsigned mask, const float* from, float* to) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  const __m512 packed =
      _mm512_maskz_compress_ps(static_cast<__mmask16>(mask), _mm512_loadu_ps(from));
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>(_bzhi_u32(0xFFFF, count)), packed);
}

// The same of eight values.
inline void compress(unsigned mask, __m256 from, float* to) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  _mm256_mask_storeu_ps(to, static_cast<__mmask8>(_bzhi_u32(0xFFFF, count)),
                        _mm256_maskz_compress_ps(static_cast<__mmask8>(mask), from));
}

// compress() that may also overwrite what lies behind, as far as `end`.
inline void compress_before(const float* /*end*/, unsigned mask, const float* from, float* to) {
  compress(mask, from, to);
}
inline void compress_before(const float* /*end*/, unsigned mask, __m256 from, float* to) {
  compress(mask, from, to);
}

// Sixteen cells from p on.
inline Cells load_all(const float* p) { return {_mm512_loadu_ps(p)}; }
// The cells of a mask whose set bits come first, from p; nothing beyond them is read.
inline Cells load_first(unsigned mask, const float* p) {
  return {_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), p)};
}
inline void put_first(unsigned mask, __m256 v, float* to) {
  _mm256_mask_storeu_ps(to, static_cast<__mmask8>(mask), v);
}

#else

struct Cells {
  __m256 low, high;
};

// Lanes of packed values for each mask of 8: a byte a lane, negative where a lane takes none.
struct LaneTable {
  uint64_t expand[256];
  uint64_t compress[256];
  constexpr LaneTable() : expand(), compress() {
    for (unsigned m = 0; m < 256; ++m) {
      unsigned n = 0;
      for (unsigned lane = 0; lane < 8; ++lane) {
        if (((m >> lane) & 1U) == 0) {
          expand[m] |= uint64_t{0x80} << (8 * lane);
          continue;
        }
        expand[m] |= static_cast<uint64_t>(n) << (8 * lane);
        compress[m] |= static_cast<uint64_t>(lane) << (8 * n);
        ++n;
      }
    }
  }
};
inline constexpr LaneTable kLanes;

inline __m256i lanes(uint64_t table) {
  return _mm256_cvtepi8_epi32(_mm_cvtsi64_si128(static_cast<long long>(table)));
}

// A mask of lanes: all bits of each lane whose bit in `mask` is set.
inline __m256i lane_mask(unsigned mask) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i all = _mm256_set1_epi32(static_cast<int>(mask));
  return _mm256_cmpeq_epi32(_mm256_and_si256(all, bit), bit);
}

// Reads only as many values as bits are set, or, where it is `open`, eight.
template <bool open>
inline __m256 load_packed(unsigned mask, const float* p) {
  if constexpr (open) return _mm256_loadu_ps(p);
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  return _mm256_maskload_ps(p, lane_mask(_bzhi_u32(0xFFFF, count)));
}

template <bool open>
inline __m256 expand8(unsigned mask, const float* p, __m256 under) {
  const __m256i from = lanes(kLanes.expand[mask]);
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(load_packed<open>(mask, p), from), under,
                          _mm256_castsi256_ps(from));
}

template <bool open>
inline Cells expand(unsigned mask, const float* p, Cells under) {
  const unsigned low = mask & 0xFFU;
  return {expand8<open>(low, p, under.low),
          expand8<open>(mask >> 8U, p + _mm_popcnt_u32(low), under.high)};
}

template <bool open>
inline Cells expand_some(unsigned mask, const float* p) {
  const unsigned low = mask & 0xFFU;
  const auto some = [](unsigned m, const float* from) {
    return _mm256_permutevar8x32_ps(load_packed<open>(m, from), lanes(kLanes.expand[m]));
  };
  return {some(low, p), some(mask >> 8U, p + _mm_popcnt_u32(low))};
}

template <bool open>
inline Cells expand_twice(unsigned mask, const float* p) {
  const __m256 one = expand8<open>(mask, p, _mm256_setzero_ps());
  return {_mm256_permutevar8x32_ps(one, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3)),
          _mm256_permutevar8x32_ps(one, _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7))};
}

inline void put(float* to, Cells c) {
  _mm256_storeu_ps(to, c.low);
  _mm256_storeu_ps(to + 8, c.high);
}

inline Cells four_times(const float* p) {
  const __m256 v = _mm256_castps128_ps256(_mm_loadu_ps(p));
  return {_mm256_permutevar8x32_ps(v, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
          _mm256_permutevar8x32_ps(v, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3))};
}

inline Cells choose(unsigned mask, Cells a, Cells b) {
  return {_mm256_blendv_ps(a.low, b.low, _mm256_castsi256_ps(lane_mask(mask & 0xFFU))),
          _mm256_blendv_ps(a.high, b.high, _mm256_castsi256_ps(lane_mask(mask >> 8U)))};
}

inline Cells operator+(Cells a, Cells b) {
  return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}
inline Cells smaller(Cells a, Cells b) {
  return {_mm256_min_ps(b.low, a.low), _mm256_min_ps(b.high, a.high)};
}
inline Cells larger(Cells a, Cells b) {
  return {_mm256_max_ps(b.low, a.low), _mm256_max_ps(b.high, a.high)};
}
// Cells 2k (first) or 2k + 1 (second) of all eight pairs.
struct Pairs {
  __m256 first, second;
};
inline __m256 in_order(__m256 v) {
  return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v), 0b11011000));
}
inline Pairs pairs(Cells c) {
  return {in_order(_mm256_shuffle_ps(c.low, c.high, _MM_SHUFFLE(2, 0, 2, 0))),
          in_order(_mm256_shuffle_ps(c.low, c.high, _MM_SHUFFLE(3, 1, 3, 1)))};
}

// Stores those of eight values whose bits are set one after another.
inline void compress(unsigned mask, __m256 from, float* to) {
  if (mask == 0xFFU) {
    _mm256_storeu_ps(to, from);
    return;
  }
  alignas(32) float packed[8];
  _mm256_store_ps(packed, _mm256_permutevar8x32_ps(from, lanes(kLanes.compress[mask])));
  const int count = _mm_popcnt_u32(mask);
  // Masked stores are slow on some processors; a few plain ones are not.
  int i = 0;
  if ((count & 4) != 0) {
    _mm_storeu_ps(to, _mm_load_ps(packed));
    i = 4;
  }
  if ((count & 2) != 0) {
    to[i] = packed[i];
    to[i + 1] = packed[i + 1];
    i += 2;
  }
  if ((count & 1) != 0) to[i] = packed[i];
}

inline void compress(unsigned mask, const float* from, float* to) {
  const unsigned low = mask & 0xFFU;
  if (low != 0) compress(low, _mm256_loadu_ps(from), to);
  if (mask > 0xFFU) compress(mask >> 8U, _mm256_loadu_ps(from + 8), to + _mm_popcnt_u32(low));
}

inline void compress_before(const float* end, unsigned mask, __m256 from, float* to) {
  if (to + 8 > end) return compress(mask, from, to);
  _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(from, lanes(kLanes.compress[mask])));
}
inline void compress_before(const float* end, unsigned mask, const float* from, float* to) {
  if (to + 16 > end) return compress(mask, from, to);
  const unsigned low = mask & 0xFFU;
  compress_before(end, low, _mm256_loadu_ps(from), to);
  compress_before(end, mask >> 8U, _mm256_loadu_ps(from + 8), to + _mm_popcnt_u32(low));
}

inline Cells load_all(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
// The cells of a mask whose set bits come first, from p; nothing beyond them is read.
inline Cells load_first(unsigned mask, const float* p) {
  return {_mm256_maskload_ps(p, lane_mask(mask & 0xFFU)),
          _mm256_maskload_ps(p + 8, lane_mask(mask >> 8U))};
}
inline void put_first(unsigned mask, __m256 v, float* to) { compress(mask, v, to); }

#endif

}  // namespace
}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
