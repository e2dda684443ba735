#include "core/projections/frequency_tiles.hpp"

#include <algorithm>
#include <cstddef>

namespace aprscope {

FrequencyTiles::FrequencyTiles(std::int64_t reach, std::int64_t side)
    : reach_(reach), side_(side), shift_(side == 16 ? 4 : 3), half_(reach / side + 1) {
  // The number in [o, o + side) that is nearest to 0.
  const auto nearest = [side](std::int64_t o) {
    return o >= 0 ? o : std::min<std::int64_t>(o + side - 1, 0);
  };
  grid_.assign(static_cast<std::size_t>(4 * half_ * half_ * half_), -1);
  std::size_t at = 0;
  for (std::int64_t z = -half_; z < half_; ++z) {
    for (std::int64_t y = -half_; y < half_; ++y) {
      for (std::int64_t x = 0; x < half_; ++x, ++at) {
        const std::int64_t nx = x * side;
        const std::int64_t ny = nearest(y * side);
        const std::int64_t nz = nearest(z * side);
        if (nx * nx + ny * ny + nz * nz > reach * reach) continue;
        grid_[at] = static_cast<std::int32_t>(origins_.size());
        origins_.push_back({static_cast<std::int32_t>(x * side),
                            static_cast<std::int32_t>(y * side),
                            static_cast<std::int32_t>(z * side)});
      }
    }
  }
}

}  // namespace aprscope
