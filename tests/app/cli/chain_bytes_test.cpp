// Other ways to the same result write the same bytes.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/system.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

TEST_F(Chain, RecipeReplaysTheSameBytes) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  run({"filter", path("a.apr"), "-o", path("direct.apr"), "--stencil", "gaussian:sigma=1,2,2"});
  run({"filter", path("a.apr"), "-o", path("r.json"), "--stencil", "gaussian:sigma=1,2,2"});
  run({"run", path("r.json"), "-o", path("replayed.apr")});
  expect_same_bytes("direct.apr", "replayed.apr");
  // The whole way in one recipe, on an input given later.
  ASSERT_TRUE(write_text_atomically(path("all.json"),
                                    R"({"aprscope": 1, "steps": [{"operation": "convert"},
                      {"operation": "gaussian", "parameters": {"sigma": [1, 2, 2]}}]})")
                  .ok());
  const auto json = run({"run", path("all.json"), path("a.tif"), "-o", path("all.apr")});
  EXPECT_EQ(json["steps"].size(), 2U);
  // The direct way kept u16 particles in between; so does the recipe.
  EXPECT_EQ(run({"compare", path("all.apr"), path("direct.apr")})["identical"], true);
  // Without an output it only reports; with .json it writes a recipe that names its input.
  EXPECT_FALSE(run({"run", path("all.json"), path("a.tif")}).contains("output"));
  run({"run", path("all.json"), path("a.tif"), "-o", path("named.json")});
  run({"run", path("named.json"), "-o", path("named.apr")});
  expect_same_bytes("named.apr", "all.apr");
}

TEST_F(Chain, ARecipeRunsOnSeveralFilesAndFillsATable) {
  synthesize("a.tif");
  synthesize("b.tif");
  ASSERT_TRUE(write_text_atomically(path("r.json"),
                                    R"({"aprscope": 1, "steps": [{"operation": "convert"},
                      {"operation": "box"}]})")
                  .ok());
  ASSERT_TRUE(write_text_atomically(path("bad.tif"), "not an image").ok());
  const auto json = run({"run", path("r.json"), path("a.tif"), path("b.tif"), "-o", path("out"),
                         "--csv", path("t.csv")});
  EXPECT_EQ(json["failed"], 0);
  ASSERT_EQ(json["rows"].size(), 2U);
  EXPECT_GT(json["rows"][1]["particles"].get<int>(), 0);
  run({"run", path("r.json"), path("a.tif"), "-o", path("alone.apr")});
  expect_same_bytes("out/a.apr", "alone.apr");

  // One that fails is told at the end, and the table has the others.
  const auto done = run_cli({"run", path("r.json"), path("a.tif"), path("bad.tif"), path("b.tif"),
                             "-o", path("out"), "--csv", path("t.csv"), "--json"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("1 of 3 files failed"), std::string::npos) << done.err;
  EXPECT_EQ(done.json()["rows"].size(), 3U);
  const std::string table = bytes_of(path("t.csv"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
  EXPECT_EQ(table.rfind("file,output,read_s,step1_convert_s,step2_box_s,write_s,particles", 0), 0U);
  EXPECT_NE(table.find("bad.tif"), std::string::npos);
  EXPECT_EQ(run_cli({"run", path("r.json"), path("a.tif"), path("b.tif")}).exit_code, 2);
}

TEST_F(Chain, ThreadsDoNotChangeTheBytes) {
  synthesize("a.tif");
  for (const char* threads : {"1", "3"}) {
    const std::string n(threads);
    run({"convert", path("a.tif"), "-o", path("c" + n + ".apr"), "--threads", n});
    run({"filter", path("c" + n + ".apr"), "-o", path("f" + n + ".apr"), "--stencil",
         "gradient:kind=sobel", "--threads", n});
    run({"filter", path("a.tif"), "-o", path("f" + n + ".tif"), "--stencil", "gaussian:sigma=2",
         "--threads", n});
    run({"render", path("f" + n + ".apr"), "-o", path("m" + n + ".png"), "--view", "mip",
         "--threads", n});
  }
  expect_same_bytes("c1.apr", "c3.apr");
  expect_same_bytes("f1.apr", "f3.apr");
  expect_same_bytes("f1.tif", "f3.tif");
  expect_same_bytes("m1.png", "m3.png");
}

TEST_F(Chain, StreamedConversionGivesTheSameBytes) {
  synthesize("a.tif");
  for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                               {"--lambda", "0"},
                                               {"--voxel-size", "1,2,3"},
                                               {"--tree"},
                                               {"--packing", "quick"}}) {
    std::vector<std::string> whole{"convert", path("a.tif"), "-o", path("whole.apr")};
    std::vector<std::string> streamed{"convert", path("a.tif"), "-o", path("streamed.apr"),
                                      "--stream"};
    whole.insert(whole.end(), more.begin(), more.end());
    streamed.insert(streamed.end(), more.begin(), more.end());
    const auto expected = run(whole);
    const auto found = run(streamed);
    EXPECT_FALSE(expected.contains("streamed"));
    EXPECT_EQ(found["streamed"], true);
    EXPECT_EQ(found["particles"], expected["particles"]);
    for (const char* key :
         {"sigma_th", "grad_th", "size", "voxel_size", "dtype", "levels", "particles_per_level",
          "cr", "bytes", "pixel_bytes", "fields", "channels", "times", "file_bytes"}) {
      EXPECT_EQ(found[key], expected[key]) << key;
    }
    expect_same_bytes("whole.apr", "streamed.apr");
  }
}

// --memory decides whether a conversion is streamed, not what comes of it.
TEST_F(Chain, ConversionStreamsWhatMemoryHasNoRoomFor) {
  synthesize("a.tif");
  EXPECT_FALSE(run({"convert", path("a.tif"), "-o", path("whole.apr"), "--memory", "2GB"})
                   .contains("streamed"));
  const auto small = run({"convert", path("a.tif"), "-o", path("small.apr"), "--memory", "1KB"});
  EXPECT_EQ(small.value("streamed", false), true) << small.dump();
  expect_same_bytes("whole.apr", "small.apr");
  EXPECT_EQ(run_cli({"convert", path("a.tif"), "-o", path("b.apr"), "--memory", "much"}).exit_code,
            2);
}

// The tree adds to the file and changes nothing else.
TEST_F(Chain, WritesTheTreeWhenAsked) {
  synthesize("image.tif");
  const auto plain = run({"convert", path("image.tif"), "-o", path("plain.apr")});
  const auto tree = run({"convert", path("image.tif"), "-o", path("tree.apr"), "--tree"});
  EXPECT_GT(tree["file_bytes"], plain["file_bytes"]);
  EXPECT_EQ(run({"info", path("tree.apr")})["particles"], plain["particles"]);
  run({"convert", path("image.tif"), "-o", path("bare.apr"), "--no-tree"});
  expect_same_bytes("plain.apr", "bare.apr");
  run({"filter", path("plain.apr"), "-o", path("a.tif"), "--stencil", "box:size=3"});
  run({"filter", path("tree.apr"), "-o", path("b.tif"), "--stencil", "box:size=3"});
  expect_same_bytes("a.tif", "b.tif");
}

// How it is packed changes the file's size alone.
TEST_F(Chain, PacksAsAsked) {
  synthesize("image.tif");
  const auto convert = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"convert", path("image.tif"), "-o", path(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments)["file_bytes"].get<std::uint64_t>();
  };
  convert("plain.apr", {});
  const auto small = convert("small.apr", {"--packing", "small"});
  const auto quick = convert("quick.apr", {"--packing", "quick"});
  EXPECT_GT(quick, small);
  expect_same_bytes("plain.apr", "small.apr");
  for (const std::string name : {"small", "quick"}) {
    run({"filter", path(name + ".apr"), "-o", path(name + ".tif"), "--stencil", "box:size=3"});
  }
  expect_same_bytes("small.tif", "quick.tif");
  EXPECT_EQ(
      run_cli({"convert", path("image.tif"), "-o", path("x.apr"), "--packing", "much"}).exit_code,
      2);
}

// Results must not depend on the machine: kernels for AVX2 and for AVX-512 give the same bytes.
TEST_F(Chain, TheSameBytesWithEitherInstructionSet) {
  if (!use_avx512()) GTEST_SKIP() << "this machine has no AVX-512, or it is switched off";
  synthesize("image.tif");
  run({"convert", path("image.tif"), "-o", path("image.apr")});
  // Conversion takes several rows at once where vectors are wide: an odd number leaves one over.
  for (const std::string size : {"19,35,53", "40,17,130", "9,1,40", "7,33,2"}) {
    run({"synth", "spheres", "--size", size, "-o", path("odd.tif")});
    run({"convert", path("odd.tif"), "-o", path("wide.apr")});
    ASSERT_EQ(::setenv("APRSCOPE_ISA", "avx2", 1), 0);
    run({"convert", path("odd.tif"), "-o", path("narrow.apr")});
    ASSERT_EQ(::unsetenv("APRSCOPE_ISA"), 0);
    EXPECT_TRUE(bytes_of(path("wide.apr")) == bytes_of(path("narrow.apr"))) << size;
  }
  SanitizedShare share(4);
  for (const std::string input : {"image.apr", "image.tif"}) {
    const std::string suffix = input.substr(input.size() - 4);
    for (const std::string stencil : {"gaussian:sigma=0.7,size=5", "gaussian:sigma=2,size=13",
                                      "log:sigma=1", "log:sigma=2", "gradient", "median:size=3",
                                      "median:size=5", "standard_deviation:size=3", "max:size=7"}) {
      if (!share.takes()) continue;
      run({"filter", path(input), "-o", path("wide" + suffix), "--stencil", stencil});
      ASSERT_EQ(::setenv("APRSCOPE_ISA", "avx2", 1), 0);
      run({"filter", path(input), "-o", path("narrow" + suffix), "--stencil", stencil});
      ASSERT_EQ(::unsetenv("APRSCOPE_ISA"), 0);
      EXPECT_TRUE(bytes_of(path("wide" + suffix)) == bytes_of(path("narrow" + suffix)))
          << stencil << " on " << input;
    }
  }
  for (const char* construction : {"t", "v"}) {
    const auto wide = run({"topology", path("image.tif"), "--construction", construction});
    ASSERT_EQ(::setenv("APRSCOPE_ISA", "avx2", 1), 0);
    const auto narrow = run({"topology", path("image.tif"), "--construction", construction});
    ASSERT_EQ(::unsetenv("APRSCOPE_ISA"), 0);
    EXPECT_EQ(wide["measured"][0]["tables"], narrow["measured"][0]["tables"]) << construction;
  }
}

}  // namespace
}  // namespace aprscope::test
