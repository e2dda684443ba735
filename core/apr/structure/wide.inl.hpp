// As many floats as a vector of the instruction set holds. Included by kernels only, inside the
// namespace of their instruction set: nothing is shared.
#pragma once

#include <cstdint>

#include <immintrin.h>

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#ifdef __AVX512F__
inline constexpr std::int64_t kWidth = 16;
#else
inline constexpr std::int64_t kWidth = 8;
#endif

// A typedef, since clang drops the alignment of an alias made with `using`.
typedef float Any __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));
typedef float V __attribute__((vector_size(kWidth * sizeof(float))));
typedef std::int32_t I __attribute__((vector_size(kWidth * sizeof(float))));

inline V load(const float* p) { return *reinterpret_cast<const Any*>(p); }
inline void store(float* p, V v) { *reinterpret_cast<Any*>(p) = v; }
// a > b ? a : b, for NaN as well.
inline V larger(V a, V b) {
#ifdef __AVX512F__
  return _mm512_maskz_max_ps(0xFFFF, a, b);
#else
  return _mm256_max_ps(a, b);
#endif
}
inline V spread(float a) {
#ifdef __AVX512F__
  return _mm512_set1_ps(a);
#else
  return _mm256_set1_ps(a);
#endif
}
// a · b + c in one rounding, written out: compilers differ in what they fuse.
inline V fused(V a, V b, V c) {
#ifdef __AVX512F__
  return _mm512_fmadd_ps(a, b, c);
#else
  return _mm256_fmadd_ps(a, b, c);
#endif
}
inline V fused(float a, V b, V c) { return fused(spread(a), b, c); }
inline V absolute(V a) { return reinterpret_cast<V>(reinterpret_cast<I>(a) & 0x7FFFFFFF); }

// Samples as floats. By intrinsics: compilers split conversions of small integers in two.
inline V widen(const std::uint8_t* p) {
#ifdef __AVX512F__
  const __m512i wide =
      _mm512_maskz_cvtepu8_epi32(0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#else
  const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
#endif
  return __builtin_convertvector(reinterpret_cast<I>(wide), V);
}
inline V widen(const std::uint16_t* p) {
#ifdef __AVX512F__
  const __m512i wide =
      _mm512_maskz_cvtepu16_epi32(0xFFFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
#else
  const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#endif
  return __builtin_convertvector(reinterpret_cast<I>(wide), V);
}
inline V widen(const float* p) { return load(p); }

// Every other value of two vectors, from the first or the second on.
inline V evens(V a, V b) {
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
#else
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}
inline V odds(V a, V b) {
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
#else
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
}

}  // namespace
}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
