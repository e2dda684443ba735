#include "core/apr/structure/bit_grid.hpp"

#include <algorithm>
#include <bit>

#include <immintrin.h>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Doubles each of the low 32 bits: bit i goes to bits 2i and 2i + 1.
std::uint64_t doubled(std::uint64_t v) {
  v &= 0xFFFFFFFFU;
  v = (v | (v << 16U)) & 0x0000FFFF0000FFFFU;
  v = (v | (v << 8U)) & 0x00FF00FF00FF00FFU;
  v = (v | (v << 4U)) & 0x0F0F0F0F0F0F0F0FU;
  v = (v | (v << 2U)) & 0x3333333333333333U;
  v = (v | (v << 1U)) & 0x5555555555555555U;
  return v | (v << 1U);
}

}  // namespace

std::uint64_t BitGrid::count() const {
  std::uint64_t n = 0;
  for (const std::uint64_t w : bits_) n += static_cast<std::uint64_t>(std::popcount(w));
  return n;
}

int sweep_threads(const Size3& size) { return threads_for(size.count(), 1 << 17); }

BitGrid dilate(const BitGrid& in) {
  const Size3& size = in.size();
  const std::int64_t words = in.words();
  BitGrid out(size);
  parallel_for(size.z, sweep_threads(size), [&](std::int64_t z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      std::uint64_t* const to = out.row(z, x);
      std::uint64_t any = 0;
      for (std::int64_t nz = std::max<std::int64_t>(z - 1, 0); nz <= std::min(z + 1, size.z - 1);
           ++nz) {
        for (std::int64_t nx = std::max<std::int64_t>(x - 1, 0); nx <= std::min(x + 1, size.x - 1);
             ++nx) {
          const std::uint64_t* const from = in.row(nz, nx);
          for (std::int64_t w = 0; w < words; ++w) {
            to[w] |= from[w];
            any |= from[w];
          }
        }
      }
      if (any == 0) continue;
      std::uint64_t before = 0;
      for (std::int64_t w = 0; w < words; ++w) {
        const std::uint64_t here = to[w];
        const std::uint64_t after = w + 1 < words ? to[w + 1] : 0;
        to[w] = here | (here << 1U) | (before >> 63U) | (here >> 1U) | (after << 63U);
        before = here;
      }
      to[words - 1] &= in.last_word_mask();
    }
  });
  return out;
}

BitGrid parents_of(const BitGrid& a, const BitGrid& b, const Size3& grid) {
  const Size3& fine = a.size();
  const std::int64_t words = a.words();
  BitGrid out(grid);
  parallel_for(grid.z, sweep_threads(fine), [&](std::int64_t z) {
    for (std::int64_t x = 0; x < grid.x; ++x) {
      std::uint64_t* const to = out.row(z, x);
      for (std::int64_t fz = 2 * z; fz < std::min(2 * z + 2, fine.z); ++fz) {
        for (std::int64_t fx = 2 * x; fx < std::min(2 * x + 2, fine.x); ++fx) {
          const std::uint64_t* const in_a = a.row(fz, fx);
          const std::uint64_t* const in_b = b.row(fz, fx);
          for (std::int64_t w = 0; w < words; ++w) {
            const std::uint64_t here = in_a[w] | in_b[w];
            const std::uint64_t halved = _pext_u64(here | (here >> 1U), 0x5555555555555555U);
            to[w / 2] |= halved << 32U * (static_cast<unsigned>(w) % 2U);
          }
        }
      }
    }
  });
  return out;
}

std::uint64_t children_word(const std::uint64_t* parents, std::int64_t words, std::int64_t w) {
  const std::int64_t at = w / 2;
  if (at >= words) return 0;
  return doubled(w % 2 == 0 ? parents[at] : parents[at] >> 32U);
}

}  // namespace aprscope
