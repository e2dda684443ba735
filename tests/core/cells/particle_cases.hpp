#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/image/labels.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {

inline constexpr Connectivity kConnectivities[] = {Connectivity::faces, Connectivity::edges,
                                                   Connectivity::corners};

/// 1 for one in `of`, else 0.
inline std::vector<std::uint8_t> random_mask(std::uint64_t count, std::uint64_t seed,
                                             std::uint64_t of) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> mask(count);
  for (auto& value : mask) value = random() % of == 0 ? 1 : 0;
  return mask;
}

/// Calls each(access, mask) for random trees of odd sizes with and without jumps between levels,
/// and masks from sparse to dense.
template <class Each>
void each_random_particles(const Each& each) {
  std::uint64_t seed = 1;
  for (const Size3 size : {Size3{13, 17, 22}, Size3{1, 37, 50}, Size3{21, 6, 70}, Size3{5, 1, 33},
                           Size3{1, 1, 40}, Size3{16, 16, 16}, Size3{3, 35, 4}}) {
    for (const bool balanced : {true, false}) {
      for (const double split : {0.4, 0.7, 1.0}) {
        const auto access = random_access({size, ++seed, split, balanced});
        for (const std::uint64_t of : {5U, 2U}) {
          auto mask = random_mask(access->count(), ++seed, of);
          each(*access, mask);
          for (auto& value : mask) value = 1 - value;
          each(*access, mask);
        }
      }
    }
  }
}

}  // namespace aprscope::test
