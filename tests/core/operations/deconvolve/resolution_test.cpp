// The resolution of a deconvolution by two halves of its photons: what it depends on, and that it
// changes nothing in the result.
#include "core/operations/deconvolve/resolution.hpp"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/operations/deconvolve/photon_parameters.hpp"
#include "core/operations/deconvolve/thinned_data.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/core/operations/deconvolve/photon_scene.hpp"

namespace aprscope {
namespace {

using test::deconvolution;
using test::kGain;
using test::make_scene;
using test::Scene;

Scene scene_of(double photons, const VoxelSize& voxel) {
  Scene scene = make_scene(photons, 0.0);
  Volume volume = std::get<Volume>(scene.image->data());
  volume.voxel = voxel;
  scene.image = Dataset::create(volume);
  return scene;
}

Operation measured(std::map<std::string, ParameterValue> more = {}) {
  more.emplace("resolution", true);
  more.emplace("photon_gain", kGain);
  more.emplace("stop", std::string("change"));
  return deconvolution(10, 0.0, std::move(more));
}

struct Found {
  std::vector<NamedFigure> figures;
  std::vector<float> values;
  int calls = 0;
};

Found run(const Operation& op, const Dataset& input, std::stop_token keep = {}) {
  Found found;
  IterationHooks hooks;
  hooks.keep = std::move(keep);
  hooks.concluded = [&](const std::vector<NamedFigure>& figures) {
    found.figures = figures;
    ++found.calls;
  };
  const auto result = cpu_backend()->iterate(op, input, hooks, {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  if (!result) return found;
  const auto data = Dataset::create(*result);
  found.values = data->is_apr() ? data->values().particles() : data->values().pixels().values;
  return found;
}

TEST(Resolution, IsAFigureAnAxisInTheUnitOfTheVoxels) {
  const Scene scene = scene_of(300.0, {0.5, 0.1, 0.2, "µm"});
  const Found found = run(measured(), *scene.image);
  ASSERT_EQ(found.figures.size(), 3U);
  EXPECT_EQ(found.figures[0].id, "resolution_z");
  EXPECT_EQ(found.figures[1].id, "resolution_x");
  EXPECT_EQ(found.figures[2].id, "resolution_y");
  const std::array<double, 3> voxel{0.5, 0.1, 0.2};
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_EQ(found.figures[d].unit, "µm");
    // From the finest that voxels can show to the width of the PSF, 3.5 voxels, and of few numbers
    // a shell some more.
    EXPECT_GE(found.figures[d].value, 2.0 * voxel[d] - 1e-9);
    EXPECT_LE(found.figures[d].value, 8.0 * voxel[d]);
  }
  // The same image of larger voxels.
  const Found larger = run(measured(), *scene_of(300.0, {1.5, 0.3, 0.6, "µm"}).image);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(larger.figures[d].value, 3.0 * found.figures[d].value, 1e-6);
  }
}

TEST(Resolution, IsFinerWithMorePhotons) {
  const VoxelSize voxel{1.0, 1.0, 1.0, "µm"};
  const auto mean = [](const Found& found) {
    double sum = 0.0;
    for (const NamedFigure& figure : found.figures) sum += figure.value;
    return sum / 3.0;
  };
  const double few = mean(run(measured(), *scene_of(10.0, voxel).image));
  const double many = mean(run(measured(), *scene_of(3000.0, voxel).image));
  EXPECT_GT(few, 1.15 * many);
}

TEST(Resolution, ChangesNothingInTheResultAndRepeats) {
  const Scene scene = scene_of(100.0, {1.0, 1.0, 1.0, "µm"});
  Operation plain = measured();
  plain.parameters["resolution"] = false;
  const Found without = run(plain, *scene.image);
  const Found with = run(measured(), *scene.image);
  EXPECT_EQ(without.calls, 0);
  EXPECT_EQ(with.calls, 1);
  EXPECT_EQ(without.values, with.values);
  EXPECT_EQ(run(measured(), *scene.image).figures, with.figures);
  EXPECT_NE(run(measured({{"seed", std::int64_t{2}}}), *scene.image).figures, with.figures);
  // With few iterations of another back projector, and with a number that photons decide.
  for (const auto& more : std::vector<std::map<std::string, ParameterValue>>{
           {{"back_projector", std::string("wiener_butterworth")}},
           {{"stop", std::string("held_out")}}}) {
    EXPECT_EQ(run(measured(more), *scene.image).calls, 1);
  }
}

TEST(Resolution, OfParticlesStandsInTheHistory) {
  const Scene scene = scene_of(300.0, {1.0, 0.5, 0.5, "µm"});
  ConversionParameters parameters;
  parameters.rel_error = 0.2F;
  const auto apr = convert(std::get<Volume>(scene.image->data()), parameters);
  ASSERT_TRUE(apr) << apr.error().message();
  const auto result = cpu_backend()->iterate(measured(), *Dataset::create(Data(*apr)), {}, {});
  ASSERT_TRUE(result) << result.error().message();
  const std::string& line = std::get<Apr>(*result).history.back();
  EXPECT_NE(line.find("µm in z, x, y (FSC 1/7"), std::string::npos) << line;
}

// A guess for the resolution alone does not mean that photons end the iterations.
TEST(Resolution, AGuessedGainEndsNothing) {
  const Scene scene = make_scene(60.0, 0.3);
  const Operation asked = *complete(deconvolution(5, 0.0, {{"resolution", true}}));
  const Operation known = settled(asked, *scene.image, {});
  EXPECT_GT(parameter<double>(known, "photon_gain"), 0.0);
  EXPECT_FALSE(ends_by_held_out(known));
  EXPECT_FALSE(ends_by_held_out(asked));
}

TEST(Resolution, SaysWhatItCannotMeasure) {
  const Scene scene = scene_of(100.0, {1.0, 1.0, 1.0, "µm"});
  IterationHooks hooks;
  hooks.start = scene.image;
  const auto further = cpu_backend()->iterate(measured(), *scene.image, hooks, {});
  ASSERT_FALSE(further);
  EXPECT_NE(further.error().message().find("seen all photons"), std::string::npos);
  const auto apr = convert(std::get<Volume>(scene.image->data()), ConversionParameters());
  ASSERT_TRUE(apr);
  const auto unknown = cpu_backend()->iterate(measured({{"photon_gain", 0.0}}),
                                              *Dataset::create(Data(*apr)), {}, {});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message().find("photon gain"), std::string::npos);
}

TEST(Resolution, IsLeftOutWhereTheIterateIsKept) {
  const Scene scene = scene_of(100.0, {1.0, 1.0, 1.0, "µm"});
  std::stop_source keep;
  keep.request_stop();
  const Found found = run(measured(), *scene.image, keep.get_token());
  EXPECT_EQ(found.calls, 0);
  EXPECT_FALSE(found.values.empty());
}

}  // namespace
}  // namespace aprscope
