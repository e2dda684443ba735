// What shares a face with a particle, and what touches it, against the particle of the pixel there.
#include "core/topology/face_walk.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/topology/particle_round.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

struct Beside {
  std::uint32_t same = 0;
  std::uint32_t larger = 0;
  std::uint32_t outside = 0;
  std::array<std::uint64_t, kStepCount> particles{};
};

// By the first pixel of the cell of its side at each step.
Beside beside(const AprAccess& access, int level, const Index3& cell) {
  Beside out;
  const Size3 grid = access.particles().grid(level);
  const std::int64_t side = std::int64_t{1} << (access.level_max() - level);
  for (std::size_t k = 0; k < kStepCount; ++k) {
    const Step& s = kSteps.step[k];
    const Index3 there{cell.z + s.z, cell.x + s.x, cell.y + s.y};
    if (there.z < 0 || there.z >= grid.z || there.x < 0 || there.x >= grid.x || there.y < 0 ||
        there.y >= grid.y) {
      out.outside |= 1U << k;
      continue;
    }
    const ParticleAt found = access.find({there.z * side, there.x * side, there.y * side});
    if (found.level == level) out.same |= 1U << k;
    if (found.level < level) out.larger |= 1U << k;
    out.particles[k] = found.index;
  }
  return out;
}

template <class Round>
void expect_like(const Round& round, const Beside& expected, std::uint32_t steps) {
  EXPECT_EQ(round.same & steps, expected.same & steps);
  EXPECT_EQ(round.larger & steps, expected.larger & steps);
  for (int k = 0; k < kStepCount; ++k) {
    if (((expected.same | expected.larger) & steps & 1U << static_cast<unsigned>(k)) == 0) continue;
    EXPECT_EQ(round.particle(k), expected.particles[static_cast<std::size_t>(k)]) << k;
  }
}

TEST(FaceWalk, FindsWhatSharesAFaceAndWhatTouches) {
  std::uint64_t seed = 1;
  for (const bool balanced : {true, false}) {
    for (const Size3 size : {Size3{9, 13, 17}, Size3{1, 20, 31}, Size3{16, 16, 16}, Size3{1, 1, 1},
                             Size3{3, 40, 2}, Size3{1, 1, 50}}) {
      const auto made = test::random_access({size, seed++, 0.6, balanced});
      const AprAccess& access = *made;
      const LinearAccess& cells = access.particles();
      const std::vector<std::uint16_t> places(access.count(), 0);
      FaceWalk faces(access);
      RoundWalk round(access, places);
      std::uint64_t met = 0;
      for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
        const Size3 grid = cells.grid(level);
        for (std::int64_t row = 0; row < grid.z * grid.x; ++row) {
          const Index3 at{row / grid.x, row % grid.x, 0};
          const ParticleRange range = cells.row(level, at.z, at.x);
          if (range.empty()) continue;
          faces.open_row(level, at.z, at.x);
          round.open_row(level, at.z, at.x);
          for (std::uint64_t i = range.begin; i < range.end; ++i, ++met) {
            const Beside expected = beside(access, level, {at.z, at.x, cells.y()[i]});
            const ParticleFaces& six = faces.look(i);
            expect_like(six, expected, kFaceSteps);
            EXPECT_EQ((six.same | six.larger) & ~kFaceSteps, 0U);
            const ParticleRound& all = round.look(cells.y()[i]);
            expect_like(all, expected, kEveryStep);
            EXPECT_EQ(all.outside & kEveryStep, expected.outside & kEveryStep);
          }
        }
      }
      EXPECT_EQ(met, access.count());
    }
  }
}

}  // namespace
}  // namespace aprscope
