#include <string>

#include <gtest/gtest.h>

#include "core/operations/engine/registry.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/phantom.hpp"

namespace aprscope {
namespace {

// What the form offers is what the reconstruction takes: its memory is known before it is run.
TEST(BackprojectSettingsOfAnOperation, TheLimitsOfTauAreThoseOfTheReconstruction) {
  const ProjectionTable table = random_projection_table({.images = 10, .side = 16});
  Operation operation{"backproject", {}};
  operation.parameters["tau"] = kMostTau;
  const auto most = complete(operation);
  ASSERT_TRUE(most.ok()) << most.error().message();
  EXPECT_GT(backproject_bytes(table, backproject_settings(*most)), 0U);
  operation.parameters["tau"] = 1.1 * kMostTau;
  EXPECT_FALSE(complete(operation).ok());
}

TEST(BackprojectSettingsOfAnOperation, TheOrderOfTheKernelIsPassedOn) {
  Operation operation{"backproject", {}};
  const auto usual = complete(operation);
  ASSERT_TRUE(usual.ok()) << usual.error().message();
  EXPECT_EQ(backproject_settings(*usual).order, 0);
  operation.parameters["order"] = std::int64_t{kMostBlobOrder};
  const auto most = complete(operation);
  ASSERT_TRUE(most.ok()) << most.error().message();
  EXPECT_EQ(backproject_settings(*most).order, kMostBlobOrder);
  operation.parameters["order"] = std::int64_t{kMostBlobOrder + 1};
  EXPECT_FALSE(complete(operation).ok());
}

TEST(BackprojectSettingsOfAnOperation, TheNumberOfImagesIsPassedOn) {
  Operation operation{"backproject", {}};
  operation.parameters["images"] = std::int64_t{7};
  const auto seven = complete(operation);
  ASSERT_TRUE(seven.ok()) << seven.error().message();
  EXPECT_EQ(backproject_settings(*seven).images, 7);
}

}  // namespace
}  // namespace aprscope
