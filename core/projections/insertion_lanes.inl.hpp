// Vectors of floats and of integers. Included by kernels only, inside the namespace of their
// instruction set: nothing is shared.
#pragma once

#include <cstdint>

#include <immintrin.h>

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#ifdef __AVX512F__

constexpr int kLanes = 16;  // NOLINT(misc-definitions-in-headers): one for each instruction set
typedef float Floats __attribute__((vector_size(64)));
typedef std::int32_t Ints __attribute__((vector_size(64)));

inline Floats load(const float* p) { return _mm512_loadu_ps(p); }
inline Ints load(const std::int32_t* p) { return reinterpret_cast<Ints>(_mm512_loadu_si512(p)); }
inline Floats spread(float a) { return _mm512_set1_ps(a); }
inline Ints spread(std::int32_t a) { return reinterpret_cast<Ints>(_mm512_set1_epi32(a)); }
inline Floats fused(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
/// c − a b.
inline Floats minus_fused(Floats a, Floats b, Floats c) { return _mm512_fnmadd_ps(a, b, c); }
inline Floats most(Floats a, Floats b) { return _mm512_max_ps(a, b); }
inline Floats least(Floats a, Floats b) { return _mm512_min_ps(a, b); }
inline Floats absolute(Floats a) { return _mm512_abs_ps(a); }
inline Floats up(Floats a) {
  return _mm512_roundscale_ps(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
inline Floats down(Floats a) {
  return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
inline Floats sign_of(Floats a) { return _mm512_and_ps(a, _mm512_set1_ps(-0.0F)); }
inline Floats flip(Floats a, Floats sign) { return _mm512_xor_ps(a, sign); }
/// Converts to integers, rounding towards 0.
inline Ints whole(Floats a) { return reinterpret_cast<Ints>(_mm512_cvttps_epi32(a)); }
inline Floats number(Ints a) { return _mm512_cvtepi32_ps(reinterpret_cast<__m512i>(a)); }
inline unsigned less_equal(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
/// Stores the lanes of `mask` one after the other; writes a whole vector.
inline void store_some(float* p, unsigned mask, Floats a) {
  _mm512_storeu_ps(p, _mm512_maskz_compress_ps(static_cast<__mmask16>(mask), a));
}
inline void store_some(std::int32_t* p, unsigned mask, Ints a) {
  _mm512_storeu_si512(
      p, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), reinterpret_cast<__m512i>(a)));
}

#else

constexpr int kLanes = 8;  // NOLINT(misc-definitions-in-headers): see above
typedef float Floats __attribute__((vector_size(32)));
typedef std::int32_t Ints __attribute__((vector_size(32)));

inline Floats load(const float* p) { return _mm256_loadu_ps(p); }
inline Ints load(const std::int32_t* p) {
  return reinterpret_cast<Ints>(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline Floats spread(float a) { return _mm256_set1_ps(a); }
inline Ints spread(std::int32_t a) { return reinterpret_cast<Ints>(_mm256_set1_epi32(a)); }
inline Floats fused(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
/// c − a b.
inline Floats minus_fused(Floats a, Floats b, Floats c) { return _mm256_fnmadd_ps(a, b, c); }
inline Floats most(Floats a, Floats b) { return _mm256_max_ps(a, b); }
inline Floats least(Floats a, Floats b) { return _mm256_min_ps(a, b); }
inline Floats absolute(Floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a); }
inline Floats up(Floats a) { return _mm256_ceil_ps(a); }
inline Floats down(Floats a) { return _mm256_floor_ps(a); }
inline Floats sign_of(Floats a) { return _mm256_and_ps(a, _mm256_set1_ps(-0.0F)); }
inline Floats flip(Floats a, Floats sign) { return _mm256_xor_ps(a, sign); }
/// Converts to integers, rounding towards 0.
inline Ints whole(Floats a) { return reinterpret_cast<Ints>(_mm256_cvttps_epi32(a)); }
inline Floats number(Ints a) { return _mm256_cvtepi32_ps(reinterpret_cast<__m256i>(a)); }
inline unsigned less_equal(Floats a, Floats b) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
}
/// The lanes of `mask`, one after the other; writes a whole vector.
inline __m256i order_of(unsigned mask) {
  const std::uint64_t bytes = _pdep_u64(mask, 0x0101010101010101ULL) * 0xff;
  const std::uint64_t lanes = _pext_u64(0x0706050403020100ULL, bytes);
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<std::int64_t>(lanes)));
}
inline void store_some(float* p, unsigned mask, Floats a) {
  _mm256_storeu_ps(p, _mm256_permutevar8x32_ps(a, order_of(mask)));
}
inline void store_some(std::int32_t* p, unsigned mask, Ints a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(a), order_of(mask)));
}

#endif

}  // namespace
}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
