#include "core/cells/particle_wall_pixels.hpp"

#include <algorithm>

#include "core/cells/particle_region.hpp"

namespace aprscope {
namespace {

// Steps to the neighbours beyond the sides of a box, in the order of the sides.
constexpr std::array<int, kSides> kStepBeyond = {4, 22, 10, 16, 12, 14};

}  // namespace

std::int64_t WallPixels::count(const Region& box, std::uint32_t label, const ParticleFaces& faces) {
  look_beyond(box, label, faces);
  const bool any = std::any_of(sides_.begin(), sides_.end(),
                               [](const Side& one) { return one.differ != Differ::none; });
  if (!any) return 0;
  std::int64_t found = 0;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
      const bool ends_row =
          z == box.begin.z || z + 1 == box.end.z || x == box.begin.x || x + 1 == box.end.x;
      const std::int64_t step = ends_row ? 1 : std::max<std::int64_t>(1, box.size().y - 1);
      for (std::int64_t y = box.begin.y; y < box.end.y; y += step) {
        found += is_wall(box, {z, x, y}, label) ? 1 : 0;
      }
    }
  }
  return found;
}

void WallPixels::look_beyond(const Region& box, std::uint32_t label, const ParticleFaces& faces) {
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    Side& side = sides_[k];
    const int step = kStepBeyond[k];
    if (((faces.same | faces.larger) >> step & 1U) != 0) {
      side.differ = labels_[faces.particle(step)] != label ? Differ::all : Differ::none;
      continue;
    }
    const Region layer = layer_beyond(box, k, cells_.size());
    side.differ = Differ::none;
    if (layer.size().count() == 0) continue;
    side.labels = painted_in(cells_, labels_, layer);
    const bool differs = std::any_of(side.labels.begin(), side.labels.end(),
                                     [&](std::uint32_t one) { return one != label; });
    if (differs) side.differ = Differ::some;
  }
}

bool WallPixels::is_wall(const Region& box, const Index3& p, std::uint32_t label) const {
  const Size3 n = box.size();
  const std::int64_t z = p.z - box.begin.z;
  const std::int64_t x = p.x - box.begin.x;
  const std::int64_t y = p.y - box.begin.y;
  const bool at_side[] = {z == 0, z + 1 == n.z, x == 0, x + 1 == n.x, y == 0, y + 1 == n.y};
  // Index of p in the layer of labels beyond each side.
  const std::int64_t place[] = {x * n.y + y, z * n.y + y, z * n.x + x};
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (!at_side[k]) continue;
    const Side& side = sides_[k];
    if (side.differ == Differ::all) return true;
    if (side.differ == Differ::some && side.labels[static_cast<std::size_t>(place[k / 2])] != label)
      return true;
  }
  return false;
}

}  // namespace aprscope
