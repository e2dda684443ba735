#include "core/apr/raycast/octree.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"

namespace aprscope::detail {

// Makes the levels one after the other from the root, then hands maxima up.
struct AprOctree::Builder {
  // Up to this many cells of a level are handled by one thread.
  static constexpr int kAlone = 2048;
  // An interior cell: its place in the linear tree and its position in the grid of its level.
  struct Place {
    std::uint64_t index;
    std::uint16_t z, x, y;
  };
  // Interior children of a cell: index in the linear tree of the first one in each child row.
  struct Children {
    std::array<std::uint64_t, 4> first;
    unsigned mask;
  };

  const AprAccess& access;
  std::span<const float> values;
  const JobContext& context;
  AprOctree& out;
  std::vector<Place> places;

  // The index of the first cell of a row with y ≥ `wanted`.
  static std::uint64_t lower(const LinearAccess& a, ParticleRange row, unsigned wanted) {
    const std::uint16_t* const ys = a.y().data();
    return static_cast<std::uint64_t>(std::lower_bound(ys + row.begin, ys + row.end, wanted) - ys);
  }

  // Children of a cell whose children may be particles or interior cells.
  Children look_up(int level, const Place& place, Block& block) const {
    const LinearAccess& cells = access.particles();
    const LinearAccess& tree = access.tree();
    const Size3& fine = cells.grid(level + 1);
    Children children{};
    block.fill(kNothing);
    const unsigned y = 2U * place.y;
    for (unsigned r = 0; r < 4; ++r) {
      const std::int64_t z = 2 * place.z + (r >> 1U);
      const std::int64_t x = 2 * place.x + (r & 1U);
      if (z >= fine.z || x >= fine.x) continue;
      const ParticleRange p = cells.row(level + 1, z, x);
      for (std::uint64_t i = lower(cells, p, y); i < p.end && cells.y()[i] <= y + 1; ++i) {
        block[2 * r + (cells.y()[i] - y)] = values[i];
      }
      const ParticleRange t = tree.row(level + 1, z, x);
      children.first[r] = lower(tree, t, y);
      for (std::uint64_t i = children.first[r]; i < t.end && tree.y()[i] <= y + 1; ++i) {
        children.mask |= 1U << (2 * r + (tree.y()[i] - y));
      }
    }
    return children;
  }

  // Children of a cell above the finest level: particles all of them, and in the same places in
  // each of the child rows, so that nothing need be searched.
  void fill_bottom(const Place& place, Block& block) const {
    const LinearAccess& cells = access.particles();
    const int level = cells.level_max();
    const Size3& fine = cells.grid(level);
    block.fill(kNothing);
    const std::uint64_t rank = place.index - access.tree().row(level - 1, place.z, place.x).begin;
    const bool pair = 2 * place.y + 1 < fine.y;
    for (unsigned r = 0; r < 4; ++r) {
      const std::int64_t z = 2 * place.z + (r >> 1U);
      const std::int64_t x = 2 * place.x + (r & 1U);
      if (z >= fine.z || x >= fine.x) continue;
      const std::uint64_t i = cells.row(level, z, x).begin + 2 * rank;
      block[2 * r] = values[i];
      if (pair) block[2 * r + 1] = values[i + 1];
    }
  }

  // Cells of `level`, which begin at `first`; leaves the places of the next level in `places`.
  void add_level(int level, std::uint64_t first) {
    const auto count = static_cast<std::int64_t>(places.size());
    const int threads = count > kAlone ? thread_count() : 1;
    Block* const blocks = out.blocks_.data() + first;
    if (level == access.level_max() - 1) {
      parallel_for(count, threads, [&](std::int64_t i) {
        if (context.stop_requested()) return;
        fill_bottom(places[static_cast<std::size_t>(i)], blocks[i]);
      });
      return;
    }
    std::vector<Children> children(places.size());
    parallel_for(count, threads, [&](std::int64_t i) {
      if (context.stop_requested()) return;
      const auto at = static_cast<std::size_t>(i);
      children[at] = look_up(level, places[at], blocks[i]);
    });
    std::uint64_t next = first + places.size();
    for (std::size_t i = 0; i < places.size(); ++i) {
      out.links_[first + i] = next << 8U | children[i].mask;
      next += static_cast<std::uint64_t>(std::popcount(children[i].mask));
    }
    const std::uint64_t next_first = first + places.size();
    std::vector<Place> below(next - next_first);
    parallel_for(count, threads, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      const Place& place = places[at];
      Place* to = below.data() + ((out.links_[first + at] >> 8U) - next_first);
      for (unsigned c = 0; c < 8; ++c) {
        if ((children[at].mask >> c & 1U) == 0) continue;
        // The second of a pair follows the first, if that is an interior cell too.
        const bool after = (c & 1U) != 0 && (children[at].mask >> (c - 1) & 1U) != 0;
        *to++ = {children[at].first[c >> 1U] + (after ? 1U : 0U),
                 static_cast<std::uint16_t>(2 * place.z + (c >> 2U)),
                 static_cast<std::uint16_t>(2 * place.x + (c >> 1U & 1U)),
                 static_cast<std::uint16_t>(2 * place.y + (c & 1U))};
      }
    });
    places = std::move(below);
  }

  // Largest values of interior children, for the cells [first, first + count).
  void hand_up(std::uint64_t first, std::uint64_t count) {
    const int threads = count > kAlone ? thread_count() : 1;
    parallel_for(static_cast<std::int64_t>(count), threads, [&](std::int64_t k) {
      const std::uint64_t i = first + static_cast<std::uint64_t>(k);
      const std::uint64_t link = out.links_[i];
      std::uint64_t child = link >> 8U;
      for (unsigned c = 0; c < 8; ++c) {
        if ((link >> c & 1U) == 0) continue;
        float largest = kNothing;
        for (const float v : out.blocks_[child]) largest = v > largest ? v : largest;
        out.blocks_[i][c] = largest;
        ++child;
      }
    });
  }

  Status run() {
    const LinearAccess& tree = access.tree();
    const int bottom = access.level_max() - 1;
    out.level_max_ = access.level_max();
    out.blocks_.resize(tree.count());
    out.links_.resize(tree.count() - tree.level(bottom).count());
    places = {{0, 0, 0, 0}};
    std::vector<std::uint64_t> first{0};
    for (int l = 0; l <= bottom; ++l) {
      if (context.stop_requested()) return cancelled_error();
      const std::uint64_t count = places.size();
      add_level(l, first.back());
      if (context.stop_requested()) return cancelled_error();
      first.push_back(first.back() + count);
      context.report(0.9 * static_cast<double>(first.back()) / static_cast<double>(tree.count()),
                     "octree");
    }
    for (int l = bottom - 1; l >= 0; --l) {
      const auto at = static_cast<std::size_t>(l);
      hand_up(first[at], first[at + 1] - first[at]);
    }
    context.report(1.0, "octree");
    return {};
  }
};

Result<AprOctree> AprOctree::build(std::shared_ptr<const AprAccess> access,
                                   std::span<const float> values, const JobContext& context) {
  if (values.size() != access->count()) {
    return Error{"there are " + std::to_string(values.size()) + " values for " +
                     std::to_string(access->count()) + " particles",
                 "maximum projection", "use values of the same APR"};
  }
  try {
    AprOctree out;
    Builder builder{*access, values, context, out, {}};
    if (const Status done = builder.run(); !done) return done.error();
    return out;
  } catch (const std::bad_alloc&) {
    return Error{
        "not enough memory for an octree of " + std::to_string(access->tree().count()) + " cells",
        "maximum projection", "close other data first"};
  }
}

std::uint64_t AprOctree::bytes() const {
  return blocks_.size() * sizeof(Block) + links_.size() * sizeof(links_[0]);
}

}  // namespace aprscope::detail
