// A block of 16 floats as the instruction set has it: one vector, or two. Included by kernels only,
// inside the namespace of their instruction set: nothing is shared.
#pragma once

#include <cstdint>

#include "core/filter/kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#ifdef __AVX512F__
inline constexpr int kLanes = 16;
#else
inline constexpr int kLanes = 8;
#endif
inline constexpr int kParts = static_cast<int>(kBlock) / kLanes;

typedef float Part __attribute__((vector_size(kLanes * sizeof(float))));
typedef float Loaded __attribute__((vector_size(kLanes * sizeof(float)), aligned(4)));

/// Compilers split wider vectors through memory; so it is split here.
struct Vector {
  Part part[kParts];
};

inline Vector load(const float* p) {
  Vector v;
  for (int i = 0; i < kParts; ++i) v.part[i] = *reinterpret_cast<const Loaded*>(p + i * kLanes);
  return v;
}
inline void put(float* p, const Vector& v) {
  for (int i = 0; i < kParts; ++i) *reinterpret_cast<Loaded*>(p + i * kLanes) = v.part[i];
}
/// sum += weight · v, rounded once.
inline void add_product(Vector& sum, float weight, const Vector& v) {
  for (int i = 0; i < kParts; ++i) sum.part[i] += weight * v.part[i];
}
/// Lane by lane b if it is less (more) than a, else a.
inline Vector lesser(const Vector& a, const Vector& b) {
  Vector v;
  for (int i = 0; i < kParts; ++i) v.part[i] = b.part[i] < a.part[i] ? b.part[i] : a.part[i];
  return v;
}
inline Vector greater(const Vector& a, const Vector& b) {
  Vector v;
  for (int i = 0; i < kParts; ++i) v.part[i] = b.part[i] > a.part[i] ? b.part[i] : a.part[i];
  return v;
}

}  // namespace
}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
