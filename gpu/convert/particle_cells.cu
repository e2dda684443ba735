#include "core/apr/structure/linear_access.hpp"
#include "gpu/convert/particle_cells.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "particle cells on the GPU";
constexpr int kThreads = 256;

unsigned blocks(std::int64_t items) {
  return static_cast<unsigned>((items + kThreads - 1) / kThreads);
}

// The local level of a voxel of the half grid, see LevelRule.
__global__ void find_levels(LevelRow rule, const float* gradient, const float* scale,
                            std::int64_t count, std::uint8_t* levels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float g = gradient[i];
  const float s = scale[i];
  const float sigma =
      s < rule.sigma_th ? (s < rule.sigma_th_max ? rule.infinite : rule.sigma_th) : s;
  float ratio = __fmul_rn(__fdiv_rn(g, sigma), rule.factor);
  if (!(g > rule.above) || !(g >= rule.least)) ratio = 0.0F;
  // The exponent of a float ≥ 1 is the floor of its logarithm; NaN and infinity have 128.
  const int level = (__float_as_int(ratio) >> 23) - 127;
  levels[i] = static_cast<std::uint8_t>(min(max(level, 1), static_cast<int>(rule.highest)));
}

// The largest level of each 2×2×2 block.
__global__ void coarser_levels(const std::uint8_t* fine, GridSize n, std::uint8_t* coarse,
                               GridSize to) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= std::int64_t{to.z} * to.x * to.y) return;
  const int y = static_cast<int>(i % to.y);
  const int x = static_cast<int>(i / to.y % to.x);
  const int z = static_cast<int>(i / to.y / to.x);
  int largest = 0;
  for (int c = 0; c < 8; ++c) {
    const int fz = 2 * z + (c >> 2);
    const int fx = 2 * x + (c >> 1 & 1);
    const int fy = 2 * y + (c & 1);
    if (fz < n.z && fx < n.x && fy < n.y) {
      largest = max(largest, static_cast<int>(fine[(std::int64_t{fz} * n.x + fx) * n.y + fy]));
    }
  }
  coarse[i] = static_cast<std::uint8_t>(largest);
}

// One lane per cell: a seed has its local level here, an ascendant contains a finer one.
__global__ void classify_cells(const std::uint8_t* largest, int level, CellBits seed,
                               CellBits ascendant) {
  const std::int64_t word = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  const GridSize& n = seed.size;
  if (word >= std::int64_t{n.z} * n.x * seed.words) return;
  const std::int64_t row = word / seed.words;
  const int y = static_cast<int>(word % seed.words) * 32 + static_cast<int>(threadIdx.x % 32);
  const int v = y < n.y ? largest[row * n.y + y] : 0;
  const unsigned equal = __ballot_sync(~0U, v == level);
  const unsigned above = __ballot_sync(~0U, v > level);
  if (threadIdx.x % 32 == 0) {
    seed.bits[word] = equal;
    ascendant.bits[word] = above;
  }
}

// Bits that belong to cells in word w of a row.
__device__ unsigned inside(const CellBits& set, int w) {
  const int left = set.size.y - 32 * w;
  return left >= 32 ? ~0U : (1U << left) - 1U;
}

// Word w of the cells that touch a cell of the set (26-neighbourhood) or are one themselves.
__device__ unsigned dilated(const CellBits& set, int z, int x, int w) {
  unsigned here = 0;
  unsigned before = 0;
  unsigned after = 0;
  for (int nz = max(z - 1, 0); nz <= min(z + 1, set.size.z - 1); ++nz) {
    for (int nx = max(x - 1, 0); nx <= min(x + 1, set.size.x - 1); ++nx) {
      const std::uint32_t* const row = set.bits + (std::int64_t{nz} * set.size.x + nx) * set.words;
      here |= row[w];
      if (w > 0) before |= row[w - 1];
      if (w + 1 < set.words) after |= row[w + 1];
    }
  }
  return (here | here << 1 | before >> 31 | here >> 1 | after << 31) & inside(set, w);
}

struct CellSets {
  CellBits seed, ascendant, occupied, filling, refined, cells;
};

// Ascendants pull their neighbours: a neighbouring seed propagates, an empty neighbour becomes an
// ascendant neighbour; both fill their empty children. After that, seeds mark cells that are still
// empty as boundary cells.
__global__ void pull_and_bound(CellSets s, bool keep_boundary) {
  const std::int64_t word = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const GridSize& n = s.seed.size;
  if (word >= std::int64_t{n.z} * n.x * s.seed.words) return;
  const int w = static_cast<int>(word % s.seed.words);
  const int x = static_cast<int>(word / s.seed.words % n.x);
  const int z = static_cast<int>(word / s.seed.words / n.x);
  const unsigned seed = s.seed.bits[word];
  unsigned occupied = seed | s.ascendant.bits[word];
  const unsigned near = dilated(s.ascendant, z, x, w);
  const unsigned propagate = near & seed;
  const unsigned neighbour = near & ~occupied;
  occupied |= neighbour;
  const unsigned boundary = dilated(s.seed, z, x, w) & ~occupied;
  s.occupied.bits[word] = occupied | boundary;
  s.filling.bits[word] = propagate | neighbour;
  s.refined.bits[word] = (seed & ~propagate) | (keep_boundary ? 0U : boundary);
  s.cells.bits[word] = keep_boundary ? boundary : 0U;
}

// Doubles each of the low 16 bits: bit i goes to bits 2i and 2i + 1.
__device__ unsigned doubled(unsigned v) {
  v &= 0xFFFFU;
  v = (v | v << 8) & 0x00FF00FFU;
  v = (v | v << 4) & 0x0F0F0F0FU;
  v = (v | v << 2) & 0x33333333U;
  v = (v | v << 1) & 0x55555555U;
  return v | v << 1;
}

// Word w of the row of children above row (z, x) of a finer level.
__device__ unsigned children(const CellBits& parents, int z, int x, int w) {
  if (w / 2 >= parents.words) return 0;
  const unsigned v =
      parents.bits[(std::int64_t{z / 2} * parents.size.x + x / 2) * parents.words + w / 2];
  return doubled(w % 2 == 0 ? v : v >> 16);
}

// Children of filling cells that are empty, and all of refined ones, become particles.
__global__ void add_children(CellBits filling, CellBits refined, CellBits occupied,
                             CellBits cells) {
  const std::int64_t word = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const GridSize& n = cells.size;
  if (word >= std::int64_t{n.z} * n.x * cells.words) return;
  const int w = static_cast<int>(word % cells.words);
  const int x = static_cast<int>(word / cells.words % n.x);
  const int z = static_cast<int>(word / cells.words / n.x);
  const unsigned filler = children(filling, z, x, w) & ~occupied.bits[word];
  cells.bits[word] |= (filler | children(refined, z, x, w)) & inside(cells, w);
}

// Halves a row: bit i is set if bit 2i or bit 2i + 1 is.
__device__ unsigned halved(unsigned v) {
  v = (v | v >> 1) & 0x55555555U;
  v = (v | v >> 1) & 0x33333333U;
  v = (v | v >> 2) & 0x0F0F0F0FU;
  v = (v | v >> 4) & 0x00FF00FFU;
  return (v | v >> 8) & 0xFFFFU;
}

// Parents of particles and interior cells of the finer level.
__global__ void find_interior(CellBits cells, CellBits fine_interior, CellBits interior) {
  const std::int64_t word = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const GridSize& n = interior.size;
  if (word >= std::int64_t{n.z} * n.x * interior.words) return;
  const int w = static_cast<int>(word % interior.words);
  const int x = static_cast<int>(word / interior.words % n.x);
  const int z = static_cast<int>(word / interior.words / n.x);
  unsigned low = 0;
  unsigned high = 0;
  for (int fz = 2 * z; fz < min(2 * z + 2, cells.size.z); ++fz) {
    for (int fx = 2 * x; fx < min(2 * x + 2, cells.size.x); ++fx) {
      const std::int64_t at = (std::int64_t{fz} * cells.size.x + fx) * cells.words + 2 * w;
      low |= cells.bits[at] | fine_interior.bits[at];
      if (2 * w + 1 < cells.words) high |= cells.bits[at + 1] | fine_interior.bits[at + 1];
    }
  }
  interior.bits[word] = halved(low) | halved(high) << 16;
}

std::int64_t words_of(const Size3& n) { return n.z * n.x * ((n.y + 31) / 32); }

std::int64_t words_of(const CellBits& set) {
  return std::int64_t{set.size.z} * set.size.x * set.words;
}

}  // namespace

ParticleCells::ParticleCells(const Size3& size, int level_max, const LevelRow& rule,
                             const float* gradient, const float* scale,
                             bool neighbourhood_optimisation, cudaStream_t stream)
    : level_max_(level_max), stream_(stream), levels_(static_cast<std::size_t>(level_max)) {
  std::uint64_t words = 0;
  for (int l = 0; l < level_max; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    grids_.emplace_back(grid);
    words += 7 * static_cast<std::uint64_t>(words_of(grid));
  }
  bits_ = {words, kWhat, stream};
  std::uint32_t* next = bits_.data();
  for (int l = 0; l < level_max; ++l) {
    Level& level = levels_[static_cast<std::size_t>(l)];
    const GridSize& grid = grids_[static_cast<std::size_t>(l)];
    for (CellBits* set : {&level.seed, &level.ascendant, &level.occupied, &level.filling,
                          &level.refined, &level.cells, &level.interior}) {
      *set = {grid, (grid.y + 31) / 32, next};
      next += words_of(*set);
    }
  }
  classify(rule, gradient, scale);
  for (int l = level_max - 1; l >= 1; --l) {
    const Level& level = levels_[static_cast<std::size_t>(l)];
    pull_and_bound<<<blocks(words_of(level.seed)), kThreads, 0, stream>>>(
        {level.seed, level.ascendant, level.occupied, level.filling, level.refined, level.cells},
        neighbourhood_optimisation);
    if (l == level_max - 1) continue;
    const Level& finer = levels_[static_cast<std::size_t>(l + 1)];
    add_children<<<blocks(words_of(finer.cells)), kThreads, 0, stream>>>(
        level.filling, level.refined, finer.occupied, finer.cells);
  }
  for (int l = level_max - 2; l >= 0; --l) {
    const CellBits& set = interior(l);
    find_interior<<<blocks(words_of(set)), kThreads, 0, stream>>>(cells(l + 1), interior(l + 1),
                                                                  set);
  }
  ensure_launched(kWhat);
}

void ParticleCells::classify(const LevelRow& rule, const float* gradient, const float* scale) {
  std::uint64_t cells = 0;
  const auto count = [&](int l) {
    const GridSize& n = grids_[static_cast<std::size_t>(l)];
    return std::int64_t{n.z} * n.x * n.y;
  };
  for (int l = 1; l < level_max_; ++l) cells += static_cast<std::uint64_t>(count(l));
  largest_ = {cells, kWhat, stream_};
  std::uint8_t* here = largest_.data();
  find_levels<<<blocks(count(level_max_ - 1)), kThreads, 0, stream_>>>(rule, gradient, scale,
                                                                       count(level_max_ - 1), here);
  for (int l = level_max_ - 1; l >= 1; --l) {
    const Level& level = levels_[static_cast<std::size_t>(l)];
    classify_cells<<<blocks(words_of(level.seed) * 32), kThreads, 0, stream_>>>(here, l, level.seed,
                                                                                level.ascendant);
    if (l == 1) break;
    std::uint8_t* const next = here + count(l);
    coarser_levels<<<blocks(count(l - 1)), kThreads, 0, stream_>>>(
        here, grids_[static_cast<std::size_t>(l)], next, grids_[static_cast<std::size_t>(l - 1)]);
    here = next;
  }
}

std::uint64_t ParticleCells::estimate_bytes(const Size3& size) {
  const int top = finest_level(size) - 1;
  const Size3 half = level_grid(size, top + 1, top);
  // A coarser level takes about an eighth, at most a quarter: its rows are whole words.
  return static_cast<std::uint64_t>(words_of(half)) * 7 * sizeof(std::uint32_t) * 4 / 3 +
         static_cast<std::uint64_t>(half.count()) * 4 / 3;
}

}  // namespace aprscope::gpu
