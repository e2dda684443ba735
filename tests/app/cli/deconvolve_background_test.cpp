// What a camera adds, from the command line.
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class DeconvolveBackground : public Chain {
 protected:
  // truth.tif; camera.tif, its blurred image over an offset of 100 and a light of 8, which is
  // light.tif; and camera.apr.
  void make_data() {
    run({"synth", "spheres", "-o", path("truth.tif"), "--size", "16,40,48", "--noise", "0",
         "--no-shot-noise"});
    run({"filter", path("truth.tif"), "-o", path("blurred.tif"), "--stencil",
         "gaussian:sigma=1.5,size=9"});
    const auto blurred = load_file(path("blurred.tif"));
    ASSERT_TRUE(blurred.ok());
    Volume image = std::get<Volume>(*blurred);
    Pixels<float> real = image.to_float();
    for (float& v : real.values) v += 108.0F;
    image.pixels = real;
    ASSERT_TRUE(write_tiff(image, path("camera.tif"), {}).ok());
    image.pixels = Pixels<float>(real.size, 8.0F);
    ASSERT_TRUE(write_tiff(image, path("light.tif"), {}).ok());
    image.pixels = Pixels<float>({3, 4, 5}, 8.0F);
    ASSERT_TRUE(write_tiff(image, path("small.tif"), {}).ok());
    run({"convert", path("camera.tif"), "-o", path("camera.apr"), "--no-error-report"});
  }
  std::vector<std::string> words(const std::string& in, const std::string& out,
                                 const std::vector<std::string>& more) {
    std::vector<std::string> all{"deconvolve",   path(in), "-o",
                                 path(out),      "--psf",  "gaussian:sigma=1.5,size=9",
                                 "--iterations", "15"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(DeconvolveBackground, OffsetAndBackgroundAreSaidAndRecoverTheTruth) {
  make_data();
  for (const std::string kind : {"tif", "apr"}) {
    const auto with = [&](const std::string& out, std::vector<std::string> more) {
      more.insert(more.end(), {"--truth", path("truth.tif")});
      return run(words("camera." + kind, out + "." + kind, more));
    };
    const auto plain = with("plain", {});
    EXPECT_EQ(plain["offset"], 0.0);
    EXPECT_EQ(plain["background"], 0.0);
    const auto offset = with("offset", {"--offset", "100"});
    EXPECT_EQ(offset["offset"], 100.0);
    EXPECT_EQ(offset["offset_guessed"], false);
    const auto both = with("both", {"--offset", "100", "--background", "8"});
    EXPECT_EQ(both["background"], 8.0);
    EXPECT_GT(offset["psnr"].get<double>(), plain["psnr"].get<double>() + 3.0);
    EXPECT_GT(both["psnr"].get<double>(), offset["psnr"].get<double>() + 0.05);
    // The same light as an image.
    const auto image = with("image", {"--offset", "100", "--background", path("light.tif")});
    EXPECT_EQ(image["background"], path("light.tif"));
    EXPECT_NEAR(image["psnr"].get<double>(), both["psnr"].get<double>(), 0.01);
    // None is what there was before.
    with("zero", {"--offset", "0", "--background", "0"});
    expect_same_bytes("plain." + kind, "zero." + kind);
  }
  expect_same_bytes("both.tif", "image.tif");
}

TEST_F(DeconvolveBackground, AGuessIsANumberInReportHistoryAndRecipe) {
  make_data();
  for (const std::string kind : {"tif", "apr"}) {
    const auto guessed = run(words("camera." + kind, "guessed." + kind, {"--offset", "auto"}));
    EXPECT_EQ(guessed["offset_guessed"], true);
    const auto offset = guessed["offset"].get<double>();
    // The scene's own background of 100, the light and the offset: nobody can tell them apart.
    EXPECT_NEAR(offset, 208.0, 2.0);
    EXPECT_NE(guessed["operation"].get<std::string>().find("offset="), std::string::npos);
    run(words("camera." + kind, "recipe.json", {"--offset", "auto"}));
    std::ifstream in(path("recipe.json"));
    const auto recipe = nlohmann::json::parse(in);
    EXPECT_EQ(recipe["steps"][0]["parameters"]["offset"], offset);
    EXPECT_EQ(recipe["steps"][0]["parameters"]["offset_auto"], false);
    run({"run", path("recipe.json"), path("camera." + kind), "-o", path("replayed." + kind)});
    expect_same_bytes("guessed." + kind, "replayed." + kind);
    // A recipe may leave the guess to whoever runs it.
    auto open_recipe = recipe;
    open_recipe["steps"][0]["parameters"]["offset"] = 0.0;
    open_recipe["steps"][0]["parameters"]["offset_auto"] = true;
    std::ofstream(path("open.json")) << open_recipe;
    const auto replayed =
        run({"run", path("open.json"), path("camera." + kind), "-o", path("open." + kind)});
    expect_same_bytes("guessed." + kind, "open." + kind);
    const auto said = replayed["steps"][0].get<std::string>();
    EXPECT_NE(said.find("offset="), std::string::npos) << said;
    EXPECT_EQ(said.find("offset_auto"), std::string::npos) << said;
  }
}

TEST_F(DeconvolveBackground, WhatDoesNotFitIsRefused) {
  make_data();
  const auto code = [&](const std::vector<std::string>& more, const char* part = "") {
    const auto done = run_cli(words("camera.tif", "x.tif", more));
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
    return done.exit_code;
  };
  EXPECT_EQ(code({"--offset", "dark"}), 2);
  EXPECT_EQ(code({"--offset", "-3"}), 2);
  EXPECT_EQ(code({"--background", "-3"}), 2);
  EXPECT_EQ(code({"--background", path("none.tif")}, "none.tif"), 1);
  EXPECT_EQ(code({"--background", path("small.tif")}, "3 × 4 × 5 pixels"), 1);
  EXPECT_EQ(code({"--offset", "1e6"}, "nothing of the image is above"), 1);
  EXPECT_FALSE(std::filesystem::exists(path("x.tif")));
}

}  // namespace
}  // namespace aprscope::test
