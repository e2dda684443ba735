#include <algorithm>

#include "gpu/device/cuda_check.hpp"
#include "gpu/topology/pixel_strata.hpp"
#include "gpu/topology/strata_tally.cuh"

namespace aprscope::gpu {
namespace {

// A block marches through tiles of 32 words × 8 rows × kSlices.
constexpr int kRows = 8;
constexpr int kThreads = 32 * kRows;
constexpr int kAll8 = 256;

constexpr const char* kWhat = "counting strata of pixels";

// Several values side by side in a word. Results for each value are in its top bit.
template <int bits>
struct Fields {
  static constexpr int kCount = 32 / bits;
  static constexpr std::uint32_t kTop = bits == 8 ? 0x80808080U : 0x80008000U;
  static constexpr std::uint32_t kOnes = kTop >> (bits - 1);
  // At most this many slices in a tile: it then adds at most 129 · 9 · 33 strata of a class, less
  // than half words can hold (see spill()).
  static constexpr int kSlices = 32;
  // The number of words in a plane of the tally.
  static constexpr int kBins = bits == 8 ? kAll8 : static_cast<int>(kStrataWindow);

  /// a ≥ b; the other bits mean nothing.
  __device__ static std::uint32_t not_less(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t d = (a | kTop) - (b & ~kTop);
    return (a & ~b) | (~(a ^ b) & d);
  }
  /// The owner rule: whether v precedes a value n that is earlier / later in the image.
  __device__ static std::uint32_t earlier(std::uint32_t v, std::uint32_t n) {
    return ~not_less(v, n);
  }
  __device__ static std::uint32_t later(std::uint32_t v, std::uint32_t n) { return not_less(n, v); }
  /// Adds the top bits of `mask`; its other bits must be 0.
  __device__ static std::uint32_t add(std::uint32_t sum, std::uint32_t mask) {
    return (mask >> (bits - 1)) + sum;
  }
  __device__ static std::uint32_t at(std::uint32_t word, int k) {
    return word >> (k * bits) & ((1U << (bits - 1) << 1) - 1U);
  }
  /// Puts field k of `a` into the low half of a word and that of `b` into the high half.
  __device__ static std::uint32_t pair(std::uint32_t a, std::uint32_t b, int k) {
    const auto n = static_cast<std::uint32_t>(k);
    // Selectors from 8 on replicate the sign of a byte, which is 0 here.
    const std::uint32_t select =
        bits == 8 ? n | (8U | n) << 4 | (4U + n) << 8 | (12U + n) << 12 : 0x5410U + n * 0x2222U;
    std::uint32_t out = 0;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(select));
    return out;
  }
};

// A word, and words shifted so that the neighbours along y are at the place of each value.
struct Triple {
  std::uint32_t before;
  std::uint32_t at;
  std::uint32_t after;
};
// The rows x − 1 … x + 1 of a slice.
struct Plane {
  Triple row[3];
};

// The positions of a thread's words.
template <int bits, bool closed>
class Column {
 public:
  __device__ Column(const StrataSlab& slab, const StrataRule& rule, int x, int word)
      : slab_(slab), flip_(rule.flip) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const int row = x + i - 1;
      const bool there = row >= 0 && row < slab.size.x;
      // Rows outside are read from the nearest row; the result is masked out.
      first_[i] =
          static_cast<std::uint32_t>(min(max(row, 0), slab.size.x - 1) * slab.row_words + word);
      inside_[i][0] = there && word > 0 ? ~0U : 0U;
      inside_[i][1] = there ? ~0U : 0U;
      inside_[i][2] = there && word + 1 < slab.row_words ? ~0U : 0U;
    }
  }

  __device__ Plane load(int z) const {
    Plane plane;
    if ((z < 0 && !slab_.before) || (z >= slab_.size.z && !slab_.after)) {
      constexpr std::uint32_t kPad = closed ? ~0U : 0U;
      for (Triple& row : plane.row) row = {kPad, kPad, kPad};
      return plane;
    }
    const std::uint32_t* const slice =
        slab_.words + std::int64_t{z} * slab_.size.x * slab_.row_words;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t* const from = slice + first_[i];
      const std::uint32_t left = seen(from[-1], inside_[i][0]);
      const std::uint32_t middle = seen(from[0], inside_[i][1]);
      const std::uint32_t right = seen(from[1], inside_[i][2]);
      plane.row[i] = {__funnelshift_l(left, middle, bits), middle,
                      __funnelshift_r(middle, right, bits)};
    }
    return plane;
  }

 private:
  // Outside of the image: the value that the rule's pad has in comparisons.
  __device__ std::uint32_t seen(std::uint32_t word, std::uint32_t inside) const {
    return closed ? (word ^ flip_) | ~inside : (word ^ flip_) & inside;
  }

  const StrataSlab& slab_;
  std::uint32_t flip_;
  std::uint32_t first_[3];
  std::uint32_t inside_[3][3];
};

// How many strata of each class, except for cubes, each voxel of a word owns.
template <int bits>
__device__ void own(const Plane& low, const Plane& here, const Plane& high,
                    std::uint32_t (&sum)[7]) {
  using F = Fields<bits>;
  const std::uint32_t v = here.row[1].at;
  constexpr std::uint32_t kTop = F::kTop;
  // Squares: compares with the neighbour beyond each.
  const std::uint32_t za = F::earlier(v, low.row[1].at) & kTop;
  const std::uint32_t zb = F::later(v, high.row[1].at) & kTop;
  const std::uint32_t xa = F::earlier(v, here.row[0].at) & kTop;
  const std::uint32_t xb = F::later(v, here.row[2].at) & kTop;
  const std::uint32_t ya = F::earlier(v, here.row[1].before) & kTop;
  const std::uint32_t yb = F::later(v, here.row[1].after) & kTop;
  sum[3] = F::add(F::add(0, za), zb);
  sum[5] = F::add(F::add(0, xa), xb);
  sum[6] = F::add(F::add(0, ya), yb);
  // Edges along y, x and z: compares with the neighbour beyond each.
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
  // Corners: compares with the neighbour beyond each.
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

// The counts of a block; values outside of its window go directly to `sums`.
template <int bits>
struct Tally {
  std::uint32_t shared;  // its address
  StrataWindow window;
  unsigned long long* sums;

  __device__ void add(std::uint32_t value, const std::uint32_t (&pairs)[4]) const {
    constexpr int kBins = Fields<bits>::kBins;
    const std::uint32_t at = bits == 8 ? value : value - window.first;
    if (bits == 8 || at < window.count) {
      const std::uint32_t address = shared + at * 4;
      add_shared<0, kBins>(address, pairs[0]);
      add_shared<1, kBins>(address, pairs[1]);
      add_shared<2, kBins>(address, pairs[2]);
      add_shared<3, kBins>(address, pairs[3]);
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (pairs[j] == 0) continue;
        atomicAdd(sums + (j << bits) + value, widen_pair(pairs[j]));
      }
    }
  }
  __device__ void add_even(std::uint32_t value, std::uint32_t voxels) const {
    const std::uint32_t at = bits == 8 ? value : value - window.first;
    if (bits == 8 || at < window.count) {
      add_shared<4, Fields<bits>::kBins>(shared + at * 4, voxels);
    } else {
      atomicAdd(sums + (4 << bits) + value, std::uint64_t{voxels});
    }
  }
};

// Equal words that follow one another along z and own one stratum of each class, as in most of an
// empty background. They are only counted when a different word comes.
template <int bits>
struct Run {
  std::uint32_t word = 0;
  std::uint32_t length = 0;

  __device__ void end(const Tally<bits>& tally) {
    if (length == 0) return;
    using F = Fields<bits>;
    const std::uint32_t first = F::at(word, 0);
    if (word == first * F::kOnes) {
      tally.add_even(first, length * F::kCount);
    } else {
#pragma unroll
      for (int k = 0; k < F::kCount; ++k) tally.add_even(F::at(word, k), length);
    }
    length = 0;
  }
};

// `ones`: 1 in each field that holds a voxel.
template <int bits>
__device__ void add_word(std::uint32_t v, std::uint32_t (&sum)[7], std::uint32_t ones,
                         Run<bits>& run, const Tally<bits>& tally) {
  using F = Fields<bits>;
  std::uint32_t uneven = ones ^ F::kOnes;
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
  if (ones != F::kOnes) {
    // Clears the counts of other fields; a count is at most 8.
#pragma unroll
    for (int s = 0; s < 7; ++s) sum[s] &= ones * 15U;
  }
#pragma unroll
  for (int k = 0; k < F::kCount; ++k) {
    tally.add(F::at(v, k), {F::pair(sum[0], sum[1], k), F::pair(sum[2], sum[3], k),
                            F::pair(sum[4], sum[5], k), F::pair(sum[6], ones, k)});
  }
}

template <int bits, bool closed>
__global__ void __launch_bounds__(kThreads, 3)
    count(const __grid_constant__ StrataSlab slab, const __grid_constant__ StrataRule rule,
          const __grid_constant__ StrataWindow window, Int3 tiles, unsigned long long* sums) {
  using F = Fields<bits>;
  extern __shared__ std::uint32_t shared[];
  for (int i = static_cast<int>(threadIdx.x); i < kStrataSums * F::kBins; i += kThreads) {
    shared[i] = 0;
  }
  __syncthreads();
  const Tally<bits> tally{shared_address(shared), window, sums};
  const std::int64_t count = std::int64_t{tiles.z} * tiles.x * tiles.y;
  for (std::int64_t tile = blockIdx.x; tile < count; tile += gridDim.x) {
    const int word = static_cast<int>(tile % tiles.y) * 32 + static_cast<int>(threadIdx.x % 32);
    const int x =
        static_cast<int>(tile / tiles.y % tiles.x) * kRows + static_cast<int>(threadIdx.x / 32);
    const int fields = min(slab.size.y - word * F::kCount, F::kCount);
    if (fields > 0 && x < slab.size.x) {
      const std::uint32_t ones = F::kOnes >> (32 - fields * bits);
      int z = static_cast<int>(tile / tiles.y / tiles.x) * F::kSlices;
      const int end = min(z + F::kSlices, slab.size.z);
      const Column<bits, closed> column(slab, rule, x, word);
      Run<bits> run;
      std::uint32_t sum[7];
      // Three variables in turn hold the slices, so that none has to be copied.
      Plane a = column.load(z - 1);
      Plane b = column.load(z);
      Plane c;
      for (;;) {
        c = column.load(z + 1);
        own<bits>(a, b, c, sum);
        add_word<bits>(b.row[1].at, sum, ones, run, tally);
        if (++z >= end) break;
        a = column.load(z + 1);
        own<bits>(b, c, a, sum);
        add_word<bits>(c.row[1].at, sum, ones, run, tally);
        if (++z >= end) break;
        b = column.load(z + 1);
        own<bits>(c, a, b, sum);
        add_word<bits>(a.row[1].at, sum, ones, run, tally);
        if (++z >= end) break;
      }
      run.end(tally);
    }
    __syncthreads();
    spill<kStrataSums, F::kBins>(shared, window.first, window.count, sums, 1U << bits, false);
    __syncthreads();
  }
  spill<kStrataSums, F::kBins>(shared, window.first, window.count, sums, 1U << bits, true);
}

template <int bits, bool closed>
void launch(const StrataSlab& slab, const StrataRule& rule, const StrataWindow& window,
            unsigned long long* sums, int multiprocessors, cudaStream_t stream) {
  using F = Fields<bits>;
  const auto kernel = count<bits, closed>;
  const auto parts = [](int n, int each) { return (n + each - 1) / each; };
  const Int3 tiles{parts(slab.size.z, F::kSlices), parts(slab.size.x, kRows),
                   parts(slab.size.y, 32 * F::kCount)};
  constexpr std::size_t kBytes = sizeof(std::uint32_t) * kStrataSums * F::kBins;
  ensure(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(kBytes)),
         kWhat);
  int each = 0;
  ensure(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kThreads, kBytes), kWhat);
  const std::int64_t blocks = std::min<std::int64_t>(std::int64_t{tiles.z} * tiles.x * tiles.y,
                                                     std::int64_t{multiprocessors} * each);
  kernel<<<static_cast<unsigned>(blocks), kThreads, kBytes, stream>>>(slab, rule, window, tiles,
                                                                      sums);
  ensure_launched(kWhat);
}

template <int bits>
void launch(const StrataSlab& slab, const StrataRule& rule, const StrataWindow& window,
            unsigned long long* sums, int multiprocessors, cudaStream_t stream) {
  if (slab.size.z <= 0) return;
  if ((rule.pad ^ rule.flip) != 0) {
    launch<bits, true>(slab, rule, window, sums, multiprocessors, stream);
  } else {
    launch<bits, false>(slab, rule, window, sums, multiprocessors, stream);
  }
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
