// Operations on maps of molecules.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "core/maps/sharpening.hpp"
#include "core/maps/shells.hpp"
#include "core/pipeline/execution.hpp"
#include "core/projections/phantom.hpp"
#include "tests/core/maps/test_maps.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 48;

Volume volume_of(std::vector<float> values, std::int64_t side = kSide,
                 VoxelSize voxel = {1.5, 1.5, 1.5, "Å"}) {
  Volume volume;
  Pixels<float> pixels;
  pixels.size = {side, side, side};
  pixels.values = std::move(values);
  volume.pixels = std::move(pixels);
  volume.voxel = std::move(voxel);
  volume.name = "map";
  return volume;
}

std::vector<float> molecule() {
  return phantom_map(random_molecule({.atoms = 80, .half_axes = {9, 8, 7}}), kSide);
}

std::vector<float> noisy(std::uint64_t seed, float deviation = 0.1F) {
  auto map = molecule();
  const auto noise = test::noise_map(kSide, seed);
  for (std::size_t i = 0; i < map.size(); ++i) map[i] += deviation * noise[i];
  return map;
}

// Two halves and their mean as files and data.
class Maps : public testing::Test {
 protected:
  Maps() {
    std::vector<float> mean(first_.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5F * (first_[i] + second_[i]);
    full_ = Dataset::create(volume_of(std::move(mean)));
    EXPECT_TRUE(write_tiff(volume_of(first_), half1_));
    EXPECT_TRUE(write_tiff(volume_of(second_), half2_));
  }
  static Result<Execution> run(const Operation& operation,
                               const std::shared_ptr<const Dataset>& input) {
    return execute({operation}, input, *cpu_backend());
  }
  static std::string message(const Operation& operation,
                             const std::shared_ptr<const Dataset>& input) {
    const auto done = run(operation, input);
    return done ? "" : done.error().message();
  }
  static const std::vector<float>& values(const Execution& done) {
    return done.data->values().pixels().values;
  }

  test::TemporaryFolder folder_;
  std::vector<float> first_ = noisy(1);
  std::vector<float> second_ = noisy(2);
  std::string half1_ = (folder_ / "half1.tif").string();
  std::string half2_ = (folder_ / "half2.tif").string();
  std::shared_ptr<const Dataset> full_;
};

TEST_F(Maps, FscComparesWithAnotherFile) {
  const auto input = Dataset::create(volume_of(first_));
  const auto done = run({"fsc", {{"other", half2_}}}, input);
  ASSERT_TRUE(done) << done.error().message();
  const Measurement& found = *done->measured.front().found;
  const auto expected = *shell_correlation(first_, second_, kSide);
  ASSERT_EQ(found.curves.front().ys.size(), 1U);
  EXPECT_EQ(found.curves.front().ys.front().values, expected);
  EXPECT_NEAR(found.curves.front().x.values[24], 1.0 / 3.0, 1e-12);
  ASSERT_EQ(found.tables.size(), 1U);
  EXPECT_EQ(all_tables(found).size(), 1U);
}

TEST_F(Maps, FscInsideAnAutomaticMaskHasFourCurves) {
  const auto mask = run({"map_mask", {}}, full_);
  ASSERT_TRUE(mask) << mask.error().message();
  const std::string file = (folder_ / "mask.tif").string();
  ASSERT_TRUE(write_tiff(mask->data->volume(), file));
  const auto done =
      run({"fsc", {{"other", half2_}, {"mask", file}}}, Dataset::create(volume_of(first_)));
  ASSERT_TRUE(done) << done.error().message();
  const Measurement& found = *done->measured.front().found;
  ASSERT_EQ(found.curves.front().ys.size(), 4U);
  // Noise outside is gone: the curve is higher from the shell on where noise begins to tell.
  const auto& unmasked = found.curves.front().ys[0].values;
  const auto& corrected = found.curves.front().ys[3].values;
  double gain = 0.0;
  for (std::size_t s = 8; s < 20; ++s) gain += (corrected[s] - unmasked[s]) / 12.0;
  EXPECT_GT(gain, 0.05);
  for (const std::string& note : found.notes) {
    EXPECT_EQ(note.find("edge of the mask"), std::string::npos) << note;
    EXPECT_EQ(note.find("border"), std::string::npos) << note;
  }
}

TEST_F(Maps, MaskIsOneOnTheMoleculeAndZeroFarFromIt) {
  const auto done = run({"map_mask", {{"edge", 5.0}}}, full_);
  ASSERT_TRUE(done) << done.error().message();
  // The history names the threshold that was found.
  EXPECT_EQ(parameter<std::string>(*complete(done->steps.back()), "method"), "value");
  const auto& mask = values(*done);
  const auto clean = molecule();
  const float peak = *std::max_element(clean.begin(), clean.end());
  double sum = 0.0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    ASSERT_GE(mask[i], 0.0F);
    ASSERT_LE(mask[i], 1.0F);
    if (clean[i] > 0.5F * peak) {
      EXPECT_GT(mask[i], 0.99F);
    }
    sum += mask[i];
  }
  EXPECT_EQ(mask.front(), 0.0F);
  EXPECT_LT(sum / static_cast<double>(mask.size()), 0.35);
  // Run again with that number it is the same.
  const auto again = run(done->steps.back(), full_);
  ASSERT_TRUE(again);
  EXPECT_EQ(values(*again), mask);

  const auto masked = run({"map_mask", {{"edge", 5.0}, {"gives", std::string("masked")}}}, full_);
  ASSERT_TRUE(masked);
  const auto& whole = full_->values().pixels().values;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    ASSERT_FLOAT_EQ(values(*masked)[i], mask[i] * whole[i]);
  }
}

TEST_F(Maps, MaskKeepsTheLargestPieceAndExtendsByVoxels) {
  // Two cubes of 5 and 3 voxels.
  std::vector<float> map(kSide * kSide * kSide, 0.0F);
  const auto fill = [&](std::int64_t at, std::int64_t side) {
    for (std::int64_t z = at; z < at + side; ++z) {
      for (std::int64_t y = at; y < at + side; ++y) {
        for (std::int64_t x = at; x < at + side; ++x) {
          map[static_cast<std::size_t>((z * kSide + y) * kSide + x)] = 2.0F;
        }
      }
    }
  };
  fill(20, 5);
  fill(8, 3);
  const Operation step{"map_mask",
                       {{"method", std::string("value")},
                        {"value", 1.0},
                        {"low_pass", 0.0},
                        {"extend", 2.0},
                        {"edge", 4.0}}};
  const auto done = run(step, Dataset::create(volume_of(map)));
  ASSERT_TRUE(done) << done.error().message();
  const auto row = [&](std::int64_t x) {
    return values(*done)[static_cast<std::size_t>((22 * kSide + 22) * kSide + x)];
  };
  EXPECT_EQ(row(24), 1.0F);
  EXPECT_EQ(row(26), 1.0F);
  EXPECT_NEAR(row(27), 0.5 + 0.5 * std::cos(M_PI / 4), 1e-6);
  EXPECT_NEAR(row(28), 0.5, 1e-6);
  EXPECT_EQ(row(30), 0.0F);
  const auto at_small = static_cast<std::size_t>((9 * kSide + 9) * kSide + 9);
  EXPECT_EQ(values(*done)[at_small], 0.0F);
  Operation both = step;
  both.parameters["largest"] = false;
  EXPECT_EQ(values(*run(both, Dataset::create(volume_of(map))))[at_small], 1.0F);
}

TEST_F(Maps, SharpeningWritesWhatItFoundIntoTheStep) {
  const Operation step{"map_sharpen", {{"half1", half1_}, {"half2", half2_}, {"fit_from", 20.0}}};
  const auto done = run(step, full_);
  ASSERT_TRUE(done) << done.error().message();
  const Operation found = *complete(done->steps.back());
  const double limit = *crossing(*shell_correlation(first_, second_, kSide), 0.143, kSide, 1.5);
  EXPECT_NEAR(parameter<double>(found, "low_pass"), limit, 1e-9);
  EXPECT_LT(parameter<double>(found, "b_factor"), 0.0);
  // Amplitudes that fall as a Gaussian's: σ .95 voxels of 1.5 Å → B = −8π²σ² ≈ −160 Å², less what
  // weights take away and the shape of the molecule adds.
  EXPECT_NEAR(parameter<double>(found, "b_factor"), -160.0, 80.0);
  const auto again = run(done->steps.back(), full_);
  ASSERT_TRUE(again);
  EXPECT_EQ(values(*again), values(*done));
}

TEST_F(Maps, AmplitudesAreDividedByTheMtfThatIsNamed) {
  const std::string mtf = (folder_ / "mtf.star").string();
  std::ofstream(mtf) << "data_\nloop_\n_rlnResolutionInversePixel\n_rlnMtfValue\n0 1\n0.5 0.25\n";
  const Operation step{"map_sharpen", {{"low_pass", 4.0}, {"fit_from", 20.0}, {"mtf", mtf}}};
  const auto done = run(step, full_);
  ASSERT_TRUE(done) << done.error().message();
  SharpenSettings settings;
  settings.low_pass = 4.0;
  settings.fit_from = 20.0;
  settings.mtf = DetectorMtf({0.0, 0.5}, {1.0, 0.25}, 1.5);
  const auto& map = full_->values().pixels().values;
  EXPECT_EQ(values(*done), sharpened(map, kSide, 1.5, settings)->map);
  // The history has the file as it was typed, and the B-factor that was found.
  const Operation found = *complete(done->steps.back());
  EXPECT_EQ(parameter<std::string>(found, "mtf"), mtf);
  const double b = parameter<double>(found, "b_factor");
  EXPECT_EQ(values(*run(done->steps.back(), full_)), values(*done));
  // Images of smaller pixels: the map has less of the MTF's frequencies.
  Operation binned = step;
  binned.parameters["mtf_pixel_size"] = 0.75;
  settings.mtf = DetectorMtf({0.0, 0.5}, {1.0, 0.25}, 0.75);
  EXPECT_EQ(values(*run(binned, full_)), sharpened(map, kSide, 1.5, settings)->map);
  // The Guinier plot shows the line that sharpening fits.
  const auto plot = run({"guinier", {{"fit_from", 20.0}, {"fit_to", 4.0}, {"mtf", mtf}}}, full_);
  ASSERT_TRUE(plot) << plot.error().message();
  const auto* column = plot->measured.front().found->tables.front().column("b_factor");
  EXPECT_NEAR(std::get<std::vector<double>>(column->cells).front(), b, 1e-6);

  EXPECT_NE(message({"map_sharpen", {{"mtf", half1_}}}, full_).find("half1.tif"),
            std::string::npos);
  std::ofstream(mtf) << "data_\nloop_\n_rlnResolutionInversePixel\n_rlnMtfValue\n0 1\n0.5 1e-9\n";
  for (const char* id : {"map_sharpen", "guinier"}) {
    const std::string low = message({id, {{"fit_from", 20.0}, {"mtf", mtf}}}, full_);
    EXPECT_EQ(low.rfind("map: the MTF of the detector is below 0.001 from 0.333", 0), 0U) << low;
  }
}

TEST_F(Maps, FlippingTwiceGivesTheMapAgain) {
  const auto once = run({"map_flip", {}}, full_);
  ASSERT_TRUE(once);
  EXPECT_NE(values(*once), full_->values().pixels().values);
  const auto twice = run({"map_flip", {}}, once->data);
  ASSERT_TRUE(twice);
  EXPECT_EQ(values(*twice), full_->values().pixels().values);
}

TEST_F(Maps, GuinierPlotHasTheLineOfTheRange) {
  const auto atom =
      Dataset::create(volume_of(phantom_map(std::vector<Atom>{{{0, 0, 0}, 0.9, 1}}, kSide)));
  const auto done = run({"guinier", {{"fit_to", 4.0}}}, atom);
  ASSERT_TRUE(done) << done.error().message();
  const Measurement& found = *done->measured.front().found;
  ASSERT_EQ(found.curves.front().ys.size(), 2U);
  const auto* b = found.tables.front().column("b_factor");
  ASSERT_NE(b, nullptr);
  // exp(−2π²σ²k²): B/4 = −2π²σ², σ = .9 · 1.5 Å; sampling folds a little back.
  EXPECT_NEAR(std::get<std::vector<double>>(b->cells).front(),
              -8.0 * M_PI * M_PI * std::pow(0.9 * 1.5, 2), 2.0);
}

TEST_F(Maps, LocalResolutionIsFinerOnTheMoleculeThanBesideIt) {
  const auto half = Dataset::create(volume_of(first_));
  const auto done = run({"local_resolution", {{"other", half2_}, {"radius", 12.0}}}, half);
  ASSERT_TRUE(done) << done.error().message();
  const auto at = [&](std::int64_t z) {
    return values(*done)[static_cast<std::size_t>((z * kSide + 24) * kSide + 24)];
  };
  EXPECT_LT(at(24), 6.0F);
  EXPECT_GT(at(2), 20.0F);
  const auto automatic = run({"local_resolution", {{"other", half2_}}}, half);
  ASSERT_TRUE(automatic);
  EXPECT_GT(parameter<double>(*complete(automatic->steps.back()), "radius"), 3.0);
  EXPECT_EQ(values(*run(automatic->steps.back(), half)), values(*automatic));
}

TEST_F(Maps, LengthsInNanometresAreTheSame) {
  const auto angstrom = Dataset::create(volume_of(first_));
  const auto nano = Dataset::create(volume_of(first_, kSide, {0.15, 0.15, 0.15, "nm"}));
  const auto a = run({"map_sharpen", {{"b_factor", -60.0}, {"low_pass", 5.0}}}, angstrom);
  const auto b = run({"map_sharpen", {{"b_factor", -60.0}, {"low_pass", 5.0}}}, nano);
  ASSERT_TRUE(a && b);
  for (std::size_t i = 0; i < first_.size(); ++i) ASSERT_NEAR(values(*a)[i], values(*b)[i], 1e-4);
  EXPECT_EQ(b->data->voxel().unit, "nm");
}

TEST_F(Maps, SayWhatTheyCannotDo) {
  const auto pixels = Dataset::create(volume_of(first_, kSide, {1, 1, 1, "px"}));
  EXPECT_NE(message({"map_sharpen", {}}, pixels).find("no voxel size"), std::string::npos);
  EXPECT_NE(message({"guinier", {}}, pixels).find("no voxel size"), std::string::npos);
  const auto done = run({"fsc", {{"other", half2_}}}, pixels);
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_EQ(done->measured.front().found->curves.front().x.unit, "1/px");
  const auto larger = Dataset::create(volume_of(first_, kSide, {1.6, 1.6, 1.6, "Å"}));
  const auto differs = run({"fsc", {{"other", half2_}}}, larger);
  ASSERT_TRUE(differs);
  EXPECT_NE(differs->measured.front().found->notes.back().find("1.5"), std::string::npos);

  const auto flat = Dataset::create(volume_of(first_, kSide, {3, 1.5, 1.5, "Å"}));
  EXPECT_NE(message({"fsc", {{"other", half2_}}}, flat).find("no cubes"), std::string::npos);
  Volume slab;
  slab.pixels = Pixels<float>({4, 8, 8}, 1.0F);
  EXPECT_NE(message({"fsc", {{"other", half2_}}}, Dataset::create(slab)).find("no cubic map"),
            std::string::npos);
  EXPECT_NE(message({"fsc", {}}, full_).find("none is named"), std::string::npos);
  EXPECT_NE(message({"fsc", {{"other", half2_ + "x"}}}, full_).find("half2.tifx"),
            std::string::npos);
  EXPECT_NE(message({"map_sharpen", {{"half1", half1_}}}, full_).find("two are needed"),
            std::string::npos);
  EXPECT_NE(message({"map_mask", {{"method", std::string("value")}, {"value", 1e6}}}, full_)
                .find("nothing as bright"),
            std::string::npos);
  const std::string small = (folder_ / "small.tif").string();
  ASSERT_TRUE(write_tiff(volume_of(std::vector<float>(512, 1.0F), 8), small));
  EXPECT_NE(message({"fsc", {{"other", small}}}, full_).find("8 × 8 × 8"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
