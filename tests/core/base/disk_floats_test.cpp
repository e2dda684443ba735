#include "core/base/disk_floats.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// Kilobytes of files that lie in the memory of this process.
long mapped_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("RssFile:", 0) == 0) return std::strtol(line.c_str() + 8, nullptr, 10);
  }
  return 0;
}

TEST(DiskFloats, StayWhatTheyAreOutsideOfMemory) {
  constexpr std::size_t kCount = 4'000'000;  // 16 MB
  DiskFloats disk;
  const auto first = disk.take(kCount);
  if (!first) GTEST_SKIP() << first.error().message();
  std::fill(first->begin(), first->end(), 1.5F);
  // Others do not move it.
  for (int i = 0; i < 5; ++i) {
    const auto other = disk.take(1000);
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(std::count(other->begin(), other->end(), 0.0F), 1000);
    other->front() = static_cast<float>(i);
  }
  const long before = mapped_kilobytes();
  disk.leave();
  EXPECT_LE(mapped_kilobytes(), before - 14'000);
  EXPECT_EQ(std::count(first->begin(), first->end(), 1.5F), kCount);
  EXPECT_GE(mapped_kilobytes(), before - 2'000);
}

}  // namespace
}  // namespace aprscope
