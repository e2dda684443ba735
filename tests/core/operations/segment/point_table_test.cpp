// Points in tables: with and without a head, in pixels and in the unit of the voxel size.
#include "core/operations/segment/point_table.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

const VoxelSize kVoxel{2.0, 0.5, 0.25, "µm"};
constexpr std::array<double, 3> kOrigin{0.0, 0.0, 0.0};
using Points = std::vector<Index3>;

Points points(const std::string& text, bool flat = false,
              const std::array<double, 3>& origin = kOrigin) {
  const auto read = points_from_table(text, kVoxel, origin, flat, "p.csv");
  EXPECT_TRUE(read.ok()) << read.error().message();
  return read ? *read : Points{};
}
std::string refused(const std::string& text, const VoxelSize& voxel = kVoxel) {
  const auto read = points_from_table(text, voxel, kOrigin, false, "p.csv");
  EXPECT_FALSE(read.ok()) << text;
  return read ? std::string() : read.error().message();
}

TEST(PointTable, WithoutAHeadColumnsAreZXYInPixels) {
  const Points expected{{1, 2, 3}, {0, 20, 7}};
  EXPECT_EQ(points("1,2,3\n0,20,7\n"), expected);
  EXPECT_EQ(points("1;2;3\r\n0;20;7"), expected);
  EXPECT_EQ(points("# made by hand\n\n1\t2\t3\n0\t20\t7\n"), expected);
  EXPECT_EQ(points("  1   2 3\n0 20 7\n"), expected);
  // To the nearest pixel.
  EXPECT_EQ(points("0.6,1.9,3.4\n-0.4,+20,7"), expected);
}

TEST(PointTable, AHeadNamesColumnsAndUnits) {
  EXPECT_EQ(points("y,x,z\n3,2,1\n"), (Points{{1, 2, 3}}));
  EXPECT_EQ(points("\xEF\xBB\xBFname,\"z (µm)\",x (um),y [micron]\ncell,2.1,1,0.75\n"),
            (Points{{1, 2, 3}}));
  EXPECT_EQ(points("z / px;x / µm;y\n1;1;3\n"), (Points{{1, 2, 3}}));
  // Those of a table of cells: pixels stand first.
  EXPECT_EQ(points("Label,Centroid z (px),Centroid x (px),Centroid y (px),Centroid z (µm),Centroid "
                   "x (µm),Centroid y (µm)\n7,1,2,3,100,100,100\n"),
            (Points{{1, 2, 3}}));
  // The first pixel's centre need not be at 0.
  EXPECT_EQ(points("z (µm),x (µm),y (µm)\n12,1,0.75\n", false, {10.0, 0.0, 0.0}),
            (Points{{1, 2, 3}}));
  EXPECT_EQ(points("x,y\n2,3\n", true), (Points{{0, 2, 3}}));
}

TEST(PointTable, QuotedCellsKeepSeparators) {
  // A table of cells has several flags in one cell.
  EXPECT_EQ(points("Label,Flags,Centroid z (px),Centroid x (px),Centroid y (px)\n"
                   "1,\"border, open\",1,2,3\n2,,0,20,7\n3,\"a \"\"b\"\"; c\",4,5,6\n"),
            (Points{{1, 2, 3}, {0, 20, 7}, {4, 5, 6}}));
  // The first line says what parts cells.
  EXPECT_EQ(points("name,z,x,y\na;b,1,2,3\n"), (Points{{1, 2, 3}}));
  EXPECT_EQ(points("\"a;b\",z,x,y\nc,1,2,3\n"), (Points{{1, 2, 3}}));
  const std::string shifted = refused("name,z,x,y\na,b,1,2,3\n");
  EXPECT_NE(shifted.find("5 cells where the first line has 4"), std::string::npos) << shifted;
  EXPECT_NE(shifted.find("line 2"), std::string::npos) << shifted;
}

TEST(PointTable, WithoutAHeadThereAreNoOtherColumns) {
  EXPECT_NE(refused("7,1,2,3\n").find("4 columns without names"), std::string::npos);
  EXPECT_NE(refused("1,2\n").find("2 columns without names"), std::string::npos);
  EXPECT_EQ(points("2,3\n20,7\n", true), (Points{{0, 2, 3}, {0, 20, 7}}));
  EXPECT_EQ(points("0,2,3\n", true), (Points{{0, 2, 3}}));
  EXPECT_FALSE(points_from_table("7,0,2,3\n", kVoxel, kOrigin, true, "p.csv").ok());
}

TEST(PointTable, PositionsHaveTheirUnitInAColumn) {
  const std::string title = "\nPosition\n====================\n\n";
  const std::string head = "Position X,Position Y,Position Z,Unit,Category,ID,\n";
  EXPECT_EQ(points(title + head + "1,0.75,2,um,Spot,0,\n20,7,0,px,Spot,1,\n"),
            (Points{{1, 2, 3}, {0, 20, 7}}));
  EXPECT_NE(refused(head + "1,0.75,2,nm,Spot,0,\n").find("in nm"), std::string::npos);
  EXPECT_NE(refused(head + "1,0.75,2,,Spot,0,\n").find("without a unit"), std::string::npos);
  EXPECT_NE(refused("Position X,Position Y,Position Z\n1,2,3\n").find("without a unit"),
            std::string::npos);
  EXPECT_EQ(points("Position X (px),Position Y (px),Position Z (px)\n2,3,1\n"),
            (Points{{1, 2, 3}}));
}

TEST(PointTable, WhatIsNoneIsAnErrorWithItsLine) {
  EXPECT_NE(refused("1,2,3\n1,2\n").find("line 2"), std::string::npos);
  EXPECT_NE(refused("1,2,3\n\n1,two,3\n").find("\"two\""), std::string::npos);
  EXPECT_NE(refused("1,2,3\n\n1,two,3\n").find("line 3"), std::string::npos);
  EXPECT_NE(refused("a,b,c\n1,2,3\n").find("line 1"), std::string::npos);
  EXPECT_NE(refused("x,y\n1,2\n").find("no column z"), std::string::npos);
  EXPECT_NE(refused("z (nm),x,y\n1,2,3\n").find("nm"), std::string::npos);
  EXPECT_NE(refused("z (µm),x,y\n1,2,3\n", {}).find("px"), std::string::npos);
  EXPECT_NE(refused("nan,1,2\n").find("nan"), std::string::npos);
  EXPECT_NE(refused("1e300,1,2\n").find("1e300"), std::string::npos);
  EXPECT_NE(refused("").find("no points"), std::string::npos);
  EXPECT_NE(refused("z,x,y\n").find("no points"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
