// What the attributes of Imaris files say.
#include "core/io/imaris/imaris_description.hpp"

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

ImarisTexts usual() {
  return {{"X", "7"},        {"Y", "6"},        {"Z", "5"},           {"ExtMin0", "30"},
          {"ExtMin1", "20"}, {"ExtMin2", "10"}, {"ExtMax0", "31.75"}, {"ExtMax1", "23"},
          {"ExtMax2", "20"}, {"Unit", "um"}};
}

ImarisTexts with(const std::string& name, const std::string& text) {
  ImarisTexts texts = usual();
  texts[name] = text;
  return texts;
}

std::string error_of(const ImarisTexts& texts) {
  const auto image = parse_imaris_image(texts);
  if (!image) return image.error().message();
  const auto place = imaris_place(*image, image->size.value_or(Size3{5, 6, 7}));
  return place ? "" : place.error().message();
}

void expect_error(const ImarisTexts& texts, const std::string& words) {
  const std::string message = error_of(texts);
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_NE(message.find("open by name"), std::string::npos) << message;
}

void expect_close(const std::array<double, 3>& got, const std::array<double, 3>& wanted) {
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(got[d], wanted[d], 1e-12) << d;
}

TEST(ImarisDescription, SizesAndVoxelsInTheOrderOfTheProgram) {
  const auto image = parse_imaris_image(usual());
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->size, (Size3{5, 6, 7}));
  const auto place = imaris_place(*image, *image->size);
  ASSERT_TRUE(place.ok()) << place.error().message();
  EXPECT_EQ(place->voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  // Extents are faces of pixels, places their centres.
  expect_close(place->origin, {11.0, 20.25, 30.125});
}

TEST(ImarisDescription, ACoarserLevelFillsTheSameSpace) {
  const auto image = parse_imaris_image(usual());
  ASSERT_TRUE(image.ok());
  const auto place = imaris_place(*image, {5, 3, 4});
  ASSERT_TRUE(place.ok());
  EXPECT_EQ(place->voxel, (VoxelSize{2.0, 1.0, 0.4375, "µm"}));
  expect_close(place->origin, {11.0, 20.5, 30.21875});
}

TEST(ImarisDescription, Units) {
  const auto voxel_in = [](const std::string& unit) {
    const auto image = parse_imaris_image(with("Unit", unit));
    return imaris_place(*image, {5, 6, 7})->voxel;
  };
  EXPECT_EQ(voxel_in("nm"), (VoxelSize{2.0, 0.5, 0.25, "nm"}));
  EXPECT_EQ(voxel_in("mm"), (VoxelSize{2.0, 0.5, 0.25, "mm"}));
  EXPECT_EQ(voxel_in(""), (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  EXPECT_EQ(voxel_in("m"), (VoxelSize{2e6, 5e5, 2.5e5, "µm"}));
  const auto metres = imaris_place(*parse_imaris_image(with("Unit", "m")), {5, 6, 7});
  EXPECT_NEAR(metres->origin[0], 11e6, 1e-3);
}

TEST(ImarisDescription, WithoutExtentsLengthsAreInPixels) {
  const auto image = parse_imaris_image({{"X", "8"}, {"Y", "6"}, {"Z", "5"}});
  ASSERT_TRUE(image.ok());
  EXPECT_FALSE(image->extent);
  const auto fine = imaris_place(*image, {5, 6, 8});
  EXPECT_EQ(fine->voxel, (VoxelSize{1.0, 1.0, 1.0, "px"}));
  expect_close(fine->origin, {0.0, 0.0, 0.0});
  const auto coarse = imaris_place(*image, {5, 3, 4});
  EXPECT_EQ(coarse->voxel, (VoxelSize{1.0, 2.0, 2.0, "px"}));
  expect_close(coarse->origin, {0.0, 0.5, 0.5});
  EXPECT_EQ(imaris_place(*parse_imaris_image({}), {5, 3, 4})->voxel, VoxelSize{});
}

TEST(ImarisDescription, ASingleSliceNeedNoThickness) {
  ImarisTexts texts = with("Z", "1");
  texts["ExtMax2"] = texts["ExtMin2"];
  const auto image = parse_imaris_image(texts);
  ASSERT_TRUE(image.ok());
  const auto place = imaris_place(*image, {1, 6, 7});
  ASSERT_TRUE(place.ok()) << place.error().message();
  EXPECT_EQ(place->voxel, (VoxelSize{0.25, 0.5, 0.25, "µm"}));
  EXPECT_FALSE(imaris_place(*image, {2, 6, 7}).ok());
}

TEST(ImarisDescription, WhatCannotBeTrueIsSaid) {
  for (const char* size : {"0", "-3", "2.5", "nan", "many", "3000000000", "1e300"}) {
    expect_error(with("Y", size), std::string("has an impossible size (Y = \"") + size);
  }
  expect_error(with("Z", ""), "says its size but no Z");
  for (const char* extent : {"nan", "inf", "far", "1e300"}) {
    expect_error(with("ExtMax1", extent),
                 std::string("has extents that are no lengths (ExtMax1 = \"") + extent);
  }
  expect_error(with("ExtMin0", ""), "says only some of its extents");
  expect_error(with("ExtMax2", "10"), "ends where or before it begins (ExtMin2 and ExtMax2)");
  expect_error(with("ExtMax0", "29"), "ends where or before it begins (ExtMin0 and ExtMax0)");
  expect_error(with("ExtMax1", "20.000000001"), "has extents that are no lengths (ExtMin1");
  const std::string harmful = error_of(with("X", "\x1b[2J"));
  EXPECT_EQ(harmful.find('\x1b'), std::string::npos);
}

TEST(ImarisDescription, SizesOfAChannel) {
  const auto size =
      parse_imaris_size({{"ImageSizeX", "7"}, {"ImageSizeY", "6"}, {"ImageSizeZ", "5"}});
  ASSERT_TRUE(size.ok());
  EXPECT_EQ(*size, (Size3{5, 6, 7}));
  EXPECT_EQ(*parse_imaris_size({}), std::nullopt);
  EXPECT_FALSE(parse_imaris_size({{"ImageSizeX", "7"}}).ok());
}

TEST(ImarisDescription, ChannelsHaveNamesColoursAndRanges) {
  const ImarisChannel channel = parse_imaris_channel({{"Name", "GFP"},
                                                      {"Color", "0.000 0.500 1.000"},
                                                      {"ColorMode", "BaseColor"},
                                                      {"ColorRange", "12.5 4000"}},
                                                     3);
  EXPECT_EQ(channel.name, "GFP");
  EXPECT_EQ(channel.hint.colour, (Rgb{0, 128, 255}));
  EXPECT_EQ(channel.hint.window, (std::array{12.5, 4000.0}));
}

TEST(ImarisDescription, OfChannelsWhatIsNotUnderstoodIsLeftOut) {
  EXPECT_EQ(parse_imaris_channel({}, 3).name, "3");
  EXPECT_EQ(parse_imaris_channel({{"Name", "(name not specified)"}}, 2).name, "2");
  EXPECT_EQ(parse_imaris_channel({{"Name", "a\x1b"}}, 2).name, "a\\x1b");
  EXPECT_LE(parse_imaris_channel({{"Name", std::string(5000, 'a')}}, 2).name.size(), 200U);
  for (const char* colour : {"", "1 0", "1 0 x", "nan 0 0", "red"}) {
    EXPECT_FALSE(parse_imaris_channel({{"Color", colour}}, 0).hint.colour) << colour;
  }
  EXPECT_EQ(parse_imaris_channel({{"Color", "-1, 7, 0.2"}}, 0).hint.colour, (Rgb{0, 255, 51}));
  EXPECT_FALSE(
      parse_imaris_channel({{"Color", "1 1 1"}, {"ColorMode", "TableColor"}}, 0).hint.colour);
  for (const char* range : {"", "5", "5 5", "9 1", "0 nan", "0 1 2"}) {
    EXPECT_FALSE(parse_imaris_channel({{"ColorRange", range}}, 0).hint.window) << range;
  }
}

TEST(ImarisDescription, TimePoints) {
  EXPECT_EQ(parse_imaris_times({{"FileTimePoints", "3"}, {"DatasetTimePoints", "9"}}), 3);
  EXPECT_EQ(parse_imaris_times({{"DatasetTimePoints", "9"}}), 9);
  EXPECT_EQ(parse_imaris_times({{"DataSetTimePoints", "4"}}), 4);
  EXPECT_FALSE(parse_imaris_times({{"DatasetTimePoints", "-9"}}));
  EXPECT_FALSE(parse_imaris_times({}));
}

TEST(ImarisDescription, Dates) {
  EXPECT_EQ(parse_imaris_date("1970-01-02 00:00:01.500"), 86401.5);
  // By `date -u -d "2005-05-31 09:24:30" +%s`.
  EXPECT_EQ(parse_imaris_date("2005-05-31 09:24:30.250"), 1117531470.25);
  EXPECT_EQ(parse_imaris_date("2024-02-29 23:59:59"), 1709251199.0);
  for (const char* text : {"", "2005", "2005-05-31", "2005-13-01 00:00:00", "2023-02-29 00:00:00",
                           "2005-05-31 24:00:00", "2005-05-31 09:60:00", "2005-05-31 09:24:61",
                           "2005-05-31 09:24:nan", "-2005-05-31 09:24:30", "99999-01-01 00:00:00",
                           "2005-05-31T09:24:30", "31.05.2005 09:24:30", "2005-05-31 09:24:30 h"}) {
    EXPECT_FALSE(parse_imaris_date(text)) << text;
  }
}

TEST(ImarisDescription, NumbersOfGroups) {
  EXPECT_EQ(imaris_number("Channel 0", "Channel "), 0);
  EXPECT_EQ(imaris_number("Channel 12", "Channel "), 12);
  for (const char* name : {"Channel ", "Channel", "Channel 01", "Channel -1", "Channel 1a",
                           "Channel 1234567890", "channel 1", "TimePoint 1"}) {
    EXPECT_FALSE(imaris_number(name, "Channel ")) << name;
  }
}

}  // namespace
}  // namespace aprscope::test
