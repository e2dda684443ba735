#include "core/base/scratch_floats.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

// TMPDIR while it lives.
class TemporaryDirectoryIs {
 public:
  explicit TemporaryDirectoryIs(const std::string& folder) {
    if (const char* const was = std::getenv("TMPDIR")) was_ = was;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryDirectoryIs() {
    was_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", was_.c_str(), 1);
  }

 private:
  std::string was_;
};

TEST(ScratchFloats, AreZeroThenWhatWasWritten) {
  const TemporaryDirectoryIs here("/var/tmp");
  auto made = ScratchFloats::create(3'000'000);
  if (!made) GTEST_SKIP() << made.error().message();
  const auto values = made->values();
  ASSERT_EQ(values.size(), 3'000'000U);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float v) { return v == 0.0F; }));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  ScratchFloats moved = *std::move(made);
  EXPECT_EQ(moved.values().data(), values.data());
  EXPECT_EQ(moved.values()[2'999'999], 2'999'999.0F);
  EXPECT_TRUE(ScratchFloats().values().empty());
  EXPECT_TRUE(ScratchFloats::create(0)->values().empty());
}

TEST(ScratchFloats, LeaveNoNameBehind) {
  const test::TemporaryFolder folder;
  const TemporaryDirectoryIs here((folder / "").string());
  const auto made = ScratchFloats::create(1000);
  if (!made) GTEST_SKIP() << made.error().message();
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

TEST(ScratchFloats, WhatCannotBeIsSaid) {
  {
    const TemporaryDirectoryIs nowhere("/no/such/folder");
    const auto made = ScratchFloats::create(1000);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message().find("/no/such/folder"), std::string::npos);
    EXPECT_NE(made.error().message().find("TMPDIR"), std::string::npos);
  }
  const TemporaryDirectoryIs here("/var/tmp");
  // More than any disk has.
  const auto made = ScratchFloats::create(std::uint64_t{1} << 58U);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message().find("/var/tmp"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
