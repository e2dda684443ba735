// Sets that this program makes, read by RELION, whose map is the reference for ours.
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/em/mrc_write.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {
namespace {

// Where a shell finds it.
bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

class BesideRelion : public Chain {
 protected:
  void SetUp() override {
    if (!is_installed("relion_reconstruct")) {
      GTEST_SKIP() << "relion_reconstruct is not installed (package relion)";
    }
  }

  // RELION's map of a set; --skip_gridding: without its iterations of weights.
  void reconstruct(const std::string& set, const std::string& map, const std::string& more) {
    const std::string command = "cd '" + folder_.path().string() + "' && relion_reconstruct --i " +
                                set + " --o " + map + " " + more + " > relion.txt 2>&1";
    const int code = std::system(command.c_str());
    std::ostringstream said;
    said << std::ifstream(path("relion.txt")).rdbuf();
    ASSERT_EQ(code, 0) << said.str();
    ASSERT_TRUE(std::filesystem::exists(path(map))) << said.str();
  }

  // The correlation of two maps by shell, without a mask.
  std::vector<double> correlation(const std::string& a, const std::string& b) {
    run({"fsc", path(a), path(b), "-o", path("fsc.csv")});
    std::vector<double> fsc;
    std::ifstream file(path("fsc.csv"));
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0) continue;
      fsc.push_back(std::stod(line.substr(line.rfind(',') + 1)));
    }
    return fsc;
  }
};

TEST_F(BesideRelion, SetsAreReadByItAndItsMapIsOurs) {
  constexpr std::int64_t kSide = 32;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kSide, 2.0).ok());
  for (const bool ctf : {false, true}) {
    SCOPED_TRACE(ctf);
    std::vector<std::string> project = {
        "project", path("truth.mrc"), "--images", "400", "--shift", "1.5", "-o", path("set.star")};
    // So near to focus that a box of this size holds what the CTF spreads.
    if (ctf) {
      project.insert(project.end(),
                     {"--ctf", "--least-defocus", "1000", "--most-defocus", "3000", "--force"});
    }
    run(project);
    reconstruct("set.star", "relion.mrc", ctf ? "--skip_gridding --ctf" : "--skip_gridding");
    // RELION clears what lies outside of a sphere; masked alike, maps can be compared.
    std::vector<std::string> ours = {"backproject",    path("set.star"),  "-o",
                                     path("ours.mrc"), "--mask-diameter", "58"};
    if (ctf) ours.emplace_back("--force");
    run(ours);
    const auto both = correlation("ours.mrc", "relion.mrc");
    const auto to_truth = correlation("ours.mrc", "truth.mrc");
    const auto relion_to_truth = correlation("relion.mrc", "truth.mrc");
    ASSERT_EQ(both.size(), kSide / 2 + 1);
    for (std::size_t shell = 1; shell <= 3 * kSide / 8; ++shell) {
      SCOPED_TRACE(shell);
      EXPECT_GT(both[shell], 0.99);
      // As near to the truth as RELION's.
      EXPECT_GT(to_truth[shell], relion_to_truth[shell] - 0.001);
    }
  }
}

// As RELION ships, it iterates its weights, and so do ours where they are asked to.
TEST_F(BesideRelion, IteratedWeightsGiveTheMapOfItsDefault) {
  constexpr std::int64_t kSide = 32;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kSide, 2.0).ok());
  run({"project", path("truth.mrc"), "--images", "400", "-o", path("set.star")});
  reconstruct("set.star", "relion.mrc", "");
  run({"backproject", path("set.star"), "-o", path("ours.mrc"), "--mask-diameter", "58", "--solve",
       "weights", "--iterations", "10"});
  const auto both = correlation("ours.mrc", "relion.mrc");
  const auto to_truth = correlation("ours.mrc", "truth.mrc");
  const auto relion_to_truth = correlation("relion.mrc", "truth.mrc");
  ASSERT_EQ(both.size(), kSide / 2 + 1);
  for (std::size_t shell = 1; shell <= 3 * kSide / 8; ++shell) {
    SCOPED_TRACE(shell);
    EXPECT_GT(both[shell], 0.995);
    EXPECT_GT(to_truth[shell], relion_to_truth[shell] - 0.001);
  }
}

}  // namespace
}  // namespace aprscope::test
