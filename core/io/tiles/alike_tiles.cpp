#include "core/io/tiles/alike_tiles.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

constexpr double kVoxelTolerance = 0.01;

bool alike(double a, double b) { return std::abs(a - b) <= kVoxelTolerance * std::max(a, b); }

}  // namespace

std::string tile_difference(const SourceInfo& first, const SourceInfo& tile) {
  if (tile.dtype != first.dtype) return "samples of type " + tile.dtype;
  if (tile.channels.size() != first.channels.size()) {
    return std::to_string(tile.channels.size()) + " channels";
  }
  if (tile.times != first.times) return std::to_string(tile.times) + " time points";
  if (tile.voxel.unit != first.voxel.unit || !alike(tile.voxel.z, first.voxel.z) ||
      !alike(tile.voxel.x, first.voxel.x) || !alike(tile.voxel.y, first.voxel.y)) {
    return "voxels of another size";
  }
  return "";
}

}  // namespace aprscope
