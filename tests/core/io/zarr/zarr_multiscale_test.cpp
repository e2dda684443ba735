#include "core/io/zarr/zarr_multiscale.hpp"

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

ZarrNode group_that_says(const char* attributes) {
  ZarrNode node;
  node.attributes = nlohmann::ordered_json::parse(attributes);
  return node;
}

TEST(ZarrMultiscales, ScalesAndTranslationsFollowEachOther) {
  const test::TemporaryFolder folder;
  const auto store = ZarrStore::open(folder.path());
  ASSERT_TRUE(store.ok()) << store.error().message();
  const ZarrNode node = group_that_says(R"({"ome": {"version": "0.5", "multiscales": [{
      "axes": [{"name": "Y", "type": "space", "unit": "micrometer"}, {"name": "X"}],
      "datasets": [{"path": "0", "coordinateTransformations": [
          {"type": "translation", "translation": [1, 2]}, {"type": "scale", "scale": [3, 5]}]},
        {"path": "1", "coordinateTransformations": [{"type": "rotation", "rotation": []}]}],
      "coordinateTransformations": [{"type": "scale", "scale": [10, 100]}]}]}})");
  const auto image = zarr_multiscale(*store, "a", node);
  ASSERT_TRUE(image.ok() && *image);
  EXPECT_EQ((*image)->version, "0.5");
  ASSERT_EQ((*image)->axes.size(), 2U);
  EXPECT_EQ((*image)->axes[0].name, "y");
  EXPECT_EQ((*image)->axes[0].unit, "micrometer");
  ASSERT_EQ((*image)->levels.size(), 2U);
  const ZarrLevel& first = (*image)->levels[0];
  EXPECT_EQ(first.key, "a/0");
  EXPECT_EQ(first.scale, (std::vector<double>{30, 500}));
  EXPECT_EQ(first.translation, (std::vector<double>{30, 1000}));
  EXPECT_FALSE(first.problem);
  // Its pixels can be shown all the same, only not placed.
  ASSERT_TRUE((*image)->levels[1].problem);
  EXPECT_NE((*image)->levels[1].problem->what.find("rotation"), std::string::npos);
}

TEST(ZarrMultiscales, LevelsStayInTheirFolder) {
  const test::TemporaryFolder folder;
  const auto store = ZarrStore::open(folder.path());
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_FALSE(
      zarr_multiscale(*store, "",
                      group_that_says(R"({"multiscales": [{"datasets": [{"path": "../x"}]}]})"))
          .ok());
  const auto none = zarr_multiscale(*store, "", group_that_says("{}"));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
}

}  // namespace
}  // namespace aprscope
