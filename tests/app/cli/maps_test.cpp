// Maps of molecules, by the real program.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/image/random.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/projections/phantom.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kSide = 32;

class MapCommands : public Chain {
 protected:
  void SetUp() override {
    const auto atoms = random_molecule({.atoms = 40, .half_axes = {6, 5, 5}});
    for (const std::uint64_t half : {1, 2}) {
      Volume volume;
      Pixels<float> pixels;
      pixels.size = {kSide, kSide, kSide};
      pixels.values = phantom_map(atoms, kSide);
      const CounterRandom random(3, half);
      for (std::size_t i = 0; i < pixels.values.size(); ++i) {
        pixels.values[i] += static_cast<float>(0.2 * random.normal(i));
      }
      volume.pixels = std::move(pixels);
      volume.voxel = {1.5, 1.5, 1.5, "Å"};
      const std::string file = path("half" + std::to_string(half) + ".tif");
      ASSERT_TRUE(write_tiff(volume, file));
    }
  }
};

TEST_F(MapCommands, FscOfTwoHalvesInsideAMaskIsOneTable) {
  const auto mask = run(
      {"map-mask", path("half1.tif"), "-o", path("mask.tif"), "--low-pass", "8", "--edge", "4"});
  EXPECT_EQ(mask["dtype"], "f32");
  EXPECT_NE(mask["operation"].get<std::string>().find("value="), std::string::npos);
  const auto done = run({"fsc", path("half1.tif"), path("half2.tif"), "--mask", path("mask.tif"),
                         "--csv", path("fsc.csv")});
  EXPECT_EQ(done["measured"][0]["curves"][0]["ys"].size(), 4U);
  const auto table = read_text(path("fsc.csv"));
  ASSERT_TRUE(table) << table.error().message();
  // After lines of what it is.
  const auto head =
      table->find("\nshell,frequency (1/Å),resolution (Å),unmasked,masked,randomised,corrected\n");
  ASSERT_NE(head, std::string::npos) << table->substr(0, 500);
  EXPECT_EQ(std::count(table->begin() + static_cast<std::ptrdiff_t>(head) + 1, table->end(), '\n'),
            2 + kSide / 2);
  // By name it is the same.
  const auto named =
      run({"fsc", path("half1.tif"), "--other", path("half2.tif"), "--mask", path("mask.tif")});
  EXPECT_EQ(named["measured"][0]["curves"], done["measured"][0]["curves"]);
  EXPECT_EQ(run_cli({"fsc", path("half1.tif")}).exit_code, 1);
}

TEST_F(MapCommands, LocalResolutionTakesTheHalvesBesideEachOther) {
  const auto done = run({"local-resolution", path("half1.tif"), path("half2.tif"), "-o",
                         path("local.tif"), "--radius", "9"});
  EXPECT_EQ(done["dtype"], "f32");
}

TEST_F(MapCommands, SharpeningSaysItsBFactor) {
  const auto done = run({"map-sharpen", path("half1.tif"), "-o", path("sharp.tif"), "--half1",
                         path("half1.tif"), "--half2", path("half2.tif"), "--fit-from", "16"});
  const std::string said = done["operation"].get<std::string>();
  EXPECT_NE(said.find("b_factor=-"), std::string::npos) << said;
  EXPECT_EQ(said.find("b_factor=automatic"), std::string::npos) << said;
  const auto plot = run({"guinier", path("sharp.tif"), "--fit-from", "16"});
  EXPECT_EQ(plot["measured"][0]["curves"][0]["id"], "guinier");
}

TEST_F(MapCommands, SharpeningTakesTheMtfOfTheDetector) {
  std::ofstream(path("mtf.star"))
      << "data_\nloop_\n_rlnResolutionInversePixel #1\n_rlnMtfValue #2\n0 1\n0.5 0.3\n";
  const auto done =
      run({"map-sharpen", path("half1.tif"), "-o", path("sharp.tif"), "--b-factor", "-50",
           "--low-pass", "4", "--mtf", path("mtf.star"), "--mtf-pixel-size", "0.75"});
  const std::string said = done["operation"].get<std::string>();
  EXPECT_NE(said.find("mtf_pixel_size=0.75"), std::string::npos) << said;
  EXPECT_NE(said.find("mtf.star"), std::string::npos) << said;
  EXPECT_EQ(
      run_cli({"map-sharpen", path("half1.tif"), "-o", path("no.tif"), "--mtf", path("half2.tif")})
          .exit_code,
      1);
}

TEST_F(MapCommands, AFinerGridHasSmallerVoxels) {
  const auto done =
      run({"map-upsample", path("half1.tif"), "-o", path("fine.mrc"), "--times", "2"});
  EXPECT_EQ(done["operation"], "map_upsample times=2");
  const auto fine = load_file(path("fine.mrc"));
  ASSERT_TRUE(fine) << fine.error().message();
  const auto& volume = std::get<Volume>(*fine);
  EXPECT_EQ(volume.size(), (Size3{2 * kSide, 2 * kSide, 2 * kSide}));
  EXPECT_NEAR(volume.voxel.z, 0.75, 1e-6);
}

}  // namespace
}  // namespace aprscope::test
