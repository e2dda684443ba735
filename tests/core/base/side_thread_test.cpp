#include "core/base/side_thread.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(SideThread, DoesOneAfterTheOtherInOneThread) {
  std::vector<int> order;
  std::vector<std::thread::id> where;
  std::vector<std::future<Status>> done;
  SideThread side;
  for (int i = 0; i < 20; ++i) {
    done.push_back(side.start([&, i]() -> Status {
      order.push_back(i);
      where.push_back(std::this_thread::get_id());
      return {};
    }));
  }
  for (auto& one : done) EXPECT_TRUE(one.get().ok());
  ASSERT_EQ(order.size(), 20U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  for (const auto& id : where) {
    EXPECT_EQ(id, where.front());
    EXPECT_NE(id, std::this_thread::get_id());
  }
}

TEST(SideThread, GivesErrorsAndWhatIsThrown) {
  SideThread side;
  auto error = side.start([]() -> Status { return Error{"is wrong", "here", ""}; });
  auto thrown = side.start([]() -> Status { throw std::runtime_error("thrown"); });
  auto after = side.start([]() -> Status { return {}; });
  EXPECT_EQ(error.get().error().what, "is wrong");
  EXPECT_THROW((void)thrown.get(), std::runtime_error);
  EXPECT_TRUE(after.get().ok());
}

TEST(SideThread, EndsWhenAllIsDone) {
  std::atomic<int> done{0};
  {
    SideThread side;
    for (int i = 0; i < 3; ++i) {
      (void)side.start([&]() -> Status {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++done;
        return {};
      });
    }
  }
  EXPECT_EQ(done, 3);
  const SideThread never_used;
}

}  // namespace
}  // namespace aprscope
