#include <algorithm>

#include "gpu/cuda_check.hpp"
#include "gpu/pixel_strata.hpp"
#include "gpu/strata_tally.cuh"

namespace aprscope::gpu {
namespace {

// A block marches through tiles of 32 words × 8 rows × kSlices.
constexpr int kRows = 8;
constexpr int kThreads = 32 * kRows;
constexpr std::uint32_t kAll8 = 256;

constexpr const char* kWhat = "counting strata of pixels";

// Several values side by side in a word. What is said of each of them stands in its top bit.
template <int bits>
struct Fields {
  static constexpr int kCount = 32 / bits;
  static constexpr std::uint32_t kTop = bits == 8 ? 0x80808080U : 0x80008000U;
  static constexpr std::uint32_t kOnes = kTop >> (bits - 1);
  // 2^14 voxels of a tile, so that half words hold what it adds (see spill()): of a class it has at
  // most (33 · 9 · 129) strata.
  static constexpr int kSlices = bits == 8 ? 16 : 32;

  /// a ≥ b; the other bits mean nothing.
  __device__ static std::uint32_t not_less(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t d = (a | kTop) - (b & ~kTop);
    return (a & ~b) | (~(a ^ b) & d);
  }
  /// Of the owner rule: v before a value that comes earlier in the image / that comes later.
  __device__ static std::uint32_t earlier(std::uint32_t v, std::uint32_t n) {
    return ~not_less(v, n);
  }
  __device__ static std::uint32_t later(std::uint32_t v, std::uint32_t n) { return not_less(n, v); }
  /// Adds the top bits of a mask that has no others.
  __device__ static std::uint32_t add(std::uint32_t sum, std::uint32_t mask) {
    return (mask >> (bits - 1)) + sum;
  }
  __device__ static std::uint32_t at(std::uint32_t word, int k) {
    return word >> (k * bits) & ((1U << (bits - 1) << 1) - 1U);
  }
  /// Field k of a in the low half of a word, that of b in the high half.
  __device__ static std::uint32_t pair(std::uint32_t a, std::uint32_t b, int k) {
    const auto n = static_cast<std::uint32_t>(k);
    // 8 …: copies of the sign, which is 0.
    const std::uint32_t select =
        bits == 8 ? n | (8U | n) << 4 | (4U + n) << 8 | (12U + n) << 12 : 0x5410U + n * 0x2222U;
    std::uint32_t out = 0;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(select));
    return out;
  }
};

// A word with its neighbours along y, as if these were at its place.
struct Triple {
  std::uint32_t before;
  std::uint32_t at;
  std::uint32_t after;
};
// The rows x − 1 … x + 1 of a slice.
struct Plane {
  Triple row[3];
};

// Where a thread's words are.
template <int bits>
class Column {
 public:
  __device__ Column(const StrataSlab& slab, const StrataRule& rule, int x, int word)
      : slab_(slab), rule_(rule), x_(x), word_(word) {}

  __device__ Plane load(int z) const {
    Plane plane;
    const bool inside = (z >= 0 || slab_.before) && (z < slab_.size.z || slab_.after);
#pragma unroll
    for (int dx = -1; dx <= 1; ++dx) {
      const int x = x_ + dx;
      const bool there = inside && x >= 0 && x < slab_.size.x;
      const std::uint32_t* const from =
          slab_.words + (std::int64_t{z} * slab_.size.x + x) * slab_.row_words + word_;
      const auto get = [&](int at) {
        return there && word_ + at >= 0 && word_ + at < slab_.row_words ? from[at] ^ rule_.flip
                                                                        : rule_.pad ^ rule_.flip;
      };
      const std::uint32_t left = get(-1);
      const std::uint32_t middle = get(0);
      const std::uint32_t right = get(1);
      plane.row[dx + 1] = {__funnelshift_l(left, middle, bits), middle,
                           __funnelshift_r(middle, right, bits)};
    }
    return plane;
  }

 private:
  const StrataSlab& slab_;
  const StrataRule& rule_;
  int x_;
  int word_;
};

// How many strata of each class but cubes each voxel of a word owns.
template <int bits>
__device__ void own(const Plane& low, const Plane& here, const Plane& high,
                    std::uint32_t (&sum)[7]) {
  using F = Fields<bits>;
  const std::uint32_t v = here.row[1].at;
  constexpr std::uint32_t kTop = F::kTop;
  // Squares: the neighbour beyond each.
  const std::uint32_t za = F::earlier(v, low.row[1].at) & kTop;
  const std::uint32_t zb = F::later(v, high.row[1].at) & kTop;
  const std::uint32_t xa = F::earlier(v, here.row[0].at) & kTop;
  const std::uint32_t xb = F::later(v, here.row[2].at) & kTop;
  const std::uint32_t ya = F::earlier(v, here.row[1].before) & kTop;
  const std::uint32_t yb = F::later(v, here.row[1].after) & kTop;
  sum[3] = F::add(F::add(0, za), zb);
  sum[5] = F::add(F::add(0, xa), xb);
  sum[6] = F::add(F::add(0, ya), yb);
  // Edges along y, x and z.
  const std::uint32_t e_aa = za & xa & F::earlier(v, low.row[0].at);
  const std::uint32_t e_ab = za & xb & F::earlier(v, low.row[2].at);
  const std::uint32_t e_ba = zb & xa & F::later(v, high.row[0].at);
  const std::uint32_t e_bb = zb & xb & F::later(v, high.row[2].at);
  sum[1] = F::add(F::add(F::add(F::add(0, e_aa), e_ab), e_ba), e_bb);
  const std::uint32_t f_aa = za & ya & F::earlier(v, low.row[1].before);
  const std::uint32_t f_ab = za & yb & F::earlier(v, low.row[1].after);
  const std::uint32_t f_ba = zb & ya & F::later(v, high.row[1].before);
  const std::uint32_t f_bb = zb & yb & F::later(v, high.row[1].after);
  sum[2] = F::add(F::add(F::add(F::add(0, f_aa), f_ab), f_ba), f_bb);
  const std::uint32_t g_aa = xa & ya & F::earlier(v, here.row[0].before);
  const std::uint32_t g_ab = xa & yb & F::earlier(v, here.row[0].after);
  const std::uint32_t g_ba = xb & ya & F::later(v, here.row[2].before);
  const std::uint32_t g_bb = xb & yb & F::later(v, here.row[2].after);
  sum[4] = F::add(F::add(F::add(F::add(0, g_aa), g_ab), g_ba), g_bb);
  // Corners.
  std::uint32_t corners = F::add(0, e_aa & f_aa & g_aa & F::earlier(v, low.row[0].before));
  corners = F::add(corners, e_aa & f_ab & g_ab & F::earlier(v, low.row[0].after));
  corners = F::add(corners, e_ab & f_aa & g_ba & F::earlier(v, low.row[2].before));
  corners = F::add(corners, e_ab & f_ab & g_bb & F::earlier(v, low.row[2].after));
  corners = F::add(corners, e_ba & f_ba & g_aa & F::later(v, high.row[0].before));
  corners = F::add(corners, e_ba & f_bb & g_ab & F::later(v, high.row[0].after));
  corners = F::add(corners, e_bb & f_ba & g_ba & F::later(v, high.row[2].before));
  corners = F::add(corners, e_bb & f_bb & g_bb & F::later(v, high.row[2].after));
  sum[0] = corners;
}

// The counts of a block, and where those of values go that have no place in it.
template <int bits>
struct Tally {
  std::uint32_t* shared;
  StrataWindow window;
  unsigned long long* sums;

  __device__ void add(std::uint32_t value, int plane, std::uint32_t pair) const {
    if constexpr (bits == 8) {
      atomicAdd(shared + plane * kAll8 + value, pair);
    } else if (const std::uint32_t at = value - window.first; at < window.count) {
      atomicAdd(shared + plane * window.count + at, pair);
    } else {
      atomicAdd(sums + std::uint64_t{value} * kStrataSums + plane, widen_pair(pair));
    }
  }
};

// Words that follow one another along z, are alike and own one of each: most of an empty
// background. They are counted when another comes.
template <int bits>
struct Run {
  std::uint32_t word = 0;
  std::uint32_t length = 0;

  __device__ void end(const Tally<bits>& tally) {
    if (length == 0) return;
    using F = Fields<bits>;
    const std::uint32_t first = F::at(word, 0);
    if (word == first * F::kOnes) {
      tally.add(first, 3, length * F::kCount << 16);
    } else {
#pragma unroll
      for (int k = 0; k < F::kCount; ++k) tally.add(F::at(word, k), 3, length << 16);
    }
    length = 0;
  }
};

// `fields`: how many of the word's are voxels.
template <int bits>
__device__ void add_word(std::uint32_t v, const std::uint32_t (&sum)[7], int fields, Run<bits>& run,
                         const Tally<bits>& tally) {
  using F = Fields<bits>;
  std::uint32_t uneven = fields == F::kCount ? 0U : 1U;
#pragma unroll
  for (int s = 0; s < 7; ++s) uneven |= sum[s] ^ F::kOnes;
  if (uneven == 0) {
    if (v != run.word) {
      run.end(tally);
      run.word = v;
    }
    ++run.length;
    return;
  }
#pragma unroll
  for (int k = 0; k < F::kCount; ++k) {
    if (k >= fields) break;
    const std::uint32_t value = F::at(v, k);
    const std::uint32_t pairs[kStrataSums] = {
        F::pair(sum[0], sum[1], k) - 0x10001U, F::pair(sum[2], sum[3], k) - 0x10001U,
        F::pair(sum[4], sum[5], k) - 0x10001U, F::pair(sum[6], F::kOnes, k) - 1U};
#pragma unroll
    for (int j = 0; j < kStrataSums; ++j) {
      if (pairs[j] != 0) tally.add(value, j, pairs[j]);
    }
  }
}

template <int bits>
__global__ void __launch_bounds__(kThreads, 3)
    count(const __grid_constant__ StrataSlab slab, const __grid_constant__ StrataRule rule,
          const __grid_constant__ StrataWindow window, Int3 tiles, unsigned long long* sums) {
  using F = Fields<bits>;
  extern __shared__ std::uint32_t shared[];
  for (std::uint32_t i = threadIdx.x; i < kStrataSums * window.count; i += kThreads) shared[i] = 0;
  __syncthreads();
  const Tally<bits> tally{shared, window, sums};
  const std::int64_t count = std::int64_t{tiles.z} * tiles.x * tiles.y;
  for (std::int64_t tile = blockIdx.x; tile < count; tile += gridDim.x) {
    const int word = static_cast<int>(tile % tiles.y) * 32 + static_cast<int>(threadIdx.x % 32);
    const int x =
        static_cast<int>(tile / tiles.y % tiles.x) * kRows + static_cast<int>(threadIdx.x / 32);
    const int fields = min(slab.size.y - word * F::kCount, F::kCount);
    if (fields > 0 && x < slab.size.x) {
      int z = static_cast<int>(tile / tiles.y / tiles.x) * F::kSlices;
      const int end = min(z + F::kSlices, slab.size.z);
      const Column<bits> column(slab, rule, x, word);
      Run<bits> run;
      std::uint32_t sum[7];
      // Three slices take turns, so that none is moved.
      Plane a = column.load(z - 1);
      Plane b = column.load(z);
      Plane c;
      for (;;) {
        c = column.load(z + 1);
        own<bits>(a, b, c, sum);
        add_word<bits>(b.row[1].at, sum, fields, run, tally);
        if (++z >= end) break;
        a = column.load(z + 1);
        own<bits>(b, c, a, sum);
        add_word<bits>(c.row[1].at, sum, fields, run, tally);
        if (++z >= end) break;
        b = column.load(z + 1);
        own<bits>(c, a, b, sum);
        add_word<bits>(a.row[1].at, sum, fields, run, tally);
        if (++z >= end) break;
      }
      run.end(tally);
    }
    __syncthreads();
    spill<kStrataSums>(shared, window.first, window.count, sums, false);
    __syncthreads();
  }
  spill<kStrataSums>(shared, window.first, window.count, sums, true);
}

template <int bits>
void launch(const StrataSlab& slab, const StrataRule& rule, const StrataWindow& window,
            unsigned long long* sums, int multiprocessors, cudaStream_t stream) {
  if (slab.size.z <= 0) return;
  using F = Fields<bits>;
  const auto parts = [](int n, int each) { return (n + each - 1) / each; };
  const Int3 tiles{parts(slab.size.z, F::kSlices), parts(slab.size.x, kRows),
                   parts(slab.size.y, 32 * F::kCount)};
  const std::size_t bytes = kStrataSums * sizeof(std::uint32_t) * window.count;
  ensure(cudaFuncSetAttribute(count<bits>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes)),
         kWhat);
  int each = 0;
  ensure(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, count<bits>, kThreads, bytes), kWhat);
  const std::int64_t blocks = std::min<std::int64_t>(std::int64_t{tiles.z} * tiles.x * tiles.y,
                                                     std::int64_t{multiprocessors} * each);
  count<bits>
      <<<static_cast<unsigned>(blocks), kThreads, bytes, stream>>>(slab, rule, window, tiles, sums);
  ensure_launched(kWhat);
}

}  // namespace

void count_strata_8(const StrataSlab& slab, const StrataRule& rule, unsigned long long* sums,
                    int multiprocessors, cudaStream_t stream) {
  launch<8>(slab, rule, {0, kAll8}, sums, multiprocessors, stream);
}

void count_strata_16(const StrataSlab& slab, const StrataRule& rule, const StrataWindow& window,
                     unsigned long long* sums, int multiprocessors, cudaStream_t stream) {
  launch<16>(slab, rule, window, sums, multiprocessors, stream);
}

}  // namespace aprscope::gpu
