#include "core/base/process.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Process, ProgramsAreFoundWherePathLeads) {
  ASSERT_TRUE(find_program("sh"));
  EXPECT_EQ(find_program("sh")->substr(0, 1), "/");
  EXPECT_FALSE(find_program("no-such-program-here"));
}

TEST(Process, TellsSuccessFromFailure) {
  EXPECT_TRUE(run_program({"true"}).ok());
  const Status failed = run_program({"sh", "-c", "echo first >&2; echo the reason >&2; exit 3"});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message().find("the reason"), std::string::npos);
  EXPECT_EQ(failed.error().message().find("first"), std::string::npos);
  EXPECT_FALSE(run_program({"no-such-program-here"}).ok());
}

TEST(Process, ManyWordsOnStderrDoNotBlock) {
  EXPECT_TRUE(run_program({"sh", "-c", "yes long words | head -c 300000 >&2"}).ok());
}

TEST(Process, IsEndedWhenAsked) {
  std::stop_source stop;
  std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  const auto start = std::chrono::steady_clock::now();
  const Status done = run_program({"sleep", "20"}, JobContext(stop.get_token()));
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().cancelled());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace aprscope
