#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "core/apr/structure/linear_access.hpp"
#include "gpu/convert/device_access.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "particles on the GPU";
constexpr int kThreads = 256;
constexpr int kLevels = 17;

unsigned blocks(std::int64_t items) {
  return static_cast<unsigned>((items + kThreads - 1) / kThreads);
}

// Cells of neighbouring levels; where `doubled`, the cells of the last one are the children of its
// bits.
struct CellLists {
  CellBits sets[kLevels];
  GridSize grids[kLevels];
  std::uint64_t first_row[kLevels + 1];  // counted from 0
  int count = 0;
  bool doubled = false;
};

struct Row {
  int list;
  int z, x;
  bool doubled;
  const std::uint32_t* bits;
};

__device__ Row find_row(const CellLists& lists, std::uint64_t i) {
  Row row;
  row.list = lists.count - 1;
  while (row.list > 0 && i < lists.first_row[row.list]) --row.list;
  const GridSize& grid = lists.grids[row.list];
  const auto at = static_cast<int>(i - lists.first_row[row.list]);
  row.z = at / grid.x;
  row.x = at % grid.x;
  row.doubled = lists.doubled && row.list == lists.count - 1;
  const CellBits& set = lists.sets[row.list];
  const int z = row.doubled ? row.z / 2 : row.z;
  const int x = row.doubled ? row.x / 2 : row.x;
  row.bits = set.bits + (std::int64_t{z} * set.size.x + x) * set.words;
  return row;
}

__global__ void count_rows(const __grid_constant__ CellLists lists, std::uint64_t* xz_end) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i == 0) xz_end[0] = 0;
  if (i >= lists.first_row[lists.count]) return;
  const Row row = find_row(lists, i);
  const CellBits& set = lists.sets[row.list];
  int n = 0;
  for (int w = 0; w < set.words; ++w) n += __popc(row.bits[w]);
  if (row.doubled) {
    // At an odd end the last cell has one child.
    const int ny = lists.grids[row.list].y;
    const int last = (ny - 1) / 2;
    n = 2 * n - ((ny % 2 != 0 && (row.bits[last / 32] >> (last % 32) & 1U) != 0) ? 1 : 0);
  }
  xz_end[i + 1] = static_cast<std::uint64_t>(n);
}

// One warp a row, one lane a bit.
__global__ void list_rows(const __grid_constant__ CellLists lists, const std::uint64_t* xz_end,
                          std::uint16_t* y) {
  const std::uint64_t i = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  if (i >= lists.first_row[lists.count]) return;
  const Row row = find_row(lists, i);
  std::uint64_t to = xz_end[i];
  const std::uint64_t end = xz_end[i + 1];
  const unsigned lane = threadIdx.x % 32;
  for (int w = 0; to < end; ++w) {
    const unsigned bits = row.bits[w];
    const auto before = static_cast<unsigned>(__popc(bits & ((1U << lane) - 1U)));
    const unsigned cell = static_cast<unsigned>(w) * 32U + lane;
    const bool mine = (bits >> lane & 1U) != 0;
    if (row.doubled) {
      if (mine) {
        const std::uint64_t at = to + 2 * before;
        y[at] = static_cast<std::uint16_t>(2 * cell);
        if (at + 1 < end) y[at + 1] = static_cast<std::uint16_t>(2 * cell + 1);
      }
      to += 2U * static_cast<unsigned>(__popc(bits));
    } else {
      if (mine) y[to + before] = static_cast<std::uint16_t>(cell);
      to += static_cast<unsigned>(__popc(bits));
    }
  }
}

DeviceAccess list(const CellLists& lists, cudaStream_t stream) {
  const std::uint64_t rows = lists.first_row[lists.count];
  DeviceAccess out;
  out.xz_end = {rows + 1, kWhat, stream};
  count_rows<<<blocks(static_cast<std::int64_t>(rows)), kThreads, 0, stream>>>(lists,
                                                                               out.xz_end.data());
  std::size_t bytes = 0;
  const auto scan = [&](void* scratch) {
    ensure(cub::DeviceScan::InclusiveSum(scratch, bytes, out.xz_end.data(), out.xz_end.data(),
                                         rows + 1, stream),
           kWhat);
  };
  scan(nullptr);
  const DeviceBuffer<char> scratch(bytes, kWhat, stream);
  scan(scratch.data());
  std::uint64_t count = 0;
  ensure(cudaMemcpyAsync(&count, out.xz_end.data() + rows, sizeof count, cudaMemcpyDeviceToHost,
                         stream),
         kWhat);
  ensure(cudaStreamSynchronize(stream), kWhat);
  out.y = {count, kWhat, stream};
  list_rows<<<blocks(static_cast<std::int64_t>(rows) * 32), kThreads, 0, stream>>>(
      lists, out.xz_end.data(), out.y.data());
  ensure_launched(kWhat);
  return out;
}

void add(CellLists& lists, const CellBits& set, const Size3& grid) {
  lists.sets[lists.count] = set;
  lists.grids[lists.count] = GridSize(grid);
  lists.first_row[lists.count + 1] =
      lists.first_row[lists.count] + static_cast<std::uint64_t>(grid.z * grid.x);
  ++lists.count;
}

}  // namespace

DeviceAccess particle_access(const ParticleCells& cells, const Size3& size, cudaStream_t stream) {
  CellLists lists{};
  for (int l = 1; l < cells.level_max(); ++l) {
    add(lists, cells.cells(l), level_grid(size, cells.level_max(), l));
  }
  add(lists, cells.refined(), size);
  lists.doubled = true;
  return list(lists, stream);
}

DeviceAccess tree_access(const ParticleCells& cells, const Size3& size, cudaStream_t stream) {
  CellLists lists{};
  for (int l = 0; l < cells.level_max(); ++l) {
    add(lists, cells.interior(l), level_grid(size, cells.level_max(), l));
  }
  return list(lists, stream);
}

}  // namespace aprscope::gpu
