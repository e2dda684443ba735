// Background that is flooded over particles against that of the pixels.
#include "core/cells/particle_flood.hpp"

#include <gtest/gtest.h>

#include "tests/core/cells/particle_cases.hpp"

namespace aprscope {
namespace {

// Which particles a flood of the background reaches, by relaxation over pairs of pixels; none where
// it reaches the border.
std::vector<bool> flooded(const AprAccess& access, const std::vector<std::uint32_t>& labels,
                          const Index3& from) {
  const test::ParticleMap map = test::particle_map(access);
  const Size3 n = access.size();
  const auto particle = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return static_cast<std::size_t>(
        map.index.values[static_cast<std::size_t>((z * n.x + x) * n.y + y)]);
  };
  std::vector<bool> in(labels.size(), false);
  in[particle(from.z, from.x, from.y)] = true;
  for (bool more = true; more;) {
    more = false;
    for (std::int64_t z = 0; z < n.z; ++z) {
      for (std::int64_t x = 0; x < n.x; ++x) {
        for (std::int64_t y = 0; y < n.y; ++y) {
          const std::size_t here = particle(z, x, y);
          const auto join = [&](std::size_t other) {
            if (labels[here] != 0 || labels[other] != 0 || in[here] == in[other]) return;
            in[here] = in[other] = more = true;
          };
          if (z + 1 < n.z) join(particle(z + 1, x, y));
          if (x + 1 < n.x) join(particle(z, x + 1, y));
          if (y + 1 < n.y) join(particle(z, x, y + 1));
          const bool on_border = (n.z > 1 && (z == 0 || z == n.z - 1)) || x == 0 || x == n.x - 1 ||
                                 y == 0 || y == n.y - 1;
          if (on_border && in[here]) return {};
        }
      }
    }
  }
  return in;
}

TEST(ParticleFlood, ReachesWhatAFloodOfThePixelsReaches) {
  std::uint64_t seed = 1;
  int enclosed = 0;
  int open = 0;
  for (const Size3 size : {Size3{14, 17, 20}, Size3{1, 40, 37}, Size3{16, 16, 16}}) {
    for (const bool balanced : {true, false}) {
      for (const std::uint64_t of : {2U, 3U, 5U}) {
        const auto access = test::random_access({size, ++seed, 0.7, balanced});
        const auto background = test::random_mask(access->count(), ++seed, of);
        std::vector<std::uint32_t> labels;
        for (const std::uint8_t one : background) labels.push_back(one != 0 ? 0 : 5);
        for (std::int64_t k = 0; k < 40; ++k) {
          const Index3 p{k * 7 % size.z, (k * 11 + 3) % size.x, (k * 5 + 2) % size.y};
          if (labels[access->find(p).index] != 0) continue;
          const std::vector<bool> expected = flooded(*access, labels, p);
          const auto found = enclosed_background(*access, labels, p);
          ASSERT_EQ(found.ok(), !expected.empty());
          (found.ok() ? enclosed : open) += 1;
          if (!found) {
            EXPECT_NE(found.error().message().find("border"), std::string::npos);
            continue;
          }
          std::vector<bool> got(labels.size(), false);
          for (const ParticleCell& one : *found) {
            const Region cell = cell_box(access->particles(), one.row, one.index);
            EXPECT_EQ(access->find(cell.begin).index, one.index);
            EXPECT_FALSE(got[one.index]);
            got[one.index] = true;
          }
          EXPECT_EQ(got, expected);
        }
      }
    }
  }
  EXPECT_GT(enclosed, 10);
  EXPECT_GT(open, 10);
}

}  // namespace
}  // namespace aprscope
