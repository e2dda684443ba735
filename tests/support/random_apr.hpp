#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/apr/structure/tree.hpp"

namespace aprscope::test {

/// How a random APR is made: cells are split recursively, by chance.
struct RandomAprOptions {
  Size3 size{32, 32, 32};
  std::uint64_t seed = 1;
  /// Chance that a cell is split: 0 = one level of cells, 1 = every pixel a particle.
  double split = 0.6;
  /// Neighbouring cells (26-neighbourhood) differ by at most one level.
  bool balanced = true;
};

/// A valid random structure of any size (odd, 1-D and 2-D sizes too). Ends the program when the
/// structure is refused, which is a defect of this helper.
std::shared_ptr<const AprAccess> random_access(const RandomAprOptions& options);

/// Every pixel a particle: particle order equals pixel order.
std::shared_ptr<const AprAccess> full_access(const Size3& size);

/// `count` values, uniform in [low, high); `integers`: rounded down to whole numbers.
std::vector<float> random_values(std::uint64_t count, std::uint64_t seed, float low = 0.0F,
                                 float high = 1000.0F, bool integers = false);

/// random_access() with a u16 field "particle_intensities".
Apr random_apr(const RandomAprOptions& options);

/// Level and particle index of each pixel, by painting each cell of the linear access.
struct ParticleMap {
  Pixels<std::uint8_t> level;
  Pixels<std::uint64_t> index;
};
ParticleMap particle_map(const AprAccess& access);

/// Constant reconstruction of the whole image by particle_map().
Pixels<float> naive_reconstruct(const AprAccess& access, const std::vector<float>& values);

/// Values of the tree by recursion over cells in double precision, in the order of access.tree().
std::vector<float> naive_tree(const AprAccess& access, const std::vector<float>& values,
                              Reduction reduction);

/// The isotropic grid of `level` for the whole image: the particle that is or contains each cell,
/// else the tree value (`tree` in the order of access.tree()); by look-ups cell by cell.
Pixels<float> naive_at_level(const AprAccess& access, const std::vector<float>& values,
                             const std::vector<float>& tree, int level);

}  // namespace aprscope::test
