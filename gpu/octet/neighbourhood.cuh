#pragma once

#include <cstdint>

#include "gpu/octet/wide_job.hpp"

// Functions of all values in a neighbourhood, independent of where they are stored: `cells(z, x,
// y)` returns the value at an offset from the middle.
namespace aprscope::gpu {

/// Maps floats to integers that have the same order.
__device__ inline std::uint32_t sortable(float f) {
  const std::uint32_t bits = __float_as_uint(f);
  return bits ^ ((bits & 0x80000000U) != 0 ? 0xFFFFFFFFU : 0x80000000U);
}
__device__ inline float from_sortable(std::uint32_t key) {
  return __uint_as_float(key ^ ((key & 0x80000000U) != 0 ? 0x80000000U : 0xFFFFFFFFU));
}

/// Calls visit(value) for all values of a neighbourhood.
template <class Cells, class Visit>
__device__ void for_each_cell(const Cells& cells, Int3 r, const Visit& visit) {
  for (int z = -r.z; z <= r.z; ++z) {
    for (int x = -r.x; x <= r.x; ++x) {
      for (int y = -r.y; y <= r.y; ++y) visit(cells(z, x, y));
    }
  }
}

template <Statistic which, class Cells>
__device__ float statistic_of(const Cells& cells, Int3 r) {
  if constexpr (which == Statistic::min || which == Statistic::max) {
    float best = cells(0, 0, 0);
    for_each_cell(cells, r, [&](float f) {
      best = which == Statistic::min ? fminf(best, f) : fmaxf(best, f);
    });
    return best;
  }
  const int count = (2 * r.z + 1) * (2 * r.x + 1) * (2 * r.y + 1);
  if constexpr (which == Statistic::deviation) {
    // Two passes in double: no cancellation where the mean is large.
    double mean = 0.0;
    for_each_cell(cells, r, [&](float f) { mean += static_cast<double>(f); });
    mean /= count;
    double squares = 0.0;
    for_each_cell(cells, r, [&](float f) {
      const double d = static_cast<double>(f) - mean;
      squares += d * d;
    });
    return static_cast<float>(sqrt(squares / count));
  }
  // The median bit by bit: the largest number that at most count / 2 values are smaller than.
  std::uint32_t key = 0;
  for (std::uint32_t bit = 0x80000000U; bit != 0; bit >>= 1) {
    const std::uint32_t tried = key | bit;
    int smaller = 0;
    for_each_cell(cells, r, [&](float f) { smaller += sortable(f) < tried ? 1 : 0; });
    if (smaller <= count / 2) key = tried;
  }
  return from_sortable(key);
}

// The flux between a cell and its neighbour: their difference ÷ the length of the gradient there,
// which twice the central differences along the two other axes, on both sides, give.
__device__ inline float flux(float difference, float cross1, float next1, float cross2, float next2,
                             float edge2) {
  const float a = (cross1 + next1) * 0.25F;
  const float b = (cross2 + next2) * 0.25F;
  return difference / sqrtf(difference * difference + a * a + b * b + edge2);
}

/// The total-variation term, see variation_kernel.cpp; `edge`: its constant for this level.
template <class Cells>
__device__ float variation_of(const Cells& c, float edge) {
  const float edge2 = edge * edge;
  const float centre = c(0, 0, 0);
  const float dz = c(1, 0, 0) - c(-1, 0, 0);
  const float dx = c(0, 1, 0) - c(0, -1, 0);
  const float dy = c(0, 0, 1) - c(0, 0, -1);
  float sum = 0.0F;
#pragma unroll
  for (int s = -1; s < 2; s += 2) {
    sum += flux(c(s, 0, 0) - centre, dx, c(s, 1, 0) - c(s, -1, 0), dy, c(s, 0, 1) - c(s, 0, -1),
                edge2);
    sum += flux(c(0, s, 0) - centre, dz, c(1, s, 0) - c(-1, s, 0), dy, c(0, s, 1) - c(0, s, -1),
                edge2);
    sum += flux(c(0, 0, s) - centre, dz, c(1, 0, s) - c(-1, 0, s), dx, c(0, 1, s) - c(0, -1, s),
                edge2);
  }
  return sum;
}

}  // namespace aprscope::gpu
