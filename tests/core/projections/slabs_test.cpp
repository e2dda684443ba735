// Sums that do not fit at a time are made in passes over slabs of the tiles, or by several
// inserters beside one another: the same bytes as by one inserter at once.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/backproject.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/split_inserter.hpp"
#include "tests/core/projections/batched_inserter.hpp"
#include "tests/core/projections/noisy_set.hpp"

namespace aprscope {
namespace {

// Counts how often each image is read.
class CountedImages final : public ProjectionImages {
 public:
  explicit CountedImages(std::shared_ptr<ProjectionImages> inner) : inner_(std::move(inner)) {}
  Status read(std::span<const Projection> rows, std::span<float> out,
              const JobContext& context) override {
    images += static_cast<std::int64_t>(rows.size());
    return inner_->read(rows, out, context);
  }

  std::int64_t images = 0;

 private:
  std::shared_ptr<ProjectionImages> inner_;
};

// One of the processor that has room for so many tiles only, and takes ten images at a time.
class SmallInserter : public BatchedInserter {
 public:
  SmallInserter(std::unique_ptr<Inserter> inner, TileRange tiles)
      : BatchedInserter(std::move(inner), 10), tiles_(tiles) {}
  [[nodiscard]] TileRange fitting() const override { return tiles_; }

 private:
  TileRange tiles_;
};

// With room for the tiles of one of so many slabs.
InserterFactory in_slabs(int slabs) {
  return [slabs](const InsertionPlan& plan,
                 const JobContext& context) -> Result<std::unique_ptr<Inserter>> {
    const std::int64_t room = (plan.tiles.count() + slabs - 1) / slabs;
    InsertionPlan some = plan;
    some.share = plan.summed();
    some.share.end = std::min(some.share.end, some.share.begin + room);
    return make_batched<SmallInserter>(some, context, some.share);
  };
}

InserterFactory on_places(const std::vector<InserterFactory>& places) {
  return [places](const InsertionPlan& plan, const JobContext& context) {
    return make_split_inserter(plan, places, context);
  };
}

void expect_same(const Reconstruction& got, const Reconstruction& wanted) {
  EXPECT_EQ(got.map, wanted.map);
  EXPECT_EQ(got.half1, wanted.half1);
  EXPECT_EQ(got.half2, wanted.half2);
  EXPECT_EQ(got.fsc, wanted.fsc);
  EXPECT_EQ(got.shell_weight, wanted.shell_weight);
  EXPECT_EQ(got.thin_share, wanted.thin_share);
  EXPECT_EQ(got.directions.counts, wanted.directions.counts);
  EXPECT_EQ(got.images, wanted.images);
  EXPECT_EQ(got.partial, wanted.partial);
}

TEST(Slabs, MapsAreTheBytesOfOnePass) {
  const Projections set = noisy_set(30);
  const std::pair<const char*, Solve> cases[] = {
      {"C1", Solve::least_squares}, {"D2", Solve::division}, {"I2", Solve::division}};
  for (const auto& [symmetry, solve] : cases) {
    const BackprojectSettings settings{.symmetry = symmetry, .solve = solve, .iterations = 2};
    const auto wanted = backproject(set, settings, {}, {}, in_slabs(1));
    ASSERT_TRUE(wanted) << wanted.error().message();
    EXPECT_TRUE(wanted->notes.empty());
    for (const int slabs : {2, 3, 7}) {
      SCOPED_TRACE(std::string(symmetry) + " in " + std::to_string(slabs));
      const auto got = backproject(set, settings, {}, {}, in_slabs(slabs));
      ASSERT_TRUE(got) << got.error().message();
      expect_same(*got, *wanted);
      ASSERT_EQ(got->notes.size(), 1U);
      EXPECT_NE(got->notes[0].find(std::to_string(slabs) + " times"), std::string::npos);
    }
  }
}

TEST(Slabs, TheBlobKernelAndOneHalfToo) {
  const Projections set = noisy_set(20);
  const BackprojectSettings settings{.kernel = InsertionKernel::blob, .halves = Halves::none};
  const auto wanted = backproject(set, settings, {}, {}, in_slabs(1));
  const auto got = backproject(set, settings, {}, {}, in_slabs(3));
  ASSERT_TRUE(wanted && got);
  expect_same(*got, *wanted);
}

// There is room for these few, so that they are read once.
TEST(Slabs, ImagesThatFitAreReadOnce) {
  Projections set = noisy_set();
  const auto counted = std::make_shared<CountedImages>(set.images);
  set.images = counted;
  ASSERT_TRUE(backproject(set, {}, {}, {}, in_slabs(3)));
  EXPECT_EQ(counted->images, 60);
}

// Of a device that has room for the sums of one half and not for the other's, which stay where they
// can be taken.
class Tight final : public BatchedInserter {
 public:
  explicit Tight(std::unique_ptr<Inserter> inner) : BatchedInserter(std::move(inner), 10) {}
  Result<std::unique_ptr<HeldSums>> hold(int half) override {
    if (half == 0) return inner().hold(half);
    return Error{"4 MB are free of 8 MB", "a device", "close other data"};
  }
};

Result<std::unique_ptr<Inserter>> tight(const InsertionPlan& plan, const JobContext& context) {
  return make_batched<Tight>(plan, context);
}

// Alone, and as the last of three that share the tiles, where the others have let go of theirs.
TEST(Slabs, SumsThatTheSolverHasNoRoomForAreFinishedOnTheProcessor) {
  const Projections set = noisy_set(20);
  const auto wanted = backproject(set, {}, {}, {}, in_slabs(1));
  for (const InserterFactory& factory :
       {InserterFactory(tight), on_places({in_slabs(1), in_slabs(1), tight})}) {
    const auto got = backproject(set, {}, {}, {}, factory);
    ASSERT_TRUE(wanted && got);
    expect_same(*got, *wanted);
    ASSERT_EQ(got->notes.size(), 1U);
    EXPECT_NE(got->notes[0].find("4 MB are free"), std::string::npos);
  }
}

// Others take the memory of a device between the question and the second half.
TEST(Slabs, MemoryThatGoesWhileSumsAreTakenOverIsNoError) {
  class Full final : public MapSolver {
   public:
    [[nodiscard]] Status fits(const InsertionPlan& /*plan*/, Solve /*solve*/) const override {
      return {};
    }
    [[nodiscard]] Status holds(const InsertionPlan& /*plan*/) const override { return {}; }
    Result<std::unique_ptr<HeldSums>> hold(const InsertionPlan& plan,
                                           std::vector<float>&& sums) override {
      if (taken_++ == 0) return inner_->hold(plan, std::move(sums));
      return Error{"cudaErrorMemoryAllocation", "a device", "close other data"};
    }
    Result<std::vector<float>> let_go(std::unique_ptr<HeldSums> sums) override {
      return inner_->let_go(std::move(sums));
    }
    // No map is made by it.
    Status complete(const InsertionPlan& /*plan*/, HeldSums& /*sums*/,
                    std::span<const GridRotation> /*aligned*/) override {
      return unasked();
    }
    Status add(HeldSums& /*to*/, const HeldSums& /*more*/) override { return unasked(); }
    Result<std::vector<double>> weights(const InsertionPlan& /*plan*/,
                                        const HeldSums& /*sums*/) override {
      return unasked();
    }
    Result<double> thin(const InsertionPlan& /*plan*/, const HeldSums& /*sums*/,
                        std::span<const double> /*means*/, double /*share*/) override {
      return unasked();
    }
    Result<std::vector<float>> divided(const InsertionPlan& /*plan*/, HeldSums& /*sums*/,
                                       std::span<const double> /*tau*/, bool /*last*/,
                                       const JobContext& /*context*/) override {
      return unasked();
    }
    Result<std::vector<float>> least_squares(const InsertionPlan& /*plan*/,
                                             const HeldSums& /*sums*/,
                                             std::span<const double> /*means*/,
                                             std::span<const double> /*tau*/, int /*iterations*/,
                                             const JobContext& /*context*/) override {
      return unasked();
    }

   private:
    static Error unasked() { return {"is asked", "a solver without sums", "mend this"}; }
    std::unique_ptr<MapSolver> inner_ = make_cpu_solver();
    int taken_ = 0;
  };
  class Crowded final : public SmallInserter {
   public:
    using SmallInserter::SmallInserter;
    [[nodiscard]] std::unique_ptr<MapSolver> solver() const override {
      return std::make_unique<Full>();
    }
  };
  const auto crowded = [](const InsertionPlan& plan,
                          const JobContext& context) -> Result<std::unique_ptr<Inserter>> {
    InsertionPlan part = plan;
    part.share.end = std::min(plan.share.end, plan.share.begin + plan.tiles.count() / 2 + 1);
    auto inner = make_cpu_inserter(part, context);
    if (!inner) return inner.error();
    return std::unique_ptr<Inserter>(std::make_unique<Crowded>(*std::move(inner), part.share));
  };
  const Projections set = noisy_set(20);
  const auto wanted = backproject(set, {}, {}, {}, in_slabs(1));
  const auto got = backproject(set, {}, {}, {}, crowded);
  ASSERT_TRUE(wanted);
  ASSERT_TRUE(got) << got.error().message();
  expect_same(*got, *wanted);
  ASSERT_EQ(got->notes.size(), 2U);
  EXPECT_NE(got->notes[1].find("cudaErrorMemoryAllocation"), std::string::npos) << got->notes[1];
}

// A factory that has less room from pass to pass, as where others take memory meanwhile.
TEST(Slabs, RoomThatShrinksIsUsedAsItIs) {
  const Projections set = noisy_set();
  const auto wanted = backproject(set, {}, {}, {}, in_slabs(1));
  int pass = 0;
  const auto shrinking = [&](const InsertionPlan& plan, const JobContext& context) {
    return in_slabs(2 + 3 * pass++)(plan, context);
  };
  const auto got = backproject(set, {}, {}, {}, shrinking);
  ASSERT_TRUE(wanted && got);
  expect_same(*got, *wanted);
  EXPECT_GT(pass, 3);
}

// What is kept of the first pass is what all others insert. There is no picture meanwhile: a slab
// of the frequencies is none.
TEST(Slabs, WhatIsKeptEarlyIsTheMapOfThoseImages) {
  Projections set = noisy_set();
  std::stop_source keep;
  class Stopping final : public ProjectionImages {
   public:
    Stopping(std::shared_ptr<ProjectionImages> inner, std::stop_source& keep)
        : inner_(std::move(inner)), keep_(keep) {}
    Status read(std::span<const Projection> rows, std::span<float> out,
                const JobContext& context) override {
      if (rows.front().image >= 20) keep_.request_stop();
      return inner_->read(rows, out, context);
    }

   private:
    std::shared_ptr<ProjectionImages> inner_;
    std::stop_source& keep_;
  };
  set.images = std::make_shared<Stopping>(set.images, keep);
  BackprojectHooks hooks;
  hooks.keep = keep.get_token();
  hooks.seconds_between = 0.0;
  hooks.live = [](const LiveMap&) { FAIL() << "a picture of a slab"; };
  const auto kept = backproject(set, {}, hooks, {}, in_slabs(3));
  ASSERT_TRUE(kept) << kept.error().message();
  ASSERT_TRUE(kept->partial);
  EXPECT_LE(kept->images, 40);
  const auto wanted = backproject(noisy_set(), {.images = kept->images}, {}, {}, in_slabs(1));
  ASSERT_TRUE(wanted);
  EXPECT_EQ(kept->map, wanted->map);
  EXPECT_EQ(kept->half2, wanted->half2);
  EXPECT_EQ(kept->directions.counts, wanted->directions.counts);
}

// Sums in files, in as many passes as the bytes ask for, are those in memory.
TEST(Slabs, MapsOfLittleMemoryAreTheBytesOfMuch) {
  Projections set = noisy_set(30);
  const auto counted = std::make_shared<CountedImages>(set.images);
  set.images = counted;
  const std::pair<const char*, Solve> cases[] = {
      {"C1", Solve::division}, {"D2", Solve::division}, {"C1", Solve::weights}};
  for (const auto& [symmetry, solve] : cases) {
    const BackprojectSettings settings{.symmetry = symmetry, .solve = solve, .iterations = 2};
    const auto wanted = backproject(set, settings);
    ASSERT_TRUE(wanted) << wanted.error().message();
    const std::uint64_t least = backproject_scratch_bytes(set.table, settings);
    EXPECT_LT(least, backproject_bytes(set.table, settings));
    counted->images = 0;
    BackprojectHooks hooks;
    hooks.memory = 1;  // the most passes that there are
    hooks.live = [](const LiveMap&) { FAIL() << "a picture of a slab"; };
    const auto got = backproject(set, settings, hooks);
    if (!got && got.error().message().find("lies in memory") != std::string::npos) {
      GTEST_SKIP() << got.error().message();
    }
    ASSERT_TRUE(got) << got.error().message();
    expect_same(*got, *wanted);
    ASSERT_EQ(got->notes.size(), 1U);
    EXPECT_EQ(counted->images % 30, 0);
    EXPECT_GE(counted->images, 10 * 30);
  }
}

TEST(Slabs, AStopEndsAnyPass) {
  const Projections set = noisy_set();
  std::stop_source stop;
  int pass = 0;
  const auto stopping = [&](const InsertionPlan& plan, const JobContext& context) {
    if (++pass == 2) stop.request_stop();
    return in_slabs(3)(plan, context);
  };
  const auto ended = backproject(set, {}, {}, JobContext(stop.get_token()), stopping);
  ASSERT_FALSE(ended);
  EXPECT_TRUE(ended.error().cancelled());
  EXPECT_EQ(pass, 2);
}

TEST(Slabs, SeveralPlacesGiveTheBytesOfOne) {
  const Projections set = noisy_set();
  for (const char* symmetry : {"C1", "D2"}) {
    const auto wanted = backproject(set, {.symmetry = symmetry}, {}, {}, in_slabs(1));
    ASSERT_TRUE(wanted);
    for (const std::size_t places : {1U, 2U, 3U, 8U}) {
      SCOPED_TRACE(std::string(symmetry) + " on " + std::to_string(places));
      const std::vector<InserterFactory> all(places, in_slabs(1));
      const auto got = backproject(set, {.symmetry = symmetry}, {}, {}, on_places(all));
      ASSERT_TRUE(got) << got.error().message();
      expect_same(*got, *wanted);
      EXPECT_TRUE(got->notes.empty());
    }
  }
}

// Each place has room for an eighth of the tiles: three of them take several passes.
TEST(Slabs, SeveralSmallPlacesTakePassesTogether) {
  const Projections set = noisy_set();
  const auto wanted = backproject(set, {}, {}, {}, in_slabs(1));
  const auto got = backproject(set, {}, {}, {}, on_places({in_slabs(8), in_slabs(4), in_slabs(8)}));
  ASSERT_TRUE(wanted && got);
  expect_same(*got, *wanted);
  ASSERT_EQ(got->notes.size(), 1U);
  EXPECT_NE(got->notes[0].find("times"), std::string::npos);
}

TEST(Slabs, AnErrorOfOnePlaceIsThatOfAll) {
  class Broken final : public Inserter {
   public:
    [[nodiscard]] std::int64_t batch() const override { return 10; }
    Status insert(std::span<const float> /*images*/, std::span<const ImageTerms> /*terms*/,
                  std::span<const InsertionSample> /*samples*/,
                  const JobContext& /*context*/) override {
      return Error{"is lost", "second device", "try again"};
    }
    Status sums(int /*half*/, std::span<const std::int32_t> /*tiles*/,
                std::span<float> /*out*/) override {
      return {};
    }
    Result<std::vector<float>> take(int /*half*/) override { return std::vector<float>(); }
  };
  const auto broken = [](const InsertionPlan&, const JobContext&) {
    return Result<std::unique_ptr<Inserter>>(std::make_unique<Broken>());
  };
  const auto got = backproject(noisy_set(), {}, {}, {}, on_places({in_slabs(1), broken}));
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message().find("second device"), std::string::npos);
}

// A map while it grows needs tiles of all places.
TEST(Slabs, PicturesOfSeveralPlacesAreThoseOfOne) {
  const Projections set = noisy_set();
  std::vector<std::vector<float>> seen[2];
  for (const std::size_t places : {1U, 3U}) {
    BackprojectHooks hooks;
    hooks.seconds_between = 0.0;
    hooks.live = [&](LiveMap live) { seen[places == 1 ? 0 : 1].push_back(std::move(live.map)); };
    const std::vector<InserterFactory> all(places, in_slabs(1));
    ASSERT_TRUE(backproject(set, {}, hooks, {}, on_places(all)));
  }
  ASSERT_EQ(seen[0].size(), 5U);
  EXPECT_EQ(seen[1], seen[0]);
}

TEST(Slabs, RangesCoverAllTilesInOrder) {
  const FrequencyTiles tiles(33, 8);
  for (const int parts : {1, 2, 3, 7, 40}) {
    for (const TileRange range : {TileRange{0, tiles.count()}, TileRange{11, 29}}) {
      const auto ranges = balanced_ranges(tiles, range, parts);
      ASSERT_EQ(ranges.size(), static_cast<std::size_t>(parts));
      std::int64_t at = range.begin;
      for (const TileRange& one : ranges) {
        EXPECT_EQ(one.begin, at);
        EXPECT_GE(one.size(), range.size() >= parts ? 1 : 0);
        at = one.end;
      }
      EXPECT_EQ(at, range.end);
    }
  }
  // The ball is cut through its middle.
  const auto halves = balanced_ranges(tiles, {0, tiles.count()}, 2);
  EXPECT_NEAR(static_cast<double>(halves[0].size()), static_cast<double>(halves[1].size()),
              0.05 * static_cast<double>(tiles.count()));
}

}  // namespace
}  // namespace aprscope
