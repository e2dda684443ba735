// From images to particles, filters, pictures and figures, each step by the real program.
#include <cmath>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

nlohmann::json zxy(int z, int x, int y) { return {{"z", z}, {"x", x}, {"y", y}}; }

TEST_F(Chain, FromASyntheticImageToPictures) {
  const auto made =
      run({"synth", "cells", "-o", path("a.tif"), "--size", "24,64,48", "--seed", "5"});
  EXPECT_EQ(made["size"], zxy(24, 64, 48));
  EXPECT_EQ(made["dtype"], "u16");

  const auto seen = run({"info", path("a.tif")});
  EXPECT_EQ(seen["size"], zxy(24, 64, 48));
  EXPECT_EQ(seen["dtype"], "u16");
  EXPECT_EQ(seen["bytes"], 24 * 64 * 48 * 2);
  EXPECT_EQ(seen["times"], 1);
  EXPECT_EQ(seen["channels"].size(), 1U);
  EXPECT_EQ(seen["file_bytes"], std::filesystem::file_size(path("a.tif")));

  const auto apr = run({"convert", path("a.tif"), "-o", path("a.apr")});
  EXPECT_EQ(apr["size"], zxy(24, 64, 48));
  EXPECT_EQ(apr["levels"]["max"], 6);
  EXPECT_NEAR(apr["cr"].get<double>(), 24.0 * 64 * 48 / apr["particles"].get<double>(), 1e-9);
  std::uint64_t sum = 0;
  for (const auto& [level, count] : apr["particles_per_level"].items()) {
    sum += count.get<std::uint64_t>();
  }
  EXPECT_EQ(apr["particles"], sum);
  EXPECT_GT(apr["max_relative_error"].get<double>(), 0.0);
  EXPECT_TRUE(apr["max_relative_error_at"].contains("z"));
  for (const char* stage : {"read", "convert", "error_report", "write"}) {
    EXPECT_GE(apr["seconds"][stage].get<double>(), 0.0) << stage;
  }

  const auto particles = run({"info", path("a.apr")});
  EXPECT_EQ(particles["particles"], apr["particles"]);
  EXPECT_EQ(particles["levels"], apr["levels"]);
  EXPECT_EQ(particles["format"], "APR");
  EXPECT_EQ(particles["fields"], nlohmann::json::array({"particles"}));

  const auto filtered =
      run({"filter", path("a.apr"), "-o", path("f.apr"), "--stencil", "gaussian:sigma=1"});
  EXPECT_EQ(filtered["particles"], apr["particles"]);
  EXPECT_EQ(filtered["dtype"], "f32");
  const auto pixels =
      run({"filter", path("a.tif"), "-o", path("f.tif"), "--stencil", "gaussian:sigma=1"});
  EXPECT_EQ(pixels["size"], zxy(24, 64, 48));
  EXPECT_EQ(pixels["dtype"], "f32");

  run({"reconstruct", path("f.apr"), "-o", path("r.tif")});
  const auto same = run({"compare", path("r.tif"), path("f.apr")});
  EXPECT_EQ(same["identical"], true);
  EXPECT_EQ(same["max_abs_diff"], 0.0);
  EXPECT_TRUE(same["psnr"].is_null());
  EXPECT_NEAR(same["ssim"].get<double>(), 1.0, 1e-9);
  const auto differ = run({"compare", path("f.tif"), path("f.apr")});
  EXPECT_EQ(differ["identical"], false);
  EXPECT_GT(differ["psnr"].get<double>(), 20.0);

  const auto slice = run({"render", path("f.apr"), "-o", path("s.png"), "--view", "slice", "--axis",
                          "x", "--index", "10", "--mode", "smooth", "--colormap", "magma"});
  EXPECT_EQ(slice["image_size"], (nlohmann::json{{"width", 48}, {"height", 24}}));
  const auto mip = run({"render", path("f.apr"), "-o", path("m.png"), "--view", "mip", "--camera",
                        "-30,20,1.5", "--size", "200,100", "--contrast", "100,900"});
  EXPECT_EQ(mip["image_size"], (nlohmann::json{{"width", 200}, {"height", 100}}));
  EXPECT_EQ(mip["contrast"], (nlohmann::json{{"low", 100.0}, {"high", 900.0}}));
  // Translucent matter: a thicker one is another picture; without a depth a usual one is told.
  const auto matter = [&](const char* name, const std::vector<std::string>& more) {
    std::vector<std::string> call{"render", path("f.apr"), "-o",         path(name),
                                  "--view", "translucent", "--camera",   "-30,20,1.5",
                                  "--size", "200,100",     "--contrast", "100,900"};
    call.insert(call.end(), more.begin(), more.end());
    return run(call);
  };
  EXPECT_EQ(matter("thick.png", {"--depth", "0.5"})["depth"], 0.5);
  EXPECT_EQ(matter("thin.png", {"--depth", "50"})["depth"], 50.0);
  EXPECT_GT(matter("usual.png", {})["depth"].get<double>(), 0.0);
  EXPECT_NE(bytes_of(path("thick.png")), bytes_of(path("thin.png")));
  EXPECT_NE(bytes_of(path("thick.png")), bytes_of(path("m.png")));
  EXPECT_EQ(matter("part_thick.png", {"--depth", "0.5", "--clip", "0:24,0:64,10:20"})["depth"],
            0.5);
  EXPECT_NE(bytes_of(path("part_thick.png")), bytes_of(path("thick.png")));
  // Pixels, with the contrast of all the data, and turning.
  const auto image = run({"render", path("f.tif"), "-o", path("pixels.png"), "--view",
                          "translucent", "--size", "100,100"});
  EXPECT_LT(image["contrast"]["low"].get<double>(), image["contrast"]["high"].get<double>());
  for (const std::string view : {"mip", "translucent"}) {
    const auto turned = run({"render", path("f.apr"), "-o", path("turn_" + view), "--view", view,
                             "--turn", "2", "--size", "64,64"});
    EXPECT_EQ(turned.contains("depth"), view == "translucent");
  }
  EXPECT_NE(bytes_of(path("turn_mip/frame_0001.png")),
            bytes_of(path("turn_translucent/frame_0001.png")));
  // Colours of a file: from black to white they are those called grey.
  ASSERT_TRUE(write_text_atomically(path("mine.lut"), "0 0 0\n255 255 255\n").ok());
  const auto coloured = [&](const std::string& name, const std::string& colours) {
    return run_cli(
        {"render", path("f.apr"), "-o", path(name), "--view", "slice", "--colormap", colours});
  };
  EXPECT_EQ(coloured("mine.png", path("mine.lut")).exit_code, 0);
  EXPECT_EQ(coloured("grey.png", "grey").exit_code, 0);
  EXPECT_EQ(bytes_of(path("mine.png")), bytes_of(path("grey.png")));
  EXPECT_EQ(coloured("no.png", path("f.tif")).exit_code, 1);
  const auto unknown = coloured("no.png", "graay");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("neither one of grey, viridis"), std::string::npos) << unknown.err;
  // A box of all is all; a smaller one shows less; none reaches out of the image.
  const auto clipped = [&](const char* name, const char* box) {
    return run_cli({"render", path("f.apr"), "-o", path(name), "--view", "mip", "--camera",
                    "-30,20,1.5", "--size", "200,100", "--contrast", "100,900", "--clip", box});
  };
  EXPECT_EQ(clipped("all.png", "0:24,0:64,0:48").exit_code, 0);
  EXPECT_EQ(bytes_of(path("all.png")), bytes_of(path("m.png")));
  EXPECT_EQ(clipped("part.png", "0:24,0:64,10:20").exit_code, 0);
  EXPECT_NE(bytes_of(path("part.png")), bytes_of(path("m.png")));
  const auto outside = clipped("outside.png", "0:24,0:64,0:49");
  EXPECT_EQ(outside.exit_code, 1);
  EXPECT_NE(outside.err.find("reaches out of the image"), std::string::npos) << outside.err;
  for (const char* name : {"s.png", "m.png"}) {
    EXPECT_EQ(bytes_of(path(name)).substr(0, 8), std::string("\x89PNG\r\n\x1a\n")) << name;
  }
}

TEST_F(Chain, EveryReportSaysWhereItRan) {
  const auto json =
      run({"synth", "noise", "-o", path("n.tif"), "--size", "4,8,8", "--threads", "2"});
  EXPECT_EQ(json["device"], "cpu");
  EXPECT_EQ(json["threads"], 2);
  EXPECT_GT(json["peak_rss_bytes"].get<std::uint64_t>(), 1'000'000U);
  EXPECT_TRUE(json["seconds"].is_object());
}

TEST_F(Chain, VoxelSizeSurvives) {
  synthesize("a.tif");
  const nlohmann::json voxel{{"z", 2.0}, {"x", 0.5}, {"y", 0.25}, {"unit", "µm"}};
  const auto near = [&](const nlohmann::json& found) {
    for (const char* d : {"z", "x", "y"}) {
      EXPECT_NEAR(found[d].get<double>(), voxel[d].get<double>(), 1e-6) << d;
    }
    EXPECT_EQ(found["unit"], voxel["unit"]);
  };
  near(run({"info", path("a.tif")})["voxel_size"]);
  near(run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"})["voxel_size"]);
  near(run({"filter", path("a.apr"), "-o", path("b.apr"), "--stencil", "box"})["voxel_size"]);
  near(run({"reconstruct", path("b.apr"), "-o", path("b.tif")})["voxel_size"]);
  near(run({"info", path("b.tif")})["voxel_size"]);
  const auto other = run(
      {"filter", path("a.tif"), "-o", path("c.tif"), "--stencil", "box", "--voxel-size", "3,1,1"});
  EXPECT_EQ(other["voxel_size"]["z"], 3.0);
}

TEST_F(Chain, ErrorBoundHoldsWithoutNoise) {
  // Smoothing off and thresholds below the structure: |I − Î| ≤ E σ.
  synthesize("a.tif");
  double particles = 0.0;
  for (const double bound : {0.2, 0.05}) {
    const auto json =
        run({"convert", path("a.tif"), "-o", path("a.apr"), "--rel-error", std::to_string(bound),
             "--lambda", "0", "--sigma-th", "20", "--sigma-th-max", "10", "--intensity-th", "0"});
    EXPECT_LE(json["max_relative_error"].get<double>(), bound);
    EXPECT_EQ(json["sigma_th"], 20.0);
    EXPECT_GT(json["particles"].get<double>(), particles);
    particles = json["particles"].get<double>();
  }
}

TEST_F(Chain, IdentityFilterChangesNothing) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  run({"filter", path("a.apr"), "-o", path("i.apr"), "--stencil", "identity", "--mode", "same"});
  EXPECT_EQ(run({"compare", path("a.apr"), path("i.apr")})["identical"], true);
  run({"filter", path("a.tif"), "-o", path("i.tif"), "--stencil", "identity"});
  EXPECT_EQ(run({"compare", path("a.tif"), path("i.tif")})["identical"], true);
}

TEST_F(Chain, CompareMeasuresAKnownDifference) {
  // A stencil of weight 2 doubles each value: the largest difference is the largest value.
  synthesize("a.tif");
  ASSERT_TRUE(write_text_atomically(path("two.json"), R"({"size": [1,1,1], "weights": [2]})").ok());
  run({"filter", path("a.tif"), "-o", path("b.tif"), "--stencil", "file:" + path("two.json")});
  const auto json = run({"compare", path("a.tif"), path("b.tif")});
  run({"filter", path("a.tif"), "-o", path("zero.tif"), "--stencil", "box:size=1"});
  const auto& at = json["max_abs_diff_at"];
  EXPECT_GT(json["max_abs_diff"].get<double>(), 100.0);
  EXPECT_TRUE(at["z"].get<int>() >= 0 && at["z"].get<int>() < 32);
  EXPECT_GT(json["nrmse"].get<double>(), 0.0);
  EXPECT_LT(json["ssim"].get<double>(), 1.0);
}

TEST_F(Chain, AComparisonBecomesAFigureATableAndATurn) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  run({"filter", path("a.apr"), "-o", path("f.apr"), "--stencil", "gaussian:sigma=1"});
  const auto json = run({"compare", path("a.tif"), path("f.apr"), "--figure", path("f.png"),
                         "--csv", path("t.csv"), "--axis", "x", "--index", "20", "--movie",
                         path("turn"), "--frames", "2"});
  EXPECT_EQ(json["slice"]["index"], 20);
  EXPECT_GT(json["slice"]["psnr"].get<double>(), 10.0);
  EXPECT_EQ(bytes_of(path("f.png")).substr(1, 3), "PNG");
  const std::string table = bytes_of(path("t.csv"));
  EXPECT_NE(table.find("slice x 20,psnr,"), std::string::npos);
  EXPECT_NE(table.find("\nB,particles,"), std::string::npos);
  EXPECT_EQ(names_in(path("turn")), (std::vector<std::string>{"frame_0001.png", "frame_0002.png"}));

  const auto turned = run({"render", path("a.apr"), "-o", path("mip"), "--view", "mip", "--turn",
                           "3", "--size", "64,64"});
  EXPECT_EQ(turned["frames"], 3);
  EXPECT_EQ(names_in(path("mip")).size(), 3U);
  EXPECT_EQ(run_cli({"render", path("a.apr"), "-o", path("x"), "--view", "slice", "--turn", "3"})
                .exit_code,
            2);
  const auto odd =
      run_cli({"render", path("a.apr"), "-o", path("x.avi"), "--view", "mip", "--turn", "3"});
  EXPECT_EQ(odd.exit_code, 1);
  EXPECT_TRUE(odd.one_line_error()) << odd.err;
}

TEST_F(Chain, PicksAVolumeOfAnHdf5File) {
  make_two_volumes(path("v.h5"));
  const auto largest = run({"info", path("v.h5")});
  EXPECT_EQ(largest["size"], zxy(5, 6, 7));
  EXPECT_EQ(largest["datasets"].size(), 2U);
  const auto small = run({"info", path("v.h5") + ":/a"});
  EXPECT_EQ(small["size"], zxy(2, 3, 4));
  EXPECT_EQ(small["dtype"], "u8");
  const auto filtered =
      run({"filter", path("v.h5") + ":/group/b", "-o", path("b.tif"), "--stencil", "box"});
  EXPECT_EQ(filtered["size"], zxy(5, 6, 7));
  const auto wrong = run_cli({"info", path("v.h5") + ":/c"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(wrong.one_line_error()) << wrong.err;
}

TEST_F(Chain, PicksChannelAndTime) {
  APRSCOPE_NEEDS_DATA();
  const std::string series = (data_dir() / "fluo" / "image_tzcyx.tif").string();
  const auto info = run({"info", series});
  EXPECT_EQ(info["channels"].size(), 2U);
  EXPECT_EQ(info["times"], 4);
  EXPECT_EQ(info["size"], zxy(10, 77, 79));
  run({"filter", series, "-o", path("a.tif"), "--stencil", "identity"});
  run({"filter", series, "-o", path("b.tif"), "--stencil", "identity", "--channel", "1", "--time",
       "3"});
  EXPECT_EQ(run({"compare", path("a.tif"), path("b.tif")})["identical"], false);
  EXPECT_EQ(run({"compare", series, path("b.tif"), "--channel", "1", "--time", "3"})["identical"],
            true);
  for (const auto& [option, value] : {std::pair{"--channel", "2"}, std::pair{"--time", "4"}}) {
    const auto wrong = run_cli({"convert", series, "-o", path("x.apr"), option, value});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_TRUE(wrong.one_line_error()) << wrong.err;
  }
}

TEST_F(Chain, RealImageMakesARealApr) {
  APRSCOPE_NEEDS_DATA();
  const auto apr =
      run({"convert", (data_dir() / "fluo" / "flybrain.tif").string(), "-o", path("fly.apr")});
  EXPECT_EQ(apr["size"], zxy(57, 256, 256));
  EXPECT_GT(apr["cr"].get<double>(), 1.0);
  EXPECT_NEAR(apr["voxel_size"]["z"].get<double>(), 3.947, 1e-3);
}

TEST_F(Chain, ReconstructionModes) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  EXPECT_EQ(run({"reconstruct", path("a.apr"), "-o", path("c.tif")})["dtype"], "u16");
  EXPECT_EQ(run({"reconstruct", path("a.apr"), "-o", path("s.tif"), "--mode", "smooth"})["dtype"],
            "f32");
  EXPECT_EQ(run({"reconstruct", path("a.apr"), "-o", path("l.tif"), "--mode", "level"})["dtype"],
            "u8");
  const auto half = run({"reconstruct", path("a.apr"), "-o", path("h.tif"), "--at-level", "5"});
  EXPECT_EQ(half["size"], zxy(16, 24, 20));
  EXPECT_EQ(half["voxel_size"]["z"], 4.0);
}

TEST_F(Chain, ReconstructsARegionFromAPartOfTheFile) {
  synthesize("a.tif");
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report", "--tree"});
  const auto all = run({"info", path("a.apr")})["particles"].get<std::uint64_t>();
  for (const char* mode : {"constant", "level", "smooth"}) {
    const auto part = run({"reconstruct", path("a.apr"), "-o", path("r.tif"), "--mode", mode,
                           "--region", "3:7,10:40,0:25"});
    EXPECT_EQ(part["size"], zxy(4, 30, 25)) << mode;
    EXPECT_EQ(part.contains("cells_read"), std::string(mode) != "smooth");
    if (part.contains("cells_read")) {
      EXPECT_LT(part["cells_read"].get<std::uint64_t>(), all);
    }
  }
  const auto coarse = run({"reconstruct", path("a.apr"), "-o", path("h.tif"), "--at-level", "5",
                           "--region", "3:7,10:40,0:25"});
  EXPECT_EQ(coarse["size"], zxy(3, 15, 13));
  EXPECT_TRUE(coarse.contains("cells_read"));
  for (const char* bad : {"0:4,0:4", "0:4,0:4,4:4", "0:4,0:4,0-4", "a:b,c:d,e:f"}) {
    EXPECT_EQ(
        run_cli({"reconstruct", path("a.apr"), "-o", path("r.tif"), "--region", bad}).exit_code, 2);
  }
  EXPECT_EQ(
      run_cli({"reconstruct", path("a.apr"), "-o", path("r.tif"), "--region", "0:4,0:4,0:4000"})
          .exit_code,
      1);
}

TEST_F(Chain, TextIsForPeopleAndQuietIsQuiet) {
  const auto said = run_cli({"synth", "noise", "-o", path("n.tif"), "--size", "4,8,8"});
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_NE(said.out.find("size: z 4, x 8, y 8"), std::string::npos) << said.out;
  const auto quiet = run_cli({"info", path("n.tif"), "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  const auto both = run_cli({"--quiet", "--json", "info", path("n.tif")});
  EXPECT_TRUE(both.json().is_object());
}

TEST_F(Chain, BenchmarksPrintTheirRows) {
  for (const char* what : {"convolution", "conversion", "raycast", "io"}) {
    const auto json = run({"bench", what, "--size", "16,32,32", "--repeats", "1"});
    ASSERT_GE(json["rows"].size(), 3U) << what;
    for (const auto& row : json["rows"]) {
      for (const char* key : {"case", "op", "stencil", "mode", "seconds_median", "seconds_min",
                              "repeats", "particles_per_second", "effective_gb_per_second",
                              "ratio_to_pixels", "fraction_of_limit", "bytes"}) {
        EXPECT_TRUE(row.contains(key)) << what << " " << key;
      }
      EXPECT_GT(row["seconds_median"].get<double>(), 0.0);
      EXPECT_LE(row["seconds_min"].get<double>(), row["seconds_median"].get<double>());
    }
    for (const char* key : {"cpu", "cores", "copy_gb_per_second", "device", "commit"}) {
      EXPECT_TRUE(json["machine"].contains(key)) << key;
    }
  }
}

}  // namespace
}  // namespace aprscope::test
