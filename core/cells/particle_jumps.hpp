#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// The largest difference of levels of touching cells: one in APRs made by conversion, more at the
/// seams of tiled data.
class ParticleJumps {
 public:
  /// Reads the bits of access.interior(), 1/51 byte a pixel. Throws std::bad_alloc.
  explicit ParticleJumps(const AprAccess& access);

  /// A bound on how many levels coarser cells may be that touch particles of a row: 1, or, where
  /// that does not suffice, all levels that hold particles.
  [[nodiscard]] int most(int level, std::int64_t z, std::int64_t x) const {
    const Level& above = levels_[static_cast<std::size_t>(level - 1)];
    if (above.uneven.empty()) return 1;
    const bool uneven = above.uneven[static_cast<std::size_t>((z >> 1) * above.width + (x >> 1))];
    return uneven ? level - level_min_ : 1;
  }

 private:
  // For rows of interior cells: whether cells more than one level coarser touch their children.
  struct Level {
    std::int64_t width = 0;
    std::vector<std::uint8_t> uneven;
  };

  int level_min_ = 0;
  std::vector<Level> levels_;
};

}  // namespace aprscope
