// Sums of some of the tiles, and of several devices together: the bytes of all tiles at once.
#include <algorithm>
#include <cstring>
#include <utility>

#include "core/projections/backproject.hpp"
#include "core/projections/phantom.hpp"
#include "core/projections/split_inserter.hpp"
#include "gpu/projections/projection_inserter.hpp"
#include "gpu/projections/projection_planes.hpp"
#include "gpu/projections/projection_sums.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/gpu/projections/drawn_planes.hpp"

namespace aprscope {
namespace {

using test::difference;
using test::DrawnCase;
using test::DrawnInput;
using test::DrawnSums;

const std::vector<DrawnCase> kCases = {
    {.name = "tiles of 8"},
    {.name = "CTF, halves, tiles of 16", .side = 33, .tile = 16, .ctf = CtfUse::ctf, .halves = 2},
    {.name = "I2", .halves = 2, .symmetry = "I2", .images = 12},
};

bool same_bytes(const DrawnSums& a, const DrawnSums& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](auto& x, auto& y) {
           return x.size() == y.size() &&
                  std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
         });
}

class ProjectionSlabsTest : public test::CudaTest {
 protected:
  // Of the plan's share, which is to be appended to others.
  void append(const DrawnInput& in, bool exact, DrawnSums& to) {
    auto made = gpu::make_cuda_inserter(device_, in.plan, exact);
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_EQ((*made)->fitting().size(), 0);
    const DrawnSums some = test::sums_of(**made, in, 1000);
    to.resize(some.size());
    for (std::size_t half = 0; half < some.size(); ++half) {
      to[half].insert(to[half].end(), some[half].begin(), some[half].end());
    }
  }
  DrawnSums whole(const DrawnInput& in, bool exact) {
    DrawnSums sums;
    append(in, exact, sums);
    return sums;
  }
  // The tiles are cut between devices, for which one stands here.
  Result<std::unique_ptr<Inserter>> split(std::size_t count, const InsertionPlan& plan,
                                          bool exact) {
    const std::vector<InserterFactory> places(
        count, [this, exact](const InsertionPlan& part, const JobContext&) {
          return gpu::make_cuda_inserter(device_, part, exact);
        });
    return make_split_inserter(plan, places, {});
  }
};

TEST_F(ProjectionSlabsTest, SumsOfSlabsAreThoseOfAllTiles) {
  for (const bool exact : {false, true}) {
    for (const DrawnCase& c : kCases) {
      DrawnInput in = test::input_of(c, true);
      const DrawnSums wanted = whole(in, exact);
      for (const std::int64_t slabs : {2, 3, 7}) {
        SCOPED_TRACE(testing::Message() << c.name << (exact ? ", exact, " : ", ") << slabs);
        const std::int64_t tiles = in.plan.tiles.count();
        DrawnSums got;
        for (std::int64_t i = 0; i < slabs; ++i) {
          in.plan.share = {tiles * i / slabs, tiles * (i + 1) / slabs};
          append(in, exact, got);
        }
        in.plan.share = {};
        EXPECT_TRUE(same_bytes(got, wanted));
      }
    }
  }
}

// One device stands for several.
TEST_F(ProjectionSlabsTest, SumsOfSeveralDevicesAreThoseOfOne) {
  for (const bool exact : {false, true}) {
    for (const DrawnCase& c : kCases) {
      const DrawnInput in = test::input_of(c, true);
      const DrawnSums wanted = whole(in, exact);
      for (const std::size_t count : {2U, 3U}) {
        SCOPED_TRACE(testing::Message() << c.name << (exact ? ", exact, " : ", ") << count);
        auto made = split(count, in.plan, exact);
        ASSERT_TRUE(made) << made.error().message();
        EXPECT_TRUE(same_bytes(test::sums_of(**made, in, 1000), wanted));
      }
    }
  }
}

TEST_F(ProjectionSlabsTest, ImagesAreDealtOutBetweenDevices) {
  for (const DrawnCase& c : kCases) {
    const DrawnInput in = test::input_of(c, true);
    const DrawnSums wanted = whole(in, false);
    for (const std::size_t count : {2U, 3U}) {
      SCOPED_TRACE(testing::Message() << c.name << ", " << count);
      const std::vector<std::shared_ptr<gpu::GpuDevice>> devices(count, device_);
      DrawnSums got[2];
      for (DrawnSums& sums : got) {
        auto made = gpu::make_cuda_inserter(devices, in.plan, false, {});
        ASSERT_TRUE(made) << made.error().message();
        sums = test::sums_of(**made, in, 1000);
      }
      EXPECT_TRUE(same_bytes(got[0], got[1]));
      for (std::size_t half = 0; half < wanted.size(); ++half) {
        EXPECT_LE(difference(got[0][half], wanted[half]), 1e-6);
      }
    }
  }
}

TEST_F(ProjectionSlabsTest, WhatDoesNotFitIsMadeInParts) {
  DrawnInput in = test::input_of({.halves = 2, .images = 12}, true);
  const DrawnSums wanted = whole(in, false);
  // Half of it is for planes, of the rest a third of the sums.
  const std::uint64_t sums =
      gpu::PlaneSums::tile_bytes(in.plan) * static_cast<std::uint64_t>(in.plan.tiles.count());
  const std::uint64_t room = 2 * (sums / 3 + gpu::PlaneSums::other_bytes());
  ASSERT_LT(room, 2 * gpu::PlaneStore::bytes(in.plan, false));
  DrawnSums got(2);
  int passes = 0;
  for (std::int64_t begin = 0; begin < in.plan.tiles.count(); ++passes) {
    in.plan.share = {begin, in.plan.tiles.count()};
    gpu::limit_device_memory(gpu::device_memory().used + room);
    auto made = gpu::make_cuda_inserter(device_, in.plan, false);
    gpu::limit_device_memory(0);
    ASSERT_TRUE(made) << made.error().message();
    const TileRange fits = (*made)->fitting();
    EXPECT_EQ(fits.size() == 0 || fits.begin == begin, true);
    begin = fits.size() == 0 ? in.plan.tiles.count() : fits.end;
    const DrawnSums some = test::sums_of(**made, in, 1000);
    for (std::size_t half = 0; half < 2; ++half) {
      got[half].insert(got[half].end(), some[half].begin(), some[half].end());
    }
  }
  EXPECT_GE(passes, 3);
  EXPECT_LE(passes, 6);
  EXPECT_TRUE(same_bytes(got, wanted));
}

TEST_F(ProjectionSlabsTest, FarTooLittleMemoryIsRefusedWithNumbers) {
  const DrawnInput in = test::input_of({.side = 48, .halves = 2, .images = 2}, true);
  gpu::limit_device_memory(gpu::device_memory().used + 700'000);
  const auto made = gpu::make_cuda_inserter(device_, in.plan, false);
  gpu::limit_device_memory(0);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message().find("free of the"), std::string::npos)
      << made.error().message();
}

// The whole road: in passes, on one device that is named twice, and at once.
TEST_F(ProjectionSlabsTest, MapsAreTheBytesOfOnePass) {
  ProjectionSetSettings drawn;
  drawn.images = 60;
  drawn.side = 24;
  drawn.shift = 1.0;
  drawn.least_defocus = 8000;
  drawn.most_defocus = 16000;
  const Projections set = phantom_projections(
      random_molecule({.atoms = 30, .half_axes = {7, 6, 5}}), random_projection_table(drawn), 0.5);
  const auto at_once = [&](const InsertionPlan& plan, const JobContext&) {
    return gpu::make_cuda_inserter(device_, plan, false);
  };
  const auto twice = [&](const InsertionPlan& plan, const JobContext&) {
    return split(2, plan, false);
  };
  const auto dealt = [&](const InsertionPlan& plan, const JobContext& context) {
    return gpu::make_cuda_inserter({device_, device_}, plan, false, context);
  };
  const auto in_passes = [&](const InsertionPlan& plan, const JobContext&) {
    const std::uint64_t sums =
        gpu::PlaneSums::tile_bytes(plan) * static_cast<std::uint64_t>(plan.tiles.count());
    // Less than the planes would take, so that half is for the sums.
    gpu::limit_device_memory(gpu::device_memory().used +
                             2 * (sums / 2 + gpu::PlaneSums::other_bytes()));
    auto made = gpu::make_cuda_inserter(device_, plan, false);
    gpu::limit_device_memory(0);
    return made;
  };
  for (const Solve solve : {Solve::division, Solve::least_squares}) {
    const BackprojectSettings settings{.solve = solve};
    const auto wanted = backproject(set, settings, {}, {}, at_once);
    ASSERT_TRUE(wanted) << wanted.error().message();
    const auto two = backproject(set, settings, {}, {}, twice);
    ASSERT_TRUE(two) << two.error().message();
    EXPECT_EQ(two->map, wanted->map);
    EXPECT_EQ(two->half1, wanted->half1);
    EXPECT_EQ(two->fsc, wanted->fsc);
    EXPECT_TRUE(two->notes.empty());
    const auto shares = backproject(set, settings, {}, {}, dealt);
    ASSERT_TRUE(shares) << shares.error().message();
    EXPECT_LE(difference(shares->map, wanted->map), 1e-5);
    EXPECT_LE(difference(shares->half2, wanted->half2), 1e-5);
    EXPECT_TRUE(shares->notes.empty());
    // Fewer images at a time are rounded otherwise.
    const auto passes = backproject(set, settings, {}, {}, in_passes);
    ASSERT_TRUE(passes) << passes.error().message();
    ASSERT_EQ(passes->notes.size(), 1U);
    EXPECT_NE(passes->notes[0].find("times"), std::string::npos);
    EXPECT_LE(difference(passes->map, wanted->map), 1e-4);
  }
}

}  // namespace
}  // namespace aprscope
