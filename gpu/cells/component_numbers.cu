#include "gpu/cells/label_forest.cuh"
#include "gpu/cells/label_steps.hpp"

namespace aprscope::gpu::labelling {
namespace {

// Marks the components that touch the border. One thread per word.
__global__ void mark_outside(const std::uint32_t* __restrict__ bits, WordGrid grid,
                             std::uint32_t words, std::uint32_t* labels, std::uint32_t* outside) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= words) return;
  const std::uint32_t row = i / grid.row_words;
  const std::uint32_t w = i % grid.row_words;
  const auto z = static_cast<int>(row / static_cast<unsigned>(grid.size.x));
  const auto x = static_cast<int>(row % static_cast<unsigned>(grid.size.x));
  const bool whole =
      x == 0 || x == grid.size.x - 1 || (grid.size.z > 1 && (z == 0 || z == grid.size.z - 1));
  std::uint32_t ends = 0;
  if (w == 0) ends |= 1U;
  if (w == grid.row_words - 1) ends |= 1U << (static_cast<unsigned>(grid.size.y) - 1U) % 32U;
  if (!whole && ends == 0) return;
  const std::uint32_t m = bits[i];
  std::uint32_t touching = whole ? m & ~(m << 1) : m & ends;  // runs once
  for (; touching != 0; touching &= touching - 1U) {
    const auto at = static_cast<std::uint32_t>(__ffs(static_cast<int>(touching)) - 1);
    const std::uint32_t node = find<kParent>(labels, i * 32U + at);
    const std::uint32_t bit = 1U << node % 32U;
    if ((load(outside, node / 32U) & bit) == 0) atomicOr(outside + node / 32U, bit);
  }
}

// Keeps only nodes that are roots and counts them by word. One warp per 32 words.
__global__ void keep_roots(const std::uint32_t* __restrict__ nodes,
                           const std::uint32_t* __restrict__ outside, std::uint32_t words,
                           const std::uint32_t* labels, std::uint32_t* firsts,
                           std::uint32_t* counts) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = (blockIdx.x * kWarps + threadIdx.x / 32) * 32U;
  if (first > words) return;
  const std::uint32_t mine = first + lane < words ? nodes[first + lane] : 0U;
  std::uint32_t kept = 0;
#pragma unroll 8
  for (unsigned j = 0; j < 32; ++j) {
    const std::uint32_t word = __shfl_sync(kAll, mine, static_cast<int>(j));
    const std::uint32_t p = (first + j) * 32U + lane;
    const bool is_root = (word >> lane & 1U) != 0 && labels[p] == (kParent | p);
    const std::uint32_t roots = __ballot_sync(kAll, is_root);
    if (lane == j) kept = roots;
  }
  if (outside != nullptr && first + lane < words) kept &= ~outside[first + lane];
  if (first + lane < words) firsts[first + lane] = kept;
  // counts has one word more: after the scan it holds the number of all roots.
  if (first + lane <= words) counts[first + lane] = static_cast<std::uint32_t>(__popc(kept));
}

// The number of a node's root. Labels on the way there may be parents or already be numbers.
__device__ std::uint32_t number_of(const std::uint32_t* labels,
                                   const std::uint32_t* __restrict__ outside,
                                   const std::uint32_t* __restrict__ firsts,
                                   const std::uint32_t* __restrict__ ranks, std::uint32_t node) {
  for (;;) {
    const std::uint32_t next = load(labels, node);
    if ((next & kParent) == 0) return next;  // another thread has got its number
    if (next == (kParent | node)) break;
    node = next & ~kParent;
  }
  const std::uint32_t at = node / 32U;
  const std::uint32_t bit = 1U << node % 32U;
  if (outside != nullptr && (outside[at] & bit) != 0) return kOutside;
  return ranks[at] + static_cast<std::uint32_t>(__popc(firsts[at] & (bit - 1U))) + 1U;
}

// Replaces the labels of nodes by their numbers. One warp per 32 words.
__global__ void number_nodes(const std::uint32_t* __restrict__ nodes,
                             const std::uint32_t* __restrict__ outside,
                             const std::uint32_t* __restrict__ firsts,
                             const std::uint32_t* __restrict__ ranks, std::uint32_t words,
                             std::uint32_t* labels) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = (blockIdx.x * kWarps + threadIdx.x / 32) * 32U;
  if (first >= words) return;
  const bool there = first + lane < words;
  const std::uint32_t mine = there ? nodes[first + lane] : 0U;
  const std::uint32_t its_roots = there ? firsts[first + lane] : 0U;
  const std::uint32_t its_rank = there ? ranks[first + lane] : 0U;
  for (std::uint32_t rest = __ballot_sync(kAll, mine != 0); rest != 0; rest &= rest - 1U) {
    const int j = __ffs(static_cast<int>(rest)) - 1;
    const std::uint32_t word = __shfl_sync(kAll, mine, j);
    const std::uint32_t roots = __shfl_sync(kAll, its_roots, j);
    const std::uint32_t rank = __shfl_sync(kAll, its_rank, j);
    if ((word >> lane & 1U) == 0) continue;
    const std::uint32_t p = (first + static_cast<unsigned>(j)) * 32U + lane;
    // Shortcut for roots: in noise most nodes are roots.
    labels[p] = (roots >> lane & 1U) != 0
                    ? rank + static_cast<std::uint32_t>(__popc(roots & ((1U << lane) - 1U))) + 1U
                    : number_of(labels, outside, firsts, ranks, p);
  }
}

// Replaces the labels of all pixels by their numbers. One thread per four pixels.
template <bool padded>
__global__ void number_pixels(std::uint32_t quads, std::uint32_t row_quads, int row,
                              std::uint32_t* labels, std::uint32_t* out) {
  const std::uint32_t q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= quads) return;
  uint4 v = reinterpret_cast<const uint4*>(labels)[q];
  const auto number = [&](std::uint32_t& label) {
    if ((label & kParent) != 0) label = load(labels, label & ~kParent);
  };
  const bool changes = ((v.x | v.y | v.z | v.w) & kParent) != 0;
  number(v.x);
  number(v.y);
  number(v.z);
  number(v.w);
  if constexpr (!padded) {
    if (changes) reinterpret_cast<uint4*>(labels)[q] = v;
  } else {
    const int y = static_cast<int>(q % row_quads) * 4;
    std::uint32_t* const to =
        out + std::uint64_t{q / row_quads} * static_cast<std::uint64_t>(row) + y;
    if (y < row) to[0] = v.x;
    if (y + 1 < row) to[1] = v.y;
    if (y + 2 < row) to[2] = v.z;
    if (y + 3 < row) to[3] = v.w;
  }
}

constexpr std::uint32_t kWordsEach = kWarps * 32;
unsigned blocks_of_words(const LabelJob& job) { return job.words / kWordsEach + 1; }

}  // namespace

void find_outside(const LabelJob& job) {
  const WordGrid grid{job.size, job.row_words, {}};
  mark_outside<<<(job.words + kThreads - 1) / kThreads, kThreads, 0, job.stream>>>(
      job.bits, grid, job.words, job.labels, job.outside);
  ensure_launched(kWhat);
}

void count_components(const LabelJob& job) {
  keep_roots<<<blocks_of_words(job), kThreads, 0, job.stream>>>(job.nodes, job.outside, job.words,
                                                                job.labels, job.firsts, job.ranks);
  ensure_launched(kWhat);
}

void number_components(const LabelJob& job, std::uint32_t* out) {
  number_nodes<<<blocks_of_words(job), kThreads, 0, job.stream>>>(
      job.nodes, job.outside, job.firsts, job.ranks, job.words, job.labels);
  ensure_launched(kWhat);
  const std::uint32_t quads = job.words * 8;
  const unsigned parts = (quads + kThreads - 1) / kThreads;
  if (out != nullptr) {
    number_pixels<true>
        <<<parts, kThreads, 0, job.stream>>>(quads, job.row_words * 8, job.size.y, job.labels, out);
  } else {
    number_pixels<false><<<parts, kThreads, 0, job.stream>>>(quads, job.row_words * 8, job.size.y,
                                                             job.labels, nullptr);
  }
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu::labelling
