// Sets that this program makes, read by RELION, whose map is the reference for ours.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/aligned_vector.hpp"
#include "core/base/atomic_file.hpp"
#include "core/image/fft.hpp"
#include "core/io/em/mrc_write.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {
namespace {

// Where a shell finds it.
bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// Of side³ values, with x from 0 on.
AlignedVector<float> half_spectrum(const std::vector<float>& map, std::int64_t side) {
  auto fft = Fft3::create({side, side, side}).value();
  AlignedVector<float> buffer(static_cast<std::size_t>(fft->buffer_count()));
  for (std::int64_t row = 0; row < side * side; ++row) {
    std::copy_n(map.data() + row * side, side, buffer.data() + row * fft->row());
  }
  EXPECT_TRUE(fft->forward(buffer).ok());
  return buffer;
}

// By shell, each frequency of the stored half counted once.
std::vector<double> half_correlation(const AlignedVector<float>& a, const AlignedVector<float>& b,
                                     std::int64_t side) {
  const std::int64_t row = std::ssize(a) / (side * side);
  std::vector<std::array<double, 3>> sums(static_cast<std::size_t>(2 * side));
  for (std::int64_t z = 0; z < side; ++z) {
    for (std::int64_t y = 0; y < side; ++y) {
      const std::int64_t kz = z <= side / 2 ? z : z - side;
      const std::int64_t ky = y <= side / 2 ? y : y - side;
      for (std::int64_t x = 0; x <= side / 2; ++x) {
        auto& sum = sums[static_cast<std::size_t>(
            std::lround(std::sqrt(static_cast<double>(x * x + ky * ky + kz * kz))))];
        const auto at = static_cast<std::size_t>((z * side + y) * row + 2 * x);
        for (const std::size_t i : {at, at + 1}) {
          const double f = a[i];
          const double g = b[i];
          sum[0] += f * g;
          sum[1] += f * f;
          sum[2] += g * g;
        }
      }
    }
  }
  std::vector<double> out;
  for (const auto& sum : sums) out.push_back(sum[0] / std::sqrt(sum[1] * sum[2]));
  return out;
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

  // The voxels of a map of 4 bytes each.
  std::vector<float> mrc_floats(const std::string& map) {
    std::ifstream file(path(map), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    std::vector<float> values((bytes.size() - 1024) / sizeof(float));
    std::memcpy(values.data(), bytes.data() + 1024, values.size() * sizeof(float));
    return values;
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
  constexpr std::int64_t kBoxSide = 32;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kBoxSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kBoxSide, 2.0).ok());
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
    ASSERT_EQ(both.size(), kBoxSide / 2 + 1);
    for (std::size_t shell = 1; shell <= 3 * kBoxSide / 8; ++shell) {
      SCOPED_TRACE(shell);
      EXPECT_GT(both[shell], 0.99);
      // As near to the truth as RELION's.
      EXPECT_GT(to_truth[shell], relion_to_truth[shell] - 0.001);
    }
  }
}

// As RELION ships, it iterates its weights, and so do ours where they are asked to.
TEST_F(BesideRelion, IteratedWeightsGiveTheMapOfItsDefault) {
  constexpr std::int64_t kBoxSide = 32;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kBoxSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kBoxSide, 2.0).ok());
  run({"project", path("truth.mrc"), "--images", "400", "-o", path("set.star")});
  reconstruct("set.star", "relion.mrc", "");
  run({"backproject", path("set.star"), "-o", path("ours.mrc"), "--mask-diameter", "58", "--solve",
       "weights", "--iterations", "10"});
  const auto both = correlation("ours.mrc", "relion.mrc");
  const auto to_truth = correlation("ours.mrc", "truth.mrc");
  const auto relion_to_truth = correlation("relion.mrc", "truth.mrc");
  ASSERT_EQ(both.size(), kBoxSide / 2 + 1);
  for (std::size_t shell = 1; shell <= 3 * kBoxSide / 8; ++shell) {
    SCOPED_TRACE(shell);
    EXPECT_GT(both[shell], 0.995);
    EXPECT_GT(to_truth[shell], relion_to_truth[shell] - 0.001);
  }
}

// Pairs of frequencies count alike here. RELION counts the half of the spectrum that it stores, and
// so the plane k_x = 0 twice: counted as it does, the curves are the same numbers.
TEST_F(BesideRelion, HalfMapsCorrelateAsItsPostprocessingSays) {
  constexpr std::int64_t kBoxSide = 48;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kBoxSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kBoxSide, 2.0).ok());
  run({"project", path("truth.mrc"), "--images", "300", "--noise", "8", "-o", path("set.star")});
  run({"backproject", path("set.star"), "-o", path("map.mrc"), "--half-maps"});
  run({"map-mask", path("truth.mrc"), "-o", path("mask.mrc")});
  // It finds the other half by its name.
  std::filesystem::copy_file(path("map_half1.mrc"), path("halves_half1_unfil.mrc"));
  std::filesystem::copy_file(path("map_half2.mrc"), path("halves_half2_unfil.mrc"));
  std::filesystem::create_directory(path("post"));
  const std::string command =
      "cd '" + folder_.path().string() +
      "' && relion_postprocess --i halves_half1_unfil.mrc --i2 halves_half2_unfil.mrc --o post/p "
      "--angpix 2 --mask mask.mrc > relion.txt 2>&1";
  // Its drawing of the curves may fail, which comes after them.
  std::cout << "relion_postprocess ended with " << std::system(command.c_str()) << "\n";
  const auto table = read_text(path("post/p.star"));
  ASSERT_TRUE(table.ok()) << table.error().message();
  // Rows of ten columns: shell, 1/Å, Å, corrected, by mask fraction, unmasked, masked, randomised.
  std::vector<double> unmasked;
  std::vector<double> masked;
  std::istringstream lines(table->substr(table->find("data_fsc")));
  for (std::string line; std::getline(lines, line) && line.find("data_guinier") != 0;) {
    std::istringstream row(line);
    std::vector<double> values;
    for (double value = 0; row >> value;) values.push_back(value);
    if (values.size() < 8) continue;
    unmasked.push_back(values[5]);
    masked.push_back(values[6]);
  }
  ASSERT_EQ(unmasked.size(), kBoxSide / 2 + 1);

  run({"fsc", path("map_half1.mrc"), path("map_half2.mrc"), "--mask", path("mask.mrc"), "-o",
       path("fsc.csv")});
  const auto spectrum = [&](const std::string& map, bool in_mask) {
    std::vector<float> values = mrc_floats(map);
    if (in_mask) {
      const std::vector<float> mask = mrc_floats("mask.mrc");
      for (std::size_t i = 0; i < values.size(); ++i) values[i] *= mask[i];
    }
    return half_spectrum(values, kBoxSide);
  };
  std::ifstream file(path("fsc.csv"));
  std::vector<std::vector<double>> ours;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0) continue;
    std::istringstream row(line);
    ours.emplace_back();
    // Frequency 0 has no length.
    for (std::string value; std::getline(row, value, ',');) {
      ours.back().push_back(value.empty() ? 0.0 : std::stod(value));
    }
  }
  for (const bool in_mask : {false, true}) {
    const std::vector<double>& its = in_mask ? masked : unmasked;
    const auto counted_its_way = half_correlation(spectrum("map_half1.mrc", in_mask),
                                                  spectrum("map_half2.mrc", in_mask), kBoxSide);
    for (const auto& row : ours) {
      const auto shell = static_cast<std::size_t>(row[0]);
      if (shell < 1 || shell >= kBoxSide / 2) continue;
      SCOPED_TRACE(testing::Message() << (in_mask ? "masked, shell " : "shell ") << shell);
      EXPECT_NEAR(counted_its_way[shell], its[shell], 1e-5);
      // The two ways of counting differ by chance: of some 2πk² pairs those of a plane, one of 2k,
      // count twice.
      const auto k = static_cast<double>(shell);
      const double pairs = 2.0 * std::numbers::pi * k * k;
      const double chance = (1.0 - its[shell] * its[shell]) / std::sqrt(pairs) / std::sqrt(2.0 * k);
      EXPECT_NEAR(row[in_mask ? 4 : 3], its[shell], 5.0 * chance + 5e-4);
    }
  }
}

// Images with aberrations, made by this program of a table that has them: with its columns RELION's
// map is ours, and both are the truth; without them its map is another.
TEST_F(BesideRelion, AberrationsAreWhatItTakesThemFor) {
  constexpr std::int64_t kBoxSide = 32;
  const auto truth = write_projection_set(folder_.path(), {.images = 2, .side = kBoxSide});
  ASSERT_TRUE(write_mrc_map(path("truth.mrc"), truth, kBoxSide, 2.0).ok());
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
    ASSERT_EQ(both.size(), kBoxSide / 2 + 1);
    constexpr std::size_t kShells = 3 * kBoxSide / 8;
    double with_them = 0;
    double without_them = 0;
    for (std::size_t shell = 1; shell <= kShells; ++shell) {
      SCOPED_TRACE(shell);
      EXPECT_GT(both[shell], 0.98);
      EXPECT_GT(ours[shell], relions[shell] - 0.005);
      with_them += relions[shell] / kShells;
      without_them += without[shell] / kShells;
    }
    std::cout << columns.name << ": RELION's map to the truth " << with_them
              << ", without the columns " << without_them << "\n";
    EXPECT_GT(with_them, without_them + columns.gain);
  }
}

}  // namespace
}  // namespace aprscope::test
