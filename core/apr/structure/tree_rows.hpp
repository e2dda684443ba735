#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/apr/structure/linear_access.hpp"

// Private to core/apr: values of interior cells, a row at a time.

namespace aprscope::detail {

/// Values are added: the sum, or with the number of children the mean.
struct JoinedSum {
  static float join(float a, float b) { return a + b; }
};

/// The children of a row of interior cells in one row of the next level: particles and interior
/// cells, merged by y. Every child that lies in the grid exists, so no y is searched for.
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

/// Everything that one level needs. T: what the values of particles are kept as. Cells: lists of
/// cells, as LinearAccess is.
template <class T, class Cells>
struct TreeLevel {
  const Cells& cells;
  const Cells& tree;
  const T* particles;
  float* out;
  int level;
};

/// Values of up to four rows of particles as f32. Values that are f32 already are not copied;
/// behind others lie at least sixteen that may be read.
template <class T>
class FloatRows {
 public:
  explicit FloatRows([[maybe_unused]] std::int64_t longest) {
    if constexpr (!std::is_same_v<T, float>) {
      for (auto& row : rows_) row.resize(static_cast<std::size_t>(longest + 16));
    }
  }

  // The values of row i, valid until row i is asked for again.
  const float* row(int i, const T* particles, ParticleRange range) {
    if constexpr (std::is_same_v<T, float>) {
      return particles + range.begin;
    } else {
      float* const out = rows_[static_cast<std::size_t>(i)].data();
      std::transform(particles + range.begin, particles + range.end, out,
                     [](T v) { return static_cast<float>(v); });
      return out;
    }
  }

 private:
  std::array<std::vector<float>, std::is_same_v<T, float> ? 0 : 4> rows_;
};

/// Rows of the next level below row (z, x), at most four; returns how many.
template <class T, class Cells, class Visit>
int for_each_child_row(const TreeLevel<T, Cells>& in, std::int64_t z, std::int64_t x,
                       const Visit& visit) {
  const Size3& fine = in.cells.grid(in.level + 1);
  int n = 0;
  for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, fine.z); ++cz) {
    for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, fine.x); ++cx) visit(n++, cz, cx);
  }
  return n;
}

/// The rows of children first, then the two of a pair: with 1, 2, 4 or 8 children the mean of equal
/// values is exactly that value.
template <class R>
float join_rows(const std::array<float, 4>& r, int n) {
  if (n == 1) return r[0];
  if (n == 2) return R::join(r[0], r[1]);
  return R::join(R::join(r[0], r[1]), R::join(r[2], r[3]));
}

/// One row of interior cells, whatever children they have: R::join() of their values, or the mean.
template <class R, bool mean, class T, class Cells>
void reduce_row(const TreeLevel<T, Cells>& in, std::int64_t z, std::int64_t x, ParticleRange row,
                FloatRows<T>& floats) {
  const bool finest = in.level + 1 == in.cells.level_max();
  std::array<ChildRow, 4> child{};
  const int n = for_each_child_row(in, z, x, [&](int i, std::int64_t cz, std::int64_t cx) {
    const ParticleRange p = in.cells.row(in.level + 1, cz, cx);
    const float* const values = floats.row(i, in.particles, p);
    child[static_cast<std::size_t>(i)] = {
        in.cells.y().data() + p.begin, values, values + (p.end - p.begin),
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

}  // namespace aprscope::detail
