#include "core/cells/correction_brush.hpp"

#include <algorithm>

#include "core/cells/particle_region.hpp"

namespace aprscope {
namespace {

// All pixels that the brush covers.
Result<BoxMask> covered(const CorrectionFrame& frame) {
  const Correction& asked = frame.asked();
  const VoxelSize& voxel = frame.voxel();
  const bool ball = asked.slices < 0;
  Index3 reach = reach_in_pixels(asked.radius, voxel);
  if (!ball) reach.z = std::min(asked.slices, frame.size().z);
  const auto round = [&](const Index3& p) {
    return box_with_margin({p, {p.z + 1, p.x + 1, p.y + 1}}, reach, frame.size());
  };
  Region all = round(asked.points.front());
  for (const Index3& p : asked.points) all = united_box(all, round(p));
  BoxMask brush(all);
  const double limit = asked.radius * asked.radius * (1.0 + 1e-9);
  for (const Index3& p : asked.points) {
    if (frame.context().stop_requested()) return cancelled_error();
    const Region box = round(p);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      const double dz = ball ? static_cast<double>(z - p.z) * voxel.z : 0.0;
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        const double dx = static_cast<double>(x - p.x) * voxel.x;
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          const double dy = static_cast<double>(y - p.y) * voxel.y;
          if (dz * dz + dx * dx + dy * dy <= limit) brush.set[brush.index(z, x, y)] = 1;
        }
      }
    }
  }
  return brush;
}

}  // namespace

Result<LabelChange> brushed(const CorrectionFrame& frame) {
  const Index3& first = frame.asked().points.front();
  const bool paints = frame.asked().action == CorrectionAction::paint;
  const std::uint32_t label = paints ? frame.label_at(first) : 0;
  if (paints && label == 0) {
    return refused_correction("begins on background at " + place_text(first),
                              "begin in the cell that is to grow, or make a new one");
  }
  const auto brush = covered(frame);
  if (!brush) return brush.error();
  return frame.changed(brush->box,
                       paints ? "the cell is there already" : "there is no cell to erase",
                       [&](auto z, auto x, auto y, std::uint32_t before) {
                         return brush->set[brush->index(z, x, y)] != 0 ? label : before;
                       });
}

}  // namespace aprscope
