#include "core/apr/tree.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Reductions as types, so that the loops below know theirs when they are compiled.
struct Sum {
  static float join(float a, float b) { return a + b; }
};
struct Min {
  static float join(float a, float b) { return b < a ? b : a; }
};
struct Max {
  static float join(float a, float b) { return b > a ? b : a; }
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

// Pairs first, then pairs of pairs: with 1, 2, 4 or 8 children the mean of equal values is exactly
// that value.
template <class R>
float join_rows(const std::array<float, 4>& r, int n) {
  if (n == 1) return r[0];
  if (n == 2) return R::join(r[0], r[1]);
  return R::join(R::join(r[0], r[1]), R::join(r[2], r[3]));
}

// Above the finest level no child is an interior cell, and the particles of the child rows stand
// in the same places in each: a plain loop over pairs.
template <class R, bool mean>
void reduce_finest_row(const Level& in, std::int64_t z, std::int64_t x, ParticleRange row) {
  std::array<const float*, 4> child{};
  const int n = for_each_child_row(in, z, x, [&](int i, std::int64_t cz, std::int64_t cx) {
    child[static_cast<std::size_t>(i)] = in.particles + in.cells.row(in.level + 1, cz, cx).begin;
  });
  float* const out = in.out + row.begin;
  auto count = static_cast<std::int64_t>(row.count());
  const Size3& fine = in.cells.grid(in.level + 1);
  const bool clipped = 2 * in.tree.y()[row.end - 1] + 1 >= fine.y;
  const std::int64_t pairs = clipped ? count - 1 : count;
  if (n == 4) {
    const float* const a = child[0];
    const float* const b = child[1];
    const float* const c = child[2];
    const float* const d = child[3];
    for (std::int64_t k = 0; k < pairs; ++k) {
      const float v =
          R::join(R::join(R::join(a[2 * k], a[2 * k + 1]), R::join(b[2 * k], b[2 * k + 1])),
                  R::join(R::join(c[2 * k], c[2 * k + 1]), R::join(d[2 * k], d[2 * k + 1])));
      out[k] = mean ? v * 0.125F : v;
    }
  } else {
    const float weight = mean ? 0.5F / static_cast<float>(n) : 1.0F;
    for (std::int64_t k = 0; k < pairs; ++k) {
      std::array<float, 4> r{};
      for (int i = 0; i < n; ++i) {
        const float* const c = child[static_cast<std::size_t>(i)];
        r[static_cast<std::size_t>(i)] = R::join(c[2 * k], c[2 * k + 1]);
      }
      out[k] = join_rows<R>(r, n) * weight;
    }
  }
  if (clipped) {
    std::array<float, 4> r{};
    for (int i = 0; i < n; ++i) {
      r[static_cast<std::size_t>(i)] = child[static_cast<std::size_t>(i)][2 * pairs];
    }
    out[pairs] = join_rows<R>(r, n) * (mean ? 1.0F / static_cast<float>(n) : 1.0F);
  }
}

template <class R, bool mean>
void reduce_row(const Level& in, std::int64_t z, std::int64_t x, ParticleRange row) {
  std::array<ChildRow, 4> child{};
  const int n = for_each_child_row(in, z, x, [&](int i, std::int64_t cz, std::int64_t cx) {
    const ParticleRange p = in.cells.row(in.level + 1, cz, cx);
    child[static_cast<std::size_t>(i)] = {in.cells.y().data() + p.begin, in.particles + p.begin,
                                          in.particles + p.end,
                                          in.out + in.tree.row(in.level + 1, cz, cx).begin};
  });
  const std::int64_t fine_y = in.cells.grid(in.level + 1).y;
  for (std::uint64_t k = row.begin; k < row.end; ++k) {
    const auto y = static_cast<std::uint16_t>(2 * in.tree.y()[k]);
    const bool pair = y + 1 < fine_y;
    std::array<float, 4> r{};
    for (int i = 0; i < n; ++i) {
      auto& c = child[static_cast<std::size_t>(i)];
      float v = c.next(y);
      if (pair) v = R::join(v, c.next(static_cast<std::uint16_t>(y + 1)));
      r[static_cast<std::size_t>(i)] = v;
    }
    const float v = join_rows<R>(r, n);
    in.out[k] = mean ? v / static_cast<float>(pair ? 2 * n : n) : v;
  }
}

template <class R, bool mean>
void reduce_level(const Level& in, const JobContext& context) {
  const Size3& grid = in.tree.grid(in.level);
  const std::int64_t rows = grid.z * grid.x;
  const bool finest = in.level + 1 == in.cells.level_max();
  const bool large = in.tree.level(in.level).count() > 2048;
#pragma omp parallel for schedule(dynamic, 128) num_threads(thread_count()) if (large)
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t z = i / grid.x;
    const std::int64_t x = i - z * grid.x;
    const ParticleRange row = in.tree.row(in.level, z, x);
    if (row.empty()) continue;
    if (context.stop_requested()) continue;
    if (finest) {
      reduce_finest_row<R, mean>(in, z, x, row);
    } else {
      reduce_row<R, mean>(in, z, x, row);
    }
  }
}

}  // namespace

Result<std::vector<float>> fill_tree(const AprAccess& access, std::span<const float> particles,
                                     Reduction reduction, const JobContext& context) {
  if (particles.size() != access.count()) {
    return Error{"there are " + std::to_string(particles.size()) + " values for " +
                     std::to_string(access.count()) + " particles",
                 "tree of an APR", "use values of the same APR"};
  }
  std::vector<float> out;
  try {
    out.resize(access.tree().count());
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for " + std::to_string(access.tree().count()) + " tree cells",
                 "tree of an APR", "close other data first"};
  }
  for (int l = access.level_max() - 1; l >= 0; --l) {
    if (context.stop_requested()) return cancelled_error();
    const Level in{access.particles(), access.tree(), particles.data(), out.data(), l};
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
  return out;
}

}  // namespace aprscope
