// Rows of particles to dense rows and back. Compiled once for each instruction set; only own static
// code in here (see aprscope_kernels()).
#include <cstdint>

#include <immintrin.h>

#include "core/filter/kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int64_t;
using std::uint16_t;
using std::uint64_t;
using std::uint8_t;

// 8 bits → 16, each doubled.
inline unsigned doubled(unsigned bits) {
  return static_cast<unsigned>(_pdep_u64(bits, 0x5555)) * 3U;
}

// Of positions [first, first + width), a bit for each below n.
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

#ifdef __AVX512F__

struct Cells {
  __m512 v;
};

// Values of the set bits of a mask, in order from p; others 0. Reads no value beyond them.
inline Cells expand(unsigned mask, const float* p) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  const __m512 packed = _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << count) - 1U), p);
  return {_mm512_maskz_expand_ps(static_cast<__mmask16>(mask), packed)};
}

// Eight bits, each of which stands for two equal cells.
inline Cells expand_twice(unsigned mask, const float* p) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  const __m256 packed = _mm256_maskz_loadu_ps(static_cast<__mmask8>((1U << count) - 1U), p);
  const __m256 spread = _mm256_maskz_expand_ps(static_cast<__mmask8>(mask), packed);
  const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  return {_mm512_permutexvar_ps(twice, _mm512_castps256_ps512(spread))};
}

inline Cells join(Cells a, Cells b) {
  return {_mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(a.v), _mm512_castps_si512(b.v)))};
}

inline void put(float* to, Cells c) { _mm512_storeu_ps(to, c.v); }

// Stores the cells of a mask one after another; nothing else is touched.
inline void compress(unsigned mask, const float* from, float* to) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  const __m512 packed =
      _mm512_maskz_compress_ps(static_cast<__mmask16>(mask), _mm512_loadu_ps(from));
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << count) - 1U), packed);
}

#else

struct Cells {
  __m256 low, high;
};

// Lanes of packed values for each mask of 8: a byte a lane.
struct LaneTable {
  uint64_t expand[256];
  uint64_t compress[256];
  constexpr LaneTable() : expand(), compress() {
    for (unsigned m = 0; m < 256; ++m) {
      unsigned n = 0;
      for (unsigned lane = 0; lane < 8; ++lane) {
        if (((m >> lane) & 1U) == 0) continue;
        expand[m] |= static_cast<uint64_t>(n) << (8 * lane);
        compress[m] |= static_cast<uint64_t>(lane) << (8 * n);
        ++n;
      }
    }
  }
};
constexpr LaneTable kLanes;

inline __m256i lanes(uint64_t table) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(table)));
}

// All bits of each lane whose bit is set.
inline __m256i lane_mask(unsigned mask) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i all = _mm256_set1_epi32(static_cast<int>(mask));
  return _mm256_cmpeq_epi32(_mm256_and_si256(all, bit), bit);
}

inline __m256 expand8(unsigned mask, const float* p) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(mask));
  const __m256 packed = _mm256_maskload_ps(p, lane_mask((1U << count) - 1U));
  const __m256 spread = _mm256_permutevar8x32_ps(packed, lanes(kLanes.expand[mask]));
  return _mm256_and_ps(spread, _mm256_castsi256_ps(lane_mask(mask)));
}

inline Cells expand(unsigned mask, const float* p) {
  const unsigned low = mask & 0xFFU;
  return {expand8(low, p), expand8(mask >> 8U, p + _mm_popcnt_u32(low))};
}

inline Cells expand_twice(unsigned mask, const float* p) {
  const __m256 one = expand8(mask, p);
  return {_mm256_permutevar8x32_ps(one, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3)),
          _mm256_permutevar8x32_ps(one, _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7))};
}

inline Cells join(Cells a, Cells b) {
  return {_mm256_or_ps(a.low, b.low), _mm256_or_ps(a.high, b.high)};
}

inline void put(float* to, Cells c) {
  _mm256_storeu_ps(to, c.low);
  _mm256_storeu_ps(to + 8, c.high);
}

inline void compress8(unsigned mask, const float* from, float* to) {
  if (mask == 0xFFU) {
    _mm256_storeu_ps(to, _mm256_loadu_ps(from));
    return;
  }
  alignas(32) float packed[8];
  _mm256_store_ps(packed,
                  _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), lanes(kLanes.compress[mask])));
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
  if (low != 0) compress8(low, from, to);
  if (mask > 0xFFU) compress8(mask >> 8U, from + 8, to + _mm_popcnt_u32(low));
}

#endif

// Streams of rows are short; the hardware does not see far enough ahead.
constexpr int64_t kAhead = 768;

template <bool finest>
bool fill_rows(const QuadRow& quad, const int32_t* blocks, const uint8_t* needed, int64_t count,
               int64_t base, float* const* rows, uint8_t* rest) {
  unsigned any = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t b = blocks[i];
    const Field t = field<8>(quad.parent, quad.parent_ranks, b);
    const Field g = field<4>(quad.grand, quad.grand_ranks, b);
    const unsigned coarse = static_cast<unsigned>(_pdep_u64(g.bits, 0x55)) * 3U & ~t.bits &
                            below(quad.parents, 8 * b, 8);
    rest[i] = static_cast<uint8_t>(needed[i] & ~(t.bits | coarse) & below(quad.parents, 8 * b, 8));
    any |= rest[i];
    const unsigned cells = doubled(t.bits) & below(quad.cells, 16 * b, 16);
    const int64_t before = 2 * t.rank;  // cells of a row before this block
    Cells wide{};
    if (coarse != 0) wide = expand_twice(coarse, quad.coarse + 2 * g.rank - t.rank);
    for (int r = 0; r < quad.rows; ++r) {
      Cells v;
      if constexpr (finest) {
        const float* const from = quad.particles[r] + before;
        _mm_prefetch(reinterpret_cast<const char*>(from + kAhead), _MM_HINT_T0);
        v = expand(cells, from);
      } else {
        const Field own = field<16>(quad.own[r], quad.own_ranks[r], b);
        v = join(expand(cells & ~own.bits, quad.particles[r] + before - own.rank),
                 expand(own.bits, quad.tree[r] + own.rank));
      }
      put(rows[r] + 16 * b - base, coarse != 0 ? join(v, wide) : v);
    }
  }
  return any != 0;
}

bool fill(const QuadRow& quad, const int32_t* blocks, const uint8_t* needed, int64_t count,
          int64_t base, float* const* rows, uint8_t* rest) {
  return quad.own[0] == nullptr ? fill_rows<true>(quad, blocks, needed, count, base, rows, rest)
                                : fill_rows<false>(quad, blocks, needed, count, base, rows, rest);
}

void store(const StoreRow& row, const int32_t* blocks, int64_t count, const float* values,
           int64_t stride) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t b = blocks[i];
    const Field t = field<8>(row.parent, row.parent_ranks, b);
    unsigned cells = doubled(t.bits) & below(row.cells, 16 * b, 16);
    int64_t before = 2 * t.rank;
    if (row.own != nullptr) {
      const Field own = field<16>(row.own, row.own_ranks, b);
      cells &= ~own.bits;
      before -= own.rank;
    }
    const unsigned skipped = cells & below(row.y_begin, 16 * b, 16);
    before += _mm_popcnt_u32(skipped);
    cells &= ~skipped & below(row.y_end, 16 * b, 16);
    if (cells != 0) compress(cells, values + i * stride, row.out + before);
  }
}

}  // namespace

extern const decltype(&fill) fill_kernel;
extern const decltype(&store) store_kernel;
const decltype(&fill) fill_kernel = fill;
const decltype(&store) store_kernel = store;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
