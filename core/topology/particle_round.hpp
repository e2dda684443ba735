#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/topology/cell_links.hpp"
#include "core/topology/row_lanes.hpp"

namespace aprscope {

/// What lies round a particle's cell: at each step (see cell_links.hpp) a particle of the same side
/// or of a larger one, a cell that is divided further, or nothing, outside of the image.
struct ParticleRound {
  std::uint32_t same = 0;
  std::uint32_t larger = 0;
  std::uint32_t outside = 0;
  /// The particles of the same side and larger that enter before this one, by place and then by
  /// number.
  std::uint32_t earlier = 0;
  /// Places and numbers of these particles: the place is in the upper half.
  std::array<std::uint64_t, kStepCount> keys{};

  [[nodiscard]] std::uint32_t particle(int step) const {
    return static_cast<std::uint32_t>(keys[static_cast<std::size_t>(step)]);
  }
};

/// Walks along rows of cells of one level and looks round each particle. Levels may differ by any
/// number between neighbours.
class RoundWalk {
 public:
  /// `places`: the place of each particle, in order.
  RoundWalk(const AprAccess& access, std::span<const std::uint16_t> places)
      : access_(access), places_(places) {}

  /// Turns to a row; `first`: the y of the first particle that is looked round.
  void open_row(int level, std::int64_t z, std::int64_t x, std::int64_t first = 0);
  /// The surroundings of the particle at `y` of the row; y rises from call to call.
  const ParticleRound& look(std::int64_t y);

 private:
  void add_column(std::int64_t y);
  [[nodiscard]] std::uint64_t key_of(std::uint64_t particle) const {
    return std::uint64_t{places_[particle]} << 32U | particle;
  }

  const AprAccess& access_;
  std::span<const std::uint16_t> places_;
  // The rows round the row, in the order of steps.
  std::array<RowLanes, 9> rows_{};
  // The columns y − 1 … y + 1 of the rows; the next column to add.
  ParticleRound round_;
  std::int64_t next_ = 0;
};

}  // namespace aprscope
