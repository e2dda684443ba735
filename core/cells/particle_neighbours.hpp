#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/cells/particle_runs.hpp"
#include "core/image/labels.hpp"
#include "core/topology/face_walk.hpp"
#include "core/topology/growth.hpp"
#include "core/topology/particle_round.hpp"

namespace aprscope {

/// The steps to neighbours, see cell_links.hpp.
constexpr std::uint32_t steps_to(Connectivity near) {
  if (near == Connectivity::faces) return kFaceSteps;
  if (near == Connectivity::corners) return kEveryStep;
  std::uint32_t steps = 0;
  for (int i = 0; i < kStepCount; ++i) {
    const Step& s = kSteps.step[i];
    if (s.z == 0 || s.x == 0 || s.y == 0) steps |= 1U << i;
  }
  return steps & kEveryStep;
}

/// Pairs of particles whose cells touch, found layer by layer by several threads.
class ParticleNeighbours {
 public:
  /// Finds the layers of cells. Throws std::bad_alloc.
  ParticleNeighbours(const AprAccess& access, Connectivity near)
      : access_(access),
        steps_(steps_to(near)),
        places_(near == Connectivity::faces ? 0 : access.count(), 0),
        layers_(layers_of(access.particles())),
        threads_(growth_threads(access.count())) {}

  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const std::vector<CellLayer>& layers() const { return layers_; }

  /// Calls visit(particle, round, steps, x, y) for all particles, at (x, y) of their layer, where
  /// steps lead to neighbours of the same side or larger: a pair of unlike sides is visited from
  /// the smaller cell, once or more, one of like sides from both. make(layer number, thread) makes
  /// the visitor of a layer. False: cancelled.
  template <class Make>
  bool each(const JobContext& context, std::string_view stage, const Make& make) const {
    return parallel_items(static_cast<std::int64_t>(layers_.size()), threads_, context, stage,
                          [&](std::int64_t item, int thread) {
                            const CellLayer& layer = layers_[static_cast<std::size_t>(item)];
                            auto visit = make(item, thread);
                            if (steps_ == kFaceSteps) {
                              FaceWalk walk(access_);
                              const auto look = [&](std::uint64_t i) -> const auto& {
                                return walk.look(i);
                              };
                              each_of(layer, context, walk, look, visit);
                            } else {
                              RoundWalk walk(access_, places_);
                              const auto look = [&](std::uint64_t i) -> const auto& {
                                return walk.look(access_.particles().y()[i]);
                              };
                              each_of(layer, context, walk, look, visit);
                            }
                          });
  }

  /// Calls visit(particle, other particle, whether both cells have the same side) for all pairs;
  /// pairs of like sides come twice.
  template <class Make>
  bool each_pair(const JobContext& context, std::string_view stage, const Make& make) const {
    return each(context, stage, [&](std::int64_t item, int thread) {
      return [visit = make(item, thread)](std::uint32_t i, const auto& round, std::uint32_t steps,
                                          std::int64_t, std::int64_t) mutable {
        for (; steps != 0; steps &= steps - 1) {
          const int step = std::countr_zero(steps);
          visit(i, round.particle(step), (round.same >> step & 1U) != 0);
        }
      };
    });
  }

 private:
  template <class Walk, class Look, class Visit>
  void each_of(const CellLayer& layer, const JobContext& context, Walk& walk, const Look& look,
               Visit& visit) const {
    const LinearAccess& cells = access_.particles();
    for (std::int64_t x = 0; x < cells.grid(layer.level).x; ++x) {
      const ParticleRange row = cells.row(layer.level, layer.z, x);
      if (row.empty()) continue;
      if (context.stop_requested()) return;
      walk.open_row(layer.level, layer.z, x, cells.y()[row.begin]);
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        const auto& round = look(i);
        visit(static_cast<std::uint32_t>(i), round, steps_ & (round.same | round.larger), x,
              std::int64_t{cells.y()[i]});
      }
    }
  }

  const AprAccess& access_;
  std::uint32_t steps_;
  // A dummy: all places are equal, as no order is needed. Empty if only faces are looked at.
  std::vector<std::uint16_t> places_;
  std::vector<CellLayer> layers_;
  int threads_;
};

}  // namespace aprscope
