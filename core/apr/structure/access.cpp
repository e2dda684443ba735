#include "core/apr/structure/access.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Threads for a level: waking them costs more than a small grid is worth.
int team_for(const Size3& grid) { return grid.z * grid.x < 4096 ? 1 : thread_count(); }

// One level of the tree under construction: rows of y, slice by slice.
struct TreeLevel {
  std::vector<std::vector<std::uint16_t>> y;           // [z] → y of all rows
  std::vector<std::vector<std::uint32_t>> row_counts;  // [z][x]
  std::vector<std::vector<std::uint64_t>> row_begin;   // [z][x] into y[z]
};

// Marks the parents of the given children in a bitmap of the parents' row.
template <class Iterator>
void mark_parents(Iterator begin, Iterator end, std::vector<std::uint64_t>& bits) {
  for (; begin != end; ++begin) {
    const unsigned parent = *begin >> 1U;
    bits[parent >> 6U] |= std::uint64_t{1} << (parent & 63U);
  }
}

// Interior cells of `level`: the parents of particles and interior cells of level + 1.
TreeLevel parents_of(const LinearAccess& particles, const TreeLevel* children, int level) {
  const Size3 grid = level_grid(particles.size(), particles.level_max(), level);
  const Size3 fine = level_grid(particles.size(), particles.level_max(), level + 1);
  TreeLevel out;
  out.y.resize(static_cast<std::size_t>(grid.z));
  out.row_counts.resize(static_cast<std::size_t>(grid.z));
  out.row_begin.resize(static_cast<std::size_t>(grid.z));
  const std::uint16_t* const y = particles.y().data();
  parallel_each(grid.z, team_for(grid), [&](std::int64_t z, int) {
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(grid.y + 63) / 64);
    auto& ys = out.y[static_cast<std::size_t>(z)];
    auto& counts = out.row_counts[static_cast<std::size_t>(z)];
    auto& begins = out.row_begin[static_cast<std::size_t>(z)];
    counts.assign(static_cast<std::size_t>(grid.x), 0);
    begins.assign(static_cast<std::size_t>(grid.x), 0);
    for (std::int64_t x = 0; x < grid.x; ++x) {
      std::fill(bits.begin(), bits.end(), 0);
      for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, fine.z); ++cz) {
        for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, fine.x); ++cx) {
          const ParticleRange row = particles.row(level + 1, cz, cx);
          mark_parents(y + row.begin, y + row.end, bits);
          if (children != nullptr) {
            const auto& cy = children->y[static_cast<std::size_t>(cz)];
            const std::uint64_t b =
                children->row_begin[static_cast<std::size_t>(cz)][static_cast<std::size_t>(cx)];
            const std::uint64_t n =
                children->row_counts[static_cast<std::size_t>(cz)][static_cast<std::size_t>(cx)];
            mark_parents(cy.data() + b, cy.data() + b + n, bits);
          }
        }
      }
      begins[static_cast<std::size_t>(x)] = ys.size();
      for (std::size_t w = 0; w < bits.size(); ++w) {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
          ys.push_back(
              static_cast<std::uint16_t>(w * 64 + static_cast<unsigned>(std::countr_zero(rest))));
        }
      }
      counts[static_cast<std::size_t>(x)] =
          static_cast<std::uint32_t>(ys.size() - begins[static_cast<std::size_t>(x)]);
    }
  });
  return out;
}

Result<LinearAccess> build_tree(const LinearAccess& particles) {
  const int level_max = particles.level_max();
  std::vector<TreeLevel> levels(static_cast<std::size_t>(level_max));
  for (int l = level_max - 1; l >= 0; --l) {
    const TreeLevel* children =
        l + 1 < level_max ? &levels[static_cast<std::size_t>(l + 1)] : nullptr;
    levels[static_cast<std::size_t>(l)] = parents_of(particles, children, l);
  }
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> xz_end{0};
  for (const TreeLevel& level : levels) {
    for (std::size_t z = 0; z < level.y.size(); ++z) {
      for (const std::uint32_t n : level.row_counts[z]) xz_end.push_back(xz_end.back() + n);
      y.insert(y.end(), level.y[z].begin(), level.y[z].end());
    }
  }
  return LinearAccess::create(particles.size(), level_max, 0, level_max - 1, std::move(y),
                              std::move(xz_end));
}

// Pixels that the cells of a level cover, clipped to the image.
std::uint64_t covered_pixels(const LinearAccess& a, int level) {
  const Size3& grid = a.grid(level);
  const Size3& size = a.size();
  const std::int64_t s = std::int64_t{1} << (a.level_max() - level);
  // Only where the grid reaches beyond the image is the last cell of a row clipped.
  const bool clipped = grid.y * s > size.y;
  std::atomic<std::uint64_t> covered{0};
  parallel_for(grid.z, team_for(grid), [&](std::int64_t z) {
    std::uint64_t here = 0;
    const std::int64_t dz = std::min(s, size.z - z * s);
    for (std::int64_t x = 0; x < grid.x; ++x) {
      const ParticleRange row = a.row(level, z, x);
      if (row.empty()) continue;
      const std::int64_t dx = std::min(s, size.x - x * s);
      std::int64_t length = static_cast<std::int64_t>(row.count()) * s;
      if (clipped) {
        const std::int64_t last = a.y()[row.end - 1];
        length -= std::max<std::int64_t>(0, (last + 1) * s - size.y);
      }
      here += static_cast<std::uint64_t>(dz * dx * length);
    }
    covered += here;
  });
  return covered;
}

// True when a cell of `level` is both a particle and interior, i.e. cells are nested.
bool nested(const LinearAccess& particles, const LinearAccess& tree, int level) {
  const Size3& grid = particles.grid(level);
  std::atomic<bool> any{false};
  parallel_for(grid.z, team_for(grid), [&](std::int64_t z) {
    bool found = any.load(std::memory_order_relaxed);
    for (std::int64_t x = 0; x < grid.x && !found; ++x) {
      ParticleRange p = particles.row(level, z, x);
      ParticleRange t = tree.row(level, z, x);
      while (!p.empty() && !t.empty() && !found) {
        const auto yp = particles.y()[p.begin];
        const auto yt = tree.y()[t.begin];
        found = yp == yt;
        if (yp < yt) {
          ++p.begin;
        } else {
          ++t.begin;
        }
      }
    }
    if (found) any = true;
  });
  return any;
}

Error damaged(std::string what) {
  return {std::move(what), "particle structure", "the data is damaged or not an APR"};
}

Status check_cover(const LinearAccess& particles) {
  if (particles.level_first() != 1 || particles.level_last() != particles.level_max()) {
    return damaged("particles must have rows on levels 1 to the finest");
  }
  std::uint64_t covered = 0;
  for (int l = 1; l <= particles.level_max(); ++l) covered += covered_pixels(particles, l);
  if (covered == static_cast<std::uint64_t>(particles.size().count())) return {};
  return damaged("the cells cover " + std::to_string(covered) + " of " +
                 std::to_string(particles.size().count()) + " pixels");
}

// Children that the interior cells have in the image.
std::uint64_t count_children(const LinearAccess& tree) {
  std::atomic<std::uint64_t> sum{0};
  for (int l = 0; l < tree.level_max(); ++l) {
    const Size3& grid = tree.grid(l);
    const Size3 fine = level_grid(tree.size(), tree.level_max(), l + 1);
    parallel_for(grid.z, team_for(grid), [&](std::int64_t z) {
      std::uint64_t here = 0;
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = tree.row(l, z, x);
        if (row.empty()) continue;
        const bool alone = fine.y % 2 != 0 && 2 * tree.y()[row.end - 1] + 1 >= fine.y;
        const std::uint64_t rows = (2 * z + 1 < fine.z ? 2U : 1U) * (2 * x + 1 < fine.x ? 2U : 1U);
        here += rows * (2 * row.count() - (alone ? 1 : 0));
      }
      sum += here;
    });
  }
  return sum;
}

}  // namespace

std::shared_ptr<const AprAccess> AprAccess::made_of(LinearAccess particles, LinearAccess tree) {
  auto access = std::make_shared<AprAccess>();
  access->particles_ = std::move(particles);
  access->tree_ = std::move(tree);
  access->level_min_used_ = access->level_max();
  for (int l = access->level_max(); l >= 1; --l) {
    if (!access->particles_.level(l).empty()) access->level_min_used_ = l;
  }
  return access;
}

Result<std::shared_ptr<const AprAccess>> AprAccess::create(LinearAccess particles) {
  if (Status fine = check_cover(particles); !fine) return fine.error();
  auto tree = build_tree(particles);
  if (!tree) return tree.error();
  for (int l = 1; l < particles.level_max(); ++l) {
    if (nested(particles, *tree, l)) {
      return damaged("cells of level " + std::to_string(l) + " overlap finer ones");
    }
  }
  return made_of(std::move(particles), *std::move(tree));
}

Result<std::shared_ptr<const AprAccess>> AprAccess::create(LinearAccess particles,
                                                           LinearAccess tree) {
  if (Status fine = check_cover(particles); !fine) return fine.error();
  if (!(tree.size() == particles.size()) || tree.level_first() != 0 ||
      tree.level_last() != particles.level_max() - 1 ||
      count_children(tree) + 1 != particles.count() + tree.count()) {
    return damaged("the tree is not that of the particles");
  }
  return made_of(std::move(particles), std::move(tree));
}

const InteriorMap& AprAccess::interior() const {
  const std::lock_guard lock(interior_mutex_);
  if (!interior_) interior_ = std::make_unique<const InteriorMap>(tree_);
  return *interior_;
}

std::uint64_t AprAccess::bytes() const {
  const std::lock_guard lock(interior_mutex_);
  return particles_.bytes() + tree_.bytes() + (interior_ ? interior_->bytes() : 0);
}

double AprAccess::computational_ratio() const {
  return static_cast<double>(size().count()) / static_cast<double>(count());
}

ParticleAt AprAccess::find(const Index3& p) const {
  for (int l = level_max(); l >= 1; --l) {
    const int shift = level_max() - l;
    if (const auto i = particles_.find(l, p.z >> shift, p.x >> shift, p.y >> shift)) return {l, *i};
  }
  return {};  // unreachable: the cells partition the image
}

}  // namespace aprscope
