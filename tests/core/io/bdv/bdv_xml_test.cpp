// What XML files of BigDataViewer say, and what is refused of them.
#include "core/io/bdv/bdv_xml.hpp"

#include <gtest/gtest.h>

#include "core/io/bdv/bdv_views.hpp"
#include "tests/core/io/bdv/bdv_maker.hpp"

namespace aprscope::test {
namespace {

BdvProject must_parse(const BdvXmlMaker& maker) {
  auto project = parse_bdv(maker.text());
  EXPECT_TRUE(project.ok()) << (project.ok() ? "" : project.error().message());
  return project ? *project : BdvProject{};
}

std::string error_of(const BdvXmlMaker& maker) {
  const auto project = parse_bdv(maker.text());
  EXPECT_FALSE(project.ok());
  return project ? "" : project.error().what;
}

BdvXmlMaker one_setup() { return BdvXmlMaker().setup(0, "<channel>0</channel>"); }

TEST(BdvXml, IsKnownByItsRoot) {
  EXPECT_TRUE(is_bdv_xml(one_setup().text()));
  EXPECT_TRUE(is_bdv_xml("\xEF\xBB\xBF  <SpimData version=\"0.2\">"));
  EXPECT_TRUE(is_bdv_xml("<!-- > --><!DOCTYPE x>\n<SpimData>"));
  for (const char* other : {"", "<", "<SpimData", "<SpimDataX>", "<OME><SpimData>",
                            "<!--<SpimData>", "SpimData", "<?xml"}) {
    EXPECT_FALSE(is_bdv_xml(other)) << other;
  }
}

TEST(BdvXml, SetupsAndTheirPixels) {
  const auto project = must_parse(one_setup());
  ASSERT_EQ(project.setups.size(), 1U);
  const BdvSetup& setup = project.setups.front();
  EXPECT_EQ(setup.name, "setup 0");
  EXPECT_EQ(setup.size, (Size3{3, 4, 5}));
  EXPECT_EQ(setup.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  EXPECT_EQ(project.path, "a.h5");
}

TEST(BdvXml, TimePointsInAnyForm) {
  const auto times = [](const std::string& text) {
    auto maker = one_setup();
    maker.times = text;
    return must_parse(maker).times;
  };
  const auto pattern = [&](const std::string& text) {
    return times("<Timepoints type=\"pattern\"><integerpattern>" + text +
                 "</integerpattern></Timepoints>");
  };
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(pattern("3"), List{3});
  EXPECT_EQ(pattern("0-3, 7 ,10-20:5"), (List{0, 1, 2, 3, 7, 10, 15, 20}));
  EXPECT_EQ(pattern("5,1,5"), (List{1, 5}));
  EXPECT_EQ(times("<Timepoints type=\"range\"><first>2</first><last>4</last></Timepoints>"),
            (List{2, 3, 4}));
  EXPECT_EQ(times("<Timepoints type=\"list\"><Timepoint><id>4</id></Timepoint>"
                  "<Timepoint><id>9</id></Timepoint></Timepoints>"),
            (List{4, 9}));
  for (const char* wrong :
       {"", "<Timepoints/>", "<Timepoints type=\"list\"/>",
        "<Timepoints type=\"pattern\"><integerpattern>3-1</integerpattern></Timepoints>",
        "<Timepoints type=\"pattern\"><integerpattern>-1</integerpattern></Timepoints>",
        "<Timepoints type=\"pattern\"><integerpattern>0-9:0</integerpattern></Timepoints>",
        "<Timepoints type=\"pattern\"><integerpattern>x</integerpattern></Timepoints>",
        "<Timepoints type=\"pattern\"><integerpattern>0-900000000</integerpattern></Timepoints>",
        "<Timepoints type=\"range\"><first>2</first></Timepoints>"}) {
    auto maker = one_setup();
    maker.times = wrong;
    EXPECT_NE(error_of(maker).find("time points"), std::string::npos) << wrong;
  }
}

// The pixels of a setup are 0.25, 0.5 and 2 µm in the order of the file; here the order is z, x, y.
TEST(BdvXml, RegistrationsGiveSizesAndPlaces) {
  const auto place = [](const std::vector<std::string>& affines) {
    const auto project = must_parse(one_setup().registration(0, 0, affines));
    return place_of(project.setups[0], &project.registrations.at({0, 0}));
  };
  EXPECT_EQ(place_of(must_parse(one_setup()).setups[0], nullptr).voxel,
            (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  // Scales in µm: the shared space is in µm, too.
  auto at = place({"0.25 0 0 10 0 0.5 0 20 0 0 2 30"});
  EXPECT_EQ(at.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  EXPECT_EQ(at.origin, (std::array{30.0, 20.0, 10.0}));
  EXPECT_FALSE(at.more);
  // The shared space is in pixels of the smallest side.
  at = place({"1 0 0 10 0 2 0 20 0 0 8 30"});
  EXPECT_EQ(at.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  EXPECT_EQ(at.origin, (std::array{7.5, 5.0, 2.5}));
  // The first is applied last: the shift of the second is scaled by it.
  at = place({"1 0 0 1 0 2 0 2 0 0 8 3", "1 0 0 4 0 1 0 4 0 0 1 4"});
  EXPECT_EQ(at.origin, (std::array{(32 + 3) * 0.25, (8 + 2) * 0.25, (4 + 1) * 0.25}));
  // No scale: sizes stay, and shifts are in pixels.
  at = place({"1 0 0 10 0 1 0 20 0 0 1 30"});
  EXPECT_EQ(at.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  EXPECT_EQ(at.origin, (std::array{60.0, 10.0, 2.5}));
  // Scales of their own go before the sizes, as they are what is seen.
  at = place({"1 0 0 0 0 1 0 0 0 0 4 0"});
  EXPECT_EQ(at.voxel, (VoxelSize{1.0, 0.25, 0.25, "µm"}));
  for (const char* turned : {"0 -1 0 0 1 0 0 0 0 0 1 0", "1 0.1 0 0 0 1 0 0 0 0 1 0",
                             "-1 0 0 0 0 1 0 0 0 0 1 0", "0 0 0 0 0 0 0 0 0 0 0 0"}) {
    at = place({turned});
    EXPECT_TRUE(at.more) << turned;
    EXPECT_EQ(at.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  }
}

TEST(BdvXml, SetupsThatDifferInTheirChannelAreOneImage) {
  BdvXmlMaker maker;
  for (int i = 0; i < 4; ++i) {
    maker.setup(i, "<channel>" + std::to_string(1 - i % 2) + "</channel><tile>" +
                       std::to_string(i / 2) + "</tile><angle>0</angle>");
  }
  maker.attributes =
      "<Attributes name=\"channel\"><Channel><id>0</id><name>GFP</name></Channel></Attributes>";
  const auto images = bdv_images(must_parse(maker));
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[0].name, "/tile0");
  EXPECT_EQ(images[1].name, "/tile1");
  EXPECT_EQ(images[1].setups, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(images[1].channels, (std::vector<std::string>{"GFP", "1"}));
  // Another size, and a channel that comes twice.
  maker.setup(4, "<channel>0</channel><tile>0</tile>", "6 4 3");
  maker.setup(5, "<channel>0</channel><tile>1</tile><angle>0</angle>");
  const auto more = bdv_images(must_parse(maker));
  ASSERT_EQ(more.size(), 4U);
  EXPECT_EQ(more[2].name, "/setup4");
  EXPECT_EQ(more[3].name, "/setup5");
}

TEST(BdvXml, WhatIsDamagedIsRefused) {
  EXPECT_FALSE(parse_bdv("").ok());
  EXPECT_FALSE(parse_bdv("<SpimData>").ok());
  EXPECT_NE(error_of(BdvXmlMaker()).find("no view setups"), std::string::npos);
  EXPECT_NE(error_of(BdvXmlMaker().setup(0, "").setup(0, "")).find("number of its own"),
            std::string::npos);
  EXPECT_NE(error_of(BdvXmlMaker().setup(-1, "")).find("number of its own"), std::string::npos);
  EXPECT_NE(error_of(one_setup().registration(0, 0, {"1 2 3"})).find("affine"), std::string::npos);
  EXPECT_NE(error_of(one_setup().registration(
                         0, 0, {"1e300 0 0 0 0 1 0 0 0 0 1 0", "1e300 0 0 0 0 1 0 0 0 0 1 0"}))
                .find("beyond all bounds"),
            std::string::npos);
  auto absolute = one_setup();
  absolute.loader =
      "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"absolute\">/a.h5</hdf5></ImageLoader>";
  EXPECT_NE(error_of(absolute).find("absolute path (/a.h5)"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
