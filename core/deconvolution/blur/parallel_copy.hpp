#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/parallel.hpp"

namespace aprscope {

/// to = from · factor on all threads; both are of one length.
inline void copy_scaled(std::span<const float> from, float factor, std::span<float> to) {
  constexpr std::int64_t kPart = 1 << 16;
  const auto count = static_cast<std::int64_t>(from.size());
  const int threads = count > 4 * kPart ? thread_count() : 1;
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int) {
    const float* const in = from.data();
    float* const out = to.data();
    if (factor == 1.0F) {
      std::copy(in + begin, in + end, out + begin);
    } else {
      for (std::int64_t i = begin; i < end; ++i) out[i] = in[i] * factor;
    }
  });
}

}  // namespace aprscope
