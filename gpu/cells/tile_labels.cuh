#pragma once

#include <cstdint>

#include "gpu/cells/label_forest.cuh"

// Labels each tile separately, in shared memory.
namespace aprscope::gpu::labelling {

// Row stride without bank conflicts in shared memory: pixel `lane` of row r is node 33 r + lane.
constexpr std::uint32_t kStride = 33;

// Joins the runs of two rows of a tile where they meet.
inline __device__ void join_runs(std::uint32_t* nodes, int row, std::uint32_t m, int before,
                                 std::uint32_t n, const RowContacts& contacts) {
  const std::uint32_t mine = static_cast<std::uint32_t>(row) * kStride;
  const std::uint32_t other = static_cast<std::uint32_t>(before) * kStride;
  for (std::uint32_t rest = contacts.straight | contacts.left; rest != 0; rest &= rest - 1U) {
    const int bit = __ffs(static_cast<int>(rest)) - 1;
    const bool left = (contacts.left >> bit & 1U) != 0;
    const auto at = static_cast<unsigned>(bit);
    join<0>(nodes, mine + run_start(m, at), other + run_start(n, left ? at - 1U : at));
  }
  for (std::uint32_t rest = contacts.right; rest != 0; rest &= rest - 1U) {
    const auto at = static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1);
    join<0>(nodes, mine + run_start(m, at), other + at + 1U);
  }
}

// A thread takes a row and one of its earlier neighbours, or half a row if there are only two.
template <Connectivity connectivity, int kDepth>
inline __device__ void join_rows(const std::uint32_t* words, std::uint32_t* nodes) {
  constexpr int kWide = kRows / kDepth;
  const int row = static_cast<int>(threadIdx.x) % kRows;
  const int kind = static_cast<int>(threadIdx.x) / kRows;
  const int x = row % kWide;
  const std::uint32_t m = words[row];
  if (m == 0) return;
  if constexpr (connectivity == Connectivity::faces) {
    const bool along_z = kind >= 2;
    const int before = row - (along_z ? kWide : 1);
    if (along_z ? before < 0 : x == 0) return;
    const std::uint32_t n = words[before];
    std::uint32_t square = 0;
    if (along_z && x > 0) square = words[row - 1] & words[before - 1];
    RowContacts c = face_contacts<connectivity>(alone(m), alone(n));
    c.straight =
        without_squares(c.straight, m & n, square) & (kind % 2 == 0 ? 0xFFFFU : 0xFFFF0000U);
    join_runs(nodes, row, m, before, n, c);
  } else {
    if (kind == 0) {
      if (x == 0) return;
      const std::uint32_t n = words[row - 1];
      join_runs(nodes, row, m, row - 1, n, face_contacts<connectivity>(alone(m), alone(n)));
      return;
    }
    const int below = row - kWide;
    if (kDepth == 1 || below < 0) return;
    const std::uint32_t n = words[below];
    if (kind == 1) {
      const std::uint32_t square = x > 0 ? words[row - 1] & words[below - 1] : 0;
      RowContacts c = face_contacts<connectivity>(alone(m), alone(n));
      c.straight = without_squares(c.straight, m & n, square);
      join_runs(nodes, row, m, below, n, c);
      return;
    }
    const int side = kind == 2 ? -1 : 1;
    if (x + side < 0 || x + side >= kWide) return;
    const std::uint32_t far = words[below + side];
    join_runs(
        nodes, row, m, below + side, far,
        edge_contacts<connectivity>(alone(m), alone(far), alone(n), alone(words[row + side])));
  }
}

// Writes the label of each run to its node. A thread takes the runs that begin in a quarter of a
// row. A parent that another thread has replaced already is a label, so it can be used as it is.
template <unsigned kWide>
inline __device__ void label_runs(const std::uint32_t* words, std::uint32_t* nodes,
                                  std::uint32_t tile, const WordGrid& grid) {
  auto* const parents = static_cast<volatile std::uint32_t*>(nodes);
  const std::uint32_t step = grid.row_words * 32U;
  const std::uint32_t slice = step * static_cast<std::uint32_t>(grid.size.x);
  const unsigned row = threadIdx.x % kRows;
  const std::uint32_t m = words[row];
  const std::uint32_t quarter = 0xFFU << 8U * (threadIdx.x / kRows);
  for (std::uint32_t rest = m & ~(m << 1) & quarter; rest != 0; rest &= rest - 1U) {
    const std::uint32_t node =
        row * kStride + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
    std::uint32_t at = node;
    std::uint32_t label = 0;
    for (;;) {
      label = parents[at];
      if ((label & kParent) != 0) break;
      if (label == at) {
        const std::uint32_t its = at / kStride;
        label = kParent | (tile + its / kWide * slice + its % kWide * step + at % kStride);
        break;
      }
      at = label;
    }
    parents[node] = label;
  }
}

template <Connectivity connectivity, int kDepth>
__global__ void __launch_bounds__(kThreads)
    label_tiles(const std::uint8_t* __restrict__ mask, bool inverted, WordGrid grid,
                std::uint32_t* __restrict__ labels, std::uint32_t* __restrict__ bits,
                std::uint32_t* __restrict__ nodes) {
  constexpr int kWide = kRows / kDepth;
  __shared__ std::uint32_t words[kRows];
  __shared__ std::uint32_t parents[kRows * kStride];
  const unsigned lane = threadIdx.x % 32;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int w = static_cast<int>(blockIdx.x % static_cast<unsigned>(grid.tiles.y));
  const unsigned rest = blockIdx.x / static_cast<unsigned>(grid.tiles.y);
  const int x0 = static_cast<int>(rest % static_cast<unsigned>(grid.tiles.x)) * kWide;
  const int z0 = static_cast<int>(rest / static_cast<unsigned>(grid.tiles.x)) * kDepth;
  // The rows of a warp are neighbours along x.
  const int z = z0 + warp * kRowsEach / kWide;
  const int x = x0 + warp * kRowsEach % kWide;
  const int rows = z < grid.size.z ? min(kRowsEach, grid.size.x - x) : 0;
  const int y = w * 32 + static_cast<int>(lane);
  const std::uint8_t* const from =
      mask +
      (std::uint64_t{static_cast<unsigned>(z)} * static_cast<unsigned>(grid.size.x) +
       static_cast<unsigned>(x)) *
          static_cast<unsigned>(grid.size.y) +
      static_cast<unsigned>(y);
  const int there = y < grid.size.y ? rows : 0;
  std::uint8_t values[kRowsEach];
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    values[i] = inverted ? 1 : 0;
    if (i < there) values[i] = from[static_cast<std::ptrdiff_t>(i) * grid.size.y];
  }
  for (unsigned i = threadIdx.x; i < kRows * kStride; i += kThreads) parents[i] = i;
  std::uint32_t mine = 0;
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    const std::uint32_t m = __ballot_sync(kAll, (values[i] != 0) != inverted);
    if (static_cast<int>(lane) == i) mine = m;
  }
  const auto own = static_cast<unsigned>(warp * kRowsEach);
  if (lane < kRowsEach) words[own + lane] = mine;
  const bool any = __syncthreads_or(mine != 0 ? 1 : 0) != 0;
  if (any) {
    const bool full = __syncthreads_count(mine == kAll ? 1 : 0) == kRows;
    if (!full) {
      join_rows<connectivity, kDepth>(words, parents);
    } else if (threadIdx.x < kRows) {
      parents[threadIdx.x * kStride] = 0;
    }
    __syncthreads();
    label_runs<kWide>(words, parents, grid.word(z0, x0, w) * 32U, grid);
    __syncthreads();
  }
  const std::uint32_t word0 = grid.word(z, x, w);
  std::uint32_t firsts = 0;
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    const std::uint32_t m = __shfl_sync(kAll, mine, i);
    const std::uint32_t here = (word0 + static_cast<unsigned>(i) * grid.row_words) * 32U + lane;
    std::uint32_t label = 0;
    if ((m >> lane & 1U) != 0) {
      label = parents[(own + static_cast<unsigned>(i)) * kStride + run_start(m, lane)];
    }
    const bool first = label == (kParent | here);
    const std::uint32_t found = __ballot_sync(kAll, first);
    if (static_cast<int>(lane) == i) firsts = found;
    if (i < rows) labels[here] = label;
  }
  if (static_cast<int>(lane) < rows) {
    bits[word0 + lane * grid.row_words] = mine;
    nodes[word0 + lane * grid.row_words] = firsts;
  }
}

}  // namespace aprscope::gpu::labelling
