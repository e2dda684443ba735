#include "core/apr/convert/pulling_scheme.hpp"

#include <algorithm>
#include <utility>

#include <immintrin.h>

#include "core/apr/structure/linear_access.hpp"
#include "core/base/parallel.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

// Calls work(z, x) for all rows of a grid. Reports no progress: each call is a short step of many.
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
  // Cells in any state but empty.
  BitGrid occupied;
  // Become particles of this level.
  BitGrid cells;
};

// Bits of bytes that equal `level`, and of bytes that are above it; bit i is byte i.
struct Compared {
  std::uint64_t equal = 0;
  std::uint64_t above = 0;
};
Compared compare(const std::uint8_t* in, std::int64_t n, int level) {
  Compared out;
  if (n == 64) {
    const __m256i wanted = _mm256_set1_epi8(static_cast<char>(level));
    for (unsigned half = 0; half < 2; ++half) {
      const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in) + half);
      const __m256i equal = _mm256_cmpeq_epi8(v, wanted);
      const __m256i least = _mm256_cmpeq_epi8(_mm256_max_epu8(v, wanted), v);
      const auto bits = [](__m256i m) {
        return std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(m))};
      };
      out.equal |= bits(equal) << 32U * half;
      out.above |= bits(_mm256_andnot_si256(equal, least)) << 32U * half;
    }
    return out;
  }
  for (std::int64_t b = 0; b < n; ++b) {
    const int v = in[b];
    out.equal |= static_cast<std::uint64_t>(v == level) << static_cast<unsigned>(b);
    out.above |= static_cast<std::uint64_t>(v > level) << static_cast<unsigned>(b);
  }
  return out;
}

Level classify(const Pixels<std::uint8_t>& largest, int level, const JobContext& context) {
  Level out{BitGrid(largest.size), BitGrid(largest.size), BitGrid(largest.size), {}};
  rows_of(largest.size, context, [&](std::int64_t z, std::int64_t x) {
    const std::uint8_t* const in = largest.values.data() + largest.index(z, x, 0);
    std::uint64_t* const seed = out.seed.row(z, x);
    std::uint64_t* const ascendant = out.ascendant.row(z, x);
    std::uint64_t* const occupied = out.occupied.row(z, x);
    for (std::int64_t w = 0; w < out.seed.words(); ++w) {
      const std::int64_t n = std::min<std::int64_t>(64, largest.size.y - 64 * w);
      const Compared found = compare(in + 64 * w, n, level);
      seed[w] = found.equal;
      ascendant[w] = found.above;
      occupied[w] = found.equal | found.above;
    }
  });
  return out;
}

// Ascendants pull their neighbours: a neighbouring seed propagates, an empty neighbour becomes an
// ascendant neighbour; both fill their empty children. Returns the seeds that stay unrefined.
// `refined`: the seeds of the finer level if that is the finest, else null.
BitGrid pull(Level& level, Level& finer, const BitGrid* refined, const JobContext& context) {
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
    std::uint64_t* const cells = finer.cells.row(z, x);
    for (std::int64_t w = 0; w < finer.cells.words(); ++w) {
      // At the finest level nothing is taken but seeds and what they put around them.
      const std::uint64_t taken =
          refined != nullptr ? refined->row(z, x)[w] | cells[w] : finer.occupied.row(z, x)[w];
      std::uint64_t filler = children_word(parents, filling.words(), w) & ~taken;
      if (w + 1 == finer.cells.words()) filler &= last;
      cells[w] |= filler;
    }
  });
  return pure;
}

// The same of the finest level, where nothing but seeds is occupied.
BitGrid bound_finest(const BitGrid& seed, const JobContext& context) {
  BitGrid boundary = dilate(seed);
  rows_of(boundary.size(), context, [&](std::int64_t z, std::int64_t x) {
    for (std::int64_t w = 0; w < boundary.words(); ++w) {
      boundary.row(z, x)[w] &= ~seed.row(z, x)[w];
    }
  });
  return boundary;
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

bool pulling_scheme(LevelMap levels, const Size3& size, int level_max,
                    bool neighbourhood_optimisation, CellSet& out, const JobContext& context) {
  const int top = level_max - 1;
  out.cells.assign(static_cast<std::size_t>(level_max), {});
  // Particles of a level, or more that are refined, as the optimisation says.
  const auto keep = [&](BitGrid boundary, BitGrid& refined, BitGrid& cells) {
    if (neighbourhood_optimisation) {
      cells = std::move(boundary);
    } else {
      unite(refined, boundary, context);
      std::fill(boundary.row(0, 0), boundary.row(boundary.size().z, 0), std::uint64_t{0});
      cells = std::move(boundary);
    }
  };
  Level finer;
  // Half of the work is at the finest level, and half of the rest … No local level is above the
  // finest one, so that it has no ascendants; and most of the memory, so that it has no grids but
  // those of the result.
  context.report(0.0, "particle cells");
  out.refined = levels.take_finest();
  keep(bound_finest(out.refined, context), out.refined, finer.cells);
  Pixels<std::uint8_t> largest = levels.take_coarse();
  double left = 0.5;
  for (int l = top - 1; l >= 1; --l) {
    if (context.stop_requested()) return false;
    context.report(1.0 - left, "particle cells");
    left /= 2.0;
    if (l < top - 1) {
      Pixels<std::uint8_t> next(level_grid(size, level_max, l));
      if (!coarser_levels(largest, next, context)) return false;
      largest = std::move(next);
    }
    Level level = classify(largest, l, context);
    if (context.stop_requested()) return false;
    BitGrid refined = pull(level, finer, l == top - 1 ? &out.refined : nullptr, context);
    keep(bound(level, context), refined, level.cells);
    add_children(refined, finer.cells, context);
    out.cells[static_cast<std::size_t>(l + 1)] = std::move(finer.cells);
    finer = std::move(level);
  }
  if (top >= 1) out.cells[1] = std::move(finer.cells);
  return !context.stop_requested();
}

}  // namespace aprscope
