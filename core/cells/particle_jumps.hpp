#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// By how many levels cells that touch differ at the most: by one as conversion makes them, by more
/// at the seams of tiled data.
class ParticleJumps {
 public:
  /// Looks at the bits of access.interior(), 1/51 byte a pixel. Throws std::bad_alloc.
  explicit ParticleJumps(const AprAccess& access);

  /// At least by how many levels larger what touches particles of a row of a level may be: 1, or
  /// where that does not suffice all levels that hold particles.
  [[nodiscard]] int most(int level, std::int64_t z, std::int64_t x) const {
    const Level& above = levels_[static_cast<std::size_t>(level - 1)];
    if (above.uneven.empty()) return 1;
    const bool uneven = above.uneven[static_cast<std::size_t>((z >> 1) * above.width + (x >> 1))];
    return uneven ? level - level_min_ : 1;
  }

 private:
  // Of rows of interior cells: whether larger cells touch their children by more than one level.
  struct Level {
    std::int64_t width = 0;
    std::vector<std::uint8_t> uneven;
  };

  int level_min_ = 0;
  std::vector<Level> levels_;
};

}  // namespace aprscope
