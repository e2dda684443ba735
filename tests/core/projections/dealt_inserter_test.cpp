// Images that are dealt out between inserters: the map of one of them, to rounding, and the same
// bytes each time.
#include "core/projections/dealt_inserter.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/backproject.hpp"
#include "core/projections/side_inserters.hpp"
#include "tests/core/projections/batched_inserter.hpp"
#include "tests/core/projections/noisy_set.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kBatch = 10;

// Counts the images that it is given.
class Counting final : public BatchedInserter {
 public:
  Counting(std::unique_ptr<Inserter> inner, std::int64_t* images)
      : BatchedInserter(std::move(inner), kBatch), images_(images) {}
  Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                std::span<const InsertionSample> samples, const JobContext& context) override {
    *images_ += std::ssize(terms);
    return BatchedInserter::insert(images, terms, samples, context);
  }

 private:
  std::int64_t* images_;
};

InserterFactory alone() {
  return [](const InsertionPlan& plan, const JobContext& context) {
    return make_batched<BatchedInserter>(plan, context, kBatch);
  };
}

InserterFactory dealt(const std::vector<InserterFactory>& places) {
  return [places](const InsertionPlan& plan, const JobContext& context) {
    return make_dealt_inserter(plan, places, context);
  };
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return INFINITY;
  double error = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    error += d * d;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(error / size);
}

void expect_near(const Reconstruction& got, const Reconstruction& wanted) {
  EXPECT_LE(difference(got.map, wanted.map), 1e-6);
  EXPECT_LE(difference(got.half1, wanted.half1), 1e-6);
  EXPECT_LE(difference(got.half2, wanted.half2), 1e-6);
  EXPECT_EQ(got.images, wanted.images);
  EXPECT_EQ(got.directions.counts, wanted.directions.counts);
}

TEST(DealtInserter, TheMapIsThatOfOneToRounding) {
  const Projections set = noisy_set();
  for (const auto& [symmetry, solve] :
       {std::pair{"C1", Solve::division}, {"D2", Solve::least_squares}, {"I2", Solve::division}}) {
    const BackprojectSettings settings{.symmetry = symmetry, .solve = solve, .iterations = 2};
    const auto wanted = backproject(set, settings, {}, {}, alone());
    ASSERT_TRUE(wanted) << wanted.error().message();
    // With more of them than images in a batch some get none.
    for (const std::size_t places : {1U, 2U, 3U, 12U}) {
      SCOPED_TRACE(std::string(symmetry) + " on " + std::to_string(places));
      const std::vector<InserterFactory> all(places, alone());
      const auto got = backproject(set, settings, {}, {}, dealt(all));
      ASSERT_TRUE(got) << got.error().message();
      expect_near(*got, *wanted);
      EXPECT_TRUE(got->notes.empty());
      const auto again = backproject(set, settings, {}, {}, dealt(all));
      ASSERT_TRUE(again);
      EXPECT_EQ(again->map, got->map);
      EXPECT_EQ(again->half2, got->half2);
    }
  }
}

TEST(DealtInserter, EachImageIsInsertedOnce) {
  std::vector<std::int64_t> images(3, 0);
  std::vector<InserterFactory> places;
  for (std::int64_t& count : images) {
    places.emplace_back([&count](const InsertionPlan& plan, const JobContext& context) {
      return make_batched<Counting>(plan, context, &count);
    });
  }
  ASSERT_TRUE(backproject(noisy_set(), {}, {}, {}, dealt(places)));
  EXPECT_EQ(images[0] + images[1] + images[2], 60);
  for (const std::int64_t count : images) EXPECT_GE(count, 18);
}

TEST(DealtInserter, PicturesAreOfAllImages) {
  const Projections set = noisy_set();
  std::vector<std::vector<float>> seen[2];
  for (const std::size_t places : {1U, 3U}) {
    BackprojectHooks hooks;
    hooks.seconds_between = 0.0;
    hooks.live = [&](LiveMap live) { seen[places == 1 ? 0 : 1].push_back(std::move(live.map)); };
    const std::vector<InserterFactory> all(places, alone());
    ASSERT_TRUE(backproject(set, {}, hooks, {}, dealt(all)));
  }
  ASSERT_EQ(seen[0].size(), 5U);
  ASSERT_EQ(seen[1].size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_LE(difference(seen[1][i], seen[0][i]), 1e-5) << i;
}

// Of a device that has no room to hand over the sums of the second half.
class Tight final : public BatchedInserter {
 public:
  explicit Tight(std::unique_ptr<Inserter> inner) : BatchedInserter(std::move(inner), kBatch) {}
  Result<std::unique_ptr<HeldSums>> hold(int half) override {
    if (half == 0) return inner().hold(half);
    return Error{"4 MB are free of 8 MB", "a device", "close other data"};
  }
};

TEST(DealtInserter, SumsThatHaveNoRoomAreFinishedOnTheProcessor) {
  const InserterFactory tight = [](const InsertionPlan& plan, const JobContext& context) {
    return make_batched<Tight>(plan, context);
  };
  const Projections set = noisy_set(30);
  const auto wanted = backproject(set, {}, {}, {}, alone());
  for (const std::vector<InserterFactory>& places :
       {std::vector{alone(), alone(), tight}, {alone(), tight, alone()}, {tight, alone()}}) {
    const auto got = backproject(set, {}, {}, {}, dealt(places));
    ASSERT_TRUE(wanted && got);
    expect_near(*got, *wanted);
    ASSERT_EQ(got->notes.size(), 1U);
    EXPECT_NE(got->notes[0].find("4 MB are free"), std::string::npos);
  }
}

// It is for others to cut the sums into parts.
TEST(DealtInserter, ThereIsNoneWhereOneHasNoRoomForAllTiles) {
  class Small final : public BatchedInserter {
   public:
    explicit Small(std::unique_ptr<Inserter> inner) : BatchedInserter(std::move(inner), kBatch) {}
    [[nodiscard]] TileRange fitting() const override { return {0, 1}; }
  };
  InsertionPlan plan;
  plan.side = 8;
  plan.padded = 16;
  plan.tiles = FrequencyTiles(9, 8);
  const InserterFactory small = [](const InsertionPlan& of, const JobContext& context) {
    return make_batched<Small>(of, context);
  };
  const InserterFactory none = [](const InsertionPlan&, const JobContext&) {
    return Result<std::unique_ptr<Inserter>>(Error{"has no memory", "a device", ""});
  };
  for (const InserterFactory& other : {small, none}) {
    const auto made = make_dealt_inserter(plan, {alone(), other}, {});
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_EQ(*made, nullptr);
  }
}

TEST(SideInserters, TheErrorOfOneIsThatOfAllAndAllHaveEnded) {
  SideInserters together(3);
  std::vector<int> ended(3, 0);
  const Status done = together.insert([&](std::size_t i) -> Status {
    ended[i] = 1;
    if (i == 2) return Error{"is lost", "third device", "try again"};
    return {};
  });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message().find("third device"), std::string::npos);
  EXPECT_EQ(ended, std::vector<int>(3, 1));
  const Status memory = together.insert([](std::size_t i) -> Status {
    if (i == 1) throw std::bad_alloc();
    return {};
  });
  ASSERT_FALSE(memory);
  EXPECT_NE(memory.error().message().find("not enough memory"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
