// The number after --memory is kept: measured on the real program, with data that take more.
#include <cstdint>
#include <filesystem>
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

// What grows with the area of a slice cannot be streamed away: it is kept to, or refused.
TEST_F(KeptMemory, OfWideSlices) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  // What the image shows does not matter, but for the time.
  run({"synth", "spheres", "-o", path("a.tif"), "--size", "64,1536,1536", "--tiff-packing",
       "none"});
  const std::vector<std::string> convert{"convert", path("a.tif"), "-o", path("a.apr")};
  const std::uint64_t given = 350'000'000;
  std::vector<std::string> kept = convert;
  kept.insert(kept.end(), {"--memory", std::to_string(given) + "B"});
  const auto report = run(kept);
  EXPECT_TRUE(report["streamed"].get<bool>());
  EXPECT_LE(report["peak_rss_bytes"].get<std::uint64_t>(), given / 10 * 11 + 200'000'000);
  std::vector<std::string> less = convert;
  less[3] = path("b.apr");
  less.insert(less.end(), {"--memory", "200MB"});
  const auto refused = run_cli(less);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("64 slices of 1536 × 1536 pixels, also slice by slice, and 200 MB "
                             "are allowed; allow more, or convert a crop of the image."),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(path("b.apr")));
}

// A step that has no parts is refused where it takes more, before it begins.
TEST_F(KeptMemory, OfStepsThatNeedAll) {
  run({"synth", "spheres", "-o", path("a.tif"), "--size", "64,256,256", "--tiff-packing", "none"});
  const auto refused = run_cli({"filter", path("a.tif"), "-o", path("b.tif"), "--stencil",
                                "gaussian:sigma=1", "--memory", "1B", "--device", "cpu"});
  // 16 MB of pixels and their float copy are less than the program itself.
  EXPECT_EQ(refused.exit_code, 0) << refused.err;
  run({"synth", "spheres", "-o", path("c.tif"), "--size", "64,800,800", "--tiff-packing", "none"});
  const auto large = run_cli({"filter", path("c.tif"), "-o", path("d.tif"), "--stencil",
                              "gaussian:sigma=1", "--memory", "10MB", "--device", "cpu"});
  EXPECT_EQ(large.exit_code, 1);
  EXPECT_NE(large.err.find("c.tif: takes about"), std::string::npos) << large.err;
  EXPECT_NE(large.err.find("10.0 MB are allowed"), std::string::npos) << large.err;
  EXPECT_FALSE(std::filesystem::exists(path("d.tif")));
}

}  // namespace
}  // namespace aprscope::test
