// Pixels at walls of a particle's cell against those of the image that the labels paint.
#include "core/cells/particle_wall_pixels.hpp"

#include <gtest/gtest.h>

#include "core/cells/particle_region.hpp"
#include "tests/core/cells/particle_cases.hpp"

namespace aprscope {
namespace {

// How many pixels of the box have a pixel of another label across a face of theirs.
std::int64_t walls_in(const Pixels<std::uint32_t>& image, const Region& box) {
  const Size3& n = image.size;
  const auto at = [&](const Index3& p) {
    return image.values[static_cast<std::size_t>((p.z * n.x + p.x) * n.y + p.y)];
  };
  std::int64_t found = 0;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        bool is_wall = false;
        for (const Index3& q : {Index3{z - 1, x, y}, Index3{z + 1, x, y}, Index3{z, x - 1, y},
                                Index3{z, x + 1, y}, Index3{z, x, y - 1}, Index3{z, x, y + 1}}) {
          const bool inside =
              q.z >= 0 && q.x >= 0 && q.y >= 0 && q.z < n.z && q.x < n.x && q.y < n.y;
          is_wall = is_wall || (inside && at(q) != at({z, x, y}));
        }
        found += is_wall ? 1 : 0;
      }
    }
  }
  return found;
}

TEST(WallPixels, AreThoseOfThePaintedImage) {
  std::int64_t walls = 0;
  test::each_random_particles([&](const AprAccess& access, const std::vector<std::uint8_t>& mask) {
    const LinearAccess& cells = access.particles();
    const std::vector<std::uint32_t> labels(mask.begin(), mask.end());
    Pixels<std::uint32_t> image;
    image.size = access.size();
    image.values = painted_in<std::uint32_t>(cells, labels, whole(access.size()));
    FaceWalk walk(access);
    WallPixels counter(access, labels);
    for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
      for (std::int64_t z = 0; z < cells.grid(level).z; ++z) {
        for (std::int64_t x = 0; x < cells.grid(level).x; ++x) {
          const ParticleRange row = cells.row(level, z, x);
          if (row.empty()) continue;
          walk.open_row(level, z, x, cells.y()[row.begin]);
          for (std::uint64_t i = row.begin; i < row.end; ++i) {
            const Region box = cell_box(cells, {level, z, x}, i);
            const std::int64_t expected = walls_in(image, box);
            ASSERT_EQ(counter.count(box, labels[i], walk.look(i)), expected) << level << " " << i;
            walls += expected;
          }
        }
      }
    }
  });
  EXPECT_GT(walls, 0);
}

}  // namespace
}  // namespace aprscope
