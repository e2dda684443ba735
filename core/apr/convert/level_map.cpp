#include "core/apr/convert/level_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <immintrin.h>

#include "core/apr/structure/linear_access.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

__m256i bytes_at(const std::uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

// A bit for each of 64 bytes: set where the byte equals `level`.
std::uint64_t equal_bits(const std::uint8_t* p, __m256i level) {
  const auto low =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes_at(p), level)));
  const auto high =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes_at(p + 32), level)));
  return low | static_cast<std::uint64_t>(high) << 32U;
}

// The larger one of each pair of 64 bytes that are the maximum of a and b.
__m256i pair_maxima(const std::uint8_t* a, const std::uint8_t* b) {
  const auto half = [&](std::int64_t at) {
    const __m256i m = _mm256_max_epu8(bytes_at(a + at), bytes_at(b + at));
    const __m256i larger = _mm256_max_epu8(m, _mm256_srli_epi16(m, 8));
    return _mm256_and_si256(larger, _mm256_set1_epi16(0xFF));
  };
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(half(0), half(32)), 0b11011000);
}

// Calls make(h, x, levels) for the rows of pairs of planes and rows, and adds what it makes.
template <class Make>
bool add_rows(std::int64_t begin, std::int64_t end, const Make& make, LevelMap& map,
              const JobContext& context) {
  const Size3& half = map.finest().size();
  const std::int64_t pairs = (half.x + 1) / 2;
  const std::int64_t first = begin / 2;
  const std::int64_t slabs = (end + 1) / 2 - first;
  const std::int64_t padded =
      (half.y + LevelMap::kPadded - 1) / LevelMap::kPadded * LevelMap::kPadded;
  const int threads = threads_for((end - begin) * half.x * half.y);
  Scratch<std::uint8_t> rows(threads * 2 * padded);
  std::fill(rows.data(), rows.data() + rows.count(), std::uint8_t{0});
  return parallel_rows({slabs, pairs, 1}, threads, context, "levels",
                       [&](std::int64_t slab, std::int64_t pair, int thread) {
                         std::uint8_t* const a = rows.data() + thread * 2 * padded;
                         std::uint8_t* const b = a + padded;
                         const bool both = 2 * pair + 1 < half.x;
                         const std::int64_t h0 = std::max(begin, 2 * (first + slab));
                         for (std::int64_t h = h0; h < std::min(end, 2 * (first + slab + 1)); ++h) {
                           make(h, 2 * pair, a);
                           if (both) make(h, 2 * pair + 1, b);
                           map.add(h, pair, a, both ? b : nullptr);
                         }
                       });
}

}  // namespace

LevelRule::LevelRule(const ConversionParameters& p, int level_max)
    : parameters_(p),
      level_max_(level_max),
      factor_(std::ldexp(std::min({p.dz, p.dx, p.dy}), level_max) / p.rel_error) {}

LevelRow LevelRule::row(float noise) const {
  LevelRow row;
  row.above = std::max(noise, 0.0F);
  row.least = parameters_.grad_th;
  row.sigma_th = parameters_.sigma_th;
  row.sigma_th_max = parameters_.sigma_th_max;
  row.infinite = std::max(kInfiniteScale, parameters_.sigma_th);
  row.factor = factor_;
  row.highest = level_max_ - 1;
  return row;
}

void LevelRule::apply(const MaskedVoxels& voxels, std::uint8_t* levels) const {
  LevelRow row = this->row(voxels.noise);
  row.gradient = voxels.gradient;
  row.scale = voxels.scale;
  row.count = voxels.count;
  row.levels = levels;
  conversion_kernels().levels(row);
}

void mask_gradient(const float* gradient, const float* intensity, float least, std::int64_t count,
                   float* masked) {
  for (std::int64_t i = 0; i < count; ++i) masked[i] = intensity[i] > least ? gradient[i] : -1.0F;
}

LevelMap::LevelMap(const Size3& size, int level_max)
    : top_(level_max - 1),
      finest_(level_grid(size, level_max, level_max - 1)),
      coarse_(level_grid(size, level_max, level_max - 2)) {}

void LevelMap::add(std::int64_t h, std::int64_t pair, const std::uint8_t* first,
                   const std::uint8_t* second) {
  const std::int64_t words = finest_.words();
  const __m256i top = _mm256_set1_epi8(static_cast<char>(top_));
  for (int r = 0; r < (second != nullptr ? 2 : 1); ++r) {
    std::uint64_t* const bits = finest_.row(h, 2 * pair + r);
    const std::uint8_t* const row = r == 0 ? first : second;
    for (std::int64_t w = 0; w < words; ++w) bits[w] = equal_bits(row + 64 * w, top);
  }
  std::uint8_t* const out = coarse_.values.data() + coarse_.index(h / 2, pair, 0);
  const std::uint8_t* const other = second != nullptr ? second : first;
  alignas(32) std::uint8_t maxima[32];
  for (std::int64_t w = 0; w < words; ++w) {
    std::uint8_t* const to = out + 32 * w;
    const std::int64_t count = std::min<std::int64_t>(32, coarse_.size.y - 32 * w);
    _mm256_store_si256(reinterpret_cast<__m256i*>(maxima),
                       pair_maxima(first + 64 * w, other + 64 * w));
    if (h % 2 != 0) {
      for (std::int64_t i = 0; i < count; ++i) maxima[i] = std::max(maxima[i], to[i]);
    }
    std::memcpy(to, maxima, static_cast<std::size_t>(count));
  }
}

bool add_levels(const MaskedVoxels& voxels, const LevelRule& rule, std::int64_t begin,
                std::int64_t end, LevelMap& map, const JobContext& context) {
  const Size3& half = map.finest().size();
  const auto make = [&](std::int64_t h, std::int64_t x, std::uint8_t* levels) {
    const std::int64_t at = ((h - begin) * half.x + x) * half.y;
    rule.apply({voxels.gradient + at, voxels.scale + at, half.y, voxels.noise}, levels);
  };
  return add_rows(begin, end, make, map, context);
}

bool add_levels(const GradientScale& input, const ConversionParameters& p, int level_max,
                LevelMap& map, const JobContext& context) {
  const Size3& half = input.gradient.size;
  const LevelRule rule(p, level_max);
  const auto make = [&](std::int64_t h, std::int64_t x, std::uint8_t* levels) {
    constexpr std::int64_t kPart = 256;
    float masked[kPart];
    for (std::int64_t y = 0; y < half.y; y += kPart) {
      const auto at = static_cast<std::size_t>((h * half.x + x) * half.y + y);
      const std::int64_t count = std::min(kPart, half.y - y);
      mask_gradient(input.gradient.values.data() + at, input.intensity.values.data() + at,
                    p.intensity_th, count, masked);
      rule.apply({masked, input.scale.values.data() + at, count, 0.0F}, levels + y);
    }
  };
  return add_rows(0, half.z, make, map, context);
}

}  // namespace aprscope
