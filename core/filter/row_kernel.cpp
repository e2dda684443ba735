// Rows of particles to dense rows and back. Compiled once for each instruction set; only own static
// code in here (see aprscope_kernels()).
#include "core/apr/structure/lanes.inl.hpp"
#include "core/filter/kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

using std::int32_t;
using std::int64_t;
using std::uint64_t;

// Values to fetch ahead of those that are read: rows that are filled next lie behind this one.
constexpr int64_t kAhead = 1536;
// Results to make room for ahead of those that are written: a quad or so of full rows.
constexpr int64_t kAheadOut = 1024;
// Mask of a block all of whose cells are set: frequent among many particles; needs no spreading.
constexpr unsigned kAll = 0xFFFF;

// The set bits of a word below bit i.
inline int64_t count_below(uint64_t word, unsigned i) {
  return static_cast<int64_t>(_mm_popcnt_u64(word & ((uint64_t{1} << i) - 1)));
}

// 64 parents of a quad: which of them are interior, i.e. have the cells of the four rows as
// children; which are particles; and how many lie before the first of them.
struct Parents {
  uint64_t exist;
  uint64_t interior;
  uint64_t inside;
  int64_t interior_before;
  const float* values;  // of the particles

  Parents(const QuadRow& quad, int64_t k) {
    const int64_t w = quad.first_word + k;
    // Cells of this level, so also these parents, are the children of interior cells.
    const uint64_t grand = quad.grand[w / 2];
    const unsigned half = 32 * static_cast<unsigned>(w % 2);
    exist = _pdep_u64(grand >> half, 0x5555555555555555ULL) * 3U;
    interior = quad.parent[w];
    inside = quad.inside[k];
    interior_before = quad.parent_ranks[w];
    values =
        quad.coarse + 2 * (quad.grand_ranks[w / 2] + count_below(grand, half)) - interior_before;
  }

  // The cells that parents 8 i … 8 i + 7 cover as particles.
  template <bool open>
  [[nodiscard]] Cells covered(unsigned i) const {
    const uint64_t particles = exist & ~interior;
    return expand_twice<open>(static_cast<unsigned>((particles & inside) >> (8 * i)) & 0xFFU,
                              values + count_below(particles, 8 * i));
  }
};

// Where the rows of a quad lie, and where they go to. A local copy: otherwise the compiler must
// assume that storing values changes these pointers.
struct Rows {
  const float* particles[4];
  const float* tree[4];
  const uint64_t* own[4];
  const uint16_t* own_ranks[4];
  float* to[4];  // cell 0 of each

  Rows(const QuadRow& quad, int64_t base, float* const* rows) {
    for (int r = 0; r < 4; ++r) {
      const int i = r < quad.rows ? r : 0;
      particles[r] = quad.particles[i];
      tree[r] = quad.tree[i];
      own[r] = quad.own[i];
      own_ranks[r] = quad.own_ranks[i];
      to[r] = rows[i] - base;
    }
  }
};

template <bool finest, bool open, int count_of_rows>
inline void fill_block(const Rows& rows, int n, int64_t row_end, const Parents& parents,
                       int64_t b) {
  if (count_of_rows != 0) n = count_of_rows;
  const unsigned i = static_cast<unsigned>(b) % 8;
  const auto some = static_cast<unsigned>(parents.interior >> (8 * i)) & 0xFFU;
  const unsigned cells = doubled(some) & below(row_end, kBlock * b, 16);
  // Cells of a row before this block.
  const int64_t before = 2 * (parents.interior_before + count_below(parents.interior, 8 * i));
#pragma GCC unroll 4
  for (int r = 0; r < n; ++r) __builtin_prefetch(rows.particles[r] + before + kAhead);
  if (finest && cells == kAll) {
#pragma GCC unroll 4
    for (int r = 0; r < n; ++r) {
      put(rows.to[r] + kBlock * b, load_all(rows.particles[r] + before));
    }
    return;
  }
  const Cells wide = parents.covered<open>(i);
#pragma GCC unroll 4
  for (int r = 0; r < n; ++r) {
    Cells v = wide;
    unsigned particles = cells;
    int64_t rank = before;
    if constexpr (!finest) {
      const Field own = field<16>(rows.own[r], rows.own_ranks[r], b);
      v = expand<open>(own.bits, rows.tree[r] + own.rank, v);
      particles &= ~own.bits;
      rank -= own.rank;
    }
    put(rows.to[r] + kBlock * b, expand<open>(particles, rows.particles[r] + rank, v));
  }
}

template <bool finest, bool open, int count_of_rows>
int64_t fill_rows(const QuadRow& quad, int64_t base, float* const* to, CoarseCells* rest) {
  const Rows rows(quad, base, to);
  const int n = count_of_rows != 0 ? count_of_rows : quad.rows;
  const int64_t row_end = quad.cells;
  const int64_t words = quad.words;
  int64_t left = 0;
  for (int64_t k = 0; k < words; ++k) {
    const uint64_t needed = quad.needed[k] & quad.inside[k];
    if (needed == 0) continue;
    const int64_t w = quad.first_word + k;
    const Parents parents(quad, k);
    if ((needed & ~parents.exist) != 0) rest[left++] = {w, needed & ~parents.exist};
    const unsigned used = bytes_in_use(needed);
    const unsigned with_cells = bytes_in_use(parents.interior);
    for (unsigned u = used & with_cells; u != 0; u &= u - 1) {
      fill_block<finest, open, count_of_rows>(rows, n, row_end, parents, 8 * w + __builtin_ctz(u));
    }
    for (unsigned u = used & ~with_cells; u != 0; u &= u - 1) {
      const int i = __builtin_ctz(u);
      const Cells wide = parents.covered<open>(static_cast<unsigned>(i));
#pragma GCC unroll 4
      for (int r = 0; r < n; ++r) put(rows.to[r] + kBlock * (8 * w + i), wide);
    }
  }
  return left;
}

int64_t fill(const QuadRow& quad, int64_t base, float* const* rows, CoarseCells* rest) {
  const bool finest = quad.own[0] == nullptr;
  if (quad.rows != 4) {
    const auto few = finest ? fill_rows<true, false, 0> : fill_rows<false, false, 0>;
    return few(quad, base, rows, rest);
  }
  const auto work = finest ? (quad.open ? fill_rows<true, true, 4> : fill_rows<true, false, 4>)
                           : (quad.open ? fill_rows<false, true, 4> : fill_rows<false, false, 4>);
  return work(quad, base, rows, rest);
}

void spread(const CoarseCells& cells, const float* values, int64_t base, float* const* rows,
            int count) {
  for (unsigned u = bytes_in_use(cells.parents); u != 0; u &= u - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctz(u));
    const unsigned some = doubled(static_cast<unsigned>(cells.parents >> (8 * i)) & 0xFFU);
    const Cells wide = four_times(values + 4 * i);
    const int64_t at = kBlock * (8 * cells.word + i) - base;
    for (int r = 0; r < count; ++r) {
      put(rows[r] + at, choose(some, load_all(rows[r] + at), wide));
    }
  }
}

void means(const QuadRow& quad, const uint64_t* parents, int64_t base, const float* const* rows,
           float* tree) {
  for (int64_t k = 0; k < quad.words; ++k) {
    const int64_t w = quad.first_word + k;
    const uint64_t take = parents[k] != 0 ? parents[k] & quad.parent[w] : 0;
    for (unsigned u = bytes_in_use(take); u != 0; u &= u - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctz(u));
      const int64_t at = kBlock * (8 * w + i) - base;
      // Added in the order of fill_tree(), so that the bits are the same.
      const Cells lower = load_all(rows[0] + at) + load_all(rows[1] + at);
      const Cells upper = load_all(rows[2] + at) + load_all(rows[3] + at);
      const Pairs pair = pairs(lower + upper);
      const __m256 mean =
          _mm256_mul_ps(_mm256_add_ps(pair.first, pair.second), _mm256_set1_ps(0.125F));
      float* const to = tree + quad.parent_ranks[w] + count_below(quad.parent[w], 8 * i);
      const unsigned some = static_cast<unsigned>(take >> (8 * i)) & 0xFFU;
      compress(some, mean, to);
    }
  }
}

template <bool finest, bool all>
void store_rows(const QuadResult& quad, const int32_t* starts, int64_t count,
                const float* const* values, const int32_t* at) {
  const int n = all ? 4 : quad.outputs;
  for (int64_t i = 0; i < count; ++i) {
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
      __builtin_prefetch(to + kAheadOut, 1);
      if (finest && (particles & wanted) == kAll) {
        put(to, load_all(values[o] + at[i]));
        continue;
      }
      compress_before(quad.out_end[o], particles & wanted, values[o] + at[i],
                      to + _mm_popcnt_u32(particles & early));
    }
  }
}

void store(const QuadResult& quad, const int32_t* starts, int64_t count, const float* const* values,
           const int32_t* at) {
  const bool finest = quad.own[0] == nullptr;
  bool all = quad.outputs == 4;
  for (int o = 0; o < quad.outputs; ++o) all = all && quad.out[o] != nullptr;
  const auto work = finest ? (all ? store_rows<true, true> : store_rows<true, false>)
                           : (all ? store_rows<false, true> : store_rows<false, false>);
  work(quad, starts, count, values, at);
}

}  // namespace

extern const decltype(&fill) fill_kernel;
extern const decltype(&spread) spread_kernel;
extern const decltype(&means) means_kernel;
extern const decltype(&store) store_kernel;
const decltype(&fill) fill_kernel = fill;
const decltype(&spread) spread_kernel = spread;
const decltype(&means) means_kernel = means;
const decltype(&store) store_kernel = store;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
