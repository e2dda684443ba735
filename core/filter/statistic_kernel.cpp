// Statistics of windows, 16 neighbourhoods at once. Compiled once for each instruction set; only
// own static code in here (see aprscope_kernels()).
#include <cstdint>

#include "core/filter/kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;

using Loaded = float __attribute__((vector_size(kBlock * sizeof(float)), aligned(4)));
using Vector = float __attribute__((vector_size(kBlock * sizeof(float))));
using Integers = int32_t __attribute__((vector_size(kBlock * sizeof(int32_t))));
using Unaligned = int32_t __attribute__((vector_size(kBlock * sizeof(int32_t)), aligned(4)));
using Half = float __attribute__((vector_size(kBlock / 2 * sizeof(float)), aligned(4)));
using Doubles = double __attribute__((vector_size(kBlock / 2 * sizeof(double))));

inline Vector load(const float* p) { return *reinterpret_cast<const Loaded*>(p); }
inline void put(float* p, Vector v) { *reinterpret_cast<Loaded*>(p) = v; }

// Calls visit(pointer) for every cell of one output's window, first lane.
template <class Visit>
inline void for_each_cell(const Window& w, int oz, int ox, int32_t start, const Visit& visit) {
  const int64_t lines = w.size_x + w.outputs_x - 1;
  for (int64_t z = 0; z < w.size_z; ++z) {
    for (int64_t x = 0; x < w.size_x; ++x) {
      const float* const row = w.rows[(z + oz) * lines + x + ox] + start;
      for (int64_t y = 0; y < w.size_y; ++y) visit(row + y);
    }
  }
}

inline Vector lesser(Vector a, Vector b) { return a < b ? a : b; }
inline Vector greater(Vector a, Vector b) { return a < b ? b : a; }

// Forgetful selection (as in "The median of 25", Graphics Gems): of any n/2 + 2 of the n values
// neither the smallest nor the largest can be the median; drop both, take in one more, repeat.
constexpr int64_t kForgetful = 27;
inline Vector forgetful_median(const float* values, int64_t n) {
  Vector held[kForgetful / 2 + 2];
  int64_t taken = n / 2 + 2;
  if (taken > n) return load(values);
  for (int64_t i = 0; i < taken; ++i) held[i] = load(values + i * kBlock);
  int64_t size = taken;
  while (size > 2) {
    // Smallest to the front, largest to the back.
    for (int64_t i = 0; i < size / 2; ++i) {
      const Vector a = held[i];
      const Vector b = held[size - 1 - i];
      held[i] = lesser(a, b);
      held[size - 1 - i] = greater(a, b);
    }
    for (int64_t i = 1; i < (size + 1) / 2; ++i) {
      const Vector a = held[0];
      held[0] = lesser(a, held[i]);
      held[i] = greater(a, held[i]);
    }
    for (int64_t i = size / 2; i < size - 1; ++i) {
      const Vector a = held[size - 1];
      held[size - 1] = greater(a, held[i]);
      held[i] = lesser(a, held[i]);
    }
    if (taken < n) {
      held[0] = load(values + taken * kBlock);
      ++taken;
      --size;
      continue;
    }
    for (int64_t i = 0; i < size - 2; ++i) held[i] = held[i + 1];
    size -= 2;
  }
  return held[0];
}

// Order of floats as order of integers.
inline Integers key_of(Integers bits) { return bits < 0 ? bits ^ 0x7FFFFFFF : bits; }

// The value whose rank is the middle, bit by bit from the highest: 32 counts over all values.
inline Vector bisected_median(const float* values, int64_t n) {
  const auto* const keys = reinterpret_cast<const int32_t*>(values);
  const auto rank = static_cast<int32_t>(n / 2);
  // Largest key of which at most `rank` values are smaller.
  Integers found = Integers{} + (-2147483647 - 1);
  for (int bit = 31; bit >= 0; --bit) {
    const auto step = static_cast<int32_t>(uint32_t{1} << (bit & 31));
    const Integers candidate = bit == 31 ? Integers{} : found | step;
    Integers smaller = {};
    for (int64_t i = 0; i < n; ++i) {
      const Integers k = *reinterpret_cast<const Unaligned*>(keys + i * kBlock);
      smaller -= k < candidate;  // true is −1
    }
    found = smaller <= rank ? candidate : found;
  }
  const Integers bits = key_of(found);
  return (Vector)bits;
}

void median(const Window& window, const int32_t* starts, int64_t count, float* scratch,
            float* out) {
  const int64_t n = window.size_z * window.size_x * window.size_y;
  for (int64_t i = 0; i < count; ++i) {
    for (int oz = 0; oz < window.outputs_z; ++oz) {
      for (int ox = 0; ox < window.outputs_x; ++ox) {
        float* to = scratch;
        if (n <= kForgetful) {
          for_each_cell(window, oz, ox, starts[i], [&](const float* p) {
            put(to, load(p));
            to += kBlock;
          });
          put(out, forgetful_median(scratch, n));
        } else {
          for_each_cell(window, oz, ox, starts[i], [&](const float* p) {
            put(to, (Vector)key_of((Integers)load(p)));
            to += kBlock;
          });
          put(out, bisected_median(scratch, n));
        }
        out += kBlock;
      }
    }
  }
}

inline Doubles widened(const float* p) {
  return __builtin_convertvector(*reinterpret_cast<const Half*>(p), Doubles);
}

inline double root(double v) { return __builtin_sqrt(v); }

// Mean first: no cancellation where it is large.
void deviation(const Window& window, const int32_t* starts, int64_t count, float* out) {
  const auto n = static_cast<double>(window.size_z * window.size_x * window.size_y);
  for (int64_t i = 0; i < count; ++i) {
    for (int oz = 0; oz < window.outputs_z; ++oz) {
      for (int ox = 0; ox < window.outputs_x; ++ox) {
        Doubles mean[2] = {};
        for_each_cell(window, oz, ox, starts[i], [&](const float* p) {
          mean[0] += widened(p);
          mean[1] += widened(p + kBlock / 2);
        });
        mean[0] /= n;
        mean[1] /= n;
        Doubles squares[2] = {};
        for_each_cell(window, oz, ox, starts[i], [&](const float* p) {
          const Doubles a = widened(p) - mean[0];
          const Doubles b = widened(p + kBlock / 2) - mean[1];
          squares[0] += a * a;
          squares[1] += b * b;
        });
        for (int64_t k = 0; k < kBlock; ++k) {
          out[k] = static_cast<float>(root(squares[k / (kBlock / 2)][k % (kBlock / 2)] / n));
        }
        out += kBlock;
      }
    }
  }
}

}  // namespace

extern const decltype(&median) median_kernel;
extern const decltype(&deviation) deviation_kernel;
const decltype(&median) median_kernel = median;
const decltype(&deviation) deviation_kernel = deviation;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
