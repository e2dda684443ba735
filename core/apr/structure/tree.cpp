#include "core/apr/structure/tree.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "core/apr/structure/tree_kernels.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Reductions as types, so that the loops below know theirs when they are compiled.
struct Sum {
  static float join(float a, float b) { return a + b; }
  static JoinEight eight() { return tree_kernels().mean; }
};
struct Min {
  static float join(float a, float b) { return b < a ? b : a; }
  static JoinEight eight() { return tree_kernels().smallest; }
};
struct Max {
  static float join(float a, float b) { return b > a ? b : a; }
  static JoinEight eight() { return tree_kernels().largest; }
};

// The children of a row of interior cells in one row of the next level: particles and interior
// cells, merged by y. Every child that lies in the grid exists, so no y is searched for.
struct ChildRow {
  const std::uint16_t* particle_y = nullptr;
  const float* particle = nullptr;
  const float* particle_end = nullptr;
  const float* interior = nullptr;

  float next(std::uint16_t y) {
    if (particle != particle_end && *particle_y == y) {
      ++particle_y;
      return *particle++;
    }
    return *interior++;
  }
};

// Everything that one level needs.
struct Level {
  const LinearAccess& cells;
  const LinearAccess& tree;
  const InteriorMap& interior;
  const float* particles;
  float* out;
  int level;
};

// Rows of the next level below row (z, x), at most four; returns how many.
template <class Visit>
int for_each_child_row(const Level& in, std::int64_t z, std::int64_t x, const Visit& visit) {
  const Size3& fine = in.cells.grid(in.level + 1);
  int n = 0;
  for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, fine.z); ++cz) {
    for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, fine.x); ++cx) visit(n++, cz, cx);
  }
  return n;
}

// The rows of children first, then the two of a pair: with 1, 2, 4 or 8 children the mean of equal
// values is exactly that value.
template <class R>
float join_rows(const std::array<float, 4>& r, int n) {
  if (n == 1) return r[0];
  if (n == 2) return R::join(r[0], r[1]);
  return R::join(R::join(r[0], r[1]), R::join(r[2], r[3]));
}

// Rows at the end of a grid of odd size, where children are missing.
template <class R, bool mean>
void reduce_row(const Level& in, std::int64_t z, std::int64_t x, ParticleRange row) {
  const bool finest = in.level + 1 == in.cells.level_max();
  std::array<ChildRow, 4> child{};
  const int n = for_each_child_row(in, z, x, [&](int i, std::int64_t cz, std::int64_t cx) {
    const ParticleRange p = in.cells.row(in.level + 1, cz, cx);
    child[static_cast<std::size_t>(i)] = {
        in.cells.y().data() + p.begin, in.particles + p.begin, in.particles + p.end,
        finest ? nullptr : in.out + in.tree.row(in.level + 1, cz, cx).begin};
  });
  const std::int64_t fine_y = in.cells.grid(in.level + 1).y;
  for (std::uint64_t k = row.begin; k < row.end; ++k) {
    const auto y = static_cast<std::uint16_t>(2 * in.tree.y()[k]);
    const bool pair = y + 1 < fine_y;
    std::array<float, 4> first{};
    std::array<float, 4> second{};
    for (int i = 0; i < n; ++i) {
      const auto c = static_cast<std::size_t>(i);
      first[c] = child[c].next(y);
      if (pair) second[c] = child[c].next(static_cast<std::uint16_t>(y + 1));
    }
    float v = join_rows<R>(first, n);
    if (pair) v = R::join(v, join_rows<R>(second, n));
    in.out[k] = mean ? v / static_cast<float>(pair ? 2 * n : n) : v;
  }
}

// A row with all eight children of each cell.
FamilyRow family(const Level& in, std::int64_t z, std::int64_t x) {
  const InteriorMap::Level& parents = in.interior.level(in.level);
  FamilyRow row;
  row.parent = parents.row(z, x);
  row.words = parents.words;
  const bool finest = in.level + 1 == in.cells.level_max();
  for_each_child_row(in, z, x, [&](int i, std::int64_t cz, std::int64_t cx) {
    row.particles[i] = in.particles + in.cells.row(in.level + 1, cz, cx).begin;
    if (finest) return;
    row.own[i] = in.interior.level(in.level + 1).row(cz, cx);
    row.tree[i] = in.out + in.tree.row(in.level + 1, cz, cx).begin;
  });
  return row;
}

template <class R, bool mean>
void reduce_level(const Level& in, const JobContext& context) {
  constexpr std::int64_t kRows = 256;
  const Size3& grid = in.tree.grid(in.level);
  const Size3& fine = in.cells.grid(in.level + 1);
  const std::int64_t rows = grid.z * grid.x;
  const JoinEight eight = R::eight();
  const int threads = in.tree.level(in.level).count() > 8192 ? thread_count() : 1;
  parallel_each((rows + kRows - 1) / kRows, threads, [&](std::int64_t chunk, int) {
    if (context.stop_requested()) return;
    std::int64_t z = chunk * kRows / grid.x;
    std::int64_t x = chunk * kRows % grid.x;
    for (std::int64_t i = chunk * kRows; i < std::min(rows, (chunk + 1) * kRows); ++i) {
      const ParticleRange row = in.tree.row(in.level, z, x);
      if (!row.empty()) {
        const bool whole =
            2 * z + 1 < fine.z && 2 * x + 1 < fine.x && 2 * in.tree.y()[row.end - 1] + 1 < fine.y;
        if (whole) {
          eight(family(in, z, x), in.out + row.begin);
        } else {
          reduce_row<R, mean>(in, z, x, row);
        }
      }
      if (++x == grid.x) {
        x = 0;
        ++z;
      }
    }
  });
}

// Cells just above the finest level that lack children, at the ends of grids of odd size.
void reduce_ends(const Level& in) {
  const Size3& grid = in.tree.grid(in.level);
  const Size3& fine = in.cells.grid(in.level + 1);
  if (fine.z % 2 == 0 && fine.x % 2 == 0 && fine.y % 2 == 0) return;
  parallel_for(grid.z, threads_for(grid.z * grid.x), [&](std::int64_t z) {
    for (std::int64_t x = 0; x < grid.x; ++x) {
      const ParticleRange row = in.tree.row(in.level, z, x);
      if (row.empty()) continue;
      if (2 * z + 1 >= fine.z || 2 * x + 1 >= fine.x) {
        reduce_row<Sum, true>(in, z, x, row);
      } else if (fine.y % 2 != 0 && 2 * in.tree.y()[row.end - 1] + 1 >= fine.y) {
        std::array<float, 4> last{};
        const int n = for_each_child_row(in, z, x, [&](int i, std::int64_t cz, std::int64_t cx) {
          last[static_cast<std::size_t>(i)] =
              in.particles[in.cells.row(in.level + 1, cz, cx).end - 1];
        });
        in.out[row.end - 1] = join_rows<Sum>(last, n) / static_cast<float>(n);
      }
    }
  });
}

Status check_lengths(const AprAccess& access, std::span<const float> particles,
                     std::span<const float> tree) {
  if (particles.size() == access.count() && tree.size() == access.tree().count()) return {};
  return Error{"there are " + std::to_string(particles.size()) + " values for " +
                   std::to_string(access.count()) + " particles, and room for " +
                   std::to_string(tree.size()) + " of " + std::to_string(access.tree().count()) +
                   " tree cells",
               "tree of an APR", "use values of the same APR"};
}

Error no_memory(std::uint64_t cells) {
  return {"not enough memory for " + std::to_string(cells) + " tree cells", "tree of an APR",
          "close other data first"};
}

// Null when there is no memory for it.
const InteriorMap* interior_of(const AprAccess& access) {
  try {
    return &access.interior();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

Status fill_tree(const AprAccess& access, std::span<const float> particles, Reduction reduction,
                 std::span<float> tree, const JobContext& context) {
  if (Status ok = check_lengths(access, particles, tree); !ok) return ok;
  const InteriorMap* const interior = interior_of(access);
  if (interior == nullptr) return no_memory(access.tree().count());
  for (int l = access.level_max() - 1; l >= 0; --l) {
    if (context.stop_requested()) return cancelled_error();
    const Level in{access.particles(), access.tree(), *interior, particles.data(), tree.data(), l};
    switch (reduction) {
      case Reduction::mean:
        reduce_level<Sum, true>(in, context);
        break;
      case Reduction::min:
        reduce_level<Min, false>(in, context);
        break;
      case Reduction::max:
        reduce_level<Max, false>(in, context);
        break;
    }
  }
  if (context.stop_requested()) return cancelled_error();
  return {};
}

Status finish_tree(const AprAccess& access, std::span<const float> particles, std::span<float> tree,
                   const JobContext& context) {
  if (Status ok = check_lengths(access, particles, tree); !ok) return ok;
  const InteriorMap* const interior = interior_of(access);
  if (interior == nullptr) return no_memory(access.tree().count());
  const auto level = [&](int l) {
    return Level{access.particles(), access.tree(), *interior, particles.data(), tree.data(), l};
  };
  reduce_ends(level(access.level_max() - 1));
  for (int l = access.level_max() - 2; l >= 0; --l) {
    if (context.stop_requested()) return cancelled_error();
    reduce_level<Sum, true>(level(l), context);
  }
  if (context.stop_requested()) return cancelled_error();
  return {};
}

Status fill_tree(const AprAccess& access, std::span<const float> particles, Reduction reduction,
                 std::vector<float>& out, const JobContext& context) {
  const std::uint64_t cells = access.tree().count();
  try {
    if (out.size() != cells) {
      out.clear();
      make_zeros(out, static_cast<std::int64_t>(cells));
    }
  } catch (const std::bad_alloc&) {
    return no_memory(cells);
  }
  return fill_tree(access, particles, reduction, std::span<float>(out), context);
}

Result<std::vector<float>> fill_tree(const AprAccess& access, std::span<const float> particles,
                                     Reduction reduction, const JobContext& context) {
  std::vector<float> out;
  if (Status filled = fill_tree(access, particles, reduction, out, context); !filled) {
    return filled.error();
  }
  return out;
}

}  // namespace aprscope
