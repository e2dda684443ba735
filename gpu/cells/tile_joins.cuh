#pragma once

#include <cstdint>

#include "gpu/cells/label_forest.cuh"

// Joins the trees of neighbouring tiles into trees of the whole image.
namespace aprscope::gpu::labelling {

// The two nodes that a lane joined last. Neighbouring pixels often ask for the same pair again.
struct LastJoined {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

// Joins pixels a and b where `wanted`; all lanes of a warp have to call it.
inline __device__ void join_pixels(std::uint32_t* labels, std::uint32_t a, std::uint32_t b,
                                   bool wanted, LastJoined& last) {
  std::uint32_t node_a = 0;
  std::uint32_t node_b = 0;
  if (wanted) {
    node_a = load(labels, a) & ~kParent;
    node_b = load(labels, b) & ~kParent;
    wanted = node_a != node_b && (node_a != last.a || node_b != last.b);
    last = {node_a, node_b};
  }
  // When several lanes ask for the same pair, one lane does it.
  const std::uint32_t asking = __ballot_sync(kAll, wanted);
  if (asking == 0) return;
  const int leader = __ffs(static_cast<int>(asking)) - 1;
  const std::uint32_t its_a = __shfl_sync(kAll, node_a, leader);
  const std::uint32_t its_b = __shfl_sync(kAll, node_b, leader);
  if (wanted &&
      (static_cast<int>(threadIdx.x % 32) == leader || node_a != its_a || node_b != its_b)) {
    join<kParent>(labels, node_a, node_b);
  }
}

// A word with its neighbours in the row; nothing where there is no such row.
inline __device__ WordRow row_at(const std::uint32_t* __restrict__ bits, const WordGrid& grid,
                                 int z, int x, int w) {
  WordRow row;
  if (z < 0 || x < 0 || z >= grid.size.z || x >= grid.size.x) return row;
  const std::uint32_t i = grid.word(z, x, w);
  row.at = bits[i];
  row.left = row.at << 1;
  row.right = row.at >> 1;
  if (w > 0) row.left |= bits[i - 1] >> 31;
  if (w + 1 < static_cast<int>(grid.row_words)) row.right |= bits[i + 1] << 31;
  return row;
}

// Joins tiles along rows: a thread takes a row, a warp half a tile. Only ends of words matter.
template <Connectivity connectivity, int kDepth>
__global__ void __launch_bounds__(kThreads)
    join_ends(const std::uint32_t* __restrict__ bits, WordGrid grid, std::uint32_t* labels) {
  constexpr int kWide = kRows / kDepth;
  const std::uint32_t tile = (blockIdx.x * kThreads + threadIdx.x) / kRows;
  const int r = static_cast<int>(threadIdx.x) % kRows;
  const int w = static_cast<int>(tile % static_cast<unsigned>(grid.tiles.y));
  const std::uint32_t rest = tile / static_cast<unsigned>(grid.tiles.y);
  const int x = static_cast<int>(rest % static_cast<unsigned>(grid.tiles.x)) * kWide + r % kWide;
  const int z = static_cast<int>(rest / static_cast<unsigned>(grid.tiles.x)) * kDepth + r / kWide;
  const bool there = z < grid.size.z && x < grid.size.x;
  const bool has_x = there && r % kWide > 0;
  const WordRow m = there ? row_at(bits, grid, z, x, w) : WordRow{};
  const WordRow before = has_x ? row_at(bits, grid, z, x - 1, w) : WordRow{};
  const std::uint32_t first = there ? grid.word(z, x, w) * 32U : 0U;
  LastJoined last;
  // Skipped where the row before also continues over the end: that row joins all four pixels.
  join_pixels(labels, first, first - 1U, (m.at & m.left & ~(before.at & before.left) & 1U) != 0,
              last);
  if constexpr (connectivity != Connectivity::faces) {
    // Joins pixels beyond the ends of this word in other rows of the tile.
    const auto meet = [&](const RowContacts& c, int dz, int dx) {
      const std::uint32_t other = there ? grid.word(z + dz, x + dx, w) * 32U : 0U;
      join_pixels(labels, first, other - 1U, (c.left & 1U) != 0, last);
      join_pixels(labels, first + 31U, other + 32U, c.right >> 31 != 0, last);
    };
    meet(face_contacts<connectivity>(m, before), 0, -1);
    if constexpr (kDepth > 1) {
      const bool has_z = there && r / kWide > 0;
      const WordRow below = has_z ? row_at(bits, grid, z - 1, x, w) : WordRow{};
      meet(face_contacts<connectivity>(m, below), -1, 0);
      if constexpr (connectivity == Connectivity::corners) {
        const WordRow a = has_z && has_x ? row_at(bits, grid, z - 1, x - 1, w) : WordRow{};
        meet(edge_contacts<connectivity>(m, a, before, below), -1, -1);
        const bool has_next = has_z && r % kWide + 1 < kWide;
        const WordRow b = has_next ? row_at(bits, grid, z - 1, x + 1, w) : WordRow{};
        const WordRow after = has_next ? row_at(bits, grid, z, x + 1, w) : WordRow{};
        meet(edge_contacts<connectivity>(m, b, after, below), -1, 1);
      }
    }
  }
}

// Joins tiles with earlier tiles in other rows: a thread takes a pair of rows. Blocks with
// blockIdx.y = 0 take pairs that share faces; 1 and 2 those that share edges, on either side.
constexpr int kPairs = 16;  // pairs of rows of a tile
template <Connectivity connectivity, int kDepth>
__global__ void __launch_bounds__(kThreads)
    join_tiles(const std::uint32_t* __restrict__ bits, WordGrid grid, std::uint32_t* labels) {
  constexpr int kWide = kRows / kDepth;
  const std::uint32_t tile = (blockIdx.x * kThreads + threadIdx.x) / kPairs;
  const int pair = static_cast<int>(threadIdx.x) % kPairs;
  const int w = static_cast<int>(tile % static_cast<unsigned>(grid.tiles.y));
  const std::uint32_t rest = tile / static_cast<unsigned>(grid.tiles.y);
  const int side = blockIdx.y == 2 ? 1 : -1;
  // The first half of the pairs crosses a border in x, the second half one in z.
  const bool across_z = pair >= kPairs / 2;
  const int lz = across_z ? 0 : pair % (kPairs / 2);
  const int lx = across_z ? pair % (kPairs / 2) : side < 0 ? 0 : kWide - 1;
  const int x = static_cast<int>(rest % static_cast<unsigned>(grid.tiles.x)) * kWide + lx;
  const int z = static_cast<int>(rest / static_cast<unsigned>(grid.tiles.x)) * kDepth + lz;
  RowContacts c;
  std::uint32_t mine = 0;
  std::uint32_t other = 0;
  bool there = lz < kDepth && z < grid.size.z && x < grid.size.x;
  if (blockIdx.y == 0) {
    const int other_z = z - (across_z ? 1 : 0);
    const int other_x = x - (across_z ? 0 : 1);
    there = there && other_z >= 0 && other_x >= 0;
    if (there) {
      const WordRow m = row_at(bits, grid, z, x, w);
      const WordRow n = row_at(bits, grid, other_z, other_x, w);
      c = face_contacts<connectivity>(m, n);
      // The neighbouring pair of rows lies in the same two tiles and may join them already.
      if (across_z ? lx > 0 : lz > 0) {
        const int dz = across_z ? 0 : -1;
        const int dx = across_z ? -1 : 0;
        const std::uint32_t square =
            bits[grid.word(z + dz, x + dx, w)] & bits[grid.word(other_z + dz, other_x + dx, w)];
        c.straight = without_squares(c.straight, m.at & n.at, square);
      }
      mine = grid.word(z, x, w) * 32U;
      other = grid.word(other_z, other_x, w) * 32U;
    }
  } else {
    // Pairs that cross both borders are handled with those across z.
    there = there && (across_z || lz > 0) && z > 0 && x + side >= 0 && x + side < grid.size.x;
    if (there) {
      c = edge_contacts<connectivity>(
          row_at(bits, grid, z, x, w), row_at(bits, grid, z - 1, x + side, w),
          row_at(bits, grid, z, x + side, w), row_at(bits, grid, z - 1, x, w));
      mine = grid.word(z, x, w) * 32U;
      other = grid.word(z - 1, x + side, w) * 32U;
    }
  }
  LastJoined last;
  std::uint32_t todo = c.straight | c.left;
  while (__any_sync(kAll, todo != 0)) {
    const int bit = __ffs(static_cast<int>(todo)) - 1;
    const bool wanted = todo != 0;
    const bool left = wanted && (c.left >> bit & 1U) != 0;
    todo &= todo - 1U;
    const auto at = static_cast<std::uint32_t>(bit);
    join_pixels(labels, mine + at, other + at - (left ? 1U : 0U), wanted, last);
  }
  if constexpr (connectivity != Connectivity::faces) {
    while (__any_sync(kAll, c.right != 0)) {
      const auto at = static_cast<std::uint32_t>(__ffs(static_cast<int>(c.right)) - 1);
      join_pixels(labels, mine + at, other + at + 1U, c.right != 0, last);
      c.right &= c.right - 1U;
    }
  }
}

}  // namespace aprscope::gpu::labelling
