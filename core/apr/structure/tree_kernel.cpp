// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include "core/apr/structure/lanes.inl.hpp"
#include "core/apr/structure/tree_kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// Values to fetch ahead of those that are read: rows are short, and those behind this one follow.
constexpr int64_t kAhead = 768;

struct Mean {
  static Cells join(Cells a, Cells b) { return a + b; }
  static __m256 join(Pairs p) {
    return _mm256_mul_ps(_mm256_add_ps(p.first, p.second), _mm256_set1_ps(0.125F));
  }
};
struct Smallest {
  static Cells join(Cells a, Cells b) { return smaller(a, b); }
  static __m256 join(Pairs p) { return _mm256_min_ps(p.second, p.first); }
};
struct Largest {
  static Cells join(Cells a, Cells b) { return larger(a, b); }
  static __m256 join(Pairs p) { return _mm256_max_ps(p.second, p.first); }
};

// Rows first, then the two cells of a pair.
template <class R>
inline __m256 joined(const Cells (&row)[4]) {
  return R::join(pairs(R::join(R::join(row[0], row[1]), R::join(row[2], row[3]))));
}

// Joins children that are all particles: these lie in the order of their parents, unspread.
template <class R>
void join_particles(const FamilyRow& in, float* out) {
  int64_t k = 0;
  for (; k + 8 <= in.count; k += 8) {
    Cells row[4];
    for (int r = 0; r < 4; ++r) {
      __builtin_prefetch(in.particles[r] + 2 * k + kAhead);
      row[r] = load_all(in.particles[r] + 2 * k);
    }
    _mm256_storeu_ps(out + k, joined<R>(row));
  }
  if (k == in.count) return;
  const unsigned some = below(in.count, k, 8);
  const unsigned cells = doubled(some);
  Cells row[4];
  for (int r = 0; r < 4; ++r) row[r] = load_first(cells, in.particles[r] + 2 * k);
  put_first(some, joined<R>(row), out + k);
}

template <class R, bool open>
void join_mixed(const FamilyRow& in, float* out) {
  const float* particles[4] = {in.particles[0], in.particles[1], in.particles[2], in.particles[3]};
  const float* tree[4] = {in.tree[0], in.tree[1], in.tree[2], in.tree[3]};
  const float* const end = out + in.count;
  // Words of 32 parents, whose children are a word of each row.
  for (int64_t w = 0; w < 2 * in.words; ++w) {
    const uint64_t parents = in.parent[w / 2] >> (32 * (w % 2)) & 0xFFFFFFFFU;
    if (parents == 0) continue;
    const uint64_t own[4] = {in.own[0][w], in.own[1][w], in.own[2][w], in.own[3][w]};
    for (unsigned used = bytes_in_use(parents); used != 0; used &= used - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctz(used));
      const auto some = static_cast<unsigned>(parents >> (8 * i)) & 0xFFU;
      const unsigned cells = doubled(some);
      Cells row[4];
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        const auto inner = static_cast<unsigned>(own[r] >> (16 * i)) & 0xFFFFU;
        const unsigned leaves = cells & ~inner;
        row[r] = expand<open>(leaves, particles[r], expand_some<open>(inner, tree[r]));
        particles[r] += _mm_popcnt_u32(leaves);
        tree[r] += _mm_popcnt_u32(inner);
      }
      compress_before(end, some, joined<R>(row), out);
      out += _mm_popcnt_u32(some);
    }
  }
}

template <class R>
void join_eight(const FamilyRow& in, float* out) {
  if (in.own[0] == nullptr) {
    join_particles<R>(in, out);
  } else if (in.open) {
    join_mixed<R, true>(in, out);
  } else {
    join_mixed<R, false>(in, out);
  }
}

}  // namespace

extern const TreeKernels kernels_of_trees;
const TreeKernels kernels_of_trees{join_eight<Mean>, join_eight<Smallest>, join_eight<Largest>};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
