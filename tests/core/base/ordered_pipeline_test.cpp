// ordered_pipeline(): every item once, in order, whoever made it; errors, cancel and exceptions end
// it.
#include "core/base/ordered_pipeline.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

TEST(OrderedPipeline, UsesAllInOrder) {
  for (const int threads : {1, 2, 5}) {
    for (const std::int64_t count : {0, 1, 2, 9, 10, 11, 100}) {
      std::vector<std::int64_t> used;
      std::atomic<int> made = 0;
      const Status status = ordered_pipeline<std::int64_t>(
          count, threads, {},
          [&](std::int64_t i, int thread, std::int64_t& item) {
            EXPECT_LT(thread, threads);
            item = i * i;
            ++made;
          },
          [&](std::int64_t i, std::int64_t& item) -> Status {
            EXPECT_EQ(item, i * i);
            used.push_back(i);
            return {};
          });
      EXPECT_TRUE(status.ok());
      EXPECT_EQ(made, count);
      ASSERT_EQ(static_cast<std::int64_t>(used.size()), count);
      for (std::int64_t i = 0; i < count; ++i) EXPECT_EQ(used[static_cast<std::size_t>(i)], i);
    }
  }
}

TEST(OrderedPipeline, TheFirstErrorEndsIt) {
  for (const int threads : {1, 3}) {
    std::int64_t last = -1;
    const Status status = ordered_pipeline<int>(
        50, threads, {}, [](std::int64_t, int, int&) {},
        [&](std::int64_t i, int&) -> Status {
          last = i;
          if (i == 17) return Error{"is full", "disk", ""};
          return {};
        });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().what, "is full");
    EXPECT_EQ(last, 17);
  }
}

TEST(OrderedPipeline, CancelIsHeeded) {
  std::stop_source source;
  const JobContext context(source.get_token());
  std::int64_t last = -1;
  const Status status = ordered_pipeline<int>(
      50, 2, context, [](std::int64_t, int, int&) {},
      [&](std::int64_t i, int&) -> Status {
        last = i;
        if (i == 5) source.request_stop();
        return {};
      });
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().cancelled());
  EXPECT_EQ(last, 5);
}

// The others wait for room, which only the oldest item would make.
TEST(OrderedPipeline, CancelWakesThoseWhoWaitForRoom) {
  std::stop_source source;
  const JobContext context(source.get_token());
  std::atomic<int> made = 0;
  const Status status = ordered_pipeline<int>(
      50, 2, context,
      [&](std::int64_t i, int, int&) {
        // Three items a thread are held: the ring is full then, and the other one waits.
        while (i == 0 && made < 5) std::this_thread::yield();
        if (i == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          source.request_stop();
        }
        ++made;
      },
      [](std::int64_t, int&) -> Status { return {}; });
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().cancelled());
}

TEST(OrderedPipeline, ExceptionsAreThrownAgain) {
  EXPECT_THROW((void)ordered_pipeline<int>(
                   9, 2, {},
                   [](std::int64_t i, int, int&) {
                     if (i == 4) throw std::runtime_error("no");
                   },
                   [](std::int64_t, int&) -> Status { return {}; }),
               std::runtime_error);
}

}  // namespace
}  // namespace aprscope::test
