#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/topology/cell_links.hpp"

namespace aprscope {

/// What lies round a particle's cell: at each step (see cell_links.hpp) a particle of the same side
/// or of a larger one, a cell that is divided further, or nothing, outside of the image.
struct ParticleRound {
  std::uint32_t same = 0;
  std::uint32_t larger = 0;
  std::uint32_t outside = 0;
  /// Of those of the same side and larger: which enter before this one, by place and then by
  /// number.
  std::uint32_t earlier = 0;
  /// Their places and numbers: the place is in the upper half.
  std::array<std::uint64_t, kStepCount> keys{};

  [[nodiscard]] std::uint32_t particle(int step) const {
    return static_cast<std::uint32_t>(keys[static_cast<std::size_t>(step)]);
  }
};

/// Walks along rows of cells of one level and looks round each particle. Levels may differ by any
/// number between neighbours.
class RoundWalk {
 public:
  /// `places`: one a particle.
  RoundWalk(const AprAccess& access, std::span<const std::uint16_t> places)
      : cells_(access.particles()), tree_(access.tree()), places_(places) {}

  /// `first`: the y of the first particle that is looked round.
  void open_row(int level, std::int64_t z, std::int64_t x, std::int64_t first = 0);
  /// `y`: of a particle of the row, rising from call to call.
  const ParticleRound& look(std::int64_t y);

 private:
  // A row of the lists, and how far it was walked.
  struct Lane {
    std::uint64_t at = 0;
    std::uint64_t end = 0;

    // Those of the list in [begin, end) from y on.
    Lane() = default;
    Lane(const ParticleRange& range, std::span<const std::uint16_t> ys, std::int64_t y)
        : at(range.begin), end(range.end) {
      if (y <= 0) return;
      const auto from = ys.begin();
      at = static_cast<std::uint64_t>(std::lower_bound(from + static_cast<std::ptrdiff_t>(at),
                                                       from + static_cast<std::ptrdiff_t>(end), y) -
                                      from);
    }
    bool walk_to(std::span<const std::uint16_t> ys, std::int64_t y) {
      while (at < end && ys[at] < y) ++at;
      return at < end && ys[at] == y;
    }
  };
  // One of the nine rows round the row: particles, divided cells and particles one level up.
  struct Row {
    bool inside = false;
    std::int64_t z = 0;
    std::int64_t x = 0;
    Lane particles;
    Lane divided;
    Lane above;
    // The larger particle that was found last, and where it ends.
    std::int64_t end = 0;
    std::uint64_t larger = 0;
  };

  void open(Row& row, int level, bool divides, std::int64_t first) const;
  void add_column(std::int64_t y);
  std::uint64_t larger_at(Row& row, std::int64_t y) const;
  [[nodiscard]] std::uint64_t key_of(std::uint64_t particle) const {
    return std::uint64_t{places_[particle]} << 32U | particle;
  }

  const LinearAccess& cells_;
  const LinearAccess& tree_;
  std::span<const std::uint16_t> places_;
  int level_ = 0;
  std::int64_t width_ = 0;
  std::array<Row, 9> rows_{};
  // The columns y − 1 … y + 1 of the rows; what comes next.
  ParticleRound round_;
  std::int64_t next_ = 0;
};

}  // namespace aprscope
