#include "core/apr/structure/bit_grid.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

BitGrid random_grid(const Size3& size, unsigned seed) {
  std::mt19937 random(seed);
  BitGrid grid(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        if (random() % 23 == 0) grid.row(z, x)[y / 64] |= std::uint64_t{1} << (y % 64);
      }
    }
  }
  return grid;
}

TEST(BitGrid, DilationReachesThe26Neighbours) {
  for (const Size3& size :
       {Size3{1, 1, 200}, Size3{1, 9, 64}, Size3{5, 4, 65}, Size3{3, 7, 130}, Size3{4, 1, 1}}) {
    const BitGrid grid = random_grid(size, 5);
    const BitGrid near = dilate(grid);
    std::uint64_t count = 0;
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          bool expected = false;
          for (std::int64_t nz = std::max<std::int64_t>(z - 1, 0);
               nz <= std::min(z + 1, size.z - 1); ++nz) {
            for (std::int64_t nx = std::max<std::int64_t>(x - 1, 0);
                 nx <= std::min(x + 1, size.x - 1); ++nx) {
              for (std::int64_t ny = std::max<std::int64_t>(y - 1, 0);
                   ny <= std::min(y + 1, size.y - 1); ++ny) {
                expected = expected || grid.test(nz, nx, ny);
              }
            }
          }
          EXPECT_EQ(near.test(z, x, y), expected) << z << ' ' << x << ' ' << y;
          count += expected ? 1 : 0;
        }
      }
    }
    // No bit is set beyond the end of a row.
    EXPECT_EQ(near.count(), count);
  }
}

TEST(BitGrid, ChildrenOfACellAreItsPair) {
  const BitGrid parents = random_grid({1, 1, 150}, 9);
  for (std::int64_t w = 0; w < 6; ++w) {
    const std::uint64_t word = children_word(parents.row(0, 0), parents.words(), w);
    for (std::int64_t b = 0; b < 64; ++b) {
      const std::int64_t child = 64 * w + b;
      const bool expected = child / 2 < 150 && parents.test(0, 0, child / 2);
      EXPECT_EQ(((word >> b) & 1U) != 0, expected) << child;
    }
  }
}

TEST(BitGrid, ParentsHaveAChildInOneOfTheTwo) {
  for (const Size3& size : {Size3{5, 7, 150}, Size3{2, 2, 64}, Size3{1, 3, 129}}) {
    const BitGrid a = random_grid(size, 5);
    const BitGrid b = random_grid(size, 6);
    const Size3 grid{(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2};
    BitGrid expected(grid);
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          if (!a.test(z, x, y) && !b.test(z, x, y)) continue;
          expected.row(z / 2, x / 2)[y / 128] |= std::uint64_t{1} << (y / 2 % 64);
        }
      }
    }
    const BitGrid found = parents_of(a, b, grid);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        for (std::int64_t w = 0; w < found.words(); ++w) {
          EXPECT_EQ(found.row(z, x)[w], expected.row(z, x)[w]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
