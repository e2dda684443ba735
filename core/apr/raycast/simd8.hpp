#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#else
#include <array>
#endif

namespace aprscope::detail {

/// Eight floats side by side, one for each child of an octree node: AVX2 where the compiler may use
/// it, plain loops elsewhere with the same results.
#if defined(__AVX2__)
struct Float8 {
  __m256 v;

  static Float8 all(float a) { return {_mm256_set1_ps(a)}; }
  static Float8 load(const float* p) { return {_mm256_loadu_ps(p)}; }
  void store(float* p) const { _mm256_storeu_ps(p, v); }

  friend Float8 operator+(Float8 a, Float8 b) { return {_mm256_add_ps(a.v, b.v)}; }
  friend Float8 operator*(Float8 a, Float8 b) { return {_mm256_mul_ps(a.v, b.v)}; }
  friend Float8 min(Float8 a, Float8 b) { return {_mm256_min_ps(a.v, b.v)}; }
  friend Float8 max(Float8 a, Float8 b) { return {_mm256_max_ps(a.v, b.v)}; }
};

/// Bit i: a[i] > b[i] and c[i] ≤ d[i].
inline unsigned greater_and_ordered(Float8 a, Float8 b, Float8 c, Float8 d) {
  return static_cast<unsigned>(_mm256_movemask_ps(
      _mm256_and_ps(_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ), _mm256_cmp_ps(c.v, d.v, _CMP_LE_OQ))));
}

/// Eight samples as floats.
inline Float8 widen(const std::uint8_t* p) {
  return {_mm256_cvtepi32_ps(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))))};
}
inline Float8 widen(const std::uint16_t* p) {
  return {_mm256_cvtepi32_ps(
      _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
}
inline Float8 widen(const float* p) { return Float8::load(p); }
#else
struct Float8 {
  std::array<float, 8> v;

  static Float8 all(float a) { return {{a, a, a, a, a, a, a, a}}; }
  static Float8 load(const float* p) { return widened(p); }
  template <class T>
  static Float8 widened(const T* p) {
    Float8 out{};
    for (unsigned i = 0; i < 8; ++i) out.v[i] = static_cast<float>(p[i]);
    return out;
  }
  void store(float* p) const {
    for (unsigned i = 0; i < 8; ++i) p[i] = v[i];
  }

  template <class F>
  static Float8 zip(const Float8& a, const Float8& b, F f) {
    Float8 out{};
    for (unsigned i = 0; i < 8; ++i) out.v[i] = f(a.v[i], b.v[i]);
    return out;
  }
  friend Float8 operator+(Float8 a, Float8 b) {
    return zip(a, b, [](float p, float q) { return p + q; });
  }
  friend Float8 operator*(Float8 a, Float8 b) {
    return zip(a, b, [](float p, float q) { return p * q; });
  }
  friend Float8 min(Float8 a, Float8 b) {
    return zip(a, b, [](float p, float q) { return p < q ? p : q; });
  }
  friend Float8 max(Float8 a, Float8 b) {
    return zip(a, b, [](float p, float q) { return p > q ? p : q; });
  }
};

inline unsigned greater_and_ordered(Float8 a, Float8 b, Float8 c, Float8 d) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (a.v[i] > b.v[i] && c.v[i] <= d.v[i]) bits |= 1U << i;
  }
  return bits;
}

template <class T>
Float8 widen(const T* p) {
  return Float8::widened(p);
}
#endif

}  // namespace aprscope::detail
