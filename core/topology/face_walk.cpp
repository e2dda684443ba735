#include "core/topology/face_walk.hpp"

namespace aprscope {
namespace {

constexpr std::array kStepsBeside = {4, 10, 16, 22};
constexpr int kStepBefore = 12;
constexpr int kStepAfter = 14;

}  // namespace

void FaceWalk::open_row(int level, std::int64_t z, std::int64_t x, std::int64_t first) {
  range_ = access_.particles().row(level, z, x);
  own_.open(access_, level, z, x, first - 1);
  for (std::size_t k = 0; k < beside_.size(); ++k) {
    const Step& s = kSteps.step[kStepsBeside[k]];
    beside_[k].open(access_, level, z + s.z, x + s.x, first);
  }
}

const ParticleFaces& FaceWalk::look(std::uint64_t particle) {
  const auto ys = access_.particles().y();
  const std::int64_t y = ys[particle];
  faces_.same = 0;
  faces_.larger = 0;
  for (std::size_t k = 0; k < beside_.size(); ++k) {
    note(kStepsBeside[k], beside_[k].look(access_, y), beside_[k]);
  }
  // In its own row the next entry of the list is the neighbour, if there is one. Otherwise the row
  // is asked for y − 1 and y + 1: these rise from particle to particle, as the row requires.
  if (particle > range_.begin && ys[particle - 1] + 1 == y) {
    faces_.same |= 1U << kStepBefore;
    faces_.particles[kStepBefore] = static_cast<std::uint32_t>(particle - 1);
  } else {
    note(kStepBefore, own_.look_beside(access_, y - 1), own_);
  }
  if (particle + 1 < range_.end && ys[particle + 1] == y + 1) {
    faces_.same |= 1U << kStepAfter;
    faces_.particles[kStepAfter] = static_cast<std::uint32_t>(particle + 1);
  } else {
    note(kStepAfter, own_.look_beside(access_, y + 1), own_);
  }
  return faces_;
}

void FaceWalk::note(int step, CellKind kind, const RowLanes& row) {
  const auto at = static_cast<std::size_t>(step);
  if (kind == CellKind::particle) {
    faces_.same |= 1U << at;
    faces_.particles[at] = static_cast<std::uint32_t>(row.particle());
  } else if (kind == CellKind::larger) {
    faces_.larger |= 1U << at;
    faces_.particles[at] = static_cast<std::uint32_t>(row.larger());
  }
}

}  // namespace aprscope
