// The number after --memory is kept: measured on the real program, with data that take more.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli/chain_fixture.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

constexpr std::uint64_t kGiven = 100'000'000;
// What is promised of it: a tenth more, and the program itself.
constexpr std::uint64_t kMost = kGiven / 10 * 11 + 200'000'000;

class KeptMemory : public Chain {
 protected:
  // Peak of a run that is given so much.
  std::uint64_t peak(std::vector<std::string> arguments, const std::string& memory) {
    arguments.insert(arguments.end(), {"--memory", memory});
    return run(arguments)["peak_rss_bytes"].get<std::uint64_t>();
  }
  // A run that takes more than is promised where it may, and does not where it may not.
  void expect_kept(const std::vector<std::string>& arguments) {
    SCOPED_TRACE(arguments.front());
    EXPECT_GT(peak(arguments, "10GB"), kMost);
    EXPECT_LE(peak(arguments, std::to_string(kGiven) + "B"), kMost);
  }
};

TEST_F(KeptMemory, AsTheSystemMeasuresIt) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  run({"synth", "noise", "-o", path("a.tif"), "--size", "256,512,512", "--tiff-packing", "none"});
  const std::vector<std::string> convert{"convert", path("a.tif"), "-o",   path("a.apr"),
                                         "--tree",  "--rel-error", "0.01", "--no-error-report"};
  expect_kept(convert);
  expect_kept({"filter", path("a.apr"), "-o", path("b.apr"), "--stencil", "gaussian:sigma=1"});
  expect_kept({"topology", path("a.apr")});
  expect_kept({"statistics", path("a.apr")});
}

}  // namespace
}  // namespace aprscope::test
