#include "core/dataset/first_pixel.hpp"

namespace aprscope {

Index3 first_pixel(const LinearAccess& access, std::uint64_t index) {
  for (int level = access.level_first(); level <= access.level_last(); ++level) {
    const ParticleRange range = access.level(level);
    if (index >= range.end) continue;
    const Size3& grid = access.grid(level);
    const std::int64_t side = std::int64_t{1} << (access.level_max() - level);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = access.row(level, z, x);
        if (index < row.end) return {z * side, x * side, access.y()[index] * side};
      }
    }
  }
  return {0, 0, 0};
}

}  // namespace aprscope
