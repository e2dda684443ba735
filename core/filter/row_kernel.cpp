// Rows of particles to dense rows and back. Compiled once for each instruction set; only own static
// code in here (see aprscope_kernels()).
#include "core/apr/lanes.inl.hpp"
#include "core/filter/kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;
using std::uint8_t;

// Values to fetch ahead of those that are read: rows that are filled next lie behind this one.
constexpr int64_t kAhead = 1536;
// All cells of a block: most blocks, where there are many particles. They need no spreading.
constexpr unsigned kAll = 0xFFFF;

template <bool finest, int count_of_rows>
bool fill_rows(const QuadRow& quad, const int32_t* blocks, const uint8_t* needed, int64_t fine,
               int64_t count, int64_t base, float* const* rows, uint8_t* rest) {
  const int n = count_of_rows != 0 ? count_of_rows : quad.rows;
  unsigned any = 0;
  for (int64_t i = fine; i < count; ++i) {
    const int64_t b = blocks[i];
    const Field t = field<8>(quad.parent, quad.parent_ranks, b);
    const Field g = field<4>(quad.grand, quad.grand_ranks, b);
    const unsigned inside = below(quad.parents, 8 * b, 8);
    const unsigned coarse = static_cast<unsigned>(_pdep_u64(g.bits, 0x55)) * 3U & inside;
    rest[i] = static_cast<uint8_t>(needed[i] & ~coarse & inside);
    any |= rest[i];
    const Cells wide = expand_twice(coarse, quad.coarse + 2 * g.rank - t.rank);
#pragma GCC unroll 4
    for (int r = 0; r < n; ++r) put(rows[r] + 16 * b - base, wide);
  }
  for (int64_t i = 0; i < fine; ++i) {
    const int64_t b = blocks[i];
    const Field t = field<8>(quad.parent, quad.parent_ranks, b);
    const Field g = field<4>(quad.grand, quad.grand_ranks, b);
    const unsigned inside = below(quad.parents, 8 * b, 8);
    const unsigned coarse = static_cast<unsigned>(_pdep_u64(g.bits, 0x55)) * 3U & ~t.bits & inside;
    rest[i] = static_cast<uint8_t>(needed[i] & ~(t.bits | coarse) & inside);
    any |= rest[i];
    const unsigned cells = doubled(t.bits) & below(quad.cells, 16 * b, 16);
    const int64_t before = 2 * t.rank;  // cells of a row before this block
#pragma GCC unroll 4
    for (int r = 0; r < n; ++r) __builtin_prefetch(quad.particles[r] + before + kAhead);
    if (finest && cells == kAll) {
#pragma GCC unroll 4
      for (int r = 0; r < n; ++r) {
        put(rows[r] + 16 * b - base, load_first(kAll, quad.particles[r] + before));
      }
      continue;
    }
    const Cells wide = expand_twice(coarse, quad.coarse + 2 * g.rank - t.rank);
#pragma GCC unroll 4
    for (int r = 0; r < n; ++r) {
      Cells v;
      if constexpr (finest) {
        v = expand(cells, quad.particles[r] + before);
      } else {
        const Field own = field<16>(quad.own[r], quad.own_ranks[r], b);
        v = join(expand(cells & ~own.bits, quad.particles[r] + before - own.rank),
                 expand(own.bits, quad.tree[r] + own.rank));
      }
      put(rows[r] + 16 * b - base, join(v, wide));
    }
  }
  return any != 0;
}

bool fill(const QuadRow& quad, const int32_t* blocks, const uint8_t* needed, int64_t fine,
          int64_t count, int64_t base, float* const* rows, uint8_t* rest) {
  const bool finest = quad.own[0] == nullptr;
  const bool all = quad.rows == 4;
  const auto work = finest ? (all ? fill_rows<true, 4> : fill_rows<true, 0>)
                           : (all ? fill_rows<false, 4> : fill_rows<false, 0>);
  return work(quad, blocks, needed, fine, count, base, rows, rest);
}

template <bool finest, bool all>
void store_rows(const QuadResult& quad, const int32_t* starts, int64_t count, const float* values) {
  const int n = all ? 4 : quad.outputs;
  for (int64_t i = 0; i < count; ++i, values += n * kBlock) {
    const int64_t y = starts[i];
    const Field t = field_at<8>(quad.parent, quad.parent_ranks, quad.parent_words, y / 2);
    const unsigned cells = doubled(t.bits);
    const unsigned early = below(quad.y_begin, y, 16);
    const unsigned wanted = below(quad.y_end, y, 16) & ~early;
#pragma GCC unroll 4
    for (int o = 0; o < n; ++o) {
      if (!all && quad.out[o] == nullptr) continue;
      unsigned particles = cells;
      float* to = quad.out[o] + 2 * t.rank;
      if constexpr (!finest) {
        const Field own = field_at<16>(quad.own[o], quad.own_ranks[o], quad.own_words, y);
        particles &= ~own.bits;
        to -= own.rank;
      }
      if (finest && (particles & wanted) == kAll) {
        put(to, load_first(kAll, values + o * kBlock));
        continue;
      }
      compress(particles & wanted, values + o * kBlock, to + _mm_popcnt_u32(particles & early));
    }
  }
}

void store(const QuadResult& quad, const int32_t* starts, int64_t count, const float* values) {
  const bool finest = quad.own[0] == nullptr;
  bool all = quad.outputs == 4;
  for (int o = 0; o < quad.outputs; ++o) all = all && quad.out[o] != nullptr;
  const auto work = finest ? (all ? store_rows<true, true> : store_rows<true, false>)
                           : (all ? store_rows<false, true> : store_rows<false, false>);
  work(quad, starts, count, values);
}

}  // namespace

extern const decltype(&fill) fill_kernel;
extern const decltype(&store) store_kernel;
const decltype(&fill) fill_kernel = fill;
const decltype(&store) store_kernel = store;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
