#include "core/topology/particle_strata.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// A cell L of side s and the 26 cells of that side round it, bit 9 (z + 1) + 3 (x + 1) + (y + 1).
constexpr std::size_t kCells = 27;
constexpr std::size_t kCentre = 13;
constexpr std::uint32_t kEarlier = (1U << kCentre) - 1;

// A face of L: where it lies, the cells of side s round it, and the axes along which it extends.
struct Face {
  std::uint32_t round = 0;
  std::uint8_t free_axes = 0;
  std::uint8_t cells = 0;
  std::array<std::uint8_t, 8> cell{};
};

constexpr std::array<Face, 26> faces() {
  std::array<Face, 26> all{};
  std::size_t n = 0;
  for (int z = -1; z <= 1; ++z) {
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        if (z == 0 && x == 0 && y == 0) continue;
        Face& face = all[n++];
        face.free_axes =
            static_cast<std::uint8_t>((z == 0 ? 4 : 0) | (x == 0 ? 2 : 0) | (y == 0 ? 1 : 0));
        for (int corner = 0; corner < 8; ++corner) {
          const int dz = (corner & 4) != 0 ? z : 0;
          const int dx = (corner & 2) != 0 ? x : 0;
          const int dy = (corner & 1) != 0 ? y : 0;
          const auto bit = static_cast<std::uint32_t>(9 * (dz + 1) + 3 * (dx + 1) + dy + 1);
          if ((face.round >> bit & 1U) != 0) continue;
          face.round |= 1U << bit;
          face.cell[face.cells++] = static_cast<std::uint8_t>(bit);
        }
      }
    }
  }
  return all;
}
constexpr auto kFaces = faces();

// What is round a cell.
struct Surroundings {
  /// Cells of the same side that are particles, are divided further, or lie outside of the image.
  std::uint32_t same = 0;
  std::uint32_t divided = 0;
  std::uint32_t outside = 0;
  std::array<std::int32_t, kCells> place{};
};

// One of the nine rows of cells round a row: where the row's cells are in the lists.
struct Row {
  bool inside = false;
  std::int64_t z = 0;
  std::int64_t x = 0;
  std::uint64_t particle = 0;
  std::uint64_t particle_end = 0;
  std::uint64_t node = 0;
  std::uint64_t node_end = 0;
  /// The coarser particle that was looked up last: its y, at its level, and place.
  int coarse_level = -1;
  std::int64_t coarse_y = 0;
  std::int32_t coarse_place = 0;
};

class Walk {
 public:
  Walk(const AprAccess& access, std::span<const std::uint16_t> places, int levels,
       Construction construction)
      : cells_(access.particles()),
        tree_(access.tree()),
        places_(places),
        closed_(construction == Construction::closed_voxels),
        counts_(static_cast<std::size_t>(levels)) {}

  void layer(int level, std::int64_t z) {
    const Size3& grid = cells_.grid(level);
    const std::int64_t side = std::int64_t{1} << (cells_.level_max() - level);
    const auto clipped = [side](std::int64_t cell, std::int64_t extent) {
      return std::min(side, extent - cell * side);
    };
    for (std::int64_t x = 0; x < grid.x; ++x) {
      const ParticleRange centre = cells_.row(level, z, x);
      if (centre.empty()) continue;
      open_rows(level, z, x);
      for (std::uint64_t i = centre.begin; i < centre.end; ++i) {
        const std::int64_t y = cells_.y()[i];
        look_round(level, y, grid.y);
        const Size3& size = cells_.size();
        add({clipped(z, size.z), clipped(x, size.x), clipped(y, size.y)}, places_[i]);
      }
    }
  }
  [[nodiscard]] const std::vector<StrataCounts::OfLevel>& counts() const { return counts_; }

 private:
  void open_rows(int level, std::int64_t z, std::int64_t x) {
    const Size3& grid = cells_.grid(level);
    const bool divides = level >= tree_.level_first() && level <= tree_.level_last();
    for (std::int64_t dz = -1; dz <= 1; ++dz) {
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        Row& row = rows_[static_cast<std::size_t>(3 * (dz + 1) + dx + 1)];
        row = {};
        row.z = z + dz;
        row.x = x + dx;
        row.inside = row.z >= 0 && row.z < grid.z && row.x >= 0 && row.x < grid.x;
        if (!row.inside) continue;
        const ParticleRange particles = cells_.row(level, row.z, row.x);
        row.particle = particles.begin;
        row.particle_end = particles.end;
        if (!divides) continue;
        const ParticleRange nodes = tree_.row(level, row.z, row.x);
        row.node = nodes.begin;
        row.node_end = nodes.end;
      }
    }
  }

  void look_round(int level, std::int64_t y, std::int64_t width) {
    around_.same = around_.divided = around_.outside = 0;
    const auto particle_y = cells_.y();
    const auto node_y = tree_.y();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      Row& row = rows_[r];
      if (!row.inside) {
        around_.outside |= 7U << (3 * r);
        continue;
      }
      while (row.particle < row.particle_end && particle_y[row.particle] < y - 1) ++row.particle;
      while (row.node < row.node_end && node_y[row.node] < y - 1) ++row.node;
      std::uint64_t particle = row.particle;
      std::uint64_t node = row.node;
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const std::int64_t at = y + dy;
        const auto cell = static_cast<std::size_t>(dy + 1) + 3 * r;
        if (at < 0 || at >= width) {
          around_.outside |= 1U << cell;
        } else if (particle < row.particle_end && particle_y[particle] == at) {
          around_.same |= 1U << cell;
          around_.place[cell] = places_[particle++];
        } else if (node < row.node_end && node_y[node] == at) {
          around_.divided |= 1U << cell;
          ++node;
        } else {
          around_.place[cell] = coarser(row, level, at);
        }
      }
    }
  }

  // The place of the larger cell that covers a cell which is neither a particle nor divided.
  std::int32_t coarser(Row& row, int level, std::int64_t y) const {
    if (row.coarse_level >= 0 && (y >> (level - row.coarse_level)) == row.coarse_y) {
      return row.coarse_place;
    }
    for (int above = level - 1; above >= cells_.level_first(); --above) {
      const int up = level - above;
      if (const auto found = cells_.find(above, row.z >> up, row.x >> up, y >> up)) {
        row.coarse_level = above;
        row.coarse_y = y >> up;
        row.coarse_place = places_[*found];
        return row.coarse_place;
      }
    }
    return 0;  // cells cover the image: see AprAccess
  }

  void add(const Size3& side, std::int32_t place) {
    add_box(7, side, place);
    // A stratum is counted with the cells that it touches from the finest side; of these the first
    // one owns it. (χ of any partition into open boxes is the same; see Cheeseman 2018 for the
    // partition, and the definition of strata for the rest.)
    const std::uint32_t none =
        around_.divided | (around_.same & kEarlier) | (closed_ ? 0U : around_.outside);
    for (const Face& face : kFaces) {
      if ((face.round & none) != 0) continue;
      std::int32_t enters = place;
      for (std::size_t c = 0; c < face.cells; ++c) {
        const std::uint8_t cell = face.cell[c];
        if (cell == kCentre || (around_.outside >> cell & 1U) != 0) continue;
        const std::int32_t other = around_.place[cell];
        enters = closed_ ? std::min(enters, other) : std::max(enters, other);
      }
      add_box(face.free_axes, side, enters);
    }
  }

  // An open box as the strata of pixels that it is made of: along an axis n pixels and, between
  // them, n − 1 walls.
  void add_box(std::uint8_t free_axes, const Size3& side, std::int32_t place) {
    auto& counts = counts_[static_cast<std::size_t>(place)];
    const std::int64_t n[3] = {side.y, side.x, side.z};
    if (n[0] == 1 && n[1] == 1 && n[2] == 1) {
      ++counts[free_axes];
      return;
    }
    // All subsets of the free axes.
    for (std::uint8_t some = free_axes;; some = static_cast<std::uint8_t>((some - 1) & free_axes)) {
      std::int64_t strata = 1;
      for (unsigned axis = 0; axis < 3; ++axis) {
        if ((free_axes >> axis & 1U) != 0)
          strata *= (some >> axis & 1U) != 0 ? n[axis] : n[axis] - 1;
      }
      counts[some] += strata;
      if (some == 0) break;
    }
  }

  const LinearAccess& cells_;
  const LinearAccess& tree_;
  std::span<const std::uint16_t> places_;
  bool closed_;
  std::vector<StrataCounts::OfLevel> counts_;
  std::array<Row, 9> rows_{};
  Surroundings around_;
};

}  // namespace

Result<StrataCounts> count_strata(const AprAccess& access, std::span<const std::uint16_t> places,
                                  int levels, Construction construction,
                                  const JobContext& context) {
  struct Layer {
    int level = 0;
    std::int64_t z = 0;
  };
  const LinearAccess& cells = access.particles();
  std::vector<Layer> layers;
  // Fine ones first: they take longest.
  for (int level = cells.level_last(); level >= cells.level_first(); --level) {
    if (cells.level(level).empty()) continue;
    for (std::int64_t z = 0; z < cells.grid(level).z; ++z) layers.push_back({level, z});
  }
  const auto count = static_cast<std::int64_t>(layers.size());
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, thread_count()));
  std::vector<std::unique_ptr<Walk>> walks(static_cast<std::size_t>(threads));
  std::atomic<std::int64_t> done{0};
  parallel_each(count, threads, [&](std::int64_t i, int thread) {
    if (context.stop_requested()) return;
    auto& walk = walks[static_cast<std::size_t>(thread)];
    if (!walk) walk = std::make_unique<Walk>(access, places, levels, construction);
    const Layer& layer = layers[static_cast<std::size_t>(i)];
    walk->layer(layer.level, layer.z);
    context.report(static_cast<double>(++done) / static_cast<double>(count), "strata");
  });
  if (context.stop_requested()) return cancelled_error();
  StrataCounts out;
  out.levels.resize(static_cast<std::size_t>(levels));
  for (const auto& walk : walks) {
    if (!walk) continue;
    for (std::size_t i = 0; i < out.levels.size(); ++i) {
      for (std::size_t s = 0; s < 8; ++s) out.levels[i][s] += walk->counts()[i][s];
    }
  }
  return out;
}

}  // namespace aprscope
