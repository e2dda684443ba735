#pragma once

#include <cstdint>

// Comparisons of pixels with all pixels round them, compiled for AVX2 and for AVX-512;
// link_kernels() picks at run time. Integers only.
namespace aprscope {

/// A row of voxels with its eight neighbouring rows, as places in the order in which levels enter.
template <class Place>
struct LinkRow {
  /// rows[z][x]: of slice z − 1 … z + 1 and row x − 1 … x + 1, at y = 0; readable from −1 to count.
  const Place* rows[3][3] = {};
  std::int64_t count = 0;
  /// For each voxel the steps (see cell_links.hpp) to voxels that enter before it: those of a lower
  /// place, and those of the same place that come first in the order z, x, y.
  std::uint32_t* earlier = nullptr;
};

/// Steps to what is there before each of a row of voxels, and those of them that are in one piece
/// with the first neighbour among them (see each_part()) after a few rounds: at most what is.
struct ReachRow {
  const std::uint32_t* there = nullptr;
  std::uint32_t* reached = nullptr;
  std::int64_t count = 0;
};

struct LinkKernels {
  void (*find_8)(const LinkRow<std::uint8_t>& row) = nullptr;
  void (*find_16)(const LinkRow<std::uint16_t>& row) = nullptr;
  void (*reach_by_faces)(const ReachRow& row) = nullptr;
  void (*reach_by_all)(const ReachRow& row) = nullptr;
};

/// The kernels for this machine.
const LinkKernels& link_kernels();

}  // namespace aprscope
