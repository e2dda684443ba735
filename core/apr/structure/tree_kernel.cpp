// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include "core/apr/structure/lanes.inl.hpp"
#include "core/apr/structure/tree_kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

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
  int64_t count = 0;
  for (int64_t w = 0; w < in.words; ++w) count += _mm_popcnt_u64(in.parent[w]);
  for (int64_t k = 0; k < count; k += 8) {
    const unsigned some = below(count, k, 8);
    const unsigned cells = doubled(some);
    Cells row[4];
    for (int r = 0; r < 4; ++r) row[r] = load_first(cells, in.particles[r] + 2 * k);
    put_first(some, joined<R>(row), out + k);
  }
}

template <class R>
void join_mixed(const FamilyRow& in, float* out) {
  const float* particles[4] = {in.particles[0], in.particles[1], in.particles[2], in.particles[3]};
  const float* tree[4] = {in.tree[0], in.tree[1], in.tree[2], in.tree[3]};
  for (int64_t w = 0; w < in.words; ++w) {
    const uint64_t parents = in.parent[w];
    if (parents == 0) continue;
    for (int64_t byte = 0; byte < 8; ++byte) {
      const auto some = static_cast<unsigned>(parents >> (8 * byte)) & 0xFFU;
      if (some == 0) continue;
      const unsigned cells = doubled(some);
      Cells row[4];
      for (int r = 0; r < 4; ++r) {
        const auto own =
            static_cast<unsigned>(in.own[r][2 * w + byte / 4] >> (16 * (byte % 4))) & 0xFFFFU;
        const unsigned leaves = cells & ~own;
        row[r] = join(expand(leaves, particles[r]), expand(own, tree[r]));
        particles[r] += _mm_popcnt_u32(leaves);
        tree[r] += _mm_popcnt_u32(own);
      }
      alignas(32) float values[16];
      _mm256_store_ps(values, joined<R>(row));
      compress(some, values, out);
      out += _mm_popcnt_u32(some);
    }
  }
}

template <class R>
void join_eight(const FamilyRow& in, float* out) {
  if (in.own[0] == nullptr) {
    join_particles<R>(in, out);
  } else {
    join_mixed<R>(in, out);
  }
}

}  // namespace

extern const TreeKernels kernels_of_trees;
const TreeKernels kernels_of_trees{join_eight<Mean>, join_eight<Smallest>, join_eight<Largest>};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
