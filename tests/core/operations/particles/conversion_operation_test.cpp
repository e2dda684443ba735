#include "core/operations/particles/conversion_operation.hpp"

#include <array>

#include <gtest/gtest.h>

#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/image/synthetic.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

TEST(ConversionParameters, FollowTheOperation) {
  const auto op = complete({"convert",
                            {{"rel_error", 0.05},
                             {"auto_thresholds", false},
                             {"sigma_th", 12.0},
                             {"psf", Vector{3, 2, 1}}}});
  ASSERT_TRUE(op.ok());
  const auto plain = conversion_parameters(*op, {4, 2, 2, "µm"});
  EXPECT_FLOAT_EQ(plain.rel_error, 0.05F);
  EXPECT_FALSE(plain.auto_thresholds);
  EXPECT_FLOAT_EQ(plain.sigma_th, 12.0F);
  EXPECT_FLOAT_EQ(plain.dz, 1.0F);
  EXPECT_FLOAT_EQ(plain.psfz, 3.0F);
  Operation scaled = *op;
  scaled.parameters["use_voxel_size"] = true;
  const auto physical = conversion_parameters(scaled, {4, 2, 2, "µm"});
  EXPECT_FLOAT_EQ(physical.dz, 2.0F);
  EXPECT_FLOAT_EQ(physical.dx, 1.0F);
  // The window follows psf ÷ d, so the PSF in pixels stays what it is.
  EXPECT_FLOAT_EQ(physical.psfz / physical.dz, 3.0F);
}

// A preview goes by gradient and scale, which it keeps, and what it finds stands for a conversion.
TEST(ConversionResult, ByKeptGradientsIsWhatTheBackendMakes) {
  SyntheticOptions options;
  options.size = {21, 40, 52};
  auto image = make_synthetic("cells", options);
  ASSERT_TRUE(image.ok()) << image.error().message();
  image->name = "cells";
  image->channel = "0";
  image->voxel = {2.0, 0.5, 0.5, "µm"};
  const Operation cases[] = {
      {"convert", {}},
      {"convert", {{"rel_error", 0.02}, {"use_voxel_size", true}}},
      {"convert", {{"lambda", 0.0}, {"psf", Vector{3, 2, 1}}}},
      {"convert", {{"intensity_th", 120.0}, {"neighbourhood_optimisation", false}}},
      {"convert",
       {{"auto_thresholds", false}, {"sigma_th", 30.0}, {"sigma_th_max", 10.0}, {"grad_th", 4.0}}},
      {"convert", {{"constant_scale", true}}}};
  const auto data = Dataset::create(Data{*image});
  const Volume& volume = data->volume();
  for (const Operation& one : cases) {
    const auto whole = complete(one);
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    SCOPED_TRACE(describe(*whole));
    const auto made = cpu_backend()->run(*whole, *data, {});
    ASSERT_TRUE(made.ok()) << made.error().message();
    const auto parameters = conversion_parameters(*whole, volume.voxel);
    const auto gradient = compute_gradient_scale(volume, parameters);
    ASSERT_TRUE(gradient.ok()) << gradient.error().message();
    ConversionParameters used;
    const auto access = build_access(*gradient, parameters, {}, &used);
    ASSERT_TRUE(access.ok()) << access.error().message();
    auto values = sample_particles(volume, **access, {}, parameters.rounding);
    ASSERT_TRUE(values.ok()) << values.error().message();
    const Apr found = conversion_result(*whole, volume, *access, *std::move(values), used);
    const Apr& expected = std::get<Apr>(*made);
    EXPECT_GT(expected.access->count(), 0U);
    EXPECT_TRUE(found.access->particles() == expected.access->particles());
    EXPECT_TRUE(found.access->tree() == expected.access->tree());
    ASSERT_EQ(found.fields.size(), expected.fields.size());
    EXPECT_EQ(found.main_field()->name, expected.main_field()->name);
    EXPECT_TRUE(found.main_field()->values == expected.main_field()->values);
    EXPECT_EQ(found.history, expected.history);
    EXPECT_EQ(found.name, expected.name);
    EXPECT_EQ(found.channel, expected.channel);
    EXPECT_EQ(found.voxel, expected.voxel);
    EXPECT_EQ(found.parameters.sigma_th, expected.parameters.sigma_th);
    EXPECT_EQ(found.parameters.grad_th, expected.parameters.grad_th);
    EXPECT_EQ(found.parameters.psfz, expected.parameters.psfz);
  }
}

}  // namespace
}  // namespace aprscope
