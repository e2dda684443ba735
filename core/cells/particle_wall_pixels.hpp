#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/access.hpp"
#include "core/cells/particle_region.hpp"
#include "core/topology/face_walk.hpp"

namespace aprscope {

/// Counts pixels of cells that share a face with another label; each thread has its own.
class WallPixels {
 public:
  /// `labels`: one a particle.
  WallPixels(const AprAccess& access, std::span<const std::uint32_t> labels)
      : cells_(access.particles()), labels_(labels) {}

  /// Counts such pixels of a particle with this label and the cell `box`. Throws std::bad_alloc.
  std::int64_t count(const Region& box, std::uint32_t label, const ParticleFaces& faces);

 private:
  // How many of the pixels beyond a face have another label.
  enum class Differ : std::uint8_t { none, all, some };
  struct Side {
    Differ differ = Differ::none;
    // Only for some sides: the labels beyond the face, in memory order.
    std::vector<std::uint32_t> labels;
  };

  void look_beyond(const Region& box, std::uint32_t label, const ParticleFaces& faces);
  [[nodiscard]] bool is_wall(const Region& box, const Index3& p, std::uint32_t label) const;

  const LinearAccess& cells_;
  std::span<const std::uint32_t> labels_;
  // Before and behind along z, x and y.
  std::array<Side, kSides> sides_{};
};

}  // namespace aprscope
