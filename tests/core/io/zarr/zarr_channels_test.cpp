#include "core/io/zarr/zarr_channels.hpp"

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(ZarrChannels, ColoursAreSixDigitsWithOrWithoutMore) {
  const Json attributes = Json::parse(R"({"omero": {"channels": [
      {"color": "#00fF10"}, {"color": "FF00FF80"}, {"color": "FF00F"}, {"color": "GG0000"},
      {"color": 255}]}})");
  const ZarrChannels found = zarr_channels(attributes, 6);
  ASSERT_EQ(found.hints.size(), 6U);
  EXPECT_EQ(found.hints[0].colour, (Rgb{0x00, 0xFF, 0x10}));
  EXPECT_EQ(found.hints[1].colour, (Rgb{0xFF, 0x00, 0xFF}));
  for (const std::size_t c : {2U, 3U, 4U, 5U}) EXPECT_FALSE(found.hints[c].colour) << c;
  EXPECT_EQ(found.names[5], "5");
}

TEST(ZarrChannels, AWindowHasAnEndAboveItsStart) {
  const Json attributes = Json::parse(R"({"omero": {"channels": [
      {"label": "DAPI", "window": {"start": -2.5, "end": 10}}, {"window": {"start": 4, "end": 4}},
      {"window": {"start": 4}}]}})");
  const ZarrChannels found = zarr_channels(attributes, 3);
  EXPECT_EQ(found.names, (std::vector<std::string>{"DAPI", "1", "2"}));
  ASSERT_EQ(found.hints.size(), 3U);
  EXPECT_EQ(found.hints[0].window, (std::array<double, 2>{-2.5, 10.0}));
  EXPECT_FALSE(found.hints[1].window);
  EXPECT_FALSE(found.hints[2].window);
}

TEST(ZarrChannels, NothingIsSaidIsNothing) {
  EXPECT_TRUE(zarr_channels(Json(), 2).hints.empty());
  EXPECT_TRUE(zarr_channels(Json::parse(R"({"omero": {"channels": 7}})"), 2).hints.empty());
  EXPECT_EQ(zarr_channels(Json(), 2).names, (std::vector<std::string>{"0", "1"}));
}

}  // namespace
}  // namespace aprscope::test
