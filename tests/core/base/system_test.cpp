#include "core/base/system.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(System, ThreadCountFollowsTheChoice) {
  set_thread_count(3);
  EXPECT_EQ(thread_count(), 3);
  set_thread_count(0);
  EXPECT_EQ(thread_count(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(System, ResidentMemoryGrowsWithAnAllocation) {
  const auto before = resident_bytes();
  const std::vector<char> block(64U << 20U, 1);
  EXPECT_GE(resident_bytes(), before + (60U << 20U));
  EXPECT_GE(peak_resident_bytes(), resident_bytes());
  EXPECT_EQ(block[12345], 1);
}

TEST(System, AMeterSeesWhatWasTakenAndGivenBackMeanwhile) {
  {
    const std::vector<char> earlier(200U << 20U, 1);
    ASSERT_EQ(earlier[7], 1);
  }
  const auto peak = peak_resident_bytes();
  const PeakMeter meter;
  {
    const std::vector<char> block(64U << 20U, 1);
    ASSERT_EQ(block[12345], 1);
  }
  const auto extra = meter.extra();
  if (!extra) GTEST_SKIP() << "this system does not let the peak be measured anew";
  EXPECT_GE(*extra, 60U << 20U);
  // Not the larger block from before.
  EXPECT_LT(*extra, 150U << 20U);
  EXPECT_GE(peak_resident_bytes(), peak);
}

TEST(System, BytesAreShownAsPeopleReadThem) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(12'300), "12.3 kB");
  EXPECT_EQ(format_bytes(268'435'456), "268 MB");
  EXPECT_EQ(format_bytes(999'900'000), "1.0 GB");
}

}  // namespace
}  // namespace aprscope
