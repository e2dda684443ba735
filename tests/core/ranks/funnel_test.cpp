#include "core/ranks/funnel.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thread_ranks.hpp"

namespace aprscope {
namespace {

using test::ThreadRanks;

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string text(std::span<const std::byte> of) {
  std::string out(of.size(), ' ');
  if (!of.empty()) std::memcpy(out.data(), of.data(), of.size());
  return out;
}

// Longer than a piece of a message for some, empty for others.
std::string body_of(std::int64_t item) {
  const std::size_t lengths[] = {0, 1, 1U << 20U, (1U << 20U) + 1, 3'000'001};
  const std::size_t length = lengths[static_cast<std::size_t>(item % 5)];
  std::string body(length, 'a');
  for (std::size_t i = 0; i < length; ++i) body[i] = static_cast<char>('a' + (i * 7 + 3) % 26);
  return body;
}

Status make_two_parts(std::int64_t item, const Funnel::Send& send) {
  const std::string name = "item " + std::to_string(item);
  if (Status sent = send(bytes(name), bytes(body_of(item))); !sent) return sent;
  return send(bytes("end"), {});
}

TEST(Funnel, BringsAllPartsToTheFirstInOrder) {
  for (const int count : {2, 3, 5}) {
    for (const std::int64_t items : {0, 1, 2, 11}) {
      SCOPED_TRACE(std::to_string(count) + " ranks, " + std::to_string(items) + " items");
      std::map<std::int64_t, std::vector<std::string>> heads;
      std::map<std::int64_t, std::string> bodies;
      std::atomic<int> taking{0};
      ThreadRanks::run(count, [&](Ranks& ranks) {
        const Funnel::Take take = [&](const Funnel::Part& part) -> Status {
          EXPECT_TRUE(ranks.is_first());
          EXPECT_EQ(++taking, 1) << "one at a time";
          heads[part.item].push_back(text(part.head));
          bodies[part.item] += text(part.body);
          --taking;
          return {};
        };
        Funnel funnel(ranks);
        EXPECT_TRUE(funnel.run(items, "making", make_two_parts, take, {}).ok());
        EXPECT_TRUE(funnel.ended());
        static_cast<void>(ranks.part({}));
      });
      ASSERT_EQ(heads.size(), static_cast<std::size_t>(items));
      for (const auto& [item, names] : heads) {
        EXPECT_EQ(names, (std::vector<std::string>{"item " + std::to_string(item), "end"}));
        EXPECT_EQ(bodies[item], body_of(item));
      }
    }
  }
}

// What each rank says at the end, if the given rank fails at an item.
std::vector<std::string> after_failure(int count, const Funnel::Make& make,
                                       const Funnel::Take& take, const JobContext& context = {}) {
  std::mutex mutex;
  std::vector<std::string> said(static_cast<std::size_t>(count));
  ThreadRanks::run(count, [&](Ranks& ranks) {
    Funnel funnel(ranks);
    const Status done = funnel.run(40, "making", make, take, context);
    EXPECT_TRUE(ranks.parted() || done.ok());
    const std::lock_guard lock(mutex);
    said[static_cast<std::size_t>(ranks.place().rank)] = done ? "" : done.error().message();
  });
  return said;
}

const Funnel::Take kTakeAll = [](const Funnel::Part&) { return Status(); };

TEST(Funnel, AnErrorOfAnyRankIsThatOfAll) {
  for (const std::int64_t bad : {0, 1, 17, 38}) {
    const auto said = after_failure(
        3,
        [&](std::int64_t item, const Funnel::Send& send) -> Status {
          if (item == bad) return Error{"is bad", "item", "mend it"};
          return make_two_parts(item, send);
        },
        kTakeAll);
    EXPECT_NE(said[0].find("is bad"), std::string::npos) << bad << ": " << said[0];
    for (const std::string& each : said) EXPECT_EQ(each, said[0]);
  }
}

TEST(Funnel, AnErrorOfTakingIsThatOfAll) {
  for (const std::int64_t bad : {0, 1, 20}) {
    const auto said = after_failure(4, make_two_parts, [&](const Funnel::Part& part) -> Status {
      if (part.item == bad) return Error{"disk is full", "out.apr", "free some space"};
      return {};
    });
    for (const std::string& each : said) {
      EXPECT_NE(each.find("disk is full"), std::string::npos) << bad << ": " << each;
    }
  }
}

// Work that is lost is not done.
TEST(Funnel, TheFirstStopsWhenAnotherHasFailed) {
  std::atomic<int> made_by_first{0};
  const auto said = after_failure(
      2,
      [&](std::int64_t item, const Funnel::Send&) -> Status {
        if (item % 2 == 1) return Error{"is bad", "item", "mend it"};
        ++made_by_first;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return {};
      },
      kTakeAll);
  EXPECT_NE(said[0].find("is bad"), std::string::npos) << said[0];
  EXPECT_LT(made_by_first, 15) << "of 20";
}

TEST(Funnel, ThrownExceptionsAreErrors) {
  const auto said = after_failure(
      3,
      [](std::int64_t item, const Funnel::Send& send) -> Status {
        if (item == 4) throw std::bad_alloc();
        return make_two_parts(item, send);
      },
      kTakeAll);
  for (const std::string& each : said) EXPECT_NE(each.find("memory"), std::string::npos) << each;
}

TEST(Funnel, StopsWhereTheFirstIsCancelled) {
  std::stop_source stop;
  std::atomic<int> taken{0};
  const auto said = after_failure(
      3, make_two_parts,
      [&](const Funnel::Part&) {
        if (++taken == 5) stop.request_stop();
        return Status();
      },
      JobContext(stop.get_token()));
  for (const std::string& each : said) EXPECT_EQ(each, cancelled_error().message());
  EXPECT_LT(taken, 80);
}

TEST(Funnel, TheFirstMayFailBeforeItTakesAnything) {
  std::mutex mutex;
  std::vector<std::string> said;
  ThreadRanks::run(3, [&](Ranks& ranks) {
    Funnel funnel(ranks);
    const Status done = ranks.is_first()
                            ? funnel.abandon({"cannot be written", "out.apr", "choose another"})
                            : funnel.run(40, "making", make_two_parts, kTakeAll, {});
    const std::lock_guard lock(mutex);
    said.push_back(done ? "" : done.error().message());
  });
  ASSERT_EQ(said.size(), 3U);
  for (const std::string& each : said) {
    EXPECT_NE(each.find("cannot be written"), std::string::npos) << each;
  }
}

}  // namespace
}  // namespace aprscope
