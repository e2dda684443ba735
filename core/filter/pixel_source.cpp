#include "core/filter/pixel_source.hpp"

#include <cstdint>
#include <cstring>

#include <immintrin.h>

namespace aprscope::detail {
namespace {

// Copies n floats past the caches, in whole vectors where the target is aligned to one.
void stream(const float* from, float* to, std::int64_t n) {
  std::int64_t i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(to + i) % 32 != 0; ++i) to[i] = from[i];
  for (; i + 8 <= n; i += 8) _mm256_stream_ps(to + i, _mm256_loadu_ps(from + i));
  for (; i < n; ++i) to[i] = from[i];
}

}  // namespace

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
  y_begin_ = std::max(slab_.wanted.begin.y, first);
  y_end_ = std::min(slab_.wanted.end.y, slab_.b1 * kBlock);
  // Whole blocks, so that rows of the result are written in lines.
  for (std::int64_t pair = (y_begin_ - first) / kBlock * (kBlock / 2); 2 * pair < y_end_ - first;
       ++pair) {
    active_.words[static_cast<std::size_t>(pair / 64)] |= std::uint64_t{1} << (pair % 64);
  }
  return true;
}

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
                        std::int64_t count, const RunValues& values) {
  for (int o = 0; o < slab_.outputs(); ++o) {
    const std::int64_t cz = 2 * z + o / slab_.outputs_x();
    const std::int64_t cx = 2 * x + o % slab_.outputs_x();
    if (cz < slab_.wanted.begin.z || cz >= slab_.wanted.end.z || cx < slab_.wanted.begin.x ||
        cx >= slab_.wanted.end.x) {
      continue;
    }
    float* const row = &out_.at(cz, cx, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const float* const from = values.rows[static_cast<std::size_t>(o)] + values.at[i];
      const std::int64_t first = starts[i];
      const std::int64_t begin = std::max(first, y_begin_);
      const std::int64_t end = std::min(first + kBlock, y_end_);
      if (end - begin < kBlock) {
        if (begin < end) std::copy(from + (begin - first), from + (end - first), row + begin);
      } else if (streaming_ && reinterpret_cast<std::uintptr_t>(row + first) % 32 == 0) {
        _mm256_stream_ps(row + first, _mm256_loadu_ps(from));
        _mm256_stream_ps(row + first + 8, _mm256_loadu_ps(from + 8));
      } else if (streaming_ && !slab_.image &&
                 reinterpret_cast<std::uintptr_t>(row + first) % 16 == 0) {
        // Runs follow one another and fill the lines that they share.
        for (std::int64_t k = 0; k < kBlock; k += 4) {
          _mm_stream_ps(row + first + k, _mm_loadu_ps(from + k));
        }
      } else {
        std::memcpy(row + first, from, kBlock * sizeof(float));
      }
    }
  }
}

void PixelSource::store_row(std::int64_t z, std::int64_t x, std::int64_t begin, std::int64_t end,
                            const float* values) {
  const Region& wanted = slab_.wanted;
  if (z < wanted.begin.z || z >= wanted.end.z || x < wanted.begin.x || x >= wanted.end.x) return;
  const std::int64_t first = std::max(begin, y_begin_);
  const std::int64_t last = std::min(end, y_end_);
  if (first >= last) return;
  float* const to = &out_.at(z, x, first);
  if (streaming_) {
    stream(values + (first - begin), to, last - first);
  } else {
    std::copy(values + (first - begin), values + (last - begin), to);
  }
}

void PixelSource::close() {
  if (streaming_) _mm_sfence();
}

}  // namespace aprscope::detail
