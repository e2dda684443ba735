#include "core/apr/structure/tree.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <type_traits>

#include "core/apr/structure/tree_kernels.hpp"
#include "core/apr/structure/tree_rows.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

using detail::FloatRows;
using detail::for_each_child_row;
using detail::join_rows;
using detail::reduce_row;

template <class T>
struct Level : detail::TreeLevel<T, LinearAccess> {
  const InteriorMap& interior;
};

// Reductions as types, so that the loops below know theirs when they are compiled.
struct Sum : detail::JoinedSum {
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

// Rows of cells with all eight children each: what their kernel needs, from where rows begin.
template <class T>
class Families {
 public:
  explicit Families(const Level<T>& in)
      : in_(in), parents_(in.interior.level(in.level)), fine_(in.cells.grid(in.level + 1).x) {
    const int finer = in.level + 1;
    // Entry i: the first cell of row i.
    particles_ = in.cells.xz_end().data() + in.cells.first_row(finer) - 1;
    if (finer == in.cells.level_max()) return;
    own_ = &in.interior.level(finer);
    tree_ = in.tree.xz_end().data() + in.tree.first_row(finer) - 1;
  }

  [[nodiscard]] FamilyRow at(std::int64_t z, std::int64_t x, ParticleRange cells,
                             FloatRows<T>& floats) const {
    FamilyRow row;
    row.parent = parents_.row(z, x);
    row.words = parents_.words;
    row.count = static_cast<std::int64_t>(cells.count());
    const std::int64_t first = 2 * (z * fine_ + x);
    const std::int64_t rows[4] = {first, first + 1, first + fine_, first + fine_ + 1};
    for (int i = 0; i < 4; ++i) {
      const std::int64_t r = rows[i];
      row.particles[i] = floats.row(i, in_.particles, {particles_[r], particles_[r + 1]});
      if (own_ == nullptr) continue;
      row.own[i] = own_->bits.data() + r * own_->words;
      row.tree[i] = in_.out + tree_[r];
    }
    // Other rows end before the last.
    constexpr std::uint64_t kRoom = 16;
    row.open = particles_[rows[3] + 1] + kRoom <= in_.cells.count() &&
               (own_ == nullptr || tree_[rows[3] + 1] + kRoom <= in_.tree.count());
    return row;
  }

 private:
  const Level<T>& in_;
  const InteriorMap::Level& parents_;
  std::int64_t fine_;  // rows of a plane of children
  const std::uint64_t* particles_ = nullptr;
  const std::uint64_t* tree_ = nullptr;
  const InteriorMap::Level* own_ = nullptr;  // none where all children are particles
};

template <class R, bool mean, class T>
void reduce_planes(const Level<T>& in, std::int64_t begin, std::int64_t end,
                   const JobContext& context) {
  constexpr std::int64_t kRows = 256;
  const Size3& grid = in.tree.grid(in.level);
  const Size3& fine = in.cells.grid(in.level + 1);
  const std::int64_t rows = (end - begin) * grid.x;
  const JoinEight eight = R::eight();
  const Families<T> families(in);
  const std::uint64_t* const begins = in.tree.xz_end().data() + in.tree.first_row(in.level) - 1;
  const int threads = in.tree.level(in.level).count() > 8192 ? thread_count() : 1;
  parallel_each((rows + kRows - 1) / kRows, threads, [&](std::int64_t chunk, int) {
    if (context.stop_requested()) return;
    FloatRows<T> floats(fine.y);
    std::int64_t z = begin + chunk * kRows / grid.x;
    std::int64_t x = chunk * kRows % grid.x;
    for (std::int64_t i = chunk * kRows; i < std::min(rows, (chunk + 1) * kRows); ++i) {
      const std::int64_t at = z * grid.x + x;
      const ParticleRange row{begins[at], begins[at + 1]};
      if (!row.empty()) {
        // Rows of even length hold pairs only: then there is no y to fetch from memory.
        const bool whole = 2 * z + 1 < fine.z && 2 * x + 1 < fine.x &&
                           (fine.y % 2 == 0 || 2 * in.tree.y()[row.end - 1] + 1 < fine.y);
        if (whole) {
          eight(families.at(z, x, row, floats), in.out + row.begin);
        } else {
          reduce_row<R, mean>(in, z, x, row, floats);
        }
      }
      if (++x == grid.x) {
        x = 0;
        ++z;
      }
    }
  });
}

template <class R, bool mean, class T>
void reduce_level(const Level<T>& in, const JobContext& context) {
  reduce_planes<R, mean>(in, 0, in.tree.grid(in.level).z, context);
}

// Cells just above the finest level that lack children, at the ends of grids of odd size.
void reduce_ends(const Level<float>& in) {
  const Size3& grid = in.tree.grid(in.level);
  const Size3& fine = in.cells.grid(in.level + 1);
  if (fine.z % 2 == 0 && fine.x % 2 == 0 && fine.y % 2 == 0) return;
  parallel_for(grid.z, threads_for(grid.z * grid.x), [&](std::int64_t z) {
    FloatRows<float> floats(fine.y);
    for (std::int64_t x = 0; x < grid.x; ++x) {
      const ParticleRange row = in.tree.row(in.level, z, x);
      if (row.empty()) continue;
      if (2 * z + 1 >= fine.z || 2 * x + 1 >= fine.x) {
        reduce_row<Sum, true>(in, z, x, row, floats);
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

Status check_lengths(const AprAccess& access, std::uint64_t particles,
                     std::span<const float> tree) {
  if (particles == access.count() && tree.size() == access.tree().count()) return {};
  return Error{"there are " + std::to_string(particles) + " values for " +
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

template <class T>
Status fill(const AprAccess& access, std::span<const T> particles, Reduction reduction,
            std::span<float> tree, const JobContext& context) {
  if (Status ok = check_lengths(access, particles.size(), tree); !ok) return ok;
  const InteriorMap* const interior = interior_of(access);
  if (interior == nullptr) return no_memory(access.tree().count());
  for (int l = access.level_max() - 1; l >= 0; --l) {
    if (context.stop_requested()) return cancelled_error();
    const Level<T> in{{access.particles(), access.tree(), particles.data(), tree.data(), l},
                      *interior};
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

}  // namespace

Status fill_tree(const AprAccess& access, std::span<const float> particles, Reduction reduction,
                 std::span<float> tree, const JobContext& context) {
  return fill(access, particles, reduction, tree, context);
}

Result<std::vector<float>> fill_tree(const AprAccess& access, const Field& particles,
                                     Reduction reduction, const JobContext& context) {
  try {
    std::vector<float> tree;
    make_zeros(tree, static_cast<std::int64_t>(access.tree().count()));
    const Status filled = std::visit(
        [&]<class T>(const std::vector<T>& values) {
          return fill(access, std::span<const T>(values), reduction, tree, context);
        },
        particles.values);
    if (!filled) return filled.error();
    return tree;
  } catch (const std::bad_alloc&) {
    return no_memory(access.tree().count());
  }
}

Status fill_tree_levels(const AprAccess& access, std::span<const float> particles, int first,
                        int last, const SliceSpan& slices, std::span<float> tree,
                        const JobContext& context) {
  if (Status ok = check_lengths(access, particles.size(), tree); !ok) return ok;
  const InteriorMap* const interior = interior_of(access);
  if (interior == nullptr) return no_memory(access.tree().count());
  for (int l = first; l >= last; --l) {
    if (context.stop_requested()) return cancelled_error();
    const SliceSpan planes = slices.of_cells(access.level_max() - l);
    if (planes.empty()) continue;
    const Level<float> in{{access.particles(), access.tree(), particles.data(), tree.data(), l},
                          *interior};
    reduce_planes<Sum, true>(in, planes.begin, planes.end, context);
  }
  if (context.stop_requested()) return cancelled_error();
  return {};
}

Status finish_tree(const AprAccess& access, std::span<const float> particles, std::span<float> tree,
                   const JobContext& context) {
  if (Status ok = check_lengths(access, particles.size(), tree); !ok) return ok;
  const InteriorMap* const interior = interior_of(access);
  if (interior == nullptr) return no_memory(access.tree().count());
  const auto level = [&](int l) {
    return Level<float>{{access.particles(), access.tree(), particles.data(), tree.data(), l},
                        *interior};
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
