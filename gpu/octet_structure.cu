#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "gpu/octet_structure.hpp"
#include "gpu/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 128;

unsigned blocks(std::uint64_t items, std::uint64_t each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

// A row of cells of some level: where it lies, and its particles.
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

// Row `i` of the rows of octets of all levels; its even child row.
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

// Row `i` of all rows.
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

// An octet exists where its first child does: as a particle, which is looked for here …
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

// … or as an interior cell, i.e. as an octet of the next level. A sub-brick covers a whole brick of
// the next level, whose even octets are those first children.
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

// One warp a sub-brick, one lane two octets.
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

// Where each row of two children begins in linear order; one warp a row of cells.
__global__ void locate_rows(OctetView v, LinearView in, std::uint64_t row_count,
                            std::uint32_t* rows) {
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (warp >= row_count) return;
  const Row row = any_row(v, in, warp);
  const auto child_row = static_cast<std::uint32_t>((row.z & 1) * 2 + (row.x & 1));
  for (std::uint64_t i = row.begin + threadIdx.x % 32; i < row.end; i += 32) {
    const int y = in.y[i];
    // The odd child is first only where the even one is no particle.
    if (y % 2 != 0 && i > row.begin && in.y[i - 1] == y - 1) continue;
    const std::uint32_t octet = find_octet(v, row.level, row.z / 2, row.x / 2, y / 2);
    rows[octet * 4U + child_row] = static_cast<std::uint32_t>(i);
  }
}

// Octet positions that a brick needs around its particles' octets, as 10 × 10 rows of 10 bits.
struct Needed {
  std::uint32_t leaf[10][10];
  std::uint32_t near[10][10];  // dilated in y and x
};

// Packs two counts that stay below 2^16.
__device__ std::uint32_t block_exclusive_sum(std::uint32_t value, std::uint32_t* warps,
                                             std::uint32_t& total) {
  std::uint32_t sum = value;
  const unsigned lane = threadIdx.x % 32;
  for (unsigned d = 1; d < 32; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
  for (unsigned w = 0; w < kThreads / 32; ++w) {
    if (w < threadIdx.x / 32) before += warps[w];
    total += warps[w];
  }
  __syncthreads();
  return before + sum - value;
}

// Lists the halo of a brick: counts only where `work` is null.
__global__ void list_halo(OctetView v, std::uint32_t first_brick, const BrickWork* work,
                          std::uint32_t* active, std::uint32_t* counts, std::uint32_t* source,
                          std::uint16_t* place) {
  __shared__ Needed needed;
  __shared__ std::uint32_t warps[kThreads / 32];
  const std::uint32_t brick = work != nullptr ? work[blockIdx.x].brick : first_brick + blockIdx.x;
  int level = v.level_max;
  while (level > 1 && brick < v.levels[level].first_brick) --level;
  const LevelLayout& l = v.levels[level];
  const std::uint32_t begin = v.bases[std::uint64_t{brick} * 8];
  const std::uint32_t end = v.bases[std::uint64_t{brick} * 8 + 8];
  if (begin == end) {
    if (threadIdx.x == 0) active[brick] = counts[brick] = 0;
    return;
  }
  for (int i = threadIdx.x; i < 100; i += kThreads) needed.leaf[i / 10][i % 10] = 0;
  __syncthreads();
  for (std::uint32_t o = begin + threadIdx.x; o < end; o += kThreads) {
    const std::uint32_t info = v.info[o];
    if (info_leaves(info) == 0) continue;
    const Int3 p = info_place(info);
    atomicOr(&needed.leaf[p.z + 1][p.x + 1], 2U << p.y);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 100; i += kThreads) {
    std::uint32_t bits = 0;
    for (int x = max(i % 10 - 1, 0); x <= min(i % 10 + 1, 9); ++x) bits |= needed.leaf[i / 10][x];
    needed.near[i / 10][i % 10] = (bits | bits << 1 | bits >> 1) & 0x3FFU;
  }
  __syncthreads();

  const std::uint32_t i = brick - l.first_brick;
  const Int3 corner{static_cast<int>(i / l.bricks.y / l.bricks.x) * 8 - 1,
                    static_cast<int>(i / l.bricks.y % l.bricks.x) * 8 - 1,
                    static_cast<int>(i % l.bricks.y) * 8 - 1};
  // Each thread takes up to 8 positions one after the other.
  Cover found[8];
  std::uint32_t which = 0;  // bit k: an octet; bit 8 + k: a coarser particle
  for (int k = 0; k < 8; ++k) {
    const int p = static_cast<int>(threadIdx.x) * 8 + k;
    if (p >= 1000) break;
    const int z = p / 100;
    const int x = p / 10 % 10;
    const int y = p % 10;
    const bool own = z >= 1 && z <= 8 && x >= 1 && x <= 8 && y >= 1 && y <= 8;
    std::uint32_t bits = needed.near[z][x];
    if (z > 0) bits |= needed.near[z - 1][x];
    if (z < 9) bits |= needed.near[z + 1][x];
    if (((bits >> y) & 1U) == 0) continue;
    const Int3 at{corner.z + z, corner.x + x, corner.y + y};
    if (at.z < 0 || at.x < 0 || at.y < 0 || at.z >= l.octets.z || at.x >= l.octets.x ||
        at.y >= l.octets.y) {
      continue;
    }
    found[k] = find_cover(v, level, at.z, at.x, at.y);
    if (found[k].octet == kNoOctet) {
      which |= 256U << k;
    } else if (!own) {
      which |= 1U << k;
    }
  }
  const auto octets = static_cast<std::uint32_t>(__popc(which & 255U));
  const auto coarse = static_cast<std::uint32_t>(__popc(which >> 8));
  std::uint32_t total = 0;
  const std::uint32_t before = block_exclusive_sum(octets << 16 | coarse, warps, total);
  if (work == nullptr) {
    int any = 0;
    for (int r = threadIdx.x; r < 100; r += kThreads) any |= needed.leaf[r / 10][r % 10] != 0;
    any = __syncthreads_or(any);
    if (threadIdx.x == 0) {
      active[brick] = any != 0 ? 1U : 0U;
      counts[brick] = any != 0 ? (total >> 16) + (total & 0xFFFFU) : 0U;
    }
    return;
  }
  const BrickWork& mine = work[blockIdx.x];
  std::uint32_t to_octet = mine.halo_first + (before >> 16);
  std::uint32_t to_coarse = mine.halo_first + (total >> 16) + (before & 0xFFFFU);
  if (threadIdx.x == 0) {
    const_cast<BrickWork&>(mine).halo = static_cast<std::uint16_t>(total >> 16);
    const_cast<BrickWork&>(mine).coarse = static_cast<std::uint16_t>(total & 0xFFFFU);
  }
  for (int k = 0; k < 8; ++k) {
    const int p = static_cast<int>(threadIdx.x) * 8 + k;
    const auto offset = static_cast<std::uint16_t>(2 * (p / 100) * kPatchPlane +
                                                   2 * (p / 10 % 10) * kPatchRow + p % 10);
    if (((which >> k) & 1U) != 0) {
      source[to_octet] = found[k].octet;
      place[to_octet++] = offset;
    } else if (((which >> k) & 256U) != 0) {
      source[to_coarse] = found[k].slot;
      place[to_coarse++] = offset;
    }
  }
}

__global__ void compact_work(OctetView v, std::uint32_t bricks, const std::uint32_t* active_before,
                             const std::uint32_t* count_before, BrickWork* work) {
  const std::uint32_t brick = blockIdx.x * blockDim.x + threadIdx.x;
  if (brick >= bricks || active_before[brick] == active_before[brick + 1]) return;
  int level = v.level_max;
  while (level > 1 && brick < v.levels[level].first_brick) --level;
  const LevelLayout& l = v.levels[level];
  const std::uint32_t i = brick - l.first_brick;
  BrickWork w;
  w.brick = brick;
  w.first_octet = v.bases[std::uint64_t{brick} * 8];
  w.octets = static_cast<std::uint16_t>(v.bases[std::uint64_t{brick} * 8 + 8] - w.first_octet);
  w.halo_first = count_before[brick];
  w.level = static_cast<std::uint16_t>(level);
  w.z = static_cast<std::uint16_t>(i / l.bricks.y / l.bricks.x);
  w.x = static_cast<std::uint16_t>(i / l.bricks.y % l.bricks.x);
  w.y = static_cast<std::uint16_t>(i % l.bricks.y);
  const bool inner = w.z > 0 && w.x > 0 && w.y > 0 && w.z * 16 + 18 <= l.cells.z &&
                     w.x * 16 + 18 <= l.cells.x && w.y * 16 + 18 <= l.cells.y;
  w.surface = inner ? 0 : 1;
  work[active_before[brick]] = w;
}

// The first `levels` entries of active_before at the levels' first bricks, for the host.
__global__ void read_totals(OctetView v, std::uint32_t bricks, const std::uint32_t* active_before,
                            const std::uint32_t* count_before, std::uint32_t* out) {
  const int l = threadIdx.x;
  if (l <= v.level_max) out[l] = active_before[v.levels[l].first_brick];
  if (l == v.level_max + 1) out[l] = active_before[bricks];
  if (l == v.level_max + 2) out[l] = count_before[bricks];
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
  // Slots and sub-bricks are counted in 32 bits.
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
  list_halo<<<static_cast<unsigned>(bricks), kThreads, 0, stream>>>(
      view_, 0, nullptr, active.data(), counts.data(), nullptr, nullptr);
  exclusive_sum(active.data(), active.data(), 0U, bricks + 1, stream);
  exclusive_sum(counts.data(), counts.data(), 0U, bricks + 1, stream);
  const DeviceBuffer<std::uint32_t> totals(kMaxLevels + 2, what, stream);
  read_totals<<<1, 32, 0, stream>>>(view_, static_cast<std::uint32_t>(bricks), active.data(),
                                    counts.data(), totals.data());
  ensure_launched(what);
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
  compact_work<<<blocks(bricks, 128), 128, 0, stream>>>(
      view_, static_cast<std::uint32_t>(bricks), active.data(), counts.data(), brick_work_.data());
  list_halo<<<static_cast<unsigned>(brick_work_.count()), kThreads, 0, stream>>>(
      view_, 0, brick_work_.data(), nullptr, nullptr, halo_source_.data(), halo_place_.data());
  ensure_launched(what);
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
  // Halo lists: 6 bytes an entry, up to 3 entries an octet where particles are sparse.
  return bricks * (8 * 12 + 8) + octets * (24 + 18) + octets / 4 * sizeof(BrickWork);
}

}  // namespace aprscope::gpu
