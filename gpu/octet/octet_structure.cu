#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "gpu/octet/octet_cube.hpp"
#include "gpu/octet/octet_halo.hpp"
#include "gpu/octet/octet_structure.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 128;

unsigned blocks(std::uint64_t items, std::uint64_t each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

// A row of cells of a level: its position and its particles.
struct Row {
  int level = 0;
  int z = 0;
  int x = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct LinearView {
  const std::uint16_t* y;
  const std::uint64_t* xz_end;
  std::uint64_t first_row[kMaxLevels];
};

// The even child row of row `i`, counted over the rows of octets of all levels.
__device__ Row even_row(const OctetView& v, const LinearView& in, std::uint64_t i) {
  Row row;
  row.level = 1;
  for (; row.level < v.level_max; ++row.level) {
    const Int3& n = v.levels[row.level].octets;
    const std::uint64_t count = static_cast<std::uint64_t>(n.z) * n.x;
    if (i < count) break;
    i -= count;
  }
  const LevelLayout& l = v.levels[row.level];
  row.z = 2 * static_cast<int>(i / l.octets.x);
  row.x = 2 * static_cast<int>(i % l.octets.x);
  const std::uint64_t at =
      in.first_row[row.level] + static_cast<std::uint64_t>(row.z) * l.cells.x + row.x;
  row.begin = in.xz_end[at - 1];
  row.end = in.xz_end[at];
  return row;
}

// Row `i`, counted over the rows of cells of all levels.
__device__ Row any_row(const OctetView& v, const LinearView& in, std::uint64_t i) {
  Row row;
  row.level = v.level_max;
  while (row.level > 1 && i + 1 < in.first_row[row.level]) --row.level;
  const LevelLayout& l = v.levels[row.level];
  const std::uint64_t at = i + 1 - in.first_row[row.level];
  row.z = static_cast<int>(at / l.cells.x);
  row.x = static_cast<int>(at % l.cells.x);
  row.begin = in.xz_end[i];
  row.end = in.xz_end[i + 1];
  return row;
}

// An octet exists where its first child does, either as a particle (marked here) …
__global__ void mark_particles(OctetView v, LinearView in, std::uint64_t rows,
                               unsigned long long* masks) {
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (warp >= rows) return;
  const Row row = even_row(v, in, warp);
  const LevelLayout& l = v.levels[row.level];
  for (std::uint64_t i = row.begin + threadIdx.x % 32; i < row.end; i += 32) {
    const int y = in.y[i];
    if (y % 2 != 0) continue;
    const int bit = octet_bit((row.z / 2) & 3, (row.x / 2) & 3, (y / 2) & 3);
    atomicOr(&masks[sub_brick(l, row.z / 2, row.x / 2, y / 2)], 1ULL << bit);
  }
}

// … or as an interior cell, i.e. as an octet of the next level. A sub-brick of this level covers a
// whole brick of the next, whose even octets are the first children.
__global__ void mark_interior(OctetView v, int level, std::uint64_t* masks) {
  const LevelLayout& l = v.levels[level];
  const LevelLayout& fine = v.levels[level + 1];
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= fine.brick_count) return;
  const int y = static_cast<int>(i % fine.bricks.y);
  const int x = static_cast<int>(i / fine.bricks.y % fine.bricks.x);
  const int z = static_cast<int>(i / fine.bricks.y / fine.bricks.x);
  std::uint64_t found = 0;
  for (int s = 0; s < 8; ++s) {
    const std::uint64_t mask = masks[(fine.first_brick + i) * 8 + s];
    if (mask == 0) continue;
    for (int c = 0; c < 8; ++c) {
      const int fine_bit = octet_bit((c & 4) >> 1, c & 2, (c & 1) << 1);
      if (((mask >> fine_bit) & 1U) == 0) continue;
      found |= 1ULL << octet_bit(((s & 4) >> 1) | (c >> 2), (s & 2) | ((c >> 1) & 1),
                                 ((s & 1) << 1) | (c & 1));
    }
  }
  if (found != 0) masks[sub_brick(l, 4 * z, 4 * x, 4 * y)] |= found;
}

struct Population {
  const std::uint64_t* masks;
  std::uint64_t count;
  __device__ std::uint32_t operator()(std::uint64_t i) const {
    return i < count ? static_cast<std::uint32_t>(__popcll(masks[i])) : 0U;
  }
};

// One warp takes a sub-brick, one lane two octets.
__global__ void describe_octets(OctetView v, std::uint32_t* info, std::uint32_t* parent) {
  const std::uint64_t sub = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  int level = v.level_max;
  while (level > 1 && sub / 8 < v.levels[level].first_brick) --level;
  const LevelLayout& l = v.levels[level];
  const std::uint64_t brick = sub / 8 - l.first_brick;
  if (brick >= l.brick_count) return;
  const std::uint64_t mask = v.masks[sub];
  if (mask == 0) return;
  const int s = static_cast<int>(sub % 8);
  const Int3 corner{static_cast<int>(brick / l.bricks.y / l.bricks.x) * 8 + (s & 4),
                    static_cast<int>(brick / l.bricks.y % l.bricks.x) * 8 + (s & 2) * 2,
                    static_cast<int>(brick % l.bricks.y) * 8 + (s & 1) * 4};
  for (int bit = threadIdx.x % 32; bit < 64; bit += 32) {
    if (((mask >> bit) & 1U) == 0) continue;
    const std::uint32_t octet =
        v.bases[sub] + static_cast<std::uint32_t>(__popcll(mask & ((1ULL << bit) - 1ULL)));
    const Int3 in = bit_octet(bit);
    const Int3 at{corner.z + in.z, corner.x + in.x, corner.y + in.y};
    const std::uint32_t clipped = (2 * at.z + 1 >= l.cells.z ? 1U : 0U) |
                                  (2 * at.x + 1 >= l.cells.x ? 2U : 0U) |
                                  (2 * at.y + 1 >= l.cells.y ? 4U : 0U);
    std::uint32_t leaves = 0;
    std::uint64_t below = 0;  // octets under the children: 2×2×2 bits of one mask
    if (level < v.level_max) {
      below = v.masks[sub_brick(v.levels[level + 1], 2 * at.z, 2 * at.x, 2 * at.y)];
    }
    for (int c = 0; c < 8; ++c) {
      const int z = 2 * at.z + (c >> 2);
      const int x = 2 * at.x + ((c >> 1) & 1);
      const int y = 2 * at.y + (c & 1);
      if (z >= l.cells.z || x >= l.cells.x || y >= l.cells.y) continue;
      if (((below >> octet_bit(z & 3, x & 3, y & 3)) & 1U) == 0) leaves |= 1U << c;
    }
    info[octet] = octet_info({at.z & 7, at.x & 7, at.y & 7}, clipped, leaves);
    parent[octet] =
        level == 1 ? 0U
                   : find_octet(v, level - 1, at.z / 2, at.x / 2, at.y / 2) * 8U +
                         static_cast<std::uint32_t>((at.z & 1) * 4 + (at.x & 1) * 2 + (at.y & 1));
  }
}

// Finds where each row of two children begins in linear order; one warp takes a row of cells.
__global__ void locate_rows(OctetView v, LinearView in, std::uint64_t row_count,
                            std::uint32_t* rows) {
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (warp >= row_count) return;
  const Row row = any_row(v, in, warp);
  const auto child_row = static_cast<std::uint32_t>((row.z & 1) * 2 + (row.x & 1));
  for (std::uint64_t i = row.begin + threadIdx.x % 32; i < row.end; i += 32) {
    const int y = in.y[i];
    // The odd child begins a row of two only where the even one is not a particle.
    if (y % 2 != 0 && i > row.begin && in.y[i - 1] == y - 1) continue;
    const std::uint32_t octet = find_octet(v, row.level, row.z / 2, row.x / 2, y / 2);
    rows[octet * 4U + child_row] = static_cast<std::uint32_t>(i);
  }
}

template <class Input>
void exclusive_sum(Input in, std::uint32_t* out, std::uint32_t initial, std::uint64_t count,
                   cudaStream_t stream) {
  std::size_t bytes = 0;
  const auto scan = [&](void* scratch) {
    ensure(cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, cuda::std::plus<>{}, initial,
                                          count, stream),
           "adding up counts");
  };
  scan(nullptr);
  const DeviceBuffer<char> scratch(bytes, "APR structure", stream);
  scan(scratch.data());
}

}  // namespace

OctetView layout_levels(Int3 size, int level_max,
                        const std::array<std::uint64_t, kMaxLevels>& interior) {
  OctetView v;
  v.level_max = level_max;
  std::uint64_t brick = 0;
  std::uint64_t octet = 1;
  for (int l = 1; l <= level_max; ++l) {
    LevelLayout& level = v.levels[l];
    const int shift = level_max - l;
    const auto up = [](int n, int s) { return (n + (1 << s) - 1) >> s; };
    level.cells = {up(size.z, shift), up(size.x, shift), up(size.y, shift)};
    level.octets = {up(level.cells.z, 1), up(level.cells.x, 1), up(level.cells.y, 1)};
    level.bricks = {up(level.octets.z, 3), up(level.octets.x, 3), up(level.octets.y, 3)};
    const std::uint64_t bricks = std::uint64_t(level.bricks.z) * std::uint64_t(level.bricks.x) *
                                 std::uint64_t(level.bricks.y);
    level.first_brick = static_cast<std::uint32_t>(brick);
    level.brick_count = static_cast<std::uint32_t>(bricks);
    level.first_octet = static_cast<std::uint32_t>(octet);
    level.octet_count = static_cast<std::uint32_t>(interior[static_cast<std::size_t>(l - 1)]);
    brick += bricks;
    octet += interior[static_cast<std::size_t>(l - 1)];
  }
  // 32-bit indices have to suffice for slots and sub-bricks.
  if (octet * 8 > 0xFFFFFFFFULL || brick * 8 > 0xFFFFFFFFULL) {
    throw Failure{{"has more than 4 thousand million cells", "GPU", "use --device cpu"}};
  }
  v.octet_count = static_cast<std::uint32_t>(octet - 1);
  return v;
}

OctetStructure::OctetStructure(const LinearSource& source, cudaStream_t stream)
    : view_(layout_levels(source.size, source.level_max, source.interior)),
      particle_count_(source.particle_count) {
  const char* const what = "APR structure";
  const int top = view_.level_max;
  const LevelLayout& finest = view_.levels[top];
  const std::uint64_t bricks = std::uint64_t{finest.first_brick} + finest.brick_count;
  const std::uint64_t octets = std::uint64_t{view_.octet_count} + 1;
  LinearView in{source.y, source.xz_end, {}};
  std::copy(source.first_row.begin(), source.first_row.end(), in.first_row);

  masks_ = {bricks * 8, what, stream};
  bases_ = {bricks * 8 + 1, what, stream};
  info_ = {octets, what, stream};
  parent_ = {octets, what, stream};
  rows_ = {octets * 4, what, stream};
  masks_.zero();
  view_.masks = masks_.data();
  view_.bases = bases_.data();
  view_.info = info_.data();
  view_.parent = parent_.data();
  view_.rows = rows_.data();

  std::uint64_t even_rows = 0;
  for (int l = 1; l <= top; ++l) {
    const LevelLayout& level = view_.levels[l];
    even_rows += std::uint64_t(level.octets.z) * std::uint64_t(level.octets.x);
  }
  const std::uint64_t rows =
      in.first_row[top] - 1 + std::uint64_t(finest.cells.z) * std::uint64_t(finest.cells.x);
  mark_particles<<<blocks(even_rows * 32, kThreads), kThreads, 0, stream>>>(
      view_, in, even_rows, reinterpret_cast<unsigned long long*>(masks_.data()));
  for (int l = top - 1; l >= 1; --l) {
    mark_interior<<<blocks(view_.levels[l + 1].brick_count, 64), 64, 0, stream>>>(view_, l,
                                                                                  masks_.data());
  }
  exclusive_sum(thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                Population{masks_.data(), bricks * 8}),
                bases_.data(), 1U, bricks * 8 + 1, stream);
  describe_octets<<<blocks(bricks * 8 * 32, kThreads), kThreads, 0, stream>>>(view_, info_.data(),
                                                                              parent_.data());
  locate_rows<<<blocks(rows * 32, kThreads), kThreads, 0, stream>>>(view_, in, rows, rows_.data());
  ensure_launched(what);

  const DeviceBuffer<std::uint32_t> active(bricks + 1, what, stream);
  const DeviceBuffer<std::uint32_t> counts(bricks + 1, what, stream);
  count_halos(view_, static_cast<std::uint32_t>(bricks), active.data(), counts.data(), stream);
  exclusive_sum(active.data(), active.data(), 0U, bricks + 1, stream);
  exclusive_sum(counts.data(), counts.data(), 0U, bricks + 1, stream);
  const DeviceBuffer<std::uint32_t> totals(kMaxLevels + 2, what, stream);
  read_halo_totals(view_, static_cast<std::uint32_t>(bricks), active.data(), counts.data(),
                   totals.data(), stream);
  std::array<std::uint32_t, kMaxLevels + 2> known{};
  ensure(
      cudaMemcpyAsync(known.data(), totals.data(), totals.bytes(), cudaMemcpyDeviceToHost, stream),
      what);
  ensure(cudaStreamSynchronize(stream), what);
  for (int l = 1; l <= top; ++l) {
    const auto i = static_cast<std::size_t>(l);
    work_[i] = {known[i], known[i + 1] - known[i]};
  }
  brick_work_ = {known[static_cast<std::size_t>(top) + 1], what, stream};
  halo_source_ = {known[static_cast<std::size_t>(top) + 2], what, stream};
  halo_place_ = {known[static_cast<std::size_t>(top) + 2], what, stream};
  view_.work = brick_work_.data();
  view_.halo_source = halo_source_.data();
  view_.halo_place = halo_place_.data();
  list_work(view_, static_cast<std::uint32_t>(bricks), active.data(), counts.data(),
            brick_work_.data(), stream);
  list_halos(view_, brick_work_.data(), static_cast<std::uint32_t>(brick_work_.count()),
             halo_source_.data(), halo_place_.data(), stream);
}

std::uint64_t OctetStructure::bytes() const {
  return masks_.bytes() + bases_.bytes() + info_.bytes() + parent_.bytes() + rows_.bytes() +
         brick_work_.bytes() + halo_source_.bytes() + halo_place_.bytes();
}

std::uint64_t OctetStructure::estimate_bytes(Int3 size, int level_max, std::uint64_t octets) {
  std::uint64_t bricks = 0;
  for (int l = 1; l <= level_max; ++l) {
    const auto up = [&](int n) {
      const int shift = level_max - l + 4;
      return (static_cast<std::uint64_t>(n) + (std::uint64_t{1} << shift) - 1) >> shift;
    };
    bricks += up(size.z) * up(size.x) * up(size.y);
  }
  // A separable stencil lists the bricks once more. Halo lists: 6 bytes an entry, up to 3 entries
  // an octet where particles are sparse.
  return bricks * (8 * 12 + 8) + octets * (24 + 18) +
         octets / 4 * (sizeof(BrickWork) + sizeof(CubeItem));
}

}  // namespace aprscope::gpu
