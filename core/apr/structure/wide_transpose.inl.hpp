// Transposes blocks of eight lines, and back. Included by kernels only, inside the namespace of
// their instruction set: nothing is shared.
#pragma once

#include "core/apr/structure/wide.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// A value of each of eight lines.
typedef float H __attribute__((vector_size(32)));

inline H load8(const float* p) { return _mm256_loadu_ps(p); }
inline void store8(float* p, H v) { _mm256_storeu_ps(p, v); }
inline H fused8(H a, H b, H c) { return _mm256_fmadd_ps(a, b, c); }

#ifdef __AVX512F__

// Masked forms with masks of ones: for the plain ones compilers give needless warnings.
inline V low_values(V a, V b) { return _mm512_maskz_unpacklo_ps(0xFFFF, a, b); }
inline V high_values(V a, V b) { return _mm512_maskz_unpackhi_ps(0xFFFF, a, b); }
inline V low_pairs(V a, V b) {
  return _mm512_castpd_ps(_mm512_maskz_unpacklo_pd(0xFF, _mm512_castps_pd(a), _mm512_castps_pd(b)));
}
inline V high_pairs(V a, V b) {
  return _mm512_castpd_ps(_mm512_maskz_unpackhi_pd(0xFF, _mm512_castps_pd(a), _mm512_castps_pd(b)));
}
// a and b by 64 bits: 0 … 7 are those of a, then those of b.
inline V pick(V a, __m512i order, V b) {
  return _mm512_castpd_ps(_mm512_permutex2var_pd(_mm512_castps_pd(a), order, _mm512_castps_pd(b)));
}
template <int half>
inline H half_of(V v) {
  return _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xFF, _mm512_castps_pd(v), half));
}
inline V joined(H low, H high) {
  return _mm512_castpd_ps(
      _mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(low)), _mm256_castps_pd(high), 1));
}

#else

inline V low_values(V a, V b) { return _mm256_unpacklo_ps(a, b); }
inline V high_values(V a, V b) { return _mm256_unpackhi_ps(a, b); }
inline V low_pairs(V a, V b) {
  return _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
}
inline V high_pairs(V a, V b) {
  return _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
}

#endif

// The 4 × 4 squares in each 128 bits of four vectors.
inline void transpose_squares(const V* in, V* out) {
  const V a = low_values(in[0], in[1]);
  const V b = high_values(in[0], in[1]);
  const V c = low_values(in[2], in[3]);
  const V d = high_values(in[2], in[3]);
  out[0] = low_pairs(a, c);
  out[1] = high_pairs(a, c);
  out[2] = low_pairs(b, d);
  out[3] = high_pairs(b, d);
}

#ifdef __AVX512F__

// Eight lines of sixteen values to sixteen times a value of each.
inline void to_lines(const V* c, H* t) {
  V q[8];
  transpose_squares(c, q);
  transpose_squares(c + 4, q + 4);
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const V a = pick(q[j], first, q[4 + j]);
    const V b = pick(q[j], second, q[4 + j]);
    t[j] = half_of<0>(a);
    t[4 + j] = half_of<1>(a);
    t[8 + j] = half_of<0>(b);
    t[12 + j] = half_of<1>(b);
  }
}

inline void from_lines(const H* t, V* out) {
  V q[8];
  const __m512i low = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13);
  const __m512i high = _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 14, 15);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const V a = joined(t[j], t[4 + j]);
    const V b = joined(t[8 + j], t[12 + j]);
    q[j] = pick(a, low, b);
    q[4 + j] = pick(a, high, b);
  }
  transpose_squares(q, out);
  transpose_squares(q + 4, out + 4);
}

#else

// Eight lines of eight values to eight times a value of each.
inline void to_lines(const V* c, H* t) {
  V q[8];
  transpose_squares(c, q);
  transpose_squares(c + 4, q + 4);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    t[j] = _mm256_permute2f128_ps(q[j], q[4 + j], 0x20);
    t[4 + j] = _mm256_permute2f128_ps(q[j], q[4 + j], 0x31);
  }
}

// The transpose of 8 × 8 values is its own inverse.
inline void from_lines(const H* t, V* out) { to_lines(t, out); }

#endif

}  // namespace
}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
