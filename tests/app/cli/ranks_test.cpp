// One map by several processes: the real program under mpirun.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/process.hpp"
#include "core/io/image_source.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

// A process that waits for another that is gone must not hold up the tests: mpirun ends all then.
constexpr const char* kMostSeconds = "120";

std::vector<float> pixels_of(const std::string& path) {
  const auto read = load_file(path);
  EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message());
  return read ? std::get<Volume>(*read).to_float().values : std::vector<float>{};
}

// Largest difference ÷ largest value.
double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  double apart = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i])));
    apart = std::max(apart, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return apart / most;
}

// What Open MPI needs in containers, without ssh and on few cores is the machine's affair, not the
// program's. It leaks a little, which lsan.supp knows by the library only where all callers are
// seen.
std::string asan_options() {
  const char* const asan = std::getenv("ASAN_OPTIONS");
  return (asan != nullptr ? std::string(asan) + ":" : "") + "fast_unwind_on_malloc=0";
}

std::vector<std::string> launch_settings() {
  return {"OMPI_MCA_btl_vader_single_copy_mechanism=none",
          "OMPI_MCA_mpi_yield_when_idle=1",
          "OMPI_MCA_btl=self,vader",
          "OMPI_MCA_plm=isolated",
          "OMPI_MCA_rmaps_base_oversubscribe=1",
          "OMPI_MCA_hwloc_base_binding_policy=none",
          "OMPI_ALLOW_RUN_AS_ROOT=1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
          "ASAN_OPTIONS=" + asan_options()};
}

class RanksCommand : public Chain {
 protected:
  void SetUp() override {
    if (!find_program("mpirun")) GTEST_SKIP() << "mpirun is not installed (openmpi-bin)";
    if (!find_part("aprscope-mpi.so")) GTEST_SKIP() << "built without MPI";
  }

  void make(const ProjectionSetFiles& settings) {
    ASSERT_FALSE(write_projection_set(folder_.path(), settings).empty());
  }

  ProgramResult run_in(int ranks, const std::vector<std::string>& arguments,
                       ProgramOptions options = {}) {
    options.launcher = launcher(ranks);
    return run_cli(arguments, options);
  }
  // What a shell does in each process; its arguments are lost.
  ProgramResult run_script(int ranks, const std::string& script) {
    ProgramOptions options;
    options.launcher = launcher(ranks);
    for (const std::string& word : {std::string("sh"), std::string("-c"), ". " + script}) {
      options.launcher.push_back(word);
    }
    return run_cli({}, options);
  }
  static std::size_t times_in(const std::string& what, const std::string& text) {
    std::size_t times = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
    return times;
  }
  static std::vector<std::string> launcher(int ranks) {
    std::vector<std::string> words{*find_program("env")};
    for (const std::string& setting : launch_settings()) words.push_back(setting);
    // --quiet silences mpirun's own paragraph about a process that failed.
    for (const std::string& word :
         {*find_program("mpirun"), std::string("--quiet"), std::string("--timeout"),
          std::string(kMostSeconds), std::string("-n"), std::to_string(ranks)}) {
      words.push_back(word);
    }
    return words;
  }
  Json json_in(int ranks, std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const ProgramResult done = run_in(ranks, arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err, "");
    Json json = done.json();
    EXPECT_TRUE(json.is_object()) << "one process prints: " << done.out;
    return json;
  }
  std::vector<std::string> backproject(const std::string& output,
                                       std::vector<std::string> more = {}) {
    std::vector<std::string> all{
        "backproject", path("molecule.star"), "-o", path(output), "--device", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // One sentence with these words, and the exit code of a failure.
  void expect_one_sentence(int ranks, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& words) {
    const ProgramResult done = run_in(ranks, arguments);
    EXPECT_EQ(done.exit_code, 1) << done.out;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    for (const std::string& each : words) {
      EXPECT_NE(done.err.find(each), std::string::npos) << done.err;
    }
    EXPECT_LT(done.seconds, 60.0);
  }
  // … and no map.
  void expect_refused(int ranks, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) {
    expect_one_sentence(ranks, arguments, words);
    EXPECT_FALSE(std::filesystem::exists(path("map.mrc")));
  }
  void put_nan_into(std::int64_t image, std::int64_t side) {
    std::fstream stack(path("molecule.mrcs"), std::ios::binary | std::ios::in | std::ios::out);
    const float bad = std::numeric_limits<float>::quiet_NaN();
    stack.seekp(1024 + (image * side * side + 7) * static_cast<std::int64_t>(sizeof bad));
    stack.write(reinterpret_cast<const char*>(&bad), sizeof bad);
    ASSERT_TRUE(stack.good());
  }
};

TEST_F(RanksCommand, MakeTheMapOfOneProcess) {
  make({.images = 150, .noise = 0.5, .defocus = true});
  const std::vector<std::string> settings{"--symmetry", "D2", "--half-maps"};
  auto with_fsc = [&](const std::string& name) {
    auto all = settings;
    all.insert(all.end(), {"--fsc", path(name + ".csv")});
    return backproject(name + ".mrc", all);
  };
  const Json alone = run(with_fsc("alone"));
  for (const int ranks : {2, 3, 4}) {
    const std::string name = "of" + std::to_string(ranks);
    const Json shared = json_in(ranks, with_fsc(name));
    EXPECT_EQ(shared["processes"], ranks);
    EXPECT_EQ(shared["images"], 150);
    EXPECT_NEAR(shared["resolution"].get<double>(), alone["resolution"].get<double>(), 1e-3);
    for (const std::string part : {".mrc", "_half1.mrc", "_half2.mrc"}) {
      EXPECT_LT(relative_difference(pixels_of(path("alone" + part)), pixels_of(path(name + part))),
                1e-6)
          << name << part;
    }
    EXPECT_TRUE(std::filesystem::exists(path(name + ".csv")));
  }
  EXPECT_FALSE(alone.contains("processes"));
}

TEST_F(RanksCommand, GiveTheSameBytesAgain) {
  make({.images = 70});
  for (const int ranks : {3, 4}) {
    json_in(ranks, backproject("one.mrc", {"--half-maps", "--solve", "least_squares"}));
    json_in(ranks, backproject("two.mrc", {"--half-maps", "--solve", "least_squares"}));
    for (const std::string part : {".mrc", "_half1.mrc", "_half2.mrc"}) {
      // Headers tell the time.
      EXPECT_EQ(pixels_of(path("one" + part)), pixels_of(path("two" + part))) << ranks << part;
    }
  }
}

TEST_F(RanksCommand, MayBeMoreThanThereAreImages) {
  make({.images = 3});
  json_in(4, backproject("map.mrc"));
  run(backproject("alone.mrc"));
  EXPECT_LT(relative_difference(pixels_of(path("alone.mrc")), pixels_of(path("map.mrc"))), 1e-6);
}

TEST_F(RanksCommand, ARecipeGoesOnInOneProcess) {
  make({.images = 60});
  std::ofstream(path("recipe.json")) << R"({"aprscope": 1, "steps": [
    {"operation": "backproject", "parameters": {"symmetry": "C1"}},
    {"operation": "fsc"},
    {"operation": "convert", "parameters": {"rel_error": 0.1}}]})";
  const Json done =
      json_in(3, {"run", path("recipe.json"), path("molecule.star"), "-o", path("map.apr")});
  EXPECT_EQ(done["processes"], 3);
  EXPECT_EQ(run({"info", path("map.apr")})["size"]["z"], 32);
}

// Rows of the third of four processes, wherever halves put them.
TEST_F(RanksCommand, OneBadPixelAnywhereIsOneSentence) {
  make({.images = 40});
  put_nan_into(25, 32);
  expect_refused(4, backproject("map.mrc"), {"image 26", "molecule.star, line", "not numbers"});
}

TEST_F(RanksCommand, AMissingOrShortStackIsOneSentence) {
  make({.images = 40});
  std::filesystem::resize_file(path("molecule.mrcs"), 1024 + 30 * 32 * 32 * 4);
  expect_refused(4, backproject("map.mrc"), {"molecule.mrcs"});
  std::filesystem::remove(path("molecule.mrcs"));
  expect_refused(4, backproject("map.mrc"), {"molecule.mrcs"});
  std::filesystem::remove(path("molecule.star"));
  expect_refused(4, backproject("map.mrc"), {"molecule.star"});
}

// What only the first process looks at.
TEST_F(RanksCommand, AnOutputThatCannotBeIsOneSentence) {
  make({.images = 10});
  expect_refused(3, backproject("no_such_folder/map.mrc"), {"no_such_folder"});
  expect_refused(3, backproject("map.mrc", {"--symmetry", "Q7"}), {"Q7"});
  const ProgramResult usage = run_in(3, backproject("map.mrc", {"--no-such-option"}));
  EXPECT_EQ(usage.exit_code, 2);
  EXPECT_NE(usage.err.find("no-such-option"), std::string::npos) << usage.err;
}

// A script that mpirun starts gives each process a command of its own.
TEST_F(RanksCommand, AWrongCommandOfAnyProcessIsAFailure) {
  make({.images = 10});
  const std::string script = path("script.sh");
  std::ofstream(script) << "[ $OMPI_COMM_WORLD_RANK = 1 ] && set -- --no-such-option\n"
                        << "exec " << cli_program() << " info " << path("molecule.star")
                        << " --json \"$@\"\n";
  const ProgramResult done = run_script(2, script);
  EXPECT_EQ(done.exit_code, 2) << done.err;
  EXPECT_NE(done.err.find("no-such-option"), std::string::npos) << done.err;
}

TEST_F(RanksCommand, CtrlCEndsAllOfThem) {
  make({.images = 400, .side = 96});
  ProgramOptions options;
  options.interrupt_after = std::chrono::milliseconds(2500);
  const ProgramResult done =
      run_in(3,
             backproject("map.mrc",
                         {"--solve", "least_squares", "--symmetry", "I2", "--iterations", "100"}),
             options);
  EXPECT_NE(done.exit_code, 0);
  EXPECT_LT(done.seconds_to_end, 20.0);
  std::size_t said = 0;
  for (auto at = done.err.find("cancelled"); at != std::string::npos;
       at = done.err.find("cancelled", at + 1)) {
    ++said;
  }
  EXPECT_EQ(said, 1U) << done.err;
  EXPECT_FALSE(std::filesystem::exists(path("map.mrc")));
  EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"molecule.mrcs", "molecule.star"}));
}

TEST_F(RanksCommand, OtherCommandsAreDoneByEachProcess) {
  make({.images = 10});
  const ProgramResult told = run_in(3, {"info", path("molecule.star"), "--json"});
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_EQ(times_in("\"images\": 10", told.out), 3U) << told.out;
  EXPECT_TRUE(told.one_line_error()) << told.err;
  EXPECT_NE(told.err.find("not shared: each of the 3"), std::string::npos) << told.err;
  // A recipe is saved by all, and one that shares nothing is replayed by all.
  const ProgramResult saved = run_in(3, backproject("step.json", {"--json"}));
  EXPECT_EQ(saved.exit_code, 0) << saved.err;
  EXPECT_EQ(times_in("\"threads\"", saved.out), 3U) << saved.out;
  EXPECT_TRUE(std::filesystem::exists(path("step.json")));
  std::ofstream(path("none.json")) << R"({"aprscope": 1, "steps": []})";
  const ProgramResult none = run_in(3, {"run", path("none.json"), path("molecule.star"), "--json"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(times_in("\"threads\"", none.out), 3U) << none.out;
}

TEST_F(RanksCommand, EachProcessHasItsOwnOutput) {
  const std::string script = path("script.sh");
  std::ofstream(script) << "exec " << cli_program() << " synth cells --size 16,32,32 -o "
                        << path("cells") << "$OMPI_COMM_WORLD_RANK.tif\n";
  const ProgramResult done = run_script(3, script);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  for (const char* name : {"cells0.tif", "cells1.tif", "cells2.tif"}) {
    EXPECT_FALSE(pixels_of(path(name)).empty()) << name;
  }
}

TEST_F(RanksCommand, DifferentSettingsAreOneSentence) {
  make({.images = 20});
  const std::string script = path("script.sh");
  std::ofstream(script) << "more=\n"
                        << "[ $OMPI_COMM_WORLD_RANK = 1 ] && more='--tau 0.002'\n"
                        << "exec " << cli_program() << " backproject " << path("molecule.star")
                        << " -o " << path("map.mrc") << " --device cpu $more\n";
  const ProgramResult done = run_script(2, script);
  EXPECT_EQ(done.exit_code, 1) << done.out;
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("process 1 has another table or other settings"), std::string::npos)
      << done.err;
  EXPECT_FALSE(std::filesystem::exists(path("map.mrc")));
}

TEST_F(RanksCommand, OneProcessIsNoDifferenceToNone) {
  make({.images = 20});
  const Json one = json_in(1, backproject("one.mrc"));
  EXPECT_FALSE(one.contains("processes"));
  run(backproject("none.mrc"));
  EXPECT_EQ(pixels_of(path("one.mrc")), pixels_of(path("none.mrc")));
}

// One image in slabs: the file of one process, byte for byte.
TEST_F(RanksCommand, FilterTheImageOfOneProcess) {
  run({"synth", "spheres", "-o", path("image.tif"), "--size", "160,48,40", "--seed", "3"});
  run({"convert", path("image.tif"), "-o", path("image.apr"), "--tree"});
  const auto filter = [&](const std::string& output, std::vector<std::string> more = {}) {
    std::vector<std::string> all{"filter",    path("image.apr"),           "-o",       path(output),
                                 "--stencil", "gaussian:sigma=1.5,size=5", "--device", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  for (const std::string tree : {"--tree", "--no-tree"}) {
    run(filter("alone.apr", {tree}));
    for (const int ranks : {2, 3}) {
      const Json shared = json_in(ranks, filter("shared.apr", {tree}));
      EXPECT_EQ(shared["processes"], ranks);
      EXPECT_GE(shared["slabs"], ranks);
      expect_same_bytes("alone.apr", "shared.apr");
      std::filesystem::remove(path("shared.apr"));
    }
  }
  expect_one_sentence(3, filter("no_such_folder/out.apr"), {"no_such_folder"});
  std::filesystem::remove(path("image.apr"));
  expect_one_sentence(2, filter("shared.apr"), {"image.apr"});
  EXPECT_FALSE(std::filesystem::exists(path("shared.apr")));
}

// Pixels are no slabs: each process says and does what one alone would.
TEST_F(RanksCommand, FiltersOfPixelsAreNotShared) {
  synthesize("image.tif");
  const ProgramResult done = run_in(
      2, {"filter", path("image.tif"), "-o", path("out.tif"), "--stencil", "box:size=3", "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("not shared: each of the 2"), std::string::npos) << done.err;
}

TEST_F(RanksCommand, DeconvolveTheImageOfOneProcess) {
  synthesize("image.tif");
  run({"convert", path("image.tif"), "-o", path("image.apr")});
  const std::vector<std::vector<std::string>> ways{
      {"--psf", "gaussian:sigma=1.5,size=7"},
      {"--psf", "born-wolf:na=0.8,wavelength=500,n=1.33", "--truncate", "11,13,13", "--near", "3",
       "--tv", "0.01"},
      {"--psf", "gaussian:sigma=1.5,size=7", "--accelerate", "--boundary", "zero"}};
  for (const auto& way : ways) {
    const auto deconvolve = [&](const std::string& output) {
      std::vector<std::string> all{"deconvolve", path("image.apr"), "-o", path(output), "--device",
                                   "cpu",        "--iterations",    "4"};
      all.insert(all.end(), way.begin(), way.end());
      return all;
    };
    run(deconvolve("alone.apr"));
    for (const int ranks : {2, 3}) {
      const Json shared = json_in(ranks, deconvolve("shared.apr"));
      EXPECT_EQ(shared["processes"], ranks);
      EXPECT_EQ(shared["iterations"], 4);
      expect_same_bytes("alone.apr", "shared.apr");
    }
  }
  expect_one_sentence(2,
                      {"deconvolve", path("image.apr"), "-o", path("out.apr"), "--psf",
                       "gaussian:sigma=1,size=5", "--keep-on-interrupt", "--device", "cpu"},
                      {"--keep-on-interrupt", "one process"});
  expect_one_sentence(2,
                      {"deconvolve", path("image.apr"), "-o", path("out.apr"), "--psf",
                       "file:" + path("none.tif"), "--device", "cpu"},
                      {"none.tif"});
}

// Machines without MPI start the program.
TEST(RanksProgram, LinksNoMpi) {
  const TemporaryFolder folder;
  const std::string list = (folder / "list").string();
  ASSERT_TRUE(run_program({"sh", "-c", "ldd " + cli_program() + " > " + list}).ok());
  const std::string libraries = bytes_of(list);
  EXPECT_NE(libraries.find("libc.so"), std::string::npos) << libraries;
  EXPECT_EQ(libraries.find("libmpi"), std::string::npos) << libraries;
  EXPECT_EQ(libraries.find("open-rte"), std::string::npos) << libraries;
}

// Several processes of an unknown launcher must not each write the map.
TEST(RanksProgram, RefusesALauncherThatItDoesNotKnow) {
  const TemporaryFolder folder;
  ASSERT_FALSE(write_projection_set(folder.path(), {.images = 4}).empty());
  ::setenv("PMI_RANK", "0", 1);
  ::setenv("PMI_SIZE", "2", 1);
  const char* const before = std::getenv("ASAN_OPTIONS");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("ASAN_OPTIONS", asan_options().c_str(), 1);
  const ProgramResult done = run_cli(
      {"backproject", (folder / "molecule.star").string(), "-o", (folder / "map.mrc").string()});
  ::unsetenv("PMI_RANK");
  ::unsetenv("PMI_SIZE");
  ::setenv("ASAN_OPTIONS", kept.c_str(), 1);
  EXPECT_EQ(done.exit_code, 1) << done.out;
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("2 processes were started together"), std::string::npos) << done.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "map.mrc"));
}

}  // namespace
}  // namespace aprscope::test
