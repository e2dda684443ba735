#pragma once

#include <bit>
#include <cstdint>

// The surroundings of a cell, as bits: a step to each of the 26 cells of the same side round it, in
// the order z, x, y. The bit in the middle is no step and never set.
namespace aprscope {

struct Step {
  int z = 0;
  int x = 0;
  int y = 0;
};

constexpr int kStepCount = 27;
constexpr int kNoStep = 13;

struct StepTable {
  Step step[kStepCount] = {};
};

constexpr StepTable all_steps() {
  StepTable table;
  for (int i = 0; i < kStepCount; ++i) table.step[i] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
  return table;
}
inline constexpr StepTable kSteps = all_steps();

constexpr std::uint32_t kEveryStep = ((1U << kStepCount) - 1) & ~(1U << kNoStep);
constexpr std::uint32_t kFaceSteps = 1U << 4 | 1U << 10 | 1U << 12 | 1U << 14 | 1U << 16 | 1U << 22;

/// The steps in a direction along each axis (−1, 0 or 1); 2: any direction.
constexpr std::uint32_t steps_along(int z, int x, int y) {
  std::uint32_t found = 0;
  for (int i = 0; i < kStepCount; ++i) {
    const Step& s = kSteps.step[i];
    if ((z == 2 || s.z == z) && (x == 2 || s.x == x) && (y == 2 || s.y == y)) found |= 1U << i;
  }
  return found & kEveryStep;
}

/// Which cells are neighbours: those that share a face, or all that touch.
struct Neighbourhood {
  std::uint32_t neighbours = 0;
  /// For each step: the steps to neighbours of the cell that it leads to.
  std::uint32_t beside[kStepCount] = {};
};

constexpr Neighbourhood neighbourhood_of(std::uint32_t neighbours) {
  Neighbourhood out;
  out.neighbours = neighbours;
  for (int i = 0; i < kStepCount; ++i) {
    for (int k = 0; k < kStepCount; ++k) {
      const Step& a = kSteps.step[i];
      const Step& b = kSteps.step[k];
      for (int n = 0; n < kStepCount; ++n) {
        const Step& s = kSteps.step[n];
        if ((neighbours >> n & 1U) == 0) continue;
        if (a.z + s.z == b.z && a.x + s.x == b.x && a.y + s.y == b.y) out.beside[i] |= 1U << k;
      }
    }
    out.beside[i] &= kEveryStep;
  }
  return out;
}
inline constexpr Neighbourhood kByFaces = neighbourhood_of(kFaceSteps);
inline constexpr Neighbourhood kByAll = neighbourhood_of(kEveryStep);

/// The first of some steps as a bit: to a face, where there is one, since from there most is near.
constexpr std::uint32_t first_of(std::uint32_t some) {
  const std::uint32_t faces = some & kFaceSteps;
  const std::uint32_t from = faces != 0 ? faces : some;
  return from & (~from + 1);
}

/// The steps of `some` from where those of `from` lead to, by neighbours that are in `some`.
inline std::uint32_t reached_from(const Neighbourhood& near, std::uint32_t from,
                                  std::uint32_t some) {
  std::uint32_t reached = from;
  std::uint32_t rest = some & ~from;
  while (from != 0 && rest != 0) {
    const std::uint32_t found = near.beside[std::countr_zero(from)] & rest;
    rest &= ~found;
    reached |= found;
    from = (from & (from - 1)) | found;
  }
  return reached;
}

/// Calls part(step) for one neighbour in each connected part of `some` that has one: cells of one
/// part are in one piece without the cell in the middle, so that one of them stands for all.
template <class Part>
void each_part(const Neighbourhood& near, std::uint32_t some, const Part& part) {
  std::uint32_t seeds = some & near.neighbours;
  while (seeds != 0) {
    const std::uint32_t seed = first_of(seeds);
    part(std::countr_zero(seed));
    const std::uint32_t reached = reached_from(near, seed, some);
    some &= ~reached;
    seeds &= ~reached;
  }
}

}  // namespace aprscope
