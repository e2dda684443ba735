// Boxes of images and of .apr files, also of those that memory has no room for, by the real
// program.
#include <gtest/gtest.h>

#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class CropCommand : public Chain {
 protected:
  const std::string box_ = "8:24,16:40,4:36";
};

TEST_F(CropCommand, GivesTheSamePixelsOnEveryWay) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  run({"reconstruct", path("a.apr"), "-o", path("whole.tif")});
  run({"crop", path("whole.tif"), "-o", path("1.tif"), "--region", box_});
  run({"reconstruct", path("a.apr"), "-o", path("2.tif"), "--region", box_});
  const auto report = run({"crop", path("a.apr"), "-o", path("b.apr"), "--region", box_});
  EXPECT_EQ(report["size"], (nlohmann::json{{"z", 16}, {"x", 24}, {"y", 32}}));
  run({"reconstruct", path("b.apr"), "-o", path("3.tif")});
  // A box of an image knows where it lay in it.
  EXPECT_EQ(run({"compare", path("1.tif"), path("2.tif")})["identical"], true);
  expect_same_bytes("2.tif", "3.tif");
}

TEST_F(CropCommand, AndItsRecipeGiveTheSameFile) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  run({"crop", path("a.apr"), "-o", path("1.apr"), "--region", box_});
  run({"crop", path("a.apr"), "-o", path("r.json"), "--region", box_});
  const auto report = run({"run", path("r.json"), "-o", path("2.apr")});
  EXPECT_EQ(report["step_seconds"].size(), 1U);
  expect_same_bytes("1.apr", "2.apr");
}

TEST_F(CropCommand, TakesABoxOfAFileThatDoesNotFit) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer takes more address space than there would be";
#endif
  // Noise: each pixel is a particle, 12 million of them.
  run({"synth", "spheres", "-o", path("a.tif"), "--size", "192,256,256", "--noise", "200"});
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--rel-error", "0.001", "--no-auto", "--tree",
       "--no-error-report"});
  run({"crop", path("a.apr"), "-o", path("1.apr"), "--region", "96:128,64:128,64:128"});
  ProgramOptions little;
  little.memory_limit = std::uint64_t{200} << 20U;
  const auto whole = run_cli({"filter", path("a.apr"), "-o", path("f.apr"), "--stencil", "box",
                              "--device", "cpu", "--threads", "2", "--memory", "100GB"},
                             little);
  EXPECT_TRUE(whole.one_line_error()) << whole.err;
  const auto part = run_cli({"crop", path("a.apr"), "-o", path("2.apr"), "--region",
                             "96:128,64:128,64:128", "--device", "cpu", "--threads", "2"},
                            little);
  EXPECT_EQ(part.exit_code, 0) << part.err;
  expect_same_bytes("1.apr", "2.apr");
}

TEST_F(CropCommand, SaysWhatIsWrongWithABox) {
  synthesize("a.tif");
  const auto fails = [&](const std::string& box, const std::string& says) {
    const auto done = run_cli({"crop", path("a.tif"), "-o", path("b.tif"), "--region", box});
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(says), std::string::npos) << done.err;
  };
  fails("0:33,0:1,0:1", "32 × 48 × 40 pixels");
  fails("0:3", "Z0:Z1,X0:X1,Y0:Y1");
  fails("", "no region is given");
}

}  // namespace
}  // namespace aprscope::test
