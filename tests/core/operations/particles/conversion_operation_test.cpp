#include "core/operations/particles/conversion_operation.hpp"

#include <array>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace aprscope
