#pragma once

#include <array>
#include <cstdint>

#include "core/apr/access.hpp"
#include "core/topology/cell_links.hpp"

namespace aprscope {

/// What lies round a particle's cell: at each step (see cell_links.hpp) a particle of the same side
/// or of a larger one, a cell that is divided further, or nothing, outside of the image.
struct ParticleRound {
  std::uint32_t same = 0;
  std::uint32_t larger = 0;
  std::uint32_t outside = 0;
  /// Of the same side or larger.
  std::array<std::uint32_t, kStepCount> particle{};
};

/// Walks along rows of cells of one level and looks round each particle. Levels may differ by any
/// number between neighbours.
class RoundWalk {
 public:
  explicit RoundWalk(const AprAccess& access) : cells_(access.particles()), tree_(access.tree()) {}

  void open_row(int level, std::int64_t z, std::int64_t x);
  /// `y`: of a particle of the row, rising from call to call.
  const ParticleRound& look(std::int64_t y);

 private:
  // A row of the lists, and how far it was walked.
  struct Lane {
    std::uint64_t at = 0;
    std::uint64_t end = 0;

    void walk_to(std::span<const std::uint16_t> ys, std::int64_t y) {
      while (at < end && ys[at] < y) ++at;
    }
    [[nodiscard]] bool has(std::span<const std::uint16_t> ys, std::int64_t y) const {
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
    // The larger particle that was found last covers [begin, end).
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint32_t larger = 0;
  };

  void look_along(std::size_t r, std::int64_t y);
  std::uint32_t larger_at(Row& row, std::int64_t y) const;

  const LinearAccess& cells_;
  const LinearAccess& tree_;
  int level_ = 0;
  std::int64_t width_ = 0;
  std::array<Row, 9> rows_{};
  ParticleRound round_;
};

}  // namespace aprscope
