#pragma once

#include <array>
#include <cstdint>

#include "core/apr/structure/access.hpp"
#include "core/topology/cell_links.hpp"
#include "core/topology/row_lanes.hpp"

namespace aprscope {

/// What shares a face with a particle's cell: at each step of kFaceSteps a particle of the same
/// side or of a larger one, or neither.
struct ParticleFaces {
  std::uint32_t same = 0;
  std::uint32_t larger = 0;
  std::array<std::uint32_t, kStepCount> particles{};

  [[nodiscard]] std::uint32_t particle(int step) const {
    return particles[static_cast<std::size_t>(step)];
  }
};

/// Walks along rows of cells of one level and looks at the six sides of each particle, which takes
/// a third of the time of looking all round it (RoundWalk).
class FaceWalk {
 public:
  explicit FaceWalk(const AprAccess& access) : access_(access) {}

  /// Turns to a row; `first`: the y of the first particle that is looked at.
  void open_row(int level, std::int64_t z, std::int64_t x, std::int64_t first = 0);
  /// The faces of `particle`, which is of the row and rises from call to call.
  const ParticleFaces& look(std::uint64_t particle);

 private:
  void note(int step, CellKind kind, const RowLanes& row);

  const AprAccess& access_;
  ParticleRange range_;
  RowLanes own_;
  // The rows at z − 1, x − 1, x + 1 and z + 1.
  std::array<RowLanes, 4> beside_{};
  ParticleFaces faces_;
};

}  // namespace aprscope
