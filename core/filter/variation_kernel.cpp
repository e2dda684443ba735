// Total variation of windows of 3 × 3 × 3. Compiled once for each instruction set; only own static
// code in here (see aprscope_kernels()).
#include <immintrin.h>

#include "core/filter/vector16.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;

inline Part root(Part v) {
#ifdef __AVX512F__
  return _mm512_sqrt_ps(v);
#else
  return _mm256_sqrt_ps(v);
#endif
}

// The 27 values around kLanes cells.
struct Around {
  const float* row[3][3];  // (z, x), of the first cell's left neighbour

  [[nodiscard]] Part at(int z, int x, int y) const {
    return *reinterpret_cast<const Loaded*>(row[z][x] + y);
  }
};

// The flux between the cell at the centre and its neighbour (z, x, y): the difference ÷ the length
// of the gradient between them. `cross[i]` is twice the central difference at the centre along the
// two other axes; `cross_next[i]` the same at the neighbour.
inline Part flux(Part difference, Part cross1, Part next1, Part cross2, Part next2, Part edge2) {
  const Part a = (cross1 + next1) * 0.25F;
  const Part b = (cross2 + next2) * 0.25F;
  return difference / root(difference * difference + a * a + b * b + edge2);
}

inline Part divergence(const Around& v, Part edge2) {
  const Part centre = v.at(1, 1, 1);
  const Part dz = v.at(2, 1, 1) - v.at(0, 1, 1);
  const Part dx = v.at(1, 2, 1) - v.at(1, 0, 1);
  const Part dy = v.at(1, 1, 2) - v.at(1, 1, 0);
  Part sum = {};
  for (int s = 0; s < 3; s += 2) {
    sum += flux(v.at(s, 1, 1) - centre, dx, v.at(s, 2, 1) - v.at(s, 0, 1), dy,
                v.at(s, 1, 2) - v.at(s, 1, 0), edge2);
    sum += flux(v.at(1, s, 1) - centre, dz, v.at(2, s, 1) - v.at(0, s, 1), dy,
                v.at(1, s, 2) - v.at(1, s, 0), edge2);
    sum += flux(v.at(1, 1, s) - centre, dz, v.at(2, 1, s) - v.at(0, 1, s), dx,
                v.at(1, 2, s) - v.at(1, 0, s), edge2);
  }
  return sum;
}

void variation(const Window& window, const int32_t* starts, int64_t count, float distance,
               float edge, float* out) {
  // The gradient between cells is their difference ÷ distance. The code works on differences, so
  // that it uses edge · distance in place of the edge.
  const Part edge2 = Part{} + (edge * distance) * (edge * distance);
  const Part per_pixel = Part{} + 1.0F / distance;
  for (int64_t i = 0; i < count; ++i) {
    for (int oz = 0; oz < window.outputs_z; ++oz) {
      for (int ox = 0; ox < window.outputs_x; ++ox) {
        for (int part = 0; part < kParts; ++part) {
          Around v;
          for (int z = 0; z < 3; ++z) {
            for (int x = 0; x < 3; ++x) {
              v.row[z][x] =
                  window.planes[oz + z] + (ox + x) * window.stride + starts[i] + part * kLanes;
            }
          }
          *reinterpret_cast<Loaded*>(out + part * kLanes) = divergence(v, edge2) * per_pixel;
        }
        out += kBlock;
      }
    }
  }
}

}  // namespace

extern const decltype(&variation) variation_kernel;
const decltype(&variation) variation_kernel = variation;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
