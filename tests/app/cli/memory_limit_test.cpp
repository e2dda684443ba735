#include <filesystem>

#include <gtest/gtest.h>

#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

// The program with little memory: done, or one sentence that blames memory. Not with sanitizers,
// which take terabytes of address space.
#if !defined(__SANITIZE_ADDRESS__)

namespace aprscope::test {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

class MemoryLimit : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const auto made = run_cli({"synth", "cells", "-o", file("a.tif"), "--size", "48,160,160"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    ASSERT_EQ(run_cli({"convert", file("a.tif"), "-o", file("a.apr")}).exit_code, 0);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static std::string file(const std::string& name) { return (*folder_ / name).string(); }

 private:
  static TemporaryFolder* folder_;
};
TemporaryFolder* MemoryLimit::folder_ = nullptr;

TEST_P(MemoryLimit, IsNotTheEnd) {
  const std::uint64_t limit = static_cast<std::uint64_t>(GetParam()) * kMegabyte;
  // With code for several kinds of GPU it may be larger than the least limit.
  if (const auto program = std::filesystem::file_size(cli_program()); limit < program) {
    GTEST_SKIP() << "the system cannot start a program of " << program << " bytes in " << limit;
  }
  const std::vector<std::vector<std::string>> commands{
      {"info", file("a.tif")},
      {"info", file("a.apr")},
      {"synth", "cells", "-o", file("b.tif"), "--size", "32,128,128"},
      {"convert", file("a.tif"), "-o", file("b.apr")},
      {"convert", file("a.tif"), "-o", file("b.apr"), "--stream"},
      {"filter", file("a.tif"), "-o", file("b.tif"), "--stencil", "gaussian:sigma=2"},
      {"filter", file("a.apr"), "-o", file("b.apr"), "--stencil", "median"},
      {"deconvolve", file("a.apr"), "-o", file("b.apr"), "--psf", "gaussian:sigma=2",
       "--iterations", "2"},
      {"reconstruct", file("a.apr"), "-o", file("b.tif")},
      {"compare", file("a.tif"), file("a.apr")},
      {"render", file("a.apr"), "-o", file("b.png"), "--view", "mip"}};
  for (const auto& command : commands) {
    // As on a machine of many cores, where threads alone would take all memory.
    for (const char* threads : {"2", "48"}) {
      ProgramOptions limited;
      limited.memory_limit = limit;
      auto arguments = command;
      arguments.insert(arguments.end(), {"--threads", threads});
      const auto done = run_cli(arguments, limited);
      SCOPED_TRACE(command[0] + " " + command[1] + " with " + threads + " threads: " + done.err);
      if (done.exit_code == 127) {
        // Not even the libraries fit: the system says so before the program begins.
        EXPECT_NE(done.err.find("librar"), std::string::npos);
        continue;
      }
      EXPECT_TRUE(done.exit_code == 0 || done.exit_code == 1) << done.exit_code;
      if (done.exit_code == 0) {
        EXPECT_EQ(done.err, "");
        continue;
      }
      EXPECT_TRUE(done.one_line_error());
      EXPECT_NE(done.err.find("memory"), std::string::npos);
      EXPECT_EQ(done.err.find("damaged"), std::string::npos);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Megabytes, MemoryLimit,
                         ::testing::Values(24, 28, 32, 36, 40, 48, 56, 64, 80, 100, 128, 160, 200,
                                           280, 400));

}  // namespace
}  // namespace aprscope::test
#endif
