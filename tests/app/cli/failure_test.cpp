#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/formats.hpp"
#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

void expect_clean_failure(const ProgramResult& done) {
  EXPECT_EQ(done.exit_code, 1) << done.out << done.err;
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_EQ(done.err.rfind("aprscope-cli: ", 0), 0U) << done.err;
  EXPECT_EQ(done.out, "");
}

class BadInput : public ::testing::TestWithParam<BadFile> {
 protected:
  TemporaryFolder folder_;
  TemporaryFolder outputs_;
};

TEST_P(BadInput, GetsOneClearErrorFromEveryCommand) {
  const BadFile& bad = GetParam();
  const fs::path file = folder_ / bad.name;
  bad.make(file);
  const auto before = names_in(folder_.path());
  ASSERT_TRUE(write_text_atomically(outputs_ / "old.tif", "old").ok());
  const std::vector<std::vector<std::string>> commands{
      {"info", file.string()},
      {"convert", file.string(), "-o", (outputs_ / "new.apr").string()},
      {"filter", file.string(), "-o", (outputs_ / "old.tif").string(), "--stencil", "box"},
      {"reconstruct", file.string(), "-o", (outputs_ / "new.tif").string()},
      {"render", file.string(), "-o", (outputs_ / "new.png").string(), "--view", "slice"}};
  for (const auto& command : commands) {
    // The header of a pixel image may be whole where its pixels are not.
    if (command[0] == "info" && bad.name == "cut.tif") continue;
    SCOPED_TRACE(command[0]);
    const auto done = run_cli(command);
    expect_clean_failure(done);
    EXPECT_NE(done.err.find(bad.name), std::string::npos) << done.err;
  }
  EXPECT_EQ(names_in(outputs_.path()), std::vector<std::string>{"old.tif"});
  EXPECT_EQ(bytes_of(outputs_ / "old.tif"), "old");
  EXPECT_EQ(names_in(folder_.path()), before);
}

INSTANTIATE_TEST_SUITE_P(All, BadInput, ::testing::ValuesIn(bad_files()), [](const auto& bad) {
  std::string name = bad.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

class Failure : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_ / name).string(); }
  TemporaryFolder folder_;
};

TEST_F(Failure, NotANumberIsCountedNotSpread) {
  make_nan_tiff(path("nan.tif"));
  EXPECT_EQ(run_cli({"info", path("nan.tif")}).exit_code, 0);
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"convert", path("nan.tif"), "-o", path("out.apr")},
           {"filter", path("nan.tif"), "-o", path("out.tif"), "--stencil", "gaussian"},
           {"compare", path("nan.tif"), path("nan.tif")}}) {
    const auto done = run_cli(command);
    expect_clean_failure(done);
    EXPECT_NE(done.err.find("nan"), std::string::npos) << done.err;
  }
  const auto counted = run_cli({"convert", path("nan.tif"), "-o", path("out.apr")});
  EXPECT_NE(counted.err.find("60"), std::string::npos) << counted.err;
  EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"nan.tif"});
}

TEST_F(Failure, MissingFolderIsFoundBeforeTheWork) {
  make_good_tiff(path("a.tif"));
  for (const char* name : {"none/out.apr", "none/out.json"}) {
    const auto done = run_cli({"convert", path("a.tif"), "-o", path(name)});
    expect_clean_failure(done);
    EXPECT_NE(done.err.find("none"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(Failure, OutputThatIsAFolderOrADeviceIsLeftAlone) {
  make_good_tiff(path("a.tif"));
  fs::create_directory(path("dir.apr"));
  expect_clean_failure(run_cli({"convert", path("a.tif"), "-o", path("dir.apr")}));
  fs::create_symlink("/dev/null", path("null.apr"));
  expect_clean_failure(run_cli({"convert", path("a.tif"), "-o", path("null.apr")}));
  EXPECT_TRUE(fs::is_symlink(path("null.apr")));
}

TEST_F(Failure, FullDiskLeavesWhatWasThere) {
  make_good_tiff(path("a.tif"));
  make_good_apr(path("a.apr"));
  ASSERT_TRUE(write_text_atomically(path("old.apr"), "old").ok());
  ASSERT_TRUE(write_text_atomically(path("old.tif"), "old").ok());
  ASSERT_TRUE(write_text_atomically(path("old.png"), "old").ok());
  const auto before = names_in(folder_.path());
  ProgramOptions full;
  full.file_size_limit = 1000;
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"convert", path("a.tif"), "-o", path("old.apr")},
           {"filter", path("a.tif"), "-o", path("old.tif"), "--stencil", "gaussian"},
           {"render", path("a.apr"), "-o", path("old.png"), "--view", "mip", "--size", "512,512"},
           {"synth", "noise", "-o", path("new.tif")}}) {
    SCOPED_TRACE(command[0]);
    expect_clean_failure(run_cli(command, full));
  }
  EXPECT_EQ(names_in(folder_.path()), before);
  for (const char* name : {"old.apr", "old.tif", "old.png"}) EXPECT_EQ(bytes_of(path(name)), "old");
}

TEST_F(Failure, NoPermissionIsSaid) {
  make_good_tiff(path("secret.tif"));
  make_good_tiff(path("open.tif"));
  fs::permissions(folder_.path(), static_cast<fs::perms>(0755));
  fs::permissions(path("open.tif"), static_cast<fs::perms>(0644));
  fs::permissions(path("secret.tif"), static_cast<fs::perms>(0000));
  ProgramOptions nobody;
  nobody.unprivileged = true;
  if (run_cli({"info", path("open.tif")}, nobody).exit_code != 0) {
    GTEST_SKIP() << "a user without rights cannot run the program from where it was built";
  }
  const auto reading = run_cli({"info", path("secret.tif")}, nobody);
  expect_clean_failure(reading);
  EXPECT_NE(reading.err.find("secret.tif"), std::string::npos) << reading.err;
  fs::permissions(folder_.path(), static_cast<fs::perms>(0555));
  const auto writing = run_cli({"convert", path("open.tif"), "-o", path("new.apr")}, nobody);
  fs::permissions(folder_.path(), static_cast<fs::perms>(0755));
  expect_clean_failure(writing);
  EXPECT_FALSE(fs::exists(path("new.apr")));
}

TEST_F(Failure, OperationsOnTheWrongKindOfDataAreExplained) {
  make_good_tiff(path("a.tif"));
  make_good_apr(path("a.apr"));
  const auto before = names_in(folder_.path());
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"convert", path("a.apr"), "-o", path("b.apr")},
           {"reconstruct", path("a.tif"), "-o", path("b.tif")},
           {"filter", path("a.tif"), "-o", path("b.apr"), "--stencil", "box"},
           {"render", path("a.tif"), "-o", path("b.png"), "--view", "slice", "--mode", "smooth"},
           {"render", path("a.apr"), "-o", path("b.png"), "--view", "slice", "--mode", "pixel"},
           {"render", path("a.apr"), "-o", path("b.png"), "--view", "slice", "--index", "24"},
           {"reconstruct", path("a.apr"), "-o", path("b.tif"), "--at-level", "20"},
           {"filter", path("a.tif"), "-o", path("b.tif"), "--stencil", "file:" + path("no.json")},
           {"filter", path("a.tif"), "-o", path("b.tif"), "--stencil", "file:" + path("a.tif")},
           {"convert", path("a.tif"), "-o", path("b.apr"), "--channel", "1"},
           {"convert", path("a.tif"), "-o", path("b.json"), "--voxel-size", "2,1,1"},
           {"convert", path("a.tif"), "-o", path("b.apr"), "--device", "cuda:99"}}) {
    SCOPED_TRACE(command[0] + " " + command.back());
    expect_clean_failure(run_cli(command));
  }
  EXPECT_EQ(names_in(folder_.path()), before);
}

TEST_F(Failure, SizesThatDifferCannotBeCompared) {
  make_good_tiff(path("a.tif"));
  ASSERT_EQ(run_cli({"synth", "noise", "-o", path("b.tif"), "--size", "4,4,4"}).exit_code, 0);
  const auto done = run_cli({"compare", path("a.tif"), path("b.tif")});
  expect_clean_failure(done);
  EXPECT_NE(done.err.find("a.tif"), std::string::npos);
}

TEST_F(Failure, BadRecipesNameTheStep) {
  make_good_tiff(path("a.tif"));
  ASSERT_TRUE(write_text_atomically(path("bad.json"),
                                    R"({"aprscope": 1, "steps": [{"operation": "box"},
                                        {"operation": "box", "parameters": {"size": 4}}]})")
                  .ok());
  const auto done = run_cli({"run", path("bad.json"), path("a.tif"), "-o", path("b.tif")});
  expect_clean_failure(done);
  for (const char* word : {"bad.json", "step 2", "size", "4"}) {
    EXPECT_NE(done.err.find(word), std::string::npos) << done.err;
  }
  ASSERT_TRUE(write_text_atomically(path("empty.json"), R"({"aprscope": 1, "steps": []})").ok());
  expect_clean_failure(run_cli({"run", path("empty.json")}));
  expect_clean_failure(run_cli({"run", path("none.json"), path("a.tif")}));
}

TEST_F(Failure, AWideGaussianTakesTheMemoryOfItsThreeLines) {
  make_good_tiff(path("a.tif"));
  make_good_apr(path("a.apr"));
  for (const auto& [in, out] : {std::pair("a.tif", "b.tif"), {"a.apr", "b.apr"}}) {
    const auto done =
        run_cli({"filter", path(in), "-o", path(out), "--stencil", "gaussian:sigma=100", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    // 601³ weights are 1.7 GB.
    EXPECT_LT(done.json()["peak_rss_bytes"].get<double>(), 5e8) << in;
  }
}

TEST_F(Failure, InterruptLeavesNothing) {
  ASSERT_EQ(run_cli({"synth", "noise", "-o", path("a.tif"), "--size", "96,256,256"}).exit_code, 0);
  ASSERT_TRUE(write_text_atomically(path("old.tif"), "old").ok());
  ProgramOptions interrupted;
  interrupted.interrupt_after = std::chrono::milliseconds(1500);
  // A median of 15³ takes minutes.
  const auto done = run_cli(
      {"filter", path("a.tif"), "-o", path("old.tif"), "--stencil", "median:size=15"}, interrupted);
  expect_clean_failure(done);
  EXPECT_NE(done.err.find("cancelled"), std::string::npos);
  EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"a.tif", "old.tif"}));
  EXPECT_EQ(bytes_of(path("old.tif")), "old");
}

TEST_F(Failure, ChannelsAndTimesThatAreMissingAreSaid) {
  make_good_tiff(path("a.tif"));
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"info", path("a.tif"), "--channel", "1"},
           {"info", path("a.tif"), "--time", "3"},
           {"convert", path("a.tif"), "-o", path("b.apr"), "--channel", "1"}}) {
    const auto done = run_cli(command);
    expect_clean_failure(done);
    EXPECT_NE(done.err.find("use 0, the only one"), std::string::npos) << done.err;
  }
}

struct Usage {
  const char* name;
  std::vector<std::string> arguments;
};
class WrongUsage : public ::testing::TestWithParam<Usage> {};

TEST_P(WrongUsage, ExitsWithTwoAndOneLine) {
  const auto done = run_cli(GetParam().arguments);
  EXPECT_EQ(done.exit_code, 2) << done.err;
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_LT(done.err.size(), 300U) << done.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongUsage,
    ::testing::Values(
        Usage{"nothing", {}}, Usage{"command", {"enlarge", "a.tif"}}, Usage{"no_input", {"info"}},
        Usage{"no_output", {"convert", "a.tif"}}, Usage{"option", {"info", "a.tif", "--frob"}},
        Usage{"device", {"info", "a.tif", "--device", "gpu"}},
        Usage{"threads", {"info", "a.tif", "--threads", "-1"}},
        Usage{"extension", {"convert", "a.tif", "-o", "b.tif"}},
        Usage{"range", {"convert", "a.tif", "-o", "b.apr", "--rel-error", "0"}},
        Usage{"number", {"convert", "a.tif", "-o", "b.apr", "--lambda", "three"}},
        Usage{"vector", {"convert", "a.tif", "-o", "b.apr", "--psf", "1,2"}},
        Usage{"voxel", {"convert", "a.tif", "-o", "b.apr", "--voxel-size", "1,0,1"}},
        Usage{"auto_and_threshold",
              {"convert", "a.tif", "-o", "b.apr", "--auto", "--sigma-th", "5"}},
        Usage{"spec", {"filter", "a.tif", "-o", "b.tif", "--stencil", "gaussian:sigma=x"}},
        Usage{"filter", {"filter", "a.tif", "-o", "b.tif", "--stencil", "blur"}},
        Usage{"mode", {"filter", "a.tif", "-o", "b.tif", "--stencil", "box", "--mode", "odd"}},
        Usage{"statistic_mode",
              {"filter", "a.tif", "-o", "b.tif", "--stencil", "median", "--mode", "rescaled"}},
        Usage{"channel", {"convert", "a.tif", "-o", "b.apr", "--channel", "-1"}},
        Usage{"time", {"info", "a.tif", "--time", "first"}},
        Usage{"slice", {"render", "a.apr", "-o", "b.png", "--view", "slice", "--index", "-1"}},
        Usage{"contrast",
              {"render", "a.apr", "-o", "b.png", "--view", "mip", "--contrast", "200,100"}},
        Usage{"reconstruct_mode", {"reconstruct", "a.apr", "-o", "b.tif", "--mode", "round"}},
        Usage{"view", {"render", "a.apr", "-o", "b.png", "--view", "front"}},
        Usage{"camera", {"render", "a.apr", "-o", "b.png", "--view", "mip", "--camera", "1,2"}},
        Usage{"clip", {"render", "a.apr", "-o", "b.png", "--view", "mip", "--clip", "3:1,0:2,0:2"}},
        Usage{"depth_of_mip", {"render", "a.apr", "-o", "b.png", "--view", "mip", "--depth", "2"}},
        Usage{"depth", {"render", "a.apr", "-o", "b.png", "--view", "translucent", "--depth", "0"}},
        Usage{"clip_of_slice",
              {"render", "a.apr", "-o", "b.png", "--view", "slice", "--clip", "0:1,0:2,0:2"}},
        Usage{"size", {"render", "a.apr", "-o", "b.png", "--view", "mip", "--size", "0,5"}},
        Usage{"kind", {"synth", "cats", "-o", "b.tif"}},
        Usage{"synth_size", {"synth", "cells", "-o", "b.tif", "--size", "0,4,4"}},
        Usage{"method",
              {"bench", "deconvolution", "--experiment", "cylinders", "--method", "magic"}},
        Usage{"deconvolution", {"bench", "deconvolution", "--experiment", "stars"}},
        Usage{"bench", {"bench", "speed"}},
        Usage{"tile", {"bench", "convolution", "--tile-to", "64"}}),
    [](const auto& usage) { return std::string(usage.param.name); });

TEST(Help, ListsEveryParameterOfTheSchema) {
  const auto done = run_cli({"convert", "--help"});
  EXPECT_EQ(done.exit_code, 0);
  for (const char* option :
       {"--rel-error", "--lambda", "--auto", "--no-auto", "--sigma-th", "--sigma-th-max",
        "--grad-th", "--intensity-th", "--psf", "--use-voxel-size", "--constant-scale",
        "--neighbourhood-optimisation", "--voxel-size", "--no-error-report"}) {
    EXPECT_NE(done.out.find(option), std::string::npos) << option;
  }
  const auto all = run_cli({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command :
       {"info", "synth", "convert", "reconstruct", "filter", "compare", "render", "run", "bench"}) {
    EXPECT_NE(all.out.find(command), std::string::npos) << command;
  }
  for (const Format& format : formats()) {
    EXPECT_NE(done.out.find(format.name), std::string::npos) << format.name;
    for (const std::string& ending : format.endings) {
      EXPECT_NE(all.out.find(ending), std::string::npos) << ending;
    }
  }
  EXPECT_EQ(run_cli({"--version"}).exit_code, 0);
}

}  // namespace
}  // namespace aprscope::test
