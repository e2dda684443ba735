// Writing and reading that are watched, are cancelled or run out of disk.
#include <csignal>
#include <stop_token>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/io/write.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

// Asks to stop after `limit` reports; at once for 0.
class StopAfter {
 public:
  explicit StopAfter(int limit) : left_(limit) {
    if (limit == 0) stop_.request_stop();
  }
  JobContext context() {
    return JobContext(stop_.get_token(), [this](double, std::string_view) {
      if (--left_ < 0) stop_.request_stop();
    });
  }

 private:
  std::stop_source stop_;
  int left_;
};

TEST(WriteApr, CancelLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const Apr apr = rich_apr();
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  Apr other = rich_apr({20, 20, 20}, 3);
  // Stops at each of the first reports in turn, until the writing is done before the stop.
  int stops = 0;
  for (int limit = 0; limit < 1000; ++limit) {
    StopAfter stop(limit);
    const Status status = write_apr(other, folder / "a.apr", {.with_tree = true}, stop.context());
    if (status.ok()) break;
    ++stops;
    ASSERT_TRUE(status.error().cancelled());
    ASSERT_EQ(files_in(folder.path()), std::set<std::string>{"a.apr"});
    ASSERT_EQ(load(folder / "a.apr").access->size(), apr.access->size());
  }
  EXPECT_GT(stops, 5);
  expect_same_fields(other.fields, load(folder / "a.apr").fields);
}

TEST(WriteApr, ProgressRises) {
  const TemporaryFolder folder;
  double last = 0;
  const JobContext context({}, [&](double fraction, std::string_view) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1.0);
    last = fraction;
  });
  ASSERT_TRUE(write_apr(rich_apr(), folder / "a.apr", {.with_tree = true}, context).ok());
  EXPECT_EQ(last, 1.0);
  last = 0;
  auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  ASSERT_TRUE(load_apr(*info, {}, context).ok());
  EXPECT_EQ(last, 1.0);
}

TEST(LoadApr, CancelledAtAnyReport) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_apr(rich_apr(), folder / "a.apr").ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  int stops = 0;
  for (int limit = 0; limit < 1000; ++limit) {
    StopAfter stop(limit);
    const auto apr = load_apr(*info, {}, stop.context());
    if (apr.ok()) break;
    ++stops;
    ASSERT_TRUE(apr.error().cancelled()) << apr.error().message();
  }
  EXPECT_GT(stops, 5);
}

// A disk that ends after some bytes, played by the limit on file sizes.
TEST(WriteApr, AFullDiskIsOneErrorAndLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const Apr small = rich_apr({4, 4, 4});
  ASSERT_TRUE(write_apr(small, folder / "a.apr").ok());
  const Apr large = rich_apr({24, 24, 24}, 3);
  ASSERT_TRUE(write_apr(large, folder / "whole.apr").ok());
  const auto whole = fs::file_size(folder / "whole.apr");
  fs::remove(folder / "whole.apr");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  for (int part = 0; part < 8; ++part) {
    rlimit full = limit;
    full.rlim_cur = whole * static_cast<unsigned>(part) / 8;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    const Status status = write_apr(large, folder / "a.apr");
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message().find("a.apr"), std::string::npos)
        << status.error().message();
    EXPECT_EQ(status.error().message().find(".part"), std::string::npos);
    EXPECT_EQ(files_in(folder.path()), std::set<std::string>{"a.apr"});
  }
  std::signal(SIGXFSZ, before);
  // The library goes on working.
  expect_same(small, load(folder / "a.apr"));
  ASSERT_TRUE(write_apr(large, folder / "a.apr").ok());
  expect_same(large, load(folder / "a.apr"));
}

}  // namespace
}  // namespace aprscope::test
