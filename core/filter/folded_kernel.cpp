// Sums over windows whose rows were folded at a plane of symmetry. Compiled once for each
// instruction set; only own static code in here (see aprscope_kernels()).
#include "core/filter/vector16.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;

// Sums that are kept in registers, for as many vectors at once: with less, weights are loaded more
// often than they are multiplied.
#ifdef __AVX512F__
constexpr int kSums = 8;
#else
constexpr int kSums = 4;
#endif
constexpr int kVectors = 3;

inline Part load_part(const float* p) { return *reinterpret_cast<const Loaded*>(p); }
inline void put_part(float* p, const Part& v) { *reinterpret_cast<Loaded*>(p) = v; }

void add_rows(const float* const* below, const float* const* above, int64_t pairs, int64_t offset,
              const int32_t* starts, int64_t count, float* out, int64_t out_stride) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = offset + starts[i];
    float* to = out + at;
    for (int64_t k = 0; k < pairs; ++k, to += out_stride) {
      Vector v = load(below[k] + at);
      const Vector w = load(above[k] + at);
      for (int p = 0; p < kParts; ++p) v.part[p] += w.part[p];
      put(to, v);
    }
  }
}

template <int D, int N>
inline void add_products(Part (&sum)[D][N], const float* weights, const Part (&v)[N]) {
#pragma GCC unroll 8
  for (int d = 0; d < D; ++d) {
    const float w = weights[d];
    for (int n = 0; n < N; ++n) sum[d][n] += w * v[n];
  }
}

// Sums [first, first + D) of N vectors, in the order of the rows.
template <int D, int N>
void sum_vectors(const FoldedWindow& window, int64_t first, const int64_t* starts, float* sums,
                 int64_t sum_stride) {
  Part sum[D][N] = {};
  const int64_t sides = window.pairs ? 1 : window.radius_x;
  const float* w = window.weights + first;
  for (int64_t z = 0; z < window.size_z; ++z) {
    const float* const middle = window.planes[z];
    if (window.pairs) {
      Part v[N];
      for (int n = 0; n < N; ++n) v[n] = load_part(middle + starts[n]);
      add_products<D, N>(sum, w, v);
      w += window.sums;
      const float* below = middle;
      const float* above = middle;
      for (int64_t x = 1; x <= window.radius_x; ++x) {
        below -= window.stride;
        above += window.stride;
        for (int n = 0; n < N; ++n) {
          v[n] = load_part(below + starts[n]) + load_part(above + starts[n]);
        }
        add_products<D, N>(sum, w, v);
        w += window.sums;
      }
    } else {
      const float* row = middle - sides * window.stride;
      for (int64_t x = 0; x <= 2 * sides; ++x) {
        Part v[N];
        for (int n = 0; n < N; ++n) v[n] = load_part(row + starts[n]);
        add_products<D, N>(sum, w, v);
        row += window.stride;
        w += window.sums;
      }
    }
  }
#pragma GCC unroll 8
  for (int d = 0; d < D; ++d) {
    for (int n = 0; n < N; ++n) put_part(sums + d * sum_stride + starts[n], sum[d][n]);
  }
}

template <int D>
void sum_all(const FoldedWindow& window, int64_t first, const int64_t* starts, int64_t count,
             float* sums, int64_t sum_stride) {
  int64_t i = 0;
  // Where four vectors are left, do two and two rather than three and one.
  for (; count - i >= kVectors && count - i != kVectors + 1; i += kVectors) {
    sum_vectors<D, kVectors>(window, first, starts + i, sums, sum_stride);
  }
  for (; count - i >= 2; i += 2) sum_vectors<D, 2>(window, first, starts + i, sums, sum_stride);
  if (i < count) sum_vectors<D, 1>(window, first, starts + i, sums, sum_stride);
}

using SumAll = void (*)(const FoldedWindow&, int64_t, const int64_t*, int64_t, float*, int64_t);
#ifdef __AVX512F__
constexpr SumAll kSumAll[kSums] = {sum_all<1>, sum_all<2>, sum_all<3>, sum_all<4>,
                                   sum_all<5>, sum_all<6>, sum_all<7>, sum_all<8>};
#else
constexpr SumAll kSumAll[kSums] = {sum_all<1>, sum_all<2>, sum_all<3>, sum_all<4>};
#endif

void fold(const FoldedWindow& window, const int32_t* starts, int64_t count, float* sums,
          int64_t sum_stride) {
  constexpr int64_t kAtOnce = 96;
  int64_t parts[kAtOnce];
  const int64_t rounds = (window.sums + kSums - 1) / kSums;
  for (int64_t i = 0; i < count;) {
    int64_t n = 0;
    for (; i < count && n + kParts <= kAtOnce; ++i) {
      for (int k = 0; k < kParts; ++k) parts[n++] = starts[i] + k * kLanes;
    }
    int64_t first = 0;
    for (int64_t r = 0; r < rounds; ++r) {
      const int64_t last = window.sums * (r + 1) / rounds;
      kSumAll[last - first - 1](window, first, parts, n, sums + first * sum_stride, sum_stride);
      first = last;
    }
  }
}

void unfold(const float* sums, int64_t sum_stride, int64_t count_sums, bool mirrored,
            const int32_t* starts, int64_t count, int64_t out_stride, float* out) {
  for (int64_t i = 0; i < count; ++i, out += out_stride) {
    const float* const at = sums + starts[i];
    Vector v;
    if (mirrored) {
      v = load(at);
      for (int64_t d = 1; d < count_sums; ++d) {
        const Vector before = load(at + d * sum_stride - d);
        const Vector after = load(at + d * sum_stride + d);
        for (int k = 0; k < kParts; ++k) v.part[k] += before.part[k] + after.part[k];
      }
    } else {
      const int64_t radius = count_sums / 2;
      v = load(at - radius);
      for (int64_t d = 1; d < count_sums; ++d) {
        const Vector next = load(at + d * sum_stride + d - radius);
        for (int k = 0; k < kParts; ++k) v.part[k] += next.part[k];
      }
    }
    put(out, v);
  }
}

}  // namespace

extern const decltype(&add_rows) add_rows_kernel;
extern const decltype(&fold) fold_kernel;
extern const decltype(&unfold) unfold_kernel;
const decltype(&add_rows) add_rows_kernel = add_rows;
const decltype(&fold) fold_kernel = fold;
const decltype(&unfold) unfold_kernel = unfold;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
