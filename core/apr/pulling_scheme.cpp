#include "core/apr/pulling_scheme.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/apr/conversion_kernels.hpp"
#include "core/apr/parallel.hpp"
#include "core/apr/thresholds.hpp"

namespace aprscope {
namespace {

// Calls work(z, x) for all rows of a grid. One of many short steps: does not report progress.
template <class Work>
bool rows_of(const Size3& size, const JobContext& context, const Work& work) {
  return parallel_rows(size, sweep_threads(size), JobContext(context.stop_token()), {},
                       [&](std::int64_t z, std::int64_t x, int) { work(z, x); });
}

// Maximum over each 2×2×2 block of `fine`.
bool coarser_levels(const Pixels<std::uint8_t>& fine, Pixels<std::uint8_t>& coarse,
                    const JobContext& context) {
  const Size3& n = fine.size;
  return rows_of(coarse.size, context, [&](std::int64_t z, std::int64_t x) {
    std::uint8_t* const out = coarse.values.data() + coarse.index(z, x, 0);
    std::fill(out, out + coarse.size.y, std::uint8_t{0});
    for (std::int64_t fz = 2 * z; fz < std::min(2 * z + 2, n.z); ++fz) {
      for (std::int64_t fx = 2 * x; fx < std::min(2 * x + 2, n.x); ++fx) {
        const std::uint8_t* const in = fine.values.data() + fine.index(fz, fx, 0);
        for (std::int64_t y = 0; y < n.y / 2; ++y) {
          out[y] = std::max(out[y], std::max(in[2 * y], in[2 * y + 1]));
        }
        if (n.y % 2 != 0) out[n.y / 2] = std::max(out[n.y / 2], in[n.y - 1]);
      }
    }
  });
}

// State of the cells of one level while the scheme runs.
struct Level {
  // Local level reached exactly here.
  BitGrid seed;
  // A descendant is a seed.
  BitGrid ascendant;
  // Any state but empty.
  BitGrid occupied;
  // Become particles of this level.
  BitGrid cells;
};

Level classify(const Pixels<std::uint8_t>& largest, int level, const JobContext& context) {
  Level out{BitGrid(largest.size), BitGrid(largest.size), BitGrid(largest.size),
            BitGrid(largest.size)};
  rows_of(largest.size, context, [&](std::int64_t z, std::int64_t x) {
    const std::uint8_t* const in = largest.values.data() + largest.index(z, x, 0);
    std::uint64_t* const seed = out.seed.row(z, x);
    std::uint64_t* const ascendant = out.ascendant.row(z, x);
    std::uint64_t* const occupied = out.occupied.row(z, x);
    for (std::int64_t w = 0; w < out.seed.words(); ++w) {
      std::uint64_t equal = 0;
      std::uint64_t above = 0;
      const std::int64_t n = std::min<std::int64_t>(64, largest.size.y - 64 * w);
      for (std::int64_t b = 0; b < n; ++b) {
        const int v = in[64 * w + b];
        equal |= static_cast<std::uint64_t>(v == level) << static_cast<unsigned>(b);
        above |= static_cast<std::uint64_t>(v > level) << static_cast<unsigned>(b);
      }
      seed[w] = equal;
      ascendant[w] = above;
      occupied[w] = equal | above;
    }
  });
  return out;
}

// Ascendants pull their neighbours: a neighbouring seed propagates, an empty neighbour becomes an
// ascendant neighbour; both fill their empty children. Returns the seeds that stay unrefined.
BitGrid pull(Level& level, Level& finer, const JobContext& context) {
  const BitGrid near = dilate(level.ascendant);
  BitGrid pure(level.seed.size());
  BitGrid filling(level.seed.size());
  rows_of(pure.size(), context, [&](std::int64_t z, std::int64_t x) {
    const std::uint64_t* const pulled = near.row(z, x);
    const std::uint64_t* const seed = level.seed.row(z, x);
    std::uint64_t* const occupied = level.occupied.row(z, x);
    for (std::int64_t w = 0; w < pure.words(); ++w) {
      const std::uint64_t propagate = pulled[w] & seed[w];
      const std::uint64_t neighbour = pulled[w] & ~occupied[w];
      pure.row(z, x)[w] = seed[w] & ~propagate;
      filling.row(z, x)[w] = propagate | neighbour;
      occupied[w] |= neighbour;
    }
  });
  const std::uint64_t last = finer.cells.last_word_mask();
  rows_of(finer.cells.size(), context, [&](std::int64_t z, std::int64_t x) {
    const std::uint64_t* const parents = filling.row(z / 2, x / 2);
    for (std::int64_t w = 0; w < finer.cells.words(); ++w) {
      std::uint64_t filler =
          children_word(parents, filling.words(), w) & ~finer.occupied.row(z, x)[w];
      if (w + 1 == finer.cells.words()) filler &= last;
      finer.cells.row(z, x)[w] |= filler;
    }
  });
  return pure;
}

// Seeds put boundary cells on their empty neighbours.
BitGrid bound(Level& level, const JobContext& context) {
  BitGrid boundary = dilate(level.seed);
  rows_of(boundary.size(), context, [&](std::int64_t z, std::int64_t x) {
    std::uint64_t* const occupied = level.occupied.row(z, x);
    for (std::int64_t w = 0; w < boundary.words(); ++w) {
      boundary.row(z, x)[w] &= ~occupied[w];
      occupied[w] |= boundary.row(z, x)[w];
    }
  });
  return boundary;
}

void unite(BitGrid& into, const BitGrid& other, const JobContext& context) {
  rows_of(into.size(), context, [&](std::int64_t z, std::int64_t x) {
    for (std::int64_t w = 0; w < into.words(); ++w) into.row(z, x)[w] |= other.row(z, x)[w];
  });
}

// The children of refined cells become particles of the finer level.
void add_children(const BitGrid& refined, BitGrid& finer, const JobContext& context) {
  const std::uint64_t last = finer.last_word_mask();
  rows_of(finer.size(), context, [&](std::int64_t z, std::int64_t x) {
    const std::uint64_t* const parents = refined.row(z / 2, x / 2);
    for (std::int64_t w = 0; w < finer.words(); ++w) {
      std::uint64_t children = children_word(parents, refined.words(), w);
      if (w + 1 == finer.words()) children &= last;
      finer.row(z, x)[w] |= children;
    }
  });
}

}  // namespace

LevelRule::LevelRule(const ConversionParameters& p, int level_max)
    : parameters_(p),
      level_max_(level_max),
      factor_(std::ldexp(std::min({p.dz, p.dx, p.dy}), level_max) / p.rel_error) {}

LevelRow LevelRule::row(float noise) const {
  LevelRow row;
  row.above = std::max(noise, 0.0F);
  row.least = parameters_.grad_th;
  row.sigma_th = parameters_.sigma_th;
  row.sigma_th_max = parameters_.sigma_th_max;
  row.infinite = std::max(kInfiniteScale, parameters_.sigma_th);
  row.factor = factor_;
  row.highest = level_max_ - 1;
  return row;
}

void LevelRule::apply(const MaskedVoxels& voxels, std::uint8_t* levels) const {
  LevelRow row = this->row(voxels.noise);
  row.gradient = voxels.gradient;
  row.scale = voxels.scale;
  row.count = voxels.count;
  row.levels = levels;
  conversion_kernels().levels(row);
}

bool local_levels(const MaskedVoxels& voxels, const LevelRule& rule, std::uint8_t* levels,
                  const JobContext& context) {
  constexpr std::int64_t kChunk = 1 << 15;
  const std::int64_t n = voxels.count;
  return parallel_items((n + kChunk - 1) / kChunk, threads_for(n), context, "levels",
                        [&](std::int64_t c, int) {
                          const std::int64_t begin = c * kChunk;
                          rule.apply({voxels.gradient + begin, voxels.scale + begin,
                                      std::min(kChunk, n - begin), voxels.noise},
                                     levels + begin);
                        });
}

bool local_levels(const GradientScale& input, const ConversionParameters& p, int level_max,
                  Pixels<std::uint8_t>& levels, const JobContext& context) {
  levels = {};
  levels.size = input.gradient.size;
  make_zeros(levels.values, levels.size.count());
  const auto n = static_cast<std::int64_t>(levels.values.size());
  const LevelRule rule(p, level_max);
  constexpr std::int64_t kChunk = 1 << 13;
  return parallel_items(
      (n + kChunk - 1) / kChunk, threads_for(n), context, "levels", [&](std::int64_t c, int) {
        const std::int64_t begin = c * kChunk;
        const std::int64_t count = std::min(kChunk, n - begin);
        const float* const intensity = input.intensity.values.data() + begin;
        const float* const gradient = input.gradient.values.data() + begin;
        std::array<float, kChunk> masked;
        for (std::int64_t i = 0; i < count; ++i) {
          masked[static_cast<std::size_t>(i)] = intensity[i] > p.intensity_th ? gradient[i] : -1.0F;
        }
        rule.apply({masked.data(), input.scale.values.data() + begin, count, 0.0F},
                   levels.values.data() + begin);
      });
}

bool pulling_scheme(const Pixels<std::uint8_t>& levels, const Size3& size, int level_max,
                    bool neighbourhood_optimisation, CellSet& out, const JobContext& context) {
  const int top = level_max - 1;
  out.cells.assign(static_cast<std::size_t>(level_max), {});
  Pixels<std::uint8_t> coarse;
  const Pixels<std::uint8_t>* largest = &levels;
  Level finer;
  // Half of the work is at the finest level, and half of the rest …
  double left = 1.0;
  for (int l = top; l >= 1; --l) {
    context.report(1.0 - left, "particle cells");
    left /= 2.0;
    if (l < top) {
      Pixels<std::uint8_t> next(level_grid(size, level_max, l));
      if (!coarser_levels(*largest, next, context)) return false;
      coarse = std::move(next);
      largest = &coarse;
    }
    Level level = classify(*largest, l, context);
    if (context.stop_requested()) return false;
    BitGrid refined = level.seed;
    if (l < top) refined = pull(level, finer, context);
    BitGrid boundary = bound(level, context);
    if (neighbourhood_optimisation) {
      level.cells = std::move(boundary);
    } else {
      unite(refined, boundary, context);
    }
    if (l < top) {
      add_children(refined, finer.cells, context);
      out.cells[static_cast<std::size_t>(l + 1)] = std::move(finer.cells);
    } else {
      out.refined = std::move(refined);
    }
    if (context.stop_requested()) return false;
    finer = std::move(level);
  }
  if (top >= 1) out.cells[1] = std::move(finer.cells);
  return true;
}

Result<LinearAccess> particles_of(const CellSet& set, const Size3& size, int level_max,
                                  const JobContext& context) {
  // Rows of levels 1 … level_max after the leading 0; a row of level_max follows from the row of
  // refined cells above it.
  std::vector<std::uint64_t> first(static_cast<std::size_t>(level_max) + 2, 1);
  for (int l = 1; l <= level_max; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    first[static_cast<std::size_t>(l) + 1] =
        first[static_cast<std::size_t>(l)] + static_cast<std::uint64_t>(grid.z * grid.x);
  }
  // Words of the cells whose bits tell the particles of a row: its own, or at level_max those of
  // the row of refined cells above it, each of which has two children in the row, or one at an odd
  // end.
  const auto words_of = [&](int l, std::int64_t z, std::int64_t x) {
    return l < level_max ? set.cells[static_cast<std::size_t>(l)].row(z, x)
                         : set.refined.row(z / 2, x / 2);
  };
  const auto word_count = [&](int l, const Size3& grid) {
    return l < level_max ? (grid.y + 63) / 64 : set.refined.words();
  };

  context.report(0.0, "particles");
  std::vector<std::uint64_t> xz_end(first.back(), 0);
  for (int l = 1; l <= level_max; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    const std::uint64_t begin = first[static_cast<std::size_t>(l)];
    const std::int64_t count = word_count(l, grid);
    const bool going = rows_of(grid, context, [&](std::int64_t z, std::int64_t x) {
      const std::uint64_t* const words = words_of(l, z, x);
      int n = 0;
      for (std::int64_t w = 0; w < count; ++w) n += std::popcount(words[w]);
      if (l == level_max) {
        const std::int64_t last = (grid.y - 1) / 2;
        const bool alone = grid.y % 2 != 0 && ((words[last / 64] >> (last % 64)) & 1U) != 0;
        n = 2 * n - (alone ? 1 : 0);
      }
      xz_end[begin + static_cast<std::uint64_t>(z * grid.x + x)] = static_cast<std::uint64_t>(n);
    });
    if (!going) return cancelled_error();
  }
  for (std::size_t r = 1; r < xz_end.size(); ++r) xz_end[r] += xz_end[r - 1];

  context.report(0.2, "particles");
  std::vector<std::uint16_t> y;
  make_zeros(y, static_cast<std::int64_t>(xz_end.back()));
  for (int l = 1; l <= level_max; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    const std::uint64_t begin = first[static_cast<std::size_t>(l)];
    const std::int64_t count = word_count(l, grid);
    const bool going = rows_of(grid, context, [&](std::int64_t z, std::int64_t x) {
      std::uint16_t* out =
          y.data() + xz_end[begin + static_cast<std::uint64_t>(z * grid.x + x) - 1];
      const std::uint64_t* const words = words_of(l, z, x);
      for (std::int64_t w = 0; w < count; ++w) {
        for (std::uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
          const std::int64_t cell = 64 * w + std::countr_zero(bits);
          if (l < level_max) {
            *out++ = static_cast<std::uint16_t>(cell);
            continue;
          }
          *out++ = static_cast<std::uint16_t>(2 * cell);
          if (2 * cell + 1 < grid.y) *out++ = static_cast<std::uint16_t>(2 * cell + 1);
        }
      }
    });
    if (!going) return cancelled_error();
  }
  context.report(0.6, "particles");
  return LinearAccess::create(size, level_max, 1, level_max, std::move(y), std::move(xz_end));
}

}  // namespace aprscope
