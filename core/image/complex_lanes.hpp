#pragma once

namespace aprscope::detail {

/// Eight floats: four complex numbers (real, imaginary), for loops over interleaved spectra. Same
/// bits on every machine.
typedef float Lanes __attribute__((vector_size(32)));

inline Lanes load_lanes(const float* p) {
  typedef float Unaligned __attribute__((vector_size(32), aligned(4), may_alias));
  return *reinterpret_cast<const Unaligned*>(p);
}
inline void store_lanes(float* p, Lanes v) {
  typedef float Unaligned __attribute__((vector_size(32), aligned(4), may_alias));
  *reinterpret_cast<Unaligned*>(p) = v;
}

/// Real and imaginary parts exchanged.
inline Lanes swapped(Lanes v) { return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6); }
/// The four numbers in reverse order.
inline Lanes backwards(Lanes v) { return __builtin_shufflevector(v, v, 6, 7, 4, 5, 2, 3, 0, 1); }
/// Repeats each of four real numbers, to multiply four complex numbers by them.
inline Lanes twice(const float* four) {
  const Lanes v{four[0], four[1], four[2], four[3]};
  return __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3);
}
/// × (1, −1, 1, −1, …)
inline Lanes conjugate(Lanes v) { return v * Lanes{1, -1, 1, -1, 1, -1, 1, -1}; }
/// Multiplies each complex number by i.
inline Lanes times_i(Lanes v) { return -conjugate(swapped(v)); }

/// Products of complex numbers; with the imaginary part of the factors times `sign`, i.e. with
/// their conjugates where it is −1.
inline Lanes product(Lanes v, Lanes factor, float sign = 1.0F) {
  const Lanes re = __builtin_shufflevector(factor, factor, 0, 0, 2, 2, 4, 4, 6, 6);
  const Lanes im = __builtin_shufflevector(factor, factor, 1, 1, 3, 3, 5, 5, 7, 7) * sign;
  return v * re - conjugate(swapped(v) * im);
}

/// Copies 16 floats.
inline void copy_block(const float* from, float* to) {
  const Lanes a = load_lanes(from);
  const Lanes b = load_lanes(from + 8);
  store_lanes(to, a);
  store_lanes(to + 8, b);
}

}  // namespace aprscope::detail
