// Places of neighbouring cells in the lanes of a vector, compared and counted. Included by kernels
// only, inside the namespace of their instruction set: nothing is shared.
#pragma once

#include <cstdint>

#include <immintrin.h>

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#ifdef __AVX512F__
typedef __m512i Vector;
#else
typedef __m256i Vector;
#endif

inline Vector load(const void* p) {
#ifdef __AVX512F__
  return _mm512_loadu_si512(p);
#else
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
#endif
}

/// Operations on lanes of each width; next() adds 1, but not to the largest number. Masks hold yes
/// or no for each lane.
template <class Place>
struct Lanes;

#ifdef __AVX512F__

template <>
struct Lanes<std::uint8_t> {
  typedef __mmask64 Mask;
  static Mask less(Mask among, Vector a, Vector b) {
    return _mm512_mask_cmplt_epu8_mask(among, a, b);
  }
  static Vector least(Vector a, Vector b) { return _mm512_min_epu8(a, b); }
  static Vector next(Vector a) { return _mm512_adds_epu8(a, _mm512_set1_epi8(1)); }
  static Mask of_bits(std::uint64_t bits) { return bits; }
  static std::uint64_t different(Vector a, Vector b) { return _mm512_cmpneq_epu8_mask(a, b); }
  static Vector add(Vector sum, Mask mask, Vector step) {
    return _mm512_mask_add_epi8(sum, mask, sum, step);
  }
  static Vector spread(std::uint8_t a) { return _mm512_set1_epi8(static_cast<char>(a)); }
};

template <>
struct Lanes<std::uint16_t> {
  typedef __mmask32 Mask;
  static Mask less(Mask among, Vector a, Vector b) {
    return _mm512_mask_cmplt_epu16_mask(among, a, b);
  }
  static Vector least(Vector a, Vector b) { return _mm512_min_epu16(a, b); }
  static Vector next(Vector a) { return _mm512_adds_epu16(a, _mm512_set1_epi16(1)); }
  static Mask of_bits(std::uint64_t bits) { return static_cast<Mask>(bits); }
  static std::uint64_t different(Vector a, Vector b) { return _mm512_cmpneq_epu16_mask(a, b); }
  static Vector add(Vector sum, Mask mask, Vector step) {
    return _mm512_mask_add_epi16(sum, mask, sum, step);
  }
  static Vector spread(std::uint16_t a) { return _mm512_set1_epi16(static_cast<short>(a)); }
};

template <>
struct Lanes<std::uint32_t> {
  typedef __mmask16 Mask;
  static Mask less(Mask among, Vector a, Vector b) {
    return _mm512_mask_cmplt_epu32_mask(among, a, b);
  }
  static Vector least(Vector a, Vector b) { return _mm512_min_epu32(a, b); }
  static Vector next(Vector a) {
    return _mm512_max_epu32(a, _mm512_add_epi32(a, _mm512_set1_epi32(1)));
  }
  static Mask of_bits(std::uint64_t bits) { return static_cast<Mask>(bits); }
  static std::uint64_t different(Vector a, Vector b) { return _mm512_cmpneq_epu32_mask(a, b); }
  static Vector add(Vector sum, Mask mask, Vector step) {
    return _mm512_mask_add_epi32(sum, mask, sum, step);
  }
  static Vector spread(std::uint32_t a) { return _mm512_set1_epi32(static_cast<int>(a)); }
};

inline Vector either(Vector a, Vector b) { return _mm512_or_si512(a, b); }

#else

// Masks are lanes of ones.
inline Vector both_lanes(Vector a, Vector b) { return _mm256_and_si256(a, b); }

template <>
struct Lanes<std::uint8_t> {
  typedef Vector Mask;
  static Mask less(Mask among, Vector a, Vector b) {
    return _mm256_andnot_si256(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a), among);
  }
  static Vector least(Vector a, Vector b) { return _mm256_min_epu8(a, b); }
  static Vector next(Vector a) { return _mm256_adds_epu8(a, _mm256_set1_epi8(1)); }
  static Mask of_bits(std::uint64_t bits) {
    // Copies each byte of the bits to eight lanes, of which each tests its own bit.
    const Vector bytes = _mm256_shuffle_epi8(
        _mm256_set1_epi32(static_cast<int>(bits)),
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303));
    const Vector bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    return _mm256_cmpeq_epi8(both_lanes(bytes, bit), bit);
  }
  static std::uint64_t different(Vector a, Vector b) {
    return static_cast<std::uint32_t>(~_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)));
  }
  static Vector add(Vector sum, Mask mask, Vector step) {
    return _mm256_add_epi8(sum, both_lanes(mask, step));
  }
  static Vector spread(std::uint8_t a) { return _mm256_set1_epi8(static_cast<char>(a)); }
};

template <>
struct Lanes<std::uint16_t> {
  typedef Vector Mask;
  static Mask less(Mask among, Vector a, Vector b) {
    return _mm256_andnot_si256(_mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a), among);
  }
  static Vector least(Vector a, Vector b) { return _mm256_min_epu16(a, b); }
  static Vector next(Vector a) { return _mm256_adds_epu16(a, _mm256_set1_epi16(1)); }
  static Mask of_bits(std::uint64_t bits) {
    const Vector bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                         8192, 16384, static_cast<short>(0x8000));
    return _mm256_cmpeq_epi16(both_lanes(_mm256_set1_epi16(static_cast<short>(bits)), bit), bit);
  }
  static std::uint64_t different(Vector a, Vector b) {
    const auto equal = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(a, b)));
    return _pext_u32(~equal, 0x55555555U);
  }
  static Vector add(Vector sum, Mask mask, Vector step) {
    return _mm256_add_epi16(sum, both_lanes(mask, step));
  }
  static Vector spread(std::uint16_t a) { return _mm256_set1_epi16(static_cast<short>(a)); }
};

template <>
struct Lanes<std::uint32_t> {
  typedef Vector Mask;
  static Mask less(Mask among, Vector a, Vector b) {
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a), among);
  }
  static Vector least(Vector a, Vector b) { return _mm256_min_epu32(a, b); }
  static Vector next(Vector a) {
    return _mm256_max_epu32(a, _mm256_add_epi32(a, _mm256_set1_epi32(1)));
  }
  static Mask of_bits(std::uint64_t bits) {
    const Vector bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(both_lanes(_mm256_set1_epi32(static_cast<int>(bits)), bit), bit);
  }
  static std::uint64_t different(Vector a, Vector b) {
    const auto equal = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi32(a, b)));
    return _pext_u32(~equal, 0x11111111U);
  }
  static Vector add(Vector sum, Mask mask, Vector step) {
    return _mm256_add_epi32(sum, both_lanes(mask, step));
  }
  static Vector spread(std::uint32_t a) { return _mm256_set1_epi32(static_cast<int>(a)); }
};

inline Vector either(Vector a, Vector b) { return _mm256_or_si256(a, b); }

#endif

/// Cells that a vector holds.
template <class Place>
inline constexpr int kCells = static_cast<int>(sizeof(Vector) / sizeof(Place));
/// Vectors that hold the eight bytes of each of these cells.
template <class Place>
inline constexpr int kSums = static_cast<int>(8 / sizeof(Place));

#ifdef __AVX512F__
#define APRSCOPE_UNPACK(part, bits, a, b) _mm512_unpack##part##_epi##bits(a, b)
inline void store(std::uint64_t* to, Vector v) { _mm512_storeu_si512(to, v); }
// The first parts of 16 bytes of four vectors, then the second ones, `apart` words further on, …
inline void store_parts(std::uint64_t* to, std::int64_t apart, Vector a, Vector b, Vector c,
                        Vector d) {
  const Vector ab_even = _mm512_shuffle_i64x2(a, b, 0x88);
  const Vector ab_odd = _mm512_shuffle_i64x2(a, b, 0xDD);
  const Vector cd_even = _mm512_shuffle_i64x2(c, d, 0x88);
  const Vector cd_odd = _mm512_shuffle_i64x2(c, d, 0xDD);
  store(to, _mm512_shuffle_i64x2(ab_even, cd_even, 0x88));
  store(to + apart, _mm512_shuffle_i64x2(ab_odd, cd_odd, 0x88));
  store(to + 2 * apart, _mm512_shuffle_i64x2(ab_even, cd_even, 0xDD));
  store(to + 3 * apart, _mm512_shuffle_i64x2(ab_odd, cd_odd, 0xDD));
}
// The same of two, one part after the other.
inline void store_parts(std::uint64_t* to, Vector a, Vector b) {
  const Vector first = _mm512_shuffle_i64x2(a, b, 0x44);
  const Vector last = _mm512_shuffle_i64x2(a, b, 0xEE);
  store(to, _mm512_shuffle_i64x2(first, first, 0xD8));
  store(to + 8, _mm512_shuffle_i64x2(last, last, 0xD8));
}
#else
#define APRSCOPE_UNPACK(part, bits, a, b) _mm256_unpack##part##_epi##bits(a, b)
inline void store(std::uint64_t* to, Vector v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v);
}
// The first parts of 16 bytes of four vectors, then, `apart` words further on, the second ones.
inline void store_parts(std::uint64_t* to, std::int64_t apart, Vector a, Vector b, Vector c,
                        Vector d) {
  store(to, _mm256_permute2x128_si256(a, b, 0x20));
  store(to + 4, _mm256_permute2x128_si256(c, d, 0x20));
  store(to + apart, _mm256_permute2x128_si256(a, b, 0x31));
  store(to + apart + 4, _mm256_permute2x128_si256(c, d, 0x31));
}
// The same of two, one part after the other.
inline void store_parts(std::uint64_t* to, Vector a, Vector b) {
  store(to, _mm256_permute2x128_si256(a, b, 0x20));
  store(to + 4, _mm256_permute2x128_si256(a, b, 0x31));
}
#endif

// The words of cells whose halves, quarters or eighths lie in the lanes of 2, 4 or 8 vectors.
inline void store_words(std::uint64_t* to, const Vector (&s)[2]) {
  store_parts(to, APRSCOPE_UNPACK(lo, 32, s[0], s[1]), APRSCOPE_UNPACK(hi, 32, s[0], s[1]));
}
inline void store_quarters(std::uint64_t* to, std::int64_t apart, Vector a, Vector b, Vector c,
                           Vector d) {
  const Vector ab_low = APRSCOPE_UNPACK(lo, 16, a, b);
  const Vector cd_low = APRSCOPE_UNPACK(lo, 16, c, d);
  const Vector ab_high = APRSCOPE_UNPACK(hi, 16, a, b);
  const Vector cd_high = APRSCOPE_UNPACK(hi, 16, c, d);
  store_parts(to, apart, APRSCOPE_UNPACK(lo, 32, ab_low, cd_low),
              APRSCOPE_UNPACK(hi, 32, ab_low, cd_low), APRSCOPE_UNPACK(lo, 32, ab_high, cd_high),
              APRSCOPE_UNPACK(hi, 32, ab_high, cd_high));
}
inline void store_words(std::uint64_t* to, const Vector (&s)[4]) {
  store_quarters(to, 8, s[0], s[1], s[2], s[3]);
}
inline void store_words(std::uint64_t* to, const Vector (&s)[8]) {
  store_quarters(to, 16, APRSCOPE_UNPACK(lo, 8, s[0], s[1]), APRSCOPE_UNPACK(lo, 8, s[2], s[3]),
                 APRSCOPE_UNPACK(lo, 8, s[4], s[5]), APRSCOPE_UNPACK(lo, 8, s[6], s[7]));
  store_quarters(to + 8, 16, APRSCOPE_UNPACK(hi, 8, s[0], s[1]), APRSCOPE_UNPACK(hi, 8, s[2], s[3]),
                 APRSCOPE_UNPACK(hi, 8, s[4], s[5]), APRSCOPE_UNPACK(hi, 8, s[6], s[7]));
}
#undef APRSCOPE_UNPACK

}  // namespace
}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
