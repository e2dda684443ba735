#include <fstream>

#include <gtest/gtest.h>

#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

// Numbers that nobody means.

namespace aprscope::test {
namespace {

class Numbers : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_ / name).string(); }
  TemporaryFolder folder_;
};

// Some 450 programs; with sanitizers, where each takes ten times as long, one number of each kind.
const std::vector<std::string>& absurd_numbers() {
#ifdef __SANITIZE_ADDRESS__
  static const std::vector<std::string> all{"nan", "-inf", "1e308", "-1", "", "1e"};
#else
  static const std::vector<std::string> all{
      "nan",  "-nan", "inf", "-inf", "1e999", "1e308", "-1", "-1e-320", "99999999999999999999999",
      "0x10", "1,5",  "",    " ",    "1e"};
#endif
  return all;
}

TEST_F(Numbers, AreWrongUsageWhereTheyAreNoNumbersThatMakeSense) {
  make_good_tiff(path("a.tif"));
  make_good_apr(path("a.apr"));
  const std::vector<std::string> synth{"synth", "noise", "-o", path("b.tif"), "--size", "4,8,8"};
  const std::vector<std::string> convert{"convert", path("a.tif"), "-o", path("b.apr")};
  const std::vector<std::string> filter{"filter", path("a.tif"), "-o", path("b.tif"), "--stencil"};
  const std::vector<std::string> sharpen{
      "deconvolve", path("a.apr"),      "-o",           path("b.apr"),
      "--psf",      "gaussian:sigma=1", "--iterations", "1"};
  const std::vector<std::string> render{"render", path("a.apr"), "-o", path("b.png"), "--view"};
  struct Option {
    std::vector<std::string> command;
    // What stands before the number, and behind it.
    std::string before, after;
  };
  std::vector<Option> options;
  for (const char* name :
       {"--signal", "--background", "--noise", "--blur", "--objects", "--seed", "--threads"}) {
    options.push_back({synth, name, ""});
  }
  options.push_back({synth, "--voxel-size", "1,1,"});
  for (const char* name : {"--rel-error", "--lambda", "--sigma-th", "--sigma-th-max", "--grad-th",
                           "--intensity-th", "--channel", "--time"}) {
    options.push_back({convert, name, ""});
  }
  options.push_back({convert, "--voxel-size", "1,1,"});
  options.push_back({convert, "--psf", "1,1,"});
  for (const char* spec : {"gaussian:sigma=", "gaussian:size=", "box:size=", "log:sigma=",
                           "sharpen:amount=", "median:size="}) {
    options.push_back({filter, "", spec});
  }
  for (const char* name : {"--tv", "--tikhonov", "--iterations"}) {
    options.push_back({sharpen, name, ""});
  }
  options.push_back({sharpen, "--truncate", "3,3,"});
  for (const char* spec :
       {"gaussian:sigma=", "born-wolf:na=1.2,n=1.33,wavelength=",
        "born-wolf:wavelength=500,n=1.33,na=", "gibson-lanni:na=1.2,ns=1.33,depth="}) {
    options.push_back({{"psf"}, "", spec});
  }
  options.push_back({[&] {
                       auto c = render;
                       c.emplace_back("slice");
                       return c;
                     }(),
                     "--index", ""});
  options.push_back({[&] {
                       auto c = render;
                       c.emplace_back("mip");
                       return c;
                     }(),
                     "--camera", "0,0,"});
  options.push_back({[&] {
                       auto c = render;
                       c.emplace_back("mip");
                       return c;
                     }(),
                     "--camera", "0,"});
  options.push_back({[&] {
                       auto c = render;
                       c.emplace_back("mip");
                       return c;
                     }(),
                     "--size", "9,"});
  options.push_back({[&] {
                       auto c = render;
                       c.emplace_back("mip");
                       return c;
                     }(),
                     "--contrast", "0,"});
  for (const Option& option : options) {
    for (const std::string& number : absurd_numbers()) {
      auto command = option.command;
      if (option.before.empty()) {
        command.push_back(option.after + number);
      } else {
        command.push_back(option.before + "=" + option.after + number);
      }
      if (command[0] == "psf") {
        command.insert(command.end(), {"-o", path("p.tif"), "--like", path("a.tif")});
      }
      const auto done = run_cli(command);
      SCOPED_TRACE(option.before + " " + option.after + " \"" + number + "\": " + done.err);
      EXPECT_GE(done.exit_code, 0);
      EXPECT_LE(done.exit_code, 2);
      EXPECT_LT(done.seconds, 20.0);
      if (done.exit_code != 0) {
        EXPECT_TRUE(done.one_line_error());
      }
      // These are no number of anything.
      if (number.find("nan") != std::string::npos || number.find("inf") != std::string::npos ||
          number == "1e999" || number == "1e") {
        EXPECT_NE(done.exit_code, 0);
      }
    }
  }
}

TEST_F(Numbers, ASignalThatIsNoNumberMakesNoImage) {
  for (const char* number : {"nan", "inf", "-1", "1e5"}) {
    const auto done = run_cli({"synth", "cells", "-o", path("b.tif"), "--signal", number});
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_NE(done.err.find("--signal"), std::string::npos) << done.err;
  }
  EXPECT_TRUE(names_in(folder_.path()).empty());
}

// A flat image with `value` at z 1, x 2, y 3.
void make_float_tiff(const std::string& path, float value) {
  TiffMaker maker(path, "w");
  PageSpec spec;
  spec.rows = 24;
  spec.cols = 26;
  spec.bits = 32;
  spec.format = SAMPLEFORMAT_IEEEFP;
  for (int z = 0; z < 20; ++z) {
    std::vector<float> page(24 * 26, 100.0F);
    if (z == 1) page[2 * 26 + 3] = value;
    maker.add(spec, page);
  }
}

// Steps of up to 900 units beside each other.
void make_noisy_float_tiff(const std::string& path, float unit) {
  TiffMaker maker(path, "w");
  PageSpec spec;
  spec.rows = 24;
  spec.cols = 26;
  spec.bits = 32;
  spec.format = SAMPLEFORMAT_IEEEFP;
  for (int z = 0; z < 20; ++z) {
    std::vector<float> page(24 * 26, 100.0F * unit);
    for (int i = 0; i < 26; ++i) {
      page[static_cast<std::size_t>(12 * 26 + i)] = static_cast<float>(100 + i * 37 % 900) * unit;
    }
    maker.add(spec, page);
  }
}

TEST_F(Numbers, ValuesThatSumsCannotHoldAreCounted) {
  for (const float value : {1e38F, -3e38F, 3e18F}) {
    make_float_tiff(path("large.tif"), value);
    for (const auto& command : std::vector<std::vector<std::string>>{
             {"convert", path("large.tif"), "-o", path("b.apr")},
             {"convert", path("large.tif"), "-o", path("b.apr"), "--stream"},
             {"filter", path("large.tif"), "-o", path("b.tif"), "--stencil", "gaussian"},
             {"deconvolve", path("large.tif"), "-o", path("b.tif"), "--psf", "gaussian:sigma=1"}}) {
      SCOPED_TRACE(command[0]);
      const auto done = run_cli(command);
      EXPECT_EQ(done.exit_code, 1);
      EXPECT_TRUE(done.one_line_error());
      EXPECT_NE(done.err.find("1 values"), std::string::npos) << done.err;
      EXPECT_NE(done.err.find("z 1, x 2, y 3"), std::string::npos) << done.err;
    }
  }
  make_float_tiff(path("large.tif"), 100.0F);
  EXPECT_EQ(run_cli({"convert", path("large.tif"), "-o", path("b.apr")}).exit_code, 0);
}

TEST_F(Numbers, LargeValuesThatSumsHoldStayWhatTheyAre) {
  make_float_tiff(path("large.tif"), 9e17F);
  ASSERT_EQ(run_cli({"convert", path("large.tif"), "-o", path("b.apr")}).exit_code, 0);
  const auto streamed = run_cli({"convert", path("large.tif"), "-o", path("c.apr"), "--stream"});
  ASSERT_EQ(streamed.exit_code, 0) << streamed.err;
  ASSERT_EQ(run_cli({"reconstruct", path("b.apr"), "-o", path("b.tif")}).exit_code, 0);
  const auto compared = run_cli({"compare", path("large.tif"), path("b.tif"), "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_LT(compared.json()["max_abs_diff"].get<double>(), 1e17);
}

// Whatever the unit: a factor changes no particle, and the report of the error is one.
TEST_F(Numbers, AnImageInAnotherUnitHasTheSameParticles) {
  std::vector<std::uint64_t> particles;
  for (const float unit : {1.0F, 0x1p49F}) {
    make_noisy_float_tiff(path("large.tif"), unit);
    const auto done = run_cli({"convert", path("large.tif"), "-o", path("b.apr"), "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    particles.push_back(done.json().at("particles").get<std::uint64_t>());
    EXPECT_GE(done.json().at("max_relative_error").get<double>(), 0.0);
  }
  EXPECT_EQ(particles[0], particles[1]);
}

TEST_F(Numbers, ResultsThatFloatsCannotHoldAreNoResults) {
  make_float_tiff(path("large.tif"), 9e17F);
  std::ofstream(path("w.json")) << R"({"size": [1, 1, 3], "weights": [0, 1e22, 0]})";
  const auto done = run_cli(
      {"filter", path("large.tif"), "-o", path("b.tif"), "--stencil", "file:" + path("w.json")});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_NE(done.err.find("too large for 32 bit floats"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace aprscope::test
