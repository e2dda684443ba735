#include <type_traits>

#include "gpu/cells/label_sums.hpp"
#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {
namespace {

// A block takes 8 slices × 16 rows × 32 pixels, a warp one slice. It sums each label in shared
// memory, in 32-bit words; positions there are relative to the block's corner.
constexpr int kDepth = 8;
constexpr int kWide = 16;
constexpr int kThreads = kDepth * 32;
constexpr std::uint32_t kAll = 0xFFFFFFFFU;

// The sums of a label in a block, in the order of LabelTotal. Two 16-bit squares share a word.
constexpr unsigned kSquares = 11;
constexpr unsigned kBounds = 13;
constexpr unsigned kSums = kBounds + 8;
// Labels that have a place in shared memory; more go to the totals directly.
constexpr unsigned kSlots = 64;
constexpr unsigned kSlotBits = 6;

struct Corner {
  std::uint32_t z = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

__device__ std::uint32_t sum_of(std::uint32_t v) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kAll, v);
#else
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(kAll, v, step);
  return v;
#endif
}
__device__ std::uint32_t most_of(std::uint32_t v) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(kAll, v);
#else
  for (int step = 16; step > 0; step /= 2) v = max(v, __shfl_xor_sync(kAll, v, step));
  return v;
#endif
}

// A warp adds the sums of a label in a block, one a lane, to its total.
__device__ void add_to_total(LabelTotal& total, std::uint32_t sum, const Corner& corner,
                             bool with_values) {
  static_assert(sizeof(LabelTotal) == 128);
  const unsigned lane = threadIdx.x % 32;
  const auto at = [&](unsigned axis) {
    return axis == 0 ? corner.z : axis == 1 ? corner.x : corner.y;
  };
  // The axes of a product: zz, xx, yy, zx, zy, xy.
  const unsigned product = lane >= 4 && lane < 10 ? lane - 4 : 0;
  const unsigned p = product < 3 ? product : product == 5 ? 1 : 0;
  const unsigned q = product < 3 ? product : product == 3 ? 1 : 2;
  const std::uint32_t voxels = __shfl_sync(kAll, sum, 0);
  const std::uint32_t of_p = __shfl_sync(kAll, sum, static_cast<int>(1 + p));
  const std::uint32_t of_q = __shfl_sync(kAll, sum, static_cast<int>(1 + q));
  const std::uint32_t high = __shfl_sync(kAll, sum, kSquares + 1);
  unsigned long long more = sum;
  if (lane >= 1 && lane < 4) {
    more += static_cast<unsigned long long>(voxels) * at(lane - 1);
  } else if (lane >= 4 && lane < 10) {
    const unsigned long long corner_p = at(p);
    const unsigned long long corner_q = at(q);
    more += corner_p * of_q + corner_q * of_p + voxels * corner_p * corner_q;
  } else if (lane == kSquares) {
    more += static_cast<unsigned long long>(high) << 16;
  }
  if (lane < (with_values ? 12U : 10U)) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&total) + lane, more);
  } else if (lane >= kBounds && lane < (with_values ? kSums : kSums - 2)) {
    // All bounds are maxima: a smallest value is stored as its distance from the end.
    const unsigned bound = lane - kBounds;
    constexpr std::uint32_t kEnds[4] = {kDepth - 1, kWide - 1, 31, 0xFFFF};
    const unsigned axis = bound / 2;
    const std::uint32_t offset = axis < 3 ? at(axis) : 0;
    const std::uint32_t value = bound % 2 == 0 ? ~(offset +
                                                   (axis == 0   ? kEnds[0]
                                                    : axis == 1 ? kEnds[1]
                                                    : axis == 2 ? kEnds[2]
                                                                : kEnds[3]) -
                                                   sum)
                                               : offset + sum;
    atomicMax(total.bounds + bound, value);
  }
}

// The slot of a label in shared memory; kSlots: none is left. All lanes ask for the same label.
__device__ unsigned slot_of(std::uint32_t* keys, std::uint32_t label) {
  unsigned slot = label * 0x9E3779B1U >> (32U - kSlotBits);
  for (unsigned tried = 0; tried < kSlots; ++tried) {
    std::uint32_t key = static_cast<volatile std::uint32_t*>(keys)[slot];
    key = __shfl_sync(kAll, key, 0);
    if (key == 0) {
      if (threadIdx.x % 32 == 0) key = atomicCAS(keys + slot, 0U, label);
      key = __shfl_sync(kAll, key, 0);
    }
    if (key == 0 || key == label) return slot;
    slot = (slot + 1) % kSlots;
  }
  return kSlots;
}

// The factor, the same for a row, that a lane multiplies its sum over the row with.
__device__ std::uint32_t row_factor(unsigned lane, std::uint32_t z, std::uint32_t x) {
  switch (lane) {
    case 1:
    case 8:
      return z;
    case 2:
    case 9:
      return x;
    case 4:
      return z * z;
    case 5:
      return x * x;
    case 7:
      return z * x;
    default:
      return 1;
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    sum_blocks(const std::uint32_t* __restrict__ labels, const T* __restrict__ values, Int3 size,
               Int3 blocks, std::uint32_t count, LabelTotal* totals) {
  constexpr bool kValues = !std::is_void_v<T>;
  __shared__ std::uint32_t keys[kSlots];
  __shared__ std::uint32_t sums[kSlots * kSums];
  const unsigned lane = threadIdx.x % 32;
  const unsigned rest = blockIdx.x / static_cast<unsigned>(blocks.y);
  const Corner corner{rest / static_cast<unsigned>(blocks.x) * kDepth,
                      rest % static_cast<unsigned>(blocks.x) * kWide,
                      blockIdx.x % static_cast<unsigned>(blocks.y) * 32};
  if (threadIdx.x < kSlots) keys[threadIdx.x] = 0;
  for (unsigned i = threadIdx.x; i < kSlots * kSums; i += kThreads) sums[i] = 0;
  __syncthreads();
  const std::uint32_t slice = threadIdx.x / 32;
  const auto z = static_cast<int>(corner.z + slice);
  const auto y = static_cast<int>(corner.y + lane);
  const int rows = z < size.z ? min(kWide, size.x - static_cast<int>(corner.x)) : 0;
  const std::uint64_t begin =
      (static_cast<std::uint64_t>(z) * static_cast<std::uint64_t>(size.x) + corner.x) *
          static_cast<std::uint64_t>(size.y) +
      static_cast<std::uint64_t>(y);
  std::uint32_t last = 0;
  unsigned slot = kSlots;
  constexpr int kAtOnce = 4;
  for (int x0 = 0; x0 < rows; x0 += kAtOnce) {
    std::uint32_t label[kAtOnce];
    std::uint32_t grey[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      label[i] = 0;
      grey[i] = 0;
      if (x0 + i < rows && y < size.y) {
        const std::uint64_t at =
            begin + static_cast<std::uint64_t>(x0 + i) * static_cast<std::uint64_t>(size.y);
        label[i] = labels[at];
        if constexpr (kValues) grey[i] = values[at];
      }
      if (label[i] > count) label[i] = 0;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const auto x = static_cast<std::uint32_t>(x0 + i);
      const std::uint32_t factor = row_factor(lane, slice, x);
      std::uint32_t open = __ballot_sync(kAll, label[i] != 0);
      while (open != 0) {
        const std::uint32_t its = __shfl_sync(kAll, label[i], __ffs(static_cast<int>(open)) - 1);
        const bool mine = label[i] == its;
        const std::uint32_t mask = __ballot_sync(kAll, mine);
        open &= ~mask;
        if (its != last) {
          slot = slot_of(keys, its);
          last = its;
        }
        const auto voxels = static_cast<std::uint32_t>(__popc(mask));
        // Σ y ≤ 496 and Σ yy ≤ 10416 share a word, 16 bits each.
        const std::uint32_t along = sum_of(mine ? lane | lane * lane << 16 : 0);
        std::uint32_t sum = lane == 3 || lane == 8 || lane == 9 ? along & 0xFFFFU
                            : lane == 6                         ? along >> 16
                                                                : voxels;
        std::uint32_t bound = 0;
        if constexpr (kValues) {
          const std::uint32_t v = mine ? grey[i] : 0;
          const std::uint32_t square = v * v;
          const std::uint32_t total = sum_of(v);
          const std::uint32_t low = sum_of(square & 0xFFFFU);
          const std::uint32_t high = sum_of(square >> 16);
          if (lane == 10) sum = total;
          if (lane == kSquares) sum = low;
          if (lane == kSquares + 1) sum = high;
          const std::uint32_t below = most_of(mine ? 0xFFFFU - grey[i] : 0);
          const std::uint32_t above = most_of(v);
          if (lane == kBounds + 6) bound = below;
          if (lane == kBounds + 7) bound = above;
        }
        sum *= factor;
        if (lane == kBounds) bound = kDepth - 1 - slice;
        if (lane == kBounds + 1) bound = slice;
        if (lane == kBounds + 2) bound = kWide - 1 - x;
        if (lane == kBounds + 3) bound = x;
        if (lane == kBounds + 4) bound = 32U - static_cast<unsigned>(__ffs(static_cast<int>(mask)));
        if (lane == kBounds + 5) bound = 31U - static_cast<unsigned>(__clz(static_cast<int>(mask)));
        if (slot < kSlots) {
          std::uint32_t* const to = sums + slot * kSums + lane;
          if (lane < kBounds) {
            if (kValues || lane < 10) atomicAdd(to, sum);
          } else if (lane < kSums) {
            atomicMax(to, bound);
          }
        } else {
          add_to_total(totals[its - 1], lane < kBounds ? sum : bound, corner, kValues);
        }
      }
    }
  }
  __syncthreads();
  for (unsigned s = slice; s < kSlots; s += kDepth) {
    const std::uint32_t its = keys[s];
    if (its == 0) continue;
    add_to_total(totals[its - 1], lane < kSums ? sums[s * kSums + lane] : 0, corner, kValues);
  }
}

template <class T>
void launch(const std::uint32_t* labels, const T* values, const Int3& size, std::uint32_t count,
            LabelTotal* totals, cudaStream_t stream) {
  const Int3 blocks{(size.z + kDepth - 1) / kDepth, (size.x + kWide - 1) / kWide,
                    (size.y + 31) / 32};
  const std::int64_t all = std::int64_t{blocks.z} * blocks.x * blocks.y;
  if (all == 0 || count == 0) return;
  sum_blocks<T><<<static_cast<unsigned>(all), kThreads, 0, stream>>>(labels, values, size, blocks,
                                                                     count, totals);
  ensure_launched("summing over labels on the GPU");
}

}  // namespace

bool can_sum_labels(const Size3& size) {
  constexpr std::int64_t kMost = 65536;
  return size.z <= kMost && size.x <= kMost && size.y <= kMost &&
         size.count() < (std::int64_t{1} << 32);
}

void sum_labels(const std::uint32_t* labels, const Int3& size, std::uint32_t count,
                LabelTotal* totals, cudaStream_t stream) {
  launch<void>(labels, nullptr, size, count, totals, stream);
}
void sum_labels(const std::uint32_t* labels, const std::uint8_t* values, const Int3& size,
                std::uint32_t count, LabelTotal* totals, cudaStream_t stream) {
  launch(labels, values, size, count, totals, stream);
}
void sum_labels(const std::uint32_t* labels, const std::uint16_t* values, const Int3& size,
                std::uint32_t count, LabelTotal* totals, cudaStream_t stream) {
  launch(labels, values, size, count, totals, stream);
}

}  // namespace aprscope::gpu
