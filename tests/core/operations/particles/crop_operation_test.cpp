#include <gtest/gtest.h>

#include "core/image/crop.hpp"
#include "core/io/write.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "core/projections/projections.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

Operation crop_step(const Region& box) { return {"crop", {{"region", region_text(box)}}}; }

constexpr Region kBox{{2, 4, 8}, {13, 20, 21}};

TEST(CropOperation, GivesPixelsAndParticlesOfTheSameBox) {
  const Apr apr = test::random_apr({.size = {16, 24, 32}, .seed = 3});
  const auto particles = Dataset::create(apr);
  const auto image = execute({{"reconstruct", {}}}, particles, *cpu_backend());
  ASSERT_TRUE(image.ok());
  const auto of_pixels = execute({crop_step(kBox)}, image->data, *cpu_backend());
  ASSERT_TRUE(of_pixels.ok()) << of_pixels.error().message();
  const auto of_particles =
      execute({crop_step(kBox), {"reconstruct", {}}}, particles, *cpu_backend());
  ASSERT_TRUE(of_particles.ok()) << of_particles.error().message();
  EXPECT_EQ(of_pixels->data->size(), kBox.size());
  EXPECT_EQ(of_pixels->data->volume().to_float().values,
            of_particles->data->volume().to_float().values);
  EXPECT_EQ(of_pixels->data->volume().to_float().values,
            crop(image->data->volume(), kBox).to_float().values);
}

TEST(CropOperation, SaysInTheHistoryWhatItDid) {
  const auto done = execute(
      {crop_step(kBox)}, Dataset::create(test::random_apr({.size = {16, 24, 32}})), *cpu_backend());
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->data->apr().history.back(), "crop, region \"2:13,4:20,8:21\" [cpu]");
}

TEST(CropOperation, SaysWhatIsWrongWithABox) {
  const auto image = Dataset::create(test::image_of({4, 4, 4}, test::rough));
  const auto refused = [&](const std::string& text) {
    const Operation step{"crop", {{"region", text}}};
    const Status ok = cpu_backend()->supports(step, *image);
    EXPECT_FALSE(execute({step}, image, *cpu_backend()).ok());
    return ok.ok() ? std::string() : ok.error().message();
  };
  EXPECT_NE(refused("").find("no region is given"), std::string::npos);
  EXPECT_NE(refused("0:4").find("Z0:Z1,X0:X1,Y0:Y1"), std::string::npos);
  EXPECT_NE(refused("0:5,0:4,0:4").find("4 × 4 × 4 pixels"), std::string::npos);
}

TEST(CropOperation, LeavesProjectionsWithTheirTable) {
  Volume stack = test::image_of({4, 4, 4}, test::rough);
  stack.projections = std::make_shared<const Projections>();
  const Status ok = cpu_backend()->supports(crop_step({{0, 0, 0}, {1, 2, 2}}),
                                            *Dataset::create(std::move(stack)));
  ASSERT_FALSE(ok.ok());
  EXPECT_NE(ok.error().message().find("projections"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
