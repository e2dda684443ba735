#include "core/topology/row_lanes.hpp"

namespace aprscope {

void RowLanes::open(const AprAccess& access, int level, std::int64_t z, std::int64_t x,
                    std::int64_t first) {
  const LinearAccess& cells = access.particles();
  const LinearAccess& tree = access.tree();
  const Size3& grid = cells.grid(level);
  *this = {};
  inside_ = z >= 0 && z < grid.z && x >= 0 && x < grid.x;
  if (!inside_) return;
  level_ = level;
  width_ = grid.y;
  z_ = z;
  x_ = x;
  particles_ = {cells.row(level, z, x), cells.y(), first};
  if (level >= tree.level_first() && level <= tree.level_last()) {
    divided_ = {tree.row(level, z, x), tree.y(), first};
  }
  if (level > cells.level_first()) {
    above_ = {cells.row(level - 1, z >> 1, x >> 1), cells.y(), first >> 1};
  }
}

// The particle of a larger side that covers a cell which is neither a particle nor divided: there
// is one, since cells cover the image, see AprAccess.
void RowLanes::find_larger(const AprAccess& access, std::int64_t y) {
  const LinearAccess& cells = access.particles();
  if (above_.walk_to(cells.y(), y >> 1)) {
    end_ = (y >> 1 << 1) + 2;
    larger_ = above_.at;
    return;
  }
  for (int up = 2; level_ - up >= cells.level_first(); ++up) {
    const auto found = cells.find(level_ - up, z_ >> up, x_ >> up, y >> up);
    if (!found) continue;
    end_ = ((y >> up) + 1) << up;
    larger_ = *found;
    return;
  }
}

}  // namespace aprscope
