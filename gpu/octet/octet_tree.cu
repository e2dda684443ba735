#include <algorithm>

#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_tree.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 128;

template <Reduce how>
__device__ float reduce(const float* values, std::uint32_t octet, std::uint32_t info) {
  const float4 a = *reinterpret_cast<const float4*>(values + std::uint64_t{octet} * 8);
  const float4 b = *reinterpret_cast<const float4*>(values + std::uint64_t{octet} * 8 + 4);
  if (how == Reduce::mean) return octet_mean(a, b, info);
  const float v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  float best = v[0];  // the first child always exists
  for (int c = 1; c < 8; ++c) {
    if (!child_exists(info, c)) continue;
    best = how == Reduce::min ? (v[c] < best ? v[c] : best) : (v[c] > best ? v[c] : best);
  }
  return best;
}

// An octet to reduce. Its data is loaded early, as it does not depend on values.
struct Item {
  std::uint32_t octet = kNoOctet;
  std::uint32_t info = 0;
  std::uint32_t parent = 0;
};
__device__ Item make_item(const OctetView& v, std::uint32_t octet) {
  return {octet, v.info[octet], v.parent[octet]};
}

template <Reduce how>
__device__ void reduce_into_parent(float* values, const Item& item) {
  if (item.octet != kNoOctet) values[item.parent] = reduce<how>(values, item.octet, item.info);
}

// For levels with many bricks: one thread takes an octet, one launch takes a level.
template <Reduce how>
__global__ void fill_level(OctetView v, int level, float* values) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < v.levels[level].octet_count) {
    reduce_into_parent<how>(values, make_item(v, v.levels[level].first_octet + i));
  }
}

// For levels with few bricks: a block reduces the octets under one brick of `level` and under its
// ancestors of three levels, since these depend on nothing else; one thread takes an octet.
constexpr int kBrick = 512;
template <Reduce how>
__global__ void __launch_bounds__(kBrick) fill(OctetView v, int level, float* values) {
  const LevelLayout& l = v.levels[level];
  const int t = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.x % l.bricks.y);
  const int x = static_cast<int>(blockIdx.x / l.bricks.y % l.bricks.x);
  const int z = static_cast<int>(blockIdx.x / l.bricks.y / l.bricks.x);
  Item items[4];
  if (level >= 4) {
    const std::uint32_t top = find_octet(v, level - 3, z, x, y);
    // If the coarsest of the four octets does not exist, nothing exists below it.
    if (top == kNoOctet) return;
    if (t == 0) items[3] = make_item(v, top);
  }
  const std::uint64_t sub = (std::uint64_t{l.first_brick} + blockIdx.x) * 8;
  const std::uint32_t own = v.bases[sub] + threadIdx.x;
  if (own < v.bases[sub + 8]) items[0] = make_item(v, own);
  if (level >= 2 && t < 64) {
    // A brick of this level corresponds to a sub-brick of the next coarser one.
    const std::uint32_t up = sub_brick(v.levels[level - 1], 4 * z, 4 * x, 4 * y);
    const std::uint32_t octet = v.bases[up] + threadIdx.x;
    if (octet < v.bases[up + 1]) items[1] = make_item(v, octet);
  }
  if (level >= 3 && t < 8) {
    const Int3& n = v.levels[level - 2].octets;
    const Int3 at{2 * z + (t >> 2), 2 * x + (t >> 1 & 1), 2 * y + (t & 1)};
    if (at.z < n.z && at.x < n.x && at.y < n.y) {
      const std::uint32_t octet = find_octet(v, level - 2, at.z, at.x, at.y);
      if (octet != kNoOctet) items[2] = make_item(v, octet);
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i > 0) __syncthreads();
    reduce_into_parent<how>(values, items[i]);
  }
}

template <Reduce how>
void launch(const OctetView& v, float* values, int finest, cudaStream_t stream) {
  // With fewer bricks, a launch costs more than its work.
  constexpr std::uint32_t kMany = 512;
  int level = finest;
  for (; level >= 1 && v.levels[level].brick_count > kMany; --level) {
    const std::uint32_t blocks = (v.levels[level].octet_count + kThreads - 1) / kThreads;
    fill_level<how><<<blocks, kThreads, 0, stream>>>(v, level, values);
  }
  for (; level >= 1; level -= 4) {
    fill<how><<<v.levels[level].brick_count, kBrick, 0, stream>>>(v, level, values);
  }
}

// One warp takes a row of interior cells. Cell (z, x, y) of a level is octet (z, x, y) of the next
// level, and its value is in the slot that this octet names as its parent.
__global__ void read_tree(OctetView v, TreeAccess tree, const float* values, float* linear) {
  const std::uint64_t i = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (i >= tree.rows) return;
  int level = v.level_max - 1;
  while (level > 0 && i + 1 < tree.first_row[level]) --level;
  const LevelLayout& l = v.levels[level + 1];
  const std::uint64_t at = i + 1 - tree.first_row[level];
  const int z = static_cast<int>(at / l.octets.x);
  const int x = static_cast<int>(at % l.octets.x);
  for (std::uint64_t k = tree.xz_end[i] + threadIdx.x % 32; k < tree.xz_end[i + 1]; k += 32) {
    linear[k] = values[v.parent[find_octet(v, level + 1, z, x, tree.y[k])]];
  }
}

}  // namespace

void fill_tree(const OctetView& v, float* values, Reduce how, int finest, cudaStream_t stream) {
  switch (how) {
    case Reduce::mean:
      launch<Reduce::mean>(v, values, finest, stream);
      break;
    case Reduce::min:
      launch<Reduce::min>(v, values, finest, stream);
      break;
    case Reduce::max:
      launch<Reduce::max>(v, values, finest, stream);
      break;
  }
  ensure_launched("filling the tree");
}

void tree_to_linear(const OctetView& v, const TreeAccess& tree, const float* values, float* linear,
                    cudaStream_t stream) {
  const std::uint64_t blocks = (tree.rows * 32 + kThreads - 1) / kThreads;
  read_tree<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(v, tree, values, linear);
  ensure_launched("reading the tree");
}

}  // namespace aprscope::gpu
