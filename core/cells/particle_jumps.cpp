#include "core/cells/particle_jumps.hpp"

#include <algorithm>

#include "core/base/parallel.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {
namespace {

// Bit i of the result: bit 2i or 2i + 1.
std::uint32_t halved(std::uint64_t bits) {
  bits = (bits | bits >> 1U) & 0x5555555555555555U;
  bits = (bits | bits >> 1U) & 0x3333333333333333U;
  bits = (bits | bits >> 2U) & 0x0F0F0F0F0F0F0F0FU;
  bits = (bits | bits >> 4U) & 0x00FF00FF00FF00FFU;
  bits = (bits | bits >> 8U) & 0x0000FFFF0000FFFFU;
  return static_cast<std::uint32_t>(bits | bits >> 16U);
}

// Cells that touch differ by one level where all that is round an interior cell is there on its
// level, as a particle or divided: where the parents of all that is round it are interior.
class RowCheck {
 public:
  RowCheck(const InteriorMap::Level& level, const InteriorMap::Level& above)
      : level_(level), above_(above) {}

  [[nodiscard]] bool holds(std::int64_t z, std::int64_t x) const {
    const std::uint64_t* const row = level_.row(z, x);
    for (std::int64_t w = 0; w < level_.words; ++w) {
      std::uint64_t near = row[w] | row[w] << 1U | row[w] >> 1U;
      if (w > 0) near |= row[w - 1] >> 63U;
      if (w + 1 < level_.words) near |= row[w + 1] << 63U;
      const std::int64_t cells = level_.grid.y - 64 * w;
      if (cells < 64) near &= (std::uint64_t{1} << static_cast<unsigned>(cells)) - 1;
      if (near != 0 && !parents_hold(z, x, w, halved(near))) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool parents_hold(std::int64_t z, std::int64_t x, std::int64_t w,
                                  std::uint32_t parents) const {
    const auto last = [](std::int64_t at, std::int64_t end) {
      return std::min(at + 1, end - 1) >> 1;
    };
    for (std::int64_t pz = std::max<std::int64_t>(z - 1, 0) >> 1; pz <= last(z, level_.grid.z);
         ++pz) {
      for (std::int64_t px = std::max<std::int64_t>(x - 1, 0) >> 1; px <= last(x, level_.grid.x);
           ++px) {
        const std::uint64_t bits = above_.row(pz, px)[w >> 1] >> (32U * (w & 1));
        if ((parents & ~static_cast<std::uint32_t>(bits)) != 0) return false;
      }
    }
    return true;
  }

  const InteriorMap::Level& level_;
  const InteriorMap::Level& above_;
};

}  // namespace

ParticleJumps::ParticleJumps(const AprAccess& access) : level_min_(access.level_min_used()) {
  const InteriorMap& interior = access.interior();
  levels_.resize(static_cast<std::size_t>(access.level_max()));
  for (int l = access.level_max() - 1; l > level_min_; --l) {
    Level& level = levels_[static_cast<std::size_t>(l)];
    const RowCheck check(interior.level(l), interior.level(l - 1));
    const Size3& grid = interior.level(l).grid;
    level.width = grid.x;
    level.uneven.assign(static_cast<std::size_t>(grid.z * grid.x), 0);
    parallel_each(
        grid.z, growth_threads(static_cast<std::uint64_t>(grid.count())), [&](std::int64_t z, int) {
          for (std::int64_t x = 0; x < grid.x; ++x) {
            level.uneven[static_cast<std::size_t>(z * grid.x + x)] = check.holds(z, x) ? 0 : 1;
          }
        });
  }
}

}  // namespace aprscope
