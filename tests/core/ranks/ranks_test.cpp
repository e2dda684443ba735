#include "core/ranks/ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thread_ranks.hpp"

namespace aprscope {
namespace {

using test::ThreadRanks;

std::vector<float> numbers(std::size_t count, int seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::vector<float> made(count);
  for (float& value : made) {
    value = static_cast<float>(engine()) * 1e-5F - 2e4F;
  }
  return made;
}

// Added one rank after the other, as no tree of sums would.
std::vector<float> in_order(std::size_t length, int count) {
  std::vector<float> sum = numbers(length, 0);
  for (int rank = 1; rank < count; ++rank) {
    const std::vector<float> more = numbers(length, rank);
    for (std::size_t i = 0; i < length; ++i) sum[i] += more[i];
  }
  return sum;
}

// Arrays shorter than the ranks are many, of lengths that nothing divides, and longer than a piece.
TEST(Ranks, SumInTheOrderOfRanksToTheBit) {
  for (const int count : {2, 3, 5}) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{4},
                                     std::size_t{1009}, std::size_t{17} << 20}) {
      if (length > 2000 && count != 3) continue;
      std::vector<float> got;
      ThreadRanks::run(count, [&](Ranks& ranks) {
        std::vector<float> mine = numbers(length, ranks.place().rank);
        ranks.prepare_sums();
        ASSERT_TRUE(ranks.agree({}).ok());
        ranks.sum_on_first(mine);
        if (ranks.is_first()) got = mine;
        static_cast<void>(ranks.part({}));
      });
      const std::vector<float> wanted = in_order(length, count);
      ASSERT_EQ(got.size(), wanted.size());
      EXPECT_TRUE(length == 0 ||
                  std::memcmp(got.data(), wanted.data(), length * sizeof(float)) == 0)
          << count << " ranks, " << length;
    }
  }
}

// The array twice at most: its shares out and in, and the sums to the first.
TEST(Ranks, MoveNoMoreThanTheyMust) {
  constexpr std::size_t kLength = 40'000;
  ThreadRanks::run(4, [&](Ranks& ranks) {
    std::vector<float> mine(kLength, 1.0F);
    ranks.prepare_sums();
    ASSERT_TRUE(ranks.agree({}).ok());
    ranks.sum_on_first(mine);
    const std::size_t quarter = kLength / 4 * sizeof(float);
    EXPECT_EQ(ranks.moved_bytes(), ranks.is_first() ? 9 * quarter : 7 * quarter);
    static_cast<void>(ranks.part({}));
  });
}

TEST(Ranks, KnowTheLeastOfTheirNumbers) {
  ThreadRanks::run(4, [](Ranks& ranks) {
    const std::uint64_t numbers[] = {9, 5, 7, 5'000'000'000};
    EXPECT_EQ(ranks.least(numbers[ranks.place().rank]), 5U);
    static_cast<void>(ranks.part({}));
    EXPECT_EQ(ranks.least(3), 3U) << "alone";
  });
}

TEST(Ranks, ExchangeInARing) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    const int rank = ranks.place().rank;
    std::vector<float> out(1000, static_cast<float>(rank));
    std::vector<float> in(1000);
    ranks.exchange((rank + 1) % 3, std::as_bytes(std::span(out)), (rank + 2) % 3,
                   std::as_writable_bytes(std::span(in)));
    EXPECT_EQ(in, std::vector<float>(1000, static_cast<float>((rank + 2) % 3)));
    EXPECT_EQ(ranks.moved_bytes(), 8000U);
    static_cast<void>(ranks.part({}));
  });
}

TEST(Ranks, OnlyTheFirstGoesOnAfterParting) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    const Status parted = ranks.part({});
    EXPECT_TRUE(ranks.parted());
    EXPECT_EQ(parted.ok(), ranks.is_first());
    if (!parted) {
      EXPECT_TRUE(parted.error().cancelled());
      // Nothing waits any more.
      EXPECT_FALSE(ranks.agree(parted).ok());
    }
  });
}

TEST(Ranks, TheErrorOfOneIsThatOfAllAndSaysWhose) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    ASSERT_TRUE(ranks.agree({}).ok());
    const bool bad = ranks.place().rank == 2;
    const Status all =
        ranks.agree(bad ? Status(Error{"has no end", "set.star, line 4", "mend it"}) : Status());
    ASSERT_FALSE(all.ok());
    EXPECT_TRUE(ranks.parted());
    EXPECT_EQ(all.error().what, "has no end");
    EXPECT_EQ(all.error().where, "set.star, line 4 (rank 2 of 3)");
    EXPECT_EQ(all.error().advice, "mend it");
  });
}

// Who was stopped because another failed is not what anybody wants to read of.
TEST(Ranks, AFailureGoesBeforeACancellation) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    const int rank = ranks.place().rank;
    const Status mine = rank == 0   ? Status(cancelled_error())
                        : rank == 1 ? Status()
                                    : Status(Error{"broke", "", ""});
    const Status all = ranks.agree(mine);
    ASSERT_FALSE(all.ok());
    EXPECT_EQ(all.error().what, "broke");
    EXPECT_FALSE(all.error().cancelled());
  });
  ThreadRanks::run(2, [](Ranks& ranks) {
    const Status all = ranks.agree(ranks.is_first() ? Status() : Status(cancelled_error()));
    ASSERT_FALSE(all.ok());
    EXPECT_TRUE(all.error().cancelled());
  });
}

TEST(Ranks, OthersHearOfAFailureBeforeTheyMeet) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    if (ranks.place().rank == 1) {
      EXPECT_FALSE(ranks.agree(Error{"broke", "", ""}).ok());
      return;
    }
    // Would never end otherwise.
    while (!ranks.another_failed()) std::this_thread::yield();
    EXPECT_FALSE(ranks.agree({}).ok());
    EXPECT_FALSE(ranks.another_failed()) << "they have parted";
  });
}

const Error kDifference{"has another set", "set.star", "look at it"};

TEST(Ranks, AgreeOnWhatIsTheSame) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    EXPECT_TRUE(ranks.agree_on(77, kDifference).ok());
    EXPECT_FALSE(ranks.parted());
    EXPECT_EQ(ranks.part({}).ok(), ranks.is_first());
  });
}

TEST(Ranks, AllLearnWhoDiffers) {
  for (const int odd : {1, 2}) {
    ThreadRanks::run(4, [odd](Ranks& ranks) {
      const std::uint64_t mine = ranks.place().rank >= odd ? std::uint64_t{1} << 63U : 0;
      const Status all = ranks.agree_on(mine, kDifference);
      ASSERT_FALSE(all.ok());
      EXPECT_TRUE(ranks.parted());
      EXPECT_EQ(all.error().message(),
                "set.star: process " + std::to_string(odd) + " has another set; look at it.");
      EXPECT_FALSE(all.error().cancelled());
    });
  }
}

// All others differ from the first: it is they who are told of.
TEST(Ranks, TheFirstIsWhatOthersDifferFrom) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    const Status all = ranks.agree_on(ranks.is_first() ? 1 : 2, kDifference);
    ASSERT_FALSE(all.ok());
    EXPECT_EQ(all.error().what, "process 1 has another set");
  });
}

TEST(Ranks, AnErrorTellsMoreThanADifference) {
  for (const int bad : {0, 1, 2}) {
    ThreadRanks::run(3, [bad](Ranks& ranks) {
      const Status all =
          ranks.place().rank == bad
              ? ranks.agree(Error{"is torn", "", ""})
              : ranks.agree_on(static_cast<std::uint64_t>(ranks.place().rank) + 5, kDifference);
      ASSERT_FALSE(all.ok());
      EXPECT_EQ(all.error().what, "is torn");
    });
  }
}

// One that is done with another job already.
TEST(Ranks, OneAtAnotherPlaceDiffersToo) {
  ThreadRanks::run(2, [](Ranks& ranks) {
    const Status all = ranks.is_first() ? ranks.agree_on(5, kDifference) : ranks.part({});
    ASSERT_FALSE(all.ok());
    EXPECT_FALSE(all.error().cancelled());
    EXPECT_EQ(all.error().what, "process 1 has another set");
  });
}

}  // namespace
}  // namespace aprscope
