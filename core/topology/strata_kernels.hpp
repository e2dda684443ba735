#pragma once

#include <cstdint>

// The innermost loop over pixels, compiled for AVX2 and for AVX-512; strata_kernels() picks at run
// time. Integers only.
namespace aprscope {

/// A row of voxels with its eight neighbouring rows, as places in the order in which levels enter.
template <class Place>
struct StrataRow {
  /// rows[z][x]: of slice z − 1 … z + 1 and row x − 1 … x + 1, at y = 0; readable from −1 to count.
  const Place* rows[3][3] = {};
  std::int64_t count = 0;
  /// out[s]: how many strata with the free axes s each voxel owns, for s = 0 … 6; of a voxel in a
  /// flat neighbourhood one each.
  std::uint8_t* owned[7] = {};
  /// Not 0 where any of these is not 1.
  std::uint8_t* uneven = nullptr;
};

struct StrataKernels {
  void (*closed_8)(const StrataRow<std::uint8_t>& row) = nullptr;
  void (*closed_16)(const StrataRow<std::uint16_t>& row) = nullptr;
  void (*vertices_8)(const StrataRow<std::uint8_t>& row) = nullptr;
  void (*vertices_16)(const StrataRow<std::uint16_t>& row) = nullptr;
};

/// The kernels for this machine.
const StrataKernels& strata_kernels();

}  // namespace aprscope
