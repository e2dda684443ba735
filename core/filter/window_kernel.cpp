// Sums over windows of rows. Compiled once for each instruction set; only own static code in here
// (see aprscope_kernels()).
#include <type_traits>

#include "core/filter/vector16.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;

inline Part load_part(const float* p) { return *reinterpret_cast<const Loaded*>(p); }
inline void put_part(float* p, const Part& v) { *reinterpret_cast<Loaded*>(p) = v; }

#ifdef __AVX512F__
// Blocks at once: eight sums of 2 × 2 rows hide the latency of the multiply–adds.
constexpr int kTogether = 2;
// Blocks of which mirrored_pairs() keeps sums and rows in registers.
constexpr int kTogetherMirrored = 4;
#else
// Each sum takes two of the sixteen registers, so one block at a time.
constexpr int kTogether = 1;
constexpr int kTogetherMirrored = 1;
#endif

// Keeps a vector in its register. Left to themselves, compilers load it again as an operand of each
// product, and a load that straddles two lines of the cache costs as much as two.
inline void keep(Vector& v) {
  for (Part& part : v.part) asm("" : "+v"(part));
}

// Weights are read anew for each row: with sixteen registers none is left to keep them in.
inline void forget([[maybe_unused]] const float*& weights) {
#ifndef __AVX512F__
  asm("" : "+r"(weights));
#endif
}

// Adds one row of the window to those outputs that it belongs to: outputs [z0, z1) × [x0, x1) of
// OX a line, with weights w − (z · step_z + x · step_x).
template <int OX, int N, int Z0, int Z1, int X0, int X1>
inline void add_row(const float* row, const int32_t* starts, const float* w, int64_t size_y,
                    int64_t step_z, int64_t step_x, Vector (&sum)[2 * OX][N]) {
  forget(w);
  for (int64_t k = 0; k < size_y; ++k) {
    Vector v[N];
    for (int n = 0; n < N; ++n) {
      v[n] = load(row + starts[n] + k);
      keep(v[n]);
    }
#pragma GCC unroll 2
    for (int z = Z0; z < Z1; ++z) {
#pragma GCC unroll 2
      for (int x = X0; x < X1; ++x) {
        const float weight = w[k - z * step_z - x * step_x];
        for (int n = 0; n < N; ++n) add_product(sum[z * OX + x][n], weight, v[n]);
      }
    }
  }
}

template <int OX, int N, int Z0, int Z1>
inline void add_line(const float* row, int64_t stride, const int32_t* starts, const float* w,
                     int64_t size_x, int64_t size_y, int64_t step_z, Vector (&sum)[2 * OX][N]) {
  if constexpr (OX == 1) {
    for (int64_t x = 0; x < size_x; ++x) {
      add_row<OX, N, Z0, Z1, 0, 1>(row + x * stride, starts, w + x * size_y, size_y, step_z, size_y,
                                   sum);
    }
  } else {
    add_row<OX, N, Z0, Z1, 0, 1>(row, starts, w, size_y, step_z, size_y, sum);
    for (int64_t x = 1; x < size_x; ++x) {
      add_row<OX, N, Z0, Z1, 0, 2>(row + x * stride, starts, w + x * size_y, size_y, step_z, size_y,
                                   sum);
    }
    add_row<OX, N, Z0, Z1, 1, 2>(row + size_x * stride, starts, w + size_x * size_y, size_y, step_z,
                                 size_y, sum);
  }
}

// Sizes that are known when this is compiled become straight code.
template <int OZ, int OX, int N, int SZ, int SX, int SY>
inline void correlate_blocks(const Window& window, const float* weights, const int32_t* starts,
                             float* out) {
  const int64_t size_z = SZ != 0 ? SZ : window.size_z;
  const int64_t size_x = SX != 0 ? SX : window.size_x;
  const int64_t size_y = SY != 0 ? SY : window.size_y;
  const int64_t step_z = size_x * size_y;
  Vector sum[2 * OX][N] = {};
  const float* const* planes = window.planes;
  const int64_t stride = window.stride;
  if constexpr (OZ == 1) {
    for (int64_t z = 0; z < size_z; ++z) {
      add_line<OX, N, 0, 1>(planes[z], stride, starts, weights + z * step_z, size_x, size_y, step_z,
                            sum);
    }
  } else {
    add_line<OX, N, 0, 1>(planes[0], stride, starts, weights, size_x, size_y, step_z, sum);
    for (int64_t z = 1; z < size_z; ++z) {
      add_line<OX, N, 0, 2>(planes[z], stride, starts, weights + z * step_z, size_x, size_y, step_z,
                            sum);
    }
    add_line<OX, N, 1, 2>(planes[size_z], stride, starts, weights + size_z * step_z, size_x, size_y,
                          step_z, sum);
  }
  for (int n = 0; n < N; ++n) {
    for (int o = 0; o < OZ * OX; ++o) put(out + (n * OZ * OX + o) * kBlock, sum[o][n]);
  }
}

template <int OZ, int OX, int SZ, int SX, int SY>
void correlate_sized(const Window& window, const float* weights, const int32_t* starts,
                     int64_t count, float* out) {
  constexpr int64_t kOut = OZ * OX * kBlock;
  int64_t i = 0;
  for (; i + kTogether <= count; i += kTogether) {
    correlate_blocks<OZ, OX, kTogether, SZ, SX, SY>(window, weights, starts + i, out + i * kOut);
  }
  for (; i < count; ++i) {
    correlate_blocks<OZ, OX, 1, SZ, SX, SY>(window, weights, starts + i, out + i * kOut);
  }
}

void correlate(const Window& window, const float* weights, const int32_t* starts, int64_t count,
               float* out) {
  const auto is = [&](int64_t n) {
    return window.size_z == n && window.size_x == n && window.size_y == n;
  };
  if (window.outputs_x == 1 && window.outputs_z == 1) {
    correlate_sized<1, 1, 0, 0, 0>(window, weights, starts, count, out);
  } else if (window.outputs_x == 1) {
    correlate_sized<2, 1, 0, 0, 0>(window, weights, starts, count, out);
  } else if (window.outputs_z == 1) {
    correlate_sized<1, 2, 0, 0, 0>(window, weights, starts, count, out);
  } else if (is(3)) {
    correlate_sized<2, 2, 3, 3, 3>(window, weights, starts, count, out);
  } else if (is(5)) {
    correlate_sized<2, 2, 5, 5, 5>(window, weights, starts, count, out);
  } else {
    correlate_sized<2, 2, 0, 0, 0>(window, weights, starts, count, out);
  }
}

void correlate_taps(const Window& window, const Tap* taps, int64_t taps_count,
                    const int32_t* starts, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    for (int oz = 0; oz < window.outputs_z; ++oz) {
      for (int ox = 0; ox < window.outputs_x; ++ox) {
        Vector sum = {};
        for (int64_t k = 0; k < taps_count; ++k) {
          const Tap& t = taps[k];
          add_product(sum, t.weight,
                      load(window.planes[t.z + oz] + (t.x + ox) * window.stride + starts[i] + t.y));
        }
        put(out, sum);
        out += kBlock;
      }
    }
  }
}

// Calls work(n, i) for groups of n blocks from the i-th of the list on: B, and fewer at its end.
template <int B, class Work>
inline void in_groups(int64_t count, int64_t i, const Work& work) {
  for (; i + B <= count; i += B) work(std::integral_constant<int, B>{}, i);
  if constexpr (B > 1) {
    if (i < count) in_groups<B - 1>(count, i, work);
  }
}

// N parts of vectors at once, of blocks that follow one another in the list.
template <int N>
struct Places {
  int64_t at[N];

  explicit Places(const int32_t* starts) {
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n) at[n] = starts[n / kParts] + n % kParts * kLanes;
  }
};

template <int N>
inline void weighted_parts(const float* const* rows, const float* weights, int64_t taps,
                           const int32_t* starts, float* out) {
  const Places<N> places(starts);
  Part sum[N] = {};
  for (int64_t k = 0; k < taps; ++k) {
    const float w = weights[k];
    const float* const row = rows[k];
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n) sum[n] += w * load_part(row + places.at[n]);
  }
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) put_part(out + places.at[n], sum[n]);
}

// Adds both sums in the order of their own rows, for the bits of weighted_parts().
template <int N>
inline void weighted_pairs(const float* const* rows, const float* weights, int64_t taps,
                           const int32_t* starts, float* out, float* next) {
  const Places<N> places(starts);
  Part sum[N];
  Part sum_next[N] = {};
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) {
    sum[n] = Part{} + weights[0] * load_part(rows[0] + places.at[n]);
  }
  for (int64_t k = 1; k < taps; ++k) {
    const float w = weights[k];
    const float w_next = weights[k - 1];
    const float* const row = rows[k];
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n) {
      const Part v = load_part(row + places.at[n]);
      sum[n] += w * v;
      sum_next[n] += w_next * v;
    }
  }
  const float w = weights[taps - 1];
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) {
    sum_next[n] += w * load_part(rows[taps] + places.at[n]);
    put_part(out + places.at[n], sum[n]);
    put_part(next + places.at[n], sum_next[n]);
  }
}

void weighted(const float* const* rows, const float* weights, int64_t taps, const int32_t* starts,
              int64_t count, float* out, float* next) {
  in_groups<2 * kTogether>(count, 0, [&](auto blocks, int64_t i) {
    constexpr int kN = decltype(blocks)::value * kParts;
    if (next != nullptr) {
      weighted_pairs<kN>(rows, weights, taps, starts + i, out, next);
    } else {
      weighted_parts<kN>(rows, weights, taps, starts + i, out);
    }
  });
}

// Weights that are mirror images of each other multiply the sum of their two rows: additions run
// beside the multiply–adds, which are halved. From the outermost rows inwards; both outputs of a
// pair share their rows, of which each step loads two more.
template <int N>
inline void mirrored_pairs(const float* const* rows, const float* weights, int64_t taps,
                           const int32_t* starts, float* out, float* next) {
  const int64_t middle = taps / 2;
  const Places<N> places(starts);
  const auto& at = places.at;
  Part sum[N] = {};
  Part sum_next[N] = {};
  Part low[N];
  Part high[N];
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) {
    low[n] = load_part(rows[0] + at[n]);
    high[n] = load_part(rows[taps] + at[n]);
  }
  for (int64_t k = 0; k < middle; ++k) {
    const float w = weights[k];
    const float* const after = rows[k + 1];
    const float* const before = rows[taps - 1 - k];
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n) {
      const Part a = load_part(after + at[n]);
      const Part b = load_part(before + at[n]);
      sum[n] += w * (low[n] + b);
      sum_next[n] += w * (a + high[n]);
      low[n] = a;
      high[n] = b;
    }
  }
  const float w = weights[middle];
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) {
    put_part(out + at[n], sum[n] + w * low[n]);
    put_part(next + at[n], sum_next[n] + w * high[n]);
  }
}

template <int N>
inline void mirrored_parts(const float* const* rows, const float* weights, int64_t taps,
                           const int32_t* starts, float* out) {
  const int64_t middle = taps / 2;
  const Places<N> places(starts);
  const auto& at = places.at;
  Part sum[N] = {};
  for (int64_t k = 0; k < middle; ++k) {
    const float w = weights[k];
    const float* const low = rows[k];
    const float* const high = rows[taps - 1 - k];
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n) sum[n] += w * (load_part(low + at[n]) + load_part(high + at[n]));
  }
  const float w = weights[middle];
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) {
    put_part(out + at[n], sum[n] + w * load_part(rows[middle] + at[n]));
  }
}

void weighted_mirrored(const float* const* rows, const float* weights, int64_t taps,
                       const int32_t* starts, int64_t count, float* out, float* next) {
  in_groups<kTogetherMirrored>(count, 0, [&](auto blocks, int64_t i) {
    constexpr int kN = decltype(blocks)::value * kParts;
    if (next != nullptr) {
      mirrored_pairs<kN>(rows, weights, taps, starts + i, out, next);
    } else {
      mirrored_parts<kN>(rows, weights, taps, starts + i, out);
    }
  });
}

// Half blocks: an unaligned load of a whole block nearly always straddles two cache lines and takes
// twice as long.
typedef float Half __attribute__((vector_size(32)));
typedef float LoadedHalf __attribute__((vector_size(32), aligned(4)));

template <int N>
inline void along_halves(const float* row, const float* weights, int64_t taps,
                         const int32_t* starts, float* out) {
  Half sum[2 * N] = {};
  for (int64_t k = 0; k < taps; ++k, ++row) {
    const float w = weights[k];
#pragma GCC unroll 8
    for (int n = 0; n < 2 * N; ++n) {
      sum[n] += w * *reinterpret_cast<const LoadedHalf*>(row + starts[n / 2] + 8 * (n % 2));
    }
  }
  for (int n = 0; n < 2 * N; ++n) {
    *reinterpret_cast<LoadedHalf*>(out + starts[n / 2] + 8 * (n % 2)) = sum[n];
  }
}

void along(const float* row, const float* weights, int64_t taps, const int32_t* starts,
           int64_t count, float* out) {
  in_groups<4>(count, 0, [&](auto blocks, int64_t i) {
    along_halves<decltype(blocks)::value>(row, weights, taps, starts + i, out);
  });
}

// The choice among the rows that both outputs share is made once.
template <class Choose>
inline void chosen(const float* const* rows, int64_t taps, const int32_t* starts, int64_t count,
                   float* out, float* next, const Choose& choose) {
  for (int64_t i = 0; i < count; ++i) {
    const int32_t at = starts[i];
    if (taps == 1) {
      put(out + at, load(rows[0] + at));
      if (next != nullptr) put(next + at, load(rows[1] + at));
      continue;
    }
    Vector best = load(rows[1] + at);
    for (int64_t k = 2; k < taps; ++k) best = choose(best, load(rows[k] + at));
    put(out + at, choose(best, load(rows[0] + at)));
    if (next != nullptr) put(next + at, choose(best, load(rows[taps] + at)));
  }
}

void largest(const float* const* rows, int64_t taps, const int32_t* starts, int64_t count,
             float* out, float* next) {
  chosen(rows, taps, starts, count, out, next, greater);
}

void smallest(const float* const* rows, int64_t taps, const int32_t* starts, int64_t count,
              float* out, float* next) {
  chosen(rows, taps, starts, count, out, next, lesser);
}

}  // namespace

extern const decltype(&correlate) correlate_kernel;
extern const decltype(&correlate_taps) correlate_taps_kernel;
extern const decltype(&weighted) weighted_kernel;
extern const decltype(&weighted_mirrored) weighted_mirrored_kernel;
extern const decltype(&along) along_kernel;
extern const decltype(&largest) largest_kernel;
extern const decltype(&smallest) smallest_kernel;
const decltype(&correlate) correlate_kernel = correlate;
const decltype(&correlate_taps) correlate_taps_kernel = correlate_taps;
const decltype(&weighted) weighted_kernel = weighted;
const decltype(&weighted_mirrored) weighted_mirrored_kernel = weighted_mirrored;
const decltype(&along) along_kernel = along;
const decltype(&largest) largest_kernel = largest;
const decltype(&smallest) smallest_kernel = smallest;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
