// Statistics of windows, 16 neighbourhoods at once. Compiled once for each instruction set; only
// own static code in here (see aprscope_kernels()).
#include "core/filter/vector16.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;

typedef int32_t Integers __attribute__((vector_size(kLanes * sizeof(int32_t))));
typedef int32_t Unaligned __attribute__((vector_size(kLanes * sizeof(int32_t)), aligned(4)));
typedef float Half __attribute__((vector_size(kLanes / 2 * sizeof(float)), aligned(4)));
typedef double Doubles __attribute__((vector_size(kLanes / 2 * sizeof(double))));

// Calls visit(pointer) for every cell of one output's window, first lane.
template <class Visit>
inline void for_each_cell(const Window& w, int oz, int ox, int32_t start, const Visit& visit) {
  for (int64_t z = 0; z < w.size_z; ++z) {
    for (int64_t x = 0; x < w.size_x; ++x) {
      const float* const row = w.planes[z + oz] + (x + ox) * w.stride + start;
      for (int64_t y = 0; y < w.size_y; ++y) visit(row + y);
    }
  }
}

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
      const Vector b = held[i];
      held[0] = lesser(a, b);
      held[i] = greater(a, b);
    }
    for (int64_t i = size / 2; i < size - 1; ++i) {
      const Vector a = held[size - 1];
      const Vector b = held[i];
      held[size - 1] = greater(a, b);
      held[i] = lesser(a, b);
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

// The value whose rank is the middle, bit by bit from the highest: 32 counts over all values, of
// which `values` holds the keys.
inline Part bisected_median(const float* values, int64_t n) {
  const auto* const keys = reinterpret_cast<const int32_t*>(values);
  const auto rank = static_cast<int32_t>(n / 2);
  // Largest key of which at most `rank` values are smaller.
  Integers found = Integers{} + (-2147483647 - 1);
  for (int bit = 31; bit >= 0; --bit) {
    const auto step = static_cast<int32_t>(std::uint32_t{1} << bit);
    const Integers candidate = bit == 31 ? Integers{} : found | step;
    Integers smaller = {};
    for (int64_t i = 0; i < n; ++i) {
      const Integers k = *reinterpret_cast<const Unaligned*>(keys + i * kBlock);
      smaller -= k < candidate;  // true is −1
    }
    found = smaller <= rank ? candidate : found;
  }
  return (Part)key_of(found);
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
            Vector v = load(p);
            for (Part& part : v.part) part = (Part)key_of((Integers)part);
            put(to, v);
            to += kBlock;
          });
          Vector v;
          for (int k = 0; k < kParts; ++k) {
            v.part[k] = bisected_median(scratch + k * kLanes, n);
          }
          put(out, v);
        }
        out += kBlock;
      }
    }
  }
}

inline Doubles widened(const float* p) {
  return __builtin_convertvector(*reinterpret_cast<const Half*>(p), Doubles);
}

// Subtracts the mean first, to avoid cancellation where it is large.
void deviation(const Window& window, const int32_t* starts, int64_t count, float* out) {
  constexpr int kHalves = 2 * kParts;
  constexpr int kHalf = kLanes / 2;
  const auto n = static_cast<double>(window.size_z * window.size_x * window.size_y);
  for (int64_t i = 0; i < count; ++i) {
    for (int oz = 0; oz < window.outputs_z; ++oz) {
      for (int ox = 0; ox < window.outputs_x; ++ox) {
        Doubles mean[kHalves] = {};
        for_each_cell(window, oz, ox, starts[i], [&](const float* p) {
          for (int k = 0; k < kHalves; ++k) mean[k] += widened(p + k * kHalf);
        });
        for (Doubles& m : mean) m /= n;
        Doubles squares[kHalves] = {};
        for_each_cell(window, oz, ox, starts[i], [&](const float* p) {
          for (int k = 0; k < kHalves; ++k) {
            const Doubles d = widened(p + k * kHalf) - mean[k];
            squares[k] += d * d;
          }
        });
        for (int64_t k = 0; k < kBlock; ++k) {
          out[k] = static_cast<float>(__builtin_sqrt(squares[k / kHalf][k % kHalf] / n));
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
