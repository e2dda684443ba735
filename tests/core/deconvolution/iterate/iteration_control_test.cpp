#include "core/deconvolution/iterate/iteration_control.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

ImageFacts facts_of(double flux, double pixels, float largest) {
  ImageFacts facts;
  facts.flux = flux;
  facts.pixels = pixels;
  facts.largest = largest;
  return facts;
}

TEST(IterationControl, ScalesOnlyWhatLiesFarFromOneAndByAPowerOfTwo) {
  const IterationControl plain(facts_of(1e4, 100.0, 1000.0F), {});
  EXPECT_EQ(plain.scale(), 1.0F);
  EXPECT_EQ(plain.largest(), 1000.0F);
  EXPECT_FLOAT_EQ(plain.floor(), 1e-4F);
  EXPECT_FLOAT_EQ(plain.mean(), 100.0F);
  for (const float largest : {3e-30F, 7e25F, std::numeric_limits<float>::denorm_min(),
                              std::numeric_limits<float>::max()}) {
    const IterationControl scaled(facts_of(10.0 * static_cast<double>(largest), 20.0, largest), {});
    int exponent = 0;
    EXPECT_EQ(std::frexp(scaled.scale(), &exponent), 0.5F) << largest;
    EXPECT_TRUE(std::isfinite(scaled.scale()));
    EXPECT_GT(scaled.largest(), 0.0F);
    EXPECT_LT(scaled.largest(), 16.0F);
    EXPECT_NEAR(scaled.mean(), 0.5F * scaled.largest(), 1e-6F * scaled.largest());
  }
  EXPECT_EQ(IterationControl(facts_of(0.0, 100.0, 0.0F), {}).largest(), 1.0F);
}

TEST(IterationControl, KeepsTheFluxBeyondRounding) {
  IterationControl control(facts_of(1000.0, 10.0, 200.0F), {});
  UpdateSums sums;
  sums.flux = 500.0;
  EXPECT_FLOAT_EQ(control.after(sums, 0.0).factor, 2.0F);
  sums.flux = 1000.001;
  EXPECT_EQ(control.after(sums, 0.0).factor, 1.0F);
  sums.flux = 0.0;
  EXPECT_EQ(control.after(sums, 0.0).factor, 1.0F);
  EXPECT_DOUBLE_EQ(control.likelihood(10.0), -0.01);
}

TEST(IterationControl, GoesOnAlongTheLastChangeUnlessTheLikelihoodFell) {
  RichardsonLucyOptions options;
  options.accelerate = true;
  IterationControl control(facts_of(1000.0, 10.0, 200.0F), options);
  UpdateSums sums;
  sums.flux = 1000.0;
  // There was no step before the first.
  EXPECT_EQ(control.after(sums, 9.0).along, 0.0F);
  sums.before = 4.0;
  sums.along = 3.0;
  EXPECT_FLOAT_EQ(control.after(sums, 8.0).along, 0.75F);
  EXPECT_EQ(control.after(sums, 8.5).along, 0.0F);
  EXPECT_FLOAT_EQ(control.after(sums, 8.4).along, 0.75F);
  sums.along = 9.0;
  EXPECT_EQ(control.after(sums, 8.0).along, 1.0F);
  sums.along = -1.0;
  EXPECT_EQ(control.after(sums, 7.0).along, 0.0F);
  sums.before = std::numeric_limits<double>::infinity();
  EXPECT_EQ(control.after(sums, 6.0).along, 0.0F);
  // Nobody asked for it.
  IterationControl plain(facts_of(1000.0, 10.0, 200.0F), {});
  sums.before = 4.0;
  sums.along = 3.0;
  EXPECT_EQ(plain.after(sums, 8.0).along, 0.0F);
}

TEST(IterationControl, TheSquaredGradientsDerivativeHasATwo) {
  RichardsonLucyOptions options;
  options.strength = 0.25;
  options.regularisation = Regularisation::total_variation;
  EXPECT_EQ(IterationControl(facts_of(1.0, 1.0, 1.0F), options).strength(), 0.25F);
  options.regularisation = Regularisation::tikhonov_miller;
  EXPECT_EQ(IterationControl(facts_of(1.0, 1.0, 1.0F), options).strength(), 0.5F);
}

}  // namespace
}  // namespace aprscope
