// Sets that this program makes, read by RELION, whose map is the reference for ours.
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
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

// Images with aberrations, made by this program of a table that has them: with its columns RELION's
// map is ours, and both are the truth; without them its map is another.
TEST_F(BesideRelion, AberrationsAreWhatItTakesThemFor) {
  constexpr std::int64_t kSide = 32;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kSide, 2.0).ok());
  run({"project", path("truth.mrc"), "--images", "400", "--ctf", "--least-defocus", "1000",
       "--most-defocus", "3000", "-o", path("plain.star")});
  const auto plain = read_text(path("plain.star"));
  ASSERT_TRUE(plain.ok());
  struct Columns {
    std::string name, labels, values;
    double gain;
  };
  const std::vector<Columns> all{
      {"tilt", "_rlnBeamTiltX\n_rlnBeamTiltY\n", " 8 -5", 0.05},
      {"odd", "_rlnOddZernike\n", " [1,-.5,130,-5,4,-150]", 0.05},
      {"even", "_rlnEvenZernike\n", " [.1,10,-.5,-15,400,-8,6,5,500]", 0.02},
      {"magnification", "_rlnMagMat00\n_rlnMagMat01\n_rlnMagMat10\n_rlnMagMat11\n",
       " 1.08 .05 .04 .91", 0.02}};
  for (const Columns& columns : all) {
    SCOPED_TRACE(columns.name);
    // Behind the last column of the optics.
    const std::string last = "_rlnCtfDataAreCtfPremultiplied";
    const auto label = plain->find('\n', plain->find(last)) + 1;
    const auto row = plain->find('\n', label);
    ASSERT_NE(row, std::string::npos);
    std::ofstream(path("angles.star"))
        << plain->substr(0, label) << columns.labels << plain->substr(label, row - label)
        << columns.values << plain->substr(row);
    run({"project", path("truth.mrc"), "--angles", path("angles.star"), "--ctf", "-o",
         path("set.star"), "--force"});
    run({"backproject", path("set.star"), "-o", path("ours.mrc"), "--mask-diameter", "58",
         "--force"});
    reconstruct("set.star", "relion.mrc", "--skip_gridding --ctf");
    // The same images under the table without these columns.
    const auto made = read_text(path("set.star"));
    ASSERT_TRUE(made.ok());
    std::filesystem::copy_file(path("set.mrcs"), path("plain.mrcs"),
                               std::filesystem::copy_options::overwrite_existing);
    std::ofstream(path("plain.star")) << *plain;
    reconstruct("plain.star", "without.mrc", "--skip_gridding --ctf");
    const auto both = correlation("ours.mrc", "relion.mrc");
    const auto ours = correlation("ours.mrc", "truth.mrc");
    const auto relions = correlation("relion.mrc", "truth.mrc");
    const auto without = correlation("without.mrc", "truth.mrc");
    ASSERT_EQ(both.size(), kSide / 2 + 1);
    double with_them = 0;
    double without_them = 0;
    for (std::size_t shell = 1; shell <= 3 * kSide / 8; ++shell) {
      SCOPED_TRACE(shell);
      EXPECT_GT(both[shell], 0.98);
      EXPECT_GT(ours[shell], relions[shell] - 0.005);
      with_them += relions[shell] / (3 * kSide / 8);
      without_them += without[shell] / (3 * kSide / 8);
    }
    std::cout << columns.name << ": RELION's map to the truth " << with_them
              << ", without the columns " << without_them << "\n";
    EXPECT_GT(with_them, without_them + columns.gain);
  }
}

}  // namespace
}  // namespace aprscope::test
