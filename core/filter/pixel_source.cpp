#include "core/filter/pixel_source.hpp"

#include <cstdint>
#include <cstring>

#include <immintrin.h>

namespace aprscope::detail {

PixelSource::PixelSource(const Pixels<float>& input, Pixels<float>& out)
    : input_(input), out_(out) {
  // Results that no cache would hold until they are read again go past the caches.
  constexpr std::size_t kLarge = std::size_t{64} << 20U;
  streaming_ = out.values.size() * sizeof(float) > kLarge;
}

bool PixelSource::open(const Slab& slab) {
  slab_ = slab;
  active_ = {};
  const std::int64_t first = slab_.b0 * kBlock;
  const std::int64_t begin = std::max(slab_.wanted.begin.y, first) - first;
  const std::int64_t end = std::min(slab_.wanted.end.y, slab_.b1 * kBlock) - first;
  // Whole blocks, so that rows of the result are written in lines.
  for (std::int64_t pair = begin / kBlock * (kBlock / 2); 2 * pair < end; ++pair) {
    active_.words[static_cast<std::size_t>(pair / 64)] |= std::uint64_t{1} << (pair % 64);
  }
  return true;
}

PairMask PixelSource::active(std::int64_t, std::int64_t) const { return active_; }

QuadSource::Filled PixelSource::fill(std::int64_t z, std::int64_t x, float* const* rows) {
  const std::int64_t begin = std::max<std::int64_t>(0, slab_.base());
  const std::int64_t end = std::min(slab_.grid.y, (slab_.b1 + slab_.halo_blocks()) * kBlock);
  for (int o = 0; o < slab_.outputs(); ++o) {
    const std::int64_t cz = 2 * z + o / slab_.outputs_x();
    const std::int64_t cx = 2 * x + o % slab_.outputs_x();
    if (cz >= slab_.grid.z || cx >= slab_.grid.x) continue;
    std::memcpy(*rows++ + begin - slab_.base(), &input_.at(cz, cx, begin),
                static_cast<std::size_t>(end - begin) * sizeof(float));
  }
  return Filled::with_ends;
}

void PixelSource::store(std::int64_t z, std::int64_t x, const std::int32_t* starts,
                        std::int64_t count, const float* values) {
  for (int o = 0; o < slab_.outputs(); ++o) {
    const std::int64_t cz = 2 * z + o / slab_.outputs_x();
    const std::int64_t cx = 2 * x + o % slab_.outputs_x();
    if (cz < slab_.wanted.begin.z || cz >= slab_.wanted.end.z || cx < slab_.wanted.begin.x ||
        cx >= slab_.wanted.end.x) {
      continue;
    }
    float* const row = &out_.at(cz, cx, 0);
    const float* from = values + o * kBlock;
    for (std::int64_t i = 0; i < count; ++i, from += slab_.outputs() * kBlock) {
      const std::int64_t first = starts[i];
      const std::int64_t begin = std::max(first, slab_.wanted.begin.y);
      const std::int64_t end = std::min(first + kBlock, slab_.wanted.end.y);
      if (end - begin < kBlock) {
        std::copy(from + (begin - first), from + (end - first), row + begin);
      } else if (streaming_ && reinterpret_cast<std::uintptr_t>(row + first) % 16 == 0) {
        for (std::int64_t k = 0; k < kBlock; k += 4) {
          _mm_stream_ps(row + first + k, _mm_load_ps(from + k));
        }
      } else {
        std::memcpy(row + first, from, kBlock * sizeof(float));
      }
    }
  }
}

void PixelSource::close() {
  if (streaming_) _mm_sfence();
}

}  // namespace aprscope::detail
