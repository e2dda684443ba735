// What keeps tiles from becoming one image.
#include "core/io/tiles/alike_tiles.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

SourceInfo tile() {
  SourceInfo info;
  info.dtype = "u16";
  info.channels = {"DAPI", "GFP"};
  info.times = 3;
  info.voxel = {1.0, 0.25, 0.25, "µm"};
  info.size = {10, 20, 30};
  return info;
}

TEST(AlikeTiles, SizesAndNamesMayDiffer) {
  SourceInfo other = tile();
  other.size = {7, 8, 9};
  other.channels = {"blue", "green"};
  EXPECT_EQ(tile_difference(tile(), other), "");
}

TEST(AlikeTiles, VoxelSizesAreWrittenWithFewDigits) {
  SourceInfo other = tile();
  other.voxel.z = 1.009;
  EXPECT_EQ(tile_difference(tile(), other), "");
  other.voxel.z = 1.02;
  EXPECT_EQ(tile_difference(tile(), other), "voxels of another size");
  other.voxel = tile().voxel;
  other.voxel.unit = "nm";
  EXPECT_EQ(tile_difference(tile(), other), "voxels of another size");
}

TEST(AlikeTiles, TheDifferenceIsSaid) {
  SourceInfo other = tile();
  other.dtype = "f32";
  EXPECT_EQ(tile_difference(tile(), other), "samples of type f32");
  other = tile();
  other.channels.push_back("RFP");
  EXPECT_EQ(tile_difference(tile(), other), "3 channels");
  other = tile();
  other.times = 1;
  EXPECT_EQ(tile_difference(tile(), other), "1 time points");
}

}  // namespace
}  // namespace aprscope
