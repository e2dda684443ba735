// Filling from outside on phantoms by formula, against flooding pixel by pixel.
#include "core/cells/exterior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "core/cells/closing.hpp"
#include "core/cells/leaks.hpp"
#include "core/cells/membrane_share.hpp"
#include "core/cells/slice_findings.hpp"
#include "tests/core/cells/naive_components.hpp"
#include "tests/core/cells/phantoms.hpp"

namespace aprscope {
namespace {

constexpr Connectivity kAll[] = {Connectivity::faces, Connectivity::edges, Connectivity::corners};
const VoxelSize kCube{1.0, 1.0, 1.0, "µm"};
const VoxelSize kTall{4.0, 1.0, 1.0, "µm"};

// The image in the middle of a larger one, flooded from there.
CellParts naive_fill(const Pixels<std::uint8_t>& membrane, Connectivity connectivity) {
  const Size3& n = membrane.size;
  const std::int64_t in_z = n.z > 1 ? 1 : 0;
  Pixels<std::uint8_t> water(Size3{n.z + 2 * in_z, n.x + 2, n.y + 2}, 1);
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        water.at(z + in_z, x + 1, y + 1) = membrane.at(z, x, y) == 0 ? 1 : 0;
      }
    }
  }
  const Labels pieces = test::naive_components(water, water_of(connectivity));
  CellParts parts(n);
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const std::uint32_t piece = pieces.values[water.index(z + in_z, x + 1, y + 1)];
        parts.at(z, x, y) = piece == 0 ? 1 : piece == 1 ? 0 : 2;
      }
    }
  }
  return parts;
}

std::int64_t inside(const CellParts& parts) {
  return static_cast<std::int64_t>(parts.values.size()) -
         std::count(parts.values.begin(), parts.values.end(), std::uint8_t{0});
}
std::int64_t lumen(const CellParts& parts) {
  return std::count(parts.values.begin(), parts.values.end(), std::uint8_t{2});
}

template <class T>
T good(Result<T> result) {
  EXPECT_TRUE(result.ok());
  return *std::move(result);
}

TEST(Exterior, IsThatOfFloodingFromAround) {
  std::mt19937_64 random(2);
  for (const Size3 size : {Size3{6, 7, 9}, Size3{1, 12, 70}, Size3{9, 5, 66}, Size3{2, 2, 2}}) {
    for (const std::uint64_t share : {30U, 50U, 70U}) {
      Pixels<std::uint8_t> mask(size);
      for (auto& value : mask.values) value = random() % 100 < share ? 1 : 0;
      for (const Connectivity c : kAll) {
        EXPECT_EQ(good(fill_from_outside(mask, c)).values, naive_fill(mask, c).values);
        const auto slices = good(fill_slices(mask, c));
        for (std::int64_t z = 0; z < size.z; ++z) {
          EXPECT_EQ(slice_of(slices, z).values, naive_fill(slice_of(mask, z), c).values);
        }
      }
    }
  }
}

TEST(Exterior, OfAHollowBallIsAllOutsideOfIt) {
  const auto shell = [](double radius) {
    return [=](const test::Point& p) { return test::in_shell(p, radius - 3.0, radius); };
  };
  // Random offsets, voxels of both kinds; bounds: sampling.
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const double radius : {10.0, 20.0}) {
      const auto mask = test::phantom({47, 47, 47}, kCube, seed, shell(radius));
      const auto parts = good(fill_from_outside(mask, Connectivity::corners));
      const double truth = 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
      EXPECT_NEAR(static_cast<double>(inside(parts)) / truth, 1.0, radius > 15.0 ? 0.004 : 0.01);
    }
    // A wall that slices of 4 µm cannot miss; to the pixel what a solid ball is.
    const auto solid = [](const test::Point& p) { return test::length(p) <= 20.0; };
    const auto thick = [](const test::Point& p) { return test::in_shell(p, 11.0, 20.0); };
    const auto tall = test::phantom({17, 47, 47}, kTall, seed, thick);
    const auto parts = good(fill_from_outside(tall, Connectivity::corners));
    EXPECT_EQ(inside(parts), inside(test::phantom({17, 47, 47}, kTall, seed, solid)));
    const double truth = 4.0 / 3.0 * std::numbers::pi * 8000.0;
    EXPECT_NEAR(4.0 * static_cast<double>(inside(parts)) / truth, 1.0, 0.015);
  }
}

TEST(Exterior, OfARotatedEllipsoid) {
  const double c = std::cos(0.5);
  const double s = std::sin(0.5);
  const auto in = [&](const test::Point& p) {
    const double u = (c * p[0] - s * p[1]) / 10.0;
    const double v = (s * p[0] + c * p[1]) / 16.0;
    const double r = std::hypot(u, v, p[2] / 20.0);
    return r <= 1.0 && r >= 0.75;
  };
  const auto mask = test::phantom({45, 45, 45}, kCube, 7, in);
  const auto parts = good(fill_from_outside(mask, Connectivity::corners));
  EXPECT_NEAR(static_cast<double>(inside(parts)) / (4.0 / 3.0 * std::numbers::pi * 3200.0), 1.0,
              0.004);
}

// In slices across its axis a torus has its hole filled, in others it has not.
TEST(Exterior, OfATorusTheHoleIsExterior) {
  const double truth = 2.0 * std::numbers::pi * std::numbers::pi * 18.0 * 49.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto mask = test::phantom({55, 55, 55}, kCube, 11 + axis, [&](const test::Point& p) {
      return test::in_torus_wall(p, axis, 18.0, 4.5, 7.0);
    });
    const auto parts = good(fill_from_outside(mask, Connectivity::corners));
    // To the pixel what a solid torus is, and but for sampling what the formula says.
    EXPECT_EQ(inside(parts),
              inside(test::phantom({55, 55, 55}, kCube, 11 + axis, [&](const test::Point& p) {
                return test::in_torus_wall(p, axis, 18.0, 0.0, 7.0);
              })));
    EXPECT_NEAR(static_cast<double>(inside(parts)) / truth, 1.0, 0.01);
    auto labels = good(label_objects(parts, Connectivity::corners));
    ASSERT_EQ(labels.largest, 1U);
    labels.findings = {LabelFinding{1}};
    const auto slices = good(fill_slices(mask, Connectivity::corners));
    ASSERT_TRUE(compare_slices(labels, slices, false, Connectivity::corners, labels.findings).ok());
    EXPECT_EQ(labels.findings[0].voxels_per_slice, static_cast<double>(inside(slices)));
    const double more = labels.findings[0].voxels_per_slice / static_cast<double>(inside(parts));
    if (axis == 0) {
      EXPECT_GT(more, 1.1);
      EXPECT_NEAR(static_cast<double>(labels.findings[0].most_open_slice), 27.0, 8.0);
    } else {
      // Where slices cut the wall they may enclose a little of the hole.
      EXPECT_LT(more, 1.08);
    }
    EXPECT_TRUE(good(find_leaks(parts, kCube, Connectivity::corners)).empty());
  }
}

TEST(Exterior, OfACWithAMouthIsAllOfIt) {
  const auto mask = test::phantom({1, 80, 80}, kCube, 3, [](const test::Point& p) {
    const double r = std::hypot(p[1], p[2]);
    return r >= 25.0 && r <= 29.0 && !(p[2] > 0.0 && std::abs(p[1]) < 5.0);
  });
  const auto parts = good(fill_from_outside(mask, Connectivity::corners));
  EXPECT_EQ(lumen(parts), 0);
  const auto star = test::phantom({1, 90, 90}, kCube, 4, [](const test::Point& p) {
    const double angle = std::atan2(p[1], p[2]);
    const double edge = 30.0 + 10.0 * std::cos(5.0 * angle);
    const double r = std::hypot(p[1], p[2]);
    return r <= edge && r >= edge - 4.0;
  });
  const auto filled = good(fill_from_outside(star, Connectivity::corners));
  const double truth = std::numbers::pi * (900.0 + 50.0);
  EXPECT_NEAR(static_cast<double>(inside(filled)) / truth, 1.0, 0.01);
}

TEST(Exterior, NestedShellsAndGridsOfCubes) {
  const auto nested = test::phantom({41, 41, 41}, kCube, 5, [](const test::Point& p) {
    return test::in_shell(p, 16.0, 18.0) || test::in_shell(p, 7.0, 9.0);
  });
  const auto parts = good(fill_from_outside(nested, Connectivity::corners));
  EXPECT_EQ(good(label_objects(parts, Connectivity::corners)).largest, 1U);
  EXPECT_EQ(good(label_lumens(parts, Connectivity::corners)).largest, 2U);
  for (std::int64_t wall = 1; wall <= 3; ++wall) {
    const std::int64_t cell = 5 + wall;
    const std::int64_t side = 3 * cell + wall;
    Pixels<std::uint8_t> grid(Size3{side, side, side});
    for (std::int64_t z = 0; z < side; ++z) {
      for (std::int64_t x = 0; x < side; ++x) {
        for (std::int64_t y = 0; y < side; ++y) {
          grid.at(z, x, y) = z % cell < wall || x % cell < wall || y % cell < wall;
        }
      }
    }
    const auto cubes = good(fill_from_outside(grid, Connectivity::corners));
    EXPECT_EQ(inside(cubes), side * side * side);
    auto lumens = good(label_lumens(cubes, Connectivity::corners));
    ASSERT_EQ(lumens.largest, 27U);
    for (const std::int64_t n : label_counts(lumens)) EXPECT_TRUE(n == 125 || n > 125 * 27);
    // Half of each wall to each side: all of the walls have somewhere to go.
    const auto shared = good(
        share_membrane(lumens, cubes, true, MembraneShare::inside, Connectivity::corners, kCube));
    EXPECT_EQ(label_counts(shared)[0], 0);
    const auto counts = label_counts(shared);
    const std::int64_t middle = shared.values[grid.index(side / 2, side / 2, side / 2)];
    EXPECT_NEAR(std::cbrt(static_cast<double>(counts[static_cast<std::size_t>(middle)])),
                static_cast<double>(cell), 1.01);
  }
}

TEST(Exterior, DiagonalWallsHoldByCornersAndLeakByFaces) {
  Pixels<std::uint8_t> mask(Size3{1, 21, 21});
  for (std::int64_t x = 0; x < 21; ++x) {
    for (std::int64_t y = 0; y < 21; ++y)
      mask.at(0, x, y) = std::abs(x - 10) + std::abs(y - 10) == 7;
  }
  EXPECT_GT(lumen(good(fill_from_outside(mask, Connectivity::corners))), 0);
  EXPECT_EQ(lumen(good(fill_from_outside(mask, Connectivity::faces))), 0);
}

TEST(Exterior, EmptyFullAndCutByTheBorder) {
  Pixels<std::uint8_t> mask(Size3{9, 9, 9});
  EXPECT_EQ(inside(good(fill_from_outside(mask, Connectivity::corners))), 0);
  std::fill(mask.values.begin(), mask.values.end(), std::uint8_t{1});
  EXPECT_EQ(inside(good(fill_from_outside(mask, Connectivity::corners))), 729);
  // A shell whose lumen lies at the border of the image is open there.
  for (std::int64_t z = 0; z < 9; ++z) {
    for (std::int64_t x = 0; x < 9; ++x) {
      for (std::int64_t y = 0; y < 9; ++y) {
        const auto far = std::max({std::abs(z), std::abs(x - 4), std::abs(y - 4)});
        mask.at(z, x, y) = far == 3 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(lumen(good(fill_from_outside(mask, Connectivity::corners))), 0);
}

TEST(Exterior, OfACylinderAlongZSlicesAreAsTheWhole) {
  const auto mask = test::phantom({9, 40, 40}, kCube, 5, [](const test::Point& p) {
    const double r = std::hypot(p[1], p[2]);
    return (r >= 12.0 && r <= 15.0) || (std::abs(p[0]) > 3.0 && r <= 15.0);
  });
  EXPECT_EQ(good(fill_from_outside(mask, Connectivity::corners)).values,
            good(fill_slices(mask, Connectivity::corners)).values);
}

TEST(MembraneShare, AreInsideOutsideAndBetween) {
  for (const VoxelSize& voxel : {kCube, kTall}) {
    const std::int64_t slices = voxel.z > 1.0 ? 15 : 51;
    const auto mask = test::phantom({slices, 51, 51}, voxel, 8, [](const test::Point& p) {
      return test::in_shell(p, 14.0, 20.0);
    });
    const auto parts = good(fill_from_outside(mask, Connectivity::corners));
    const auto objects = good(label_objects(parts, Connectivity::corners));
    const auto volume = [&](MembraneShare share) {
      const auto labels =
          good(share_membrane(objects, parts, false, share, Connectivity::corners, voxel));
      EXPECT_EQ(labels.largest, 1U);
      return voxel.z * static_cast<double>(label_counts(labels)[1]);
    };
    const auto ball = [](double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; };
    EXPECT_NEAR(volume(MembraneShare::inside) / ball(20.0), 1.0, 0.01);
    EXPECT_NEAR(volume(MembraneShare::outside) / ball(14.0), 1.0, 0.02);
    EXPECT_NEAR(volume(MembraneShare::half) / ball(17.0), 1.0, 0.03);
  }
}

TEST(Leaks, AreAsWideAsTheHoleAndWhereItIs) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const double hole : {1.5, 2.5, 3.5}) {
      const auto mask = test::phantom({39, 39, 43}, kCube, seed, [&](const test::Point& p) {
        const bool open = p[2] > 0.0 && std::hypot(p[0], p[1]) < hole;
        return test::in_shell(p, 12.0, 15.0) && !open;
      });
      const auto parts = good(fill_from_outside(mask, Connectivity::corners));
      ASSERT_EQ(lumen(parts), 0);
      const auto leaks = good(find_leaks(parts, kCube, Connectivity::corners));
      ASSERT_EQ(leaks.size(), 1U) << hole;
      // Distances are to centres of pixels: those of the wall begin up to half a pixel farther out.
      EXPECT_NEAR(leaks[0].radius, hole, 0.5 + 0.25) << seed;
      EXPECT_NEAR(leaks[0].inner_radius, 12.0, 1.0);
      EXPECT_NEAR(static_cast<double>(leaks[0].at.z), 19.0, 1.5);
      EXPECT_NEAR(static_cast<double>(leaks[0].at.x), 19.0, 1.5);
      EXPECT_NEAR(static_cast<double>(leaks[0].at.y), 21.0 + 13.5, 3.5);
      // What it says closes it.
      const auto closed = good(close_and_fill(mask, kCube, leaks[0].radius, Connectivity::corners));
      EXPECT_GT(lumen(closed), 6000);
      const auto open =
          good(close_and_fill(mask, kCube, 0.999 * leaks[0].radius, Connectivity::corners));
      EXPECT_LT(lumen(open), 600);
      // It belongs to the shell.
      auto labels = good(label_objects(parts, Connectivity::corners));
      labels.findings = {LabelFinding{1}};
      const auto of = attach_leaks(leaks, labels.values, mask.size, kCube, labels.findings);
      EXPECT_EQ(of, std::vector<std::uint32_t>{1});
      EXPECT_EQ(labels.findings[0].leak_radius, leaks[0].radius);
      EXPECT_TRUE(attach_leaks({}, labels.values, mask.size, kCube, labels.findings).empty());
      EXPECT_EQ(labels.findings[0].leak_radius, 0.0);
    }
  }
}

TEST(Leaks, AreInTheUnitOfTheVoxel) {
  // A hole in the face that slices lie in: wide in x and y, one slice of wall.
  Pixels<std::uint8_t> mask(Size3{21, 60, 60});
  for (std::int64_t z = 0; z < 21; ++z) {
    for (std::int64_t x = 0; x < 60; ++x) {
      for (std::int64_t y = 0; y < 60; ++y) {
        const bool in = z >= 4 && z <= 16 && x >= 8 && x <= 51 && y >= 8 && y <= 51;
        const bool core = z > 4 && z < 16 && x > 8 && x < 51 && y > 8 && y < 51;
        const bool hole = z == 4 && std::abs(x - 30) <= 2 && std::abs(y - 30) <= 2;
        mask.at(z, x, y) = in && !core && !hole ? 1 : 0;
      }
    }
  }
  const auto parts = good(fill_from_outside(mask, Connectivity::corners));
  const auto leaks = good(find_leaks(parts, kTall, Connectivity::corners));
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_EQ(leaks[0].at, (Index3{4, 30, 30}));
  EXPECT_NEAR(leaks[0].radius, 3.0, 1e-6);
}

// The figures of the specification: a thin shell with holes, closed by 1 to 3 voxels.
TEST(Closing, KeepsTheVolumeOfAShellWithHoles) {
  const auto shell = [](const test::Point& p) { return test::in_shell(p, 33.0, 35.0); };
  const auto whole = test::phantom({77, 77, 77}, kCube, 6, shell);
  const auto truth =
      static_cast<double>(inside(good(fill_from_outside(whole, Connectivity::corners))));
  for (const double radius : {1.0, 2.0, 3.0}) {
    const auto holes = test::phantom({77, 77, 77}, kCube, 6, [&](const test::Point& p) {
      const double r = 0.6 * radius;
      return shell(p) && !(std::hypot(p[0], p[1]) < r && p[2] > 0.0) &&
             !(std::hypot(p[1], p[2]) < r);
    });
    ASSERT_LT(static_cast<double>(inside(good(fill_from_outside(holes, Connectivity::corners)))),
              0.5 * truth);
    const auto closed = good(close_and_fill(holes, kCube, radius, Connectivity::corners));
    EXPECT_NEAR(static_cast<double>(inside(closed)) / truth, 1.0, 0.001) << radius;
  }
}

// Nothing at the border of the image is closed for want of room.
TEST(Closing, HasRoomAtTheBorder) {
  Pixels<std::uint8_t> mask(Size3{12, 20, 20});
  mask.at(0, 10, 10) = 1;
  const auto parts = good(close_and_fill(mask, kTall, 6.0, Connectivity::corners));
  EXPECT_EQ(inside(parts), 1);
}

}  // namespace
}  // namespace aprscope
