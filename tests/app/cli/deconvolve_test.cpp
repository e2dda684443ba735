#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class Deconvolve : public Chain {
 protected:
  // truth.tif, its blurred image blurred.tif and that as blurred.apr.
  void make_data() {
    run({"synth", "spheres", "-o", path("truth.tif"), "--size", "24,40,48", "--noise", "0",
         "--no-shot-noise"});
    run({"filter", path("truth.tif"), "-o", path("blurred.tif"), "--stencil",
         "gaussian:sigma=1.5,size=9"});
    run({"convert", path("blurred.tif"), "-o", path("blurred.apr"), "--no-error-report"});
  }
};

TEST_F(Deconvolve, ReportsEachIterationOnPixelsAndOnParticles) {
  make_data();
  for (const char* kind : {".tif", ".apr"}) {
    const auto json = run({"deconvolve", path(std::string("blurred") + kind), "-o",
                           path(std::string("sharp") + kind), "--psf", "gaussian:sigma=1.5,size=9",
                           "--iterations", "12", "--accelerate", "--truth", path("truth.tif")});
    ASSERT_EQ(json["rows"].size(), 12U);
    EXPECT_EQ(json["iterations"], 12);
    EXPECT_EQ(json["partial"], false);
    const auto& first = json["rows"].front();
    const auto& last = json["rows"].back();
    EXPECT_EQ(first["iteration"], 1);
    EXPECT_EQ(last["iteration"], 12);
    EXPECT_GT(last["likelihood"].get<double>(), first["likelihood"].get<double>());
    EXPECT_GT(last["psnr"].get<double>(), first["psnr"].get<double>() + 1.0);
    EXPECT_GT(last["ssim"].get<double>(), 0.0);
    EXPECT_GE(last["seconds"].get<double>(), 0.0);
    EXPECT_EQ(json["dtype"], "f32");
  }
  const auto before = run({"compare", path("truth.tif"), path("blurred.tif")});
  const auto after = run({"compare", path("truth.tif"), path("sharp.tif")});
  EXPECT_GT(after["psnr"].get<double>(), before["psnr"].get<double>() + 1.0);
}

// Words of options are written as options are; recipes hold those of the schema.
TEST_F(Deconvolve, AFewIterationsWithAnotherBackProjector) {
  make_data();
  for (const std::string kind : {"tif", "apr"}) {
    const auto with = [&](const std::string& out, std::vector<std::string> more) {
      std::vector<std::string> all{"deconvolve", path("blurred." + kind),    "-o", path(out),
                                   "--psf",      "gaussian:sigma=1.5,size=9"};
      all.insert(all.end(), more.begin(), more.end());
      return run(all);
    };
    const auto fast = with(
        "fast." + kind, {"--back-projector", "wiener-butterworth", "--truth", path("truth.tif")});
    ASSERT_EQ(fast["rows"].size(), 3U);
    EXPECT_EQ(fast["iterations"], 3);
    EXPECT_EQ(fast["partial"], false);
    const auto plain = with("plain." + kind, {"--iterations", "6", "--truth", path("truth.tif")});
    EXPECT_GT(fast["psnr"].get<double>(), plain["psnr"].get<double>()) << kind;
    const auto both = with("both." + kind, {"--back-projector", "wiener_butterworth_start",
                                            "--wb-iterations", "2", "--iterations", "5"});
    EXPECT_EQ(both["iterations"], 7);
    // One thread, and a recipe, give the same bytes.
    with("one." + kind, {"--back-projector", "wiener-butterworth", "--threads", "1"});
    expect_same_bytes("fast." + kind, "one." + kind);
    with("fast.json", {"--back-projector", "wiener-butterworth"});
    run({"run", path("fast.json"), path("blurred." + kind), "-o", path("again." + kind)});
    expect_same_bytes("fast." + kind, "again." + kind);
    // All that is off is what there was before.
    with("six." + kind, {"--iterations", "6", "--back-projector", "matched"});
    expect_same_bytes("plain." + kind, "six." + kind);
  }
}

TEST_F(Deconvolve, SaysTheResolution) {
  run({"synth", "spheres", "-o", path("seen.tif"), "--size", "24,40,48", "--noise", "0", "--signal",
       "200", "--background", "10", "--blur", "1.5", "--voxel-size", "0.5,0.2,0.2"});
  const auto with = [&](const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> all{"deconvolve", path("seen.tif"), "-o",
                                 path(out),    "--psf",          "gaussian:sigma=1.5,size=9",
                                 "--stop",     "change",         "--iterations",
                                 "5",          "--photon-gain",  "1"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const auto plain = with("plain.tif", {});
  EXPECT_FALSE(plain.contains("resolution_z"));
  const auto json = with("with.tif", {"--resolution"});
  for (const char* axis : {"resolution_z", "resolution_x", "resolution_y"}) {
    EXPECT_GT(json[axis].get<double>(), 0.3) << axis;
    EXPECT_LT(json[axis].get<double>(), 6.0) << axis;
  }
  EXPECT_EQ(json["resolution_unit"], "µm");
  EXPECT_EQ(json["resolution_criterion"], "FSC 1/7");
  expect_same_bytes("plain.tif", "with.tif");
}

TEST_F(Deconvolve, WhatHasNoSayBesideTheBackProjectorIsRefused) {
  make_data();
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"deconvolve", path("blurred.tif"),        "-o", path("no.tif"),
                                 "--psf",      "gaussian:sigma=1.5,size=9"};
    all.insert(all.end(), more.begin(), more.end());
    return run_cli(all);
  };
  const auto iterations = with({"--back-projector", "wiener-butterworth", "--iterations", "9"});
  EXPECT_EQ(iterations.exit_code, 2);
  EXPECT_NE(iterations.err.find("--wb-iterations"), std::string::npos) << iterations.err;
  const auto alpha = with({"--wb-alpha", "0.1"});
  EXPECT_EQ(alpha.exit_code, 2);
  EXPECT_NE(alpha.err.find("--wb-alpha"), std::string::npos) << alpha.err;
}

TEST_F(Deconvolve, RecipesThreadsAndEarlierResultsGiveTheSameBytes) {
  make_data();
  const std::vector<std::string> how{
      "--psf", "gaussian:sigma=1.5,size=9", "--tv", "0.01", "--truncate", "7,7,7"};
  const auto with = [&](const std::string& in, const std::string& out, const std::string& n,
                        std::vector<std::string> more = {}) {
    std::vector<std::string> all{"deconvolve", path(in), "-o", path(out), "--iterations", n};
    all.insert(all.end(), how.begin(), how.end());
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  for (const std::string kind : {"tif", "apr"}) {
    with("blurred." + kind, "a." + kind, "6");
    with("blurred." + kind, "b." + kind, "6", {"--threads", "1"});
    expect_same_bytes("a." + kind, "b." + kind);
    with("blurred." + kind, "step.json", "6");
    run({"run", path("step.json"), path("blurred." + kind), "-o", path("c." + kind)});
    expect_same_bytes("a." + kind, "c." + kind);
  }
  with("blurred.tif", "four.tif", "4");
  with("blurred.tif", "six.tif", "2", {"--start", path("four.tif")});
  expect_same_bytes("a.tif", "six.tif");
  // A recipe holds the start, too.
  with("blurred.tif", "on.json", "2", {"--start", path("four.tif")});
  run({"run", path("on.json"), path("blurred.tif"), "-o", path("again.tif")});
  expect_same_bytes("a.tif", "again.tif");
}

TEST_F(Deconvolve, ARecipeGoesOnFromTheDeconvolutionBefore) {
  make_data();
  const auto recipe = [&](const std::string& name, const std::vector<int>& iterations) {
    nlohmann::json json{{"aprscope", 1}, {"steps", nlohmann::json::array()}};
    for (const int n : iterations) {
      nlohmann::json step{{"operation", "deconvolve"}, {"parameters", {{"iterations", n}}}};
      if (!json["steps"].empty()) step["parameters"]["start"] = "previous";
      json["steps"].push_back(step);
    }
    std::ofstream(path(name)) << json;
  };
  recipe("once.json", {6});
  recipe("twice.json", {4, 2});
  for (const std::string kind : {"tif", "apr"}) {
    for (const std::string name : {"once", "twice"}) {
      run({"run", path(name + ".json"), path("blurred." + kind), "-o", path(name + ".tif")});
    }
    expect_same_bytes("once.tif", "twice.tif");
  }
  recipe("nothing.json", {2});
  std::ifstream in(path("nothing.json"));
  auto json = nlohmann::json::parse(in);
  json["steps"][0]["parameters"]["start"] = "previous";
  std::ofstream(path("nothing.json")) << json;
  const auto failed =
      run_cli({"run", path("nothing.json"), path("blurred.tif"), "-o", path("x.tif")});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_TRUE(failed.one_line_error()) << failed.err;
  EXPECT_NE(failed.err.find("goes on from"), std::string::npos) << failed.err;
}

TEST_F(Deconvolve, AnInterruptKeepsNothingUnlessItIsToldTo) {
  ASSERT_EQ(run_cli({"synth", "noise", "-o", path("a.tif"), "--size", "48,96,96"}).exit_code, 0);
  ProgramOptions interrupted;
  interrupted.interrupt_after = std::chrono::milliseconds(2500);
  std::vector<std::string> words{"deconvolve",   path("a.tif"), "-o",
                                 path("b.tif"),  "--psf",       "gaussian:sigma=1,size=5",
                                 "--iterations", "100000"};
  const auto cancelled = run_cli(words, interrupted);
  EXPECT_EQ(cancelled.exit_code, 1);
  EXPECT_TRUE(cancelled.one_line_error()) << cancelled.err;
  EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"a.tif"});

  words.insert(words.end(), {"--keep-on-interrupt", "--json"});
  // On a busy machine the first iterate takes its time; before it there is nothing to keep.
  auto kept = run_cli(words, interrupted);
  for (int delay = 5; kept.exit_code != 0 && delay <= 80; delay *= 2) {
    interrupted.interrupt_after = std::chrono::seconds(delay);
    kept = run_cli(words, interrupted);
  }
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  const auto json = kept.json();
  EXPECT_EQ(json["partial"], true);
  EXPECT_EQ(json["rows"].size(), json["iterations"].get<std::size_t>());
  EXPECT_LT(json["iterations"].get<int>(), 100000);
  EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"a.tif", "b.tif"}));
}

TEST_F(Deconvolve, BadWordsAreWrongUsageAndBadDataFails) {
  make_data();
  const auto code = [&](std::vector<std::string> more, const std::string& in = "blurred.tif") {
    std::vector<std::string> all{"deconvolve", path(in), "-o", path("x.tif")};
    all.insert(all.end(), more.begin(), more.end());
    const auto done = run_cli(all);
    EXPECT_TRUE(done.one_line_error()) << done.err;
    return done.exit_code;
  };
  const std::string psf = "gaussian:sigma=1";
  EXPECT_EQ(code({}), 2);
  EXPECT_EQ(code({"--psf", "pinhole"}), 2);
  EXPECT_EQ(code({"--psf", psf, "--iterations", "0"}), 2);
  EXPECT_EQ(code({"--psf", psf, "--truncate", "4,5,5"}), 2);
  EXPECT_EQ(code({"--psf", psf, "--tv", "0.1", "--tikhonov", "0.1"}), 2);
  EXPECT_EQ(code({"--psf", psf, "--truth", path("none.tif")}), 1);
  EXPECT_EQ(code({"--psf", psf, "--start", path("blurred.apr")}), 1);
  EXPECT_EQ(code({"--psf", "file:" + path("none.tif")}), 1);
  EXPECT_FALSE(std::filesystem::exists(path("x.tif")));
}

TEST_F(Deconvolve, TheBenchmarkMeasuresTimeAndMemoryOfEachWay) {
  const auto json =
      run({"bench", "deconvolution", "--kind", "spheres", "--size", "32,32,32", "--repeats", "2"});
  ASSERT_EQ(json["rows"].size(), 6U);
  for (const auto& row : json["rows"]) {
    EXPECT_GT(row["seconds_median"].get<double>(), 0.0);
    EXPECT_LE(row["seconds_min"].get<double>(), row["seconds_max"].get<double>());
    EXPECT_GT(row["bytes"].get<std::uint64_t>(), 1'000'000U);
    EXPECT_GT(row["pixel_memory_ratio"].get<double>(), 0.0);
    EXPECT_TRUE(row["ratio_to_reference"].is_null());
  }
}

}  // namespace
}  // namespace aprscope::test
