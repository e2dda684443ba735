#pragma once

#include <cstdint>

// The innermost loops over the cells of a grid, compiled for AVX2 and for AVX-512; strata_kernels()
// picks at run time. Integers only.
namespace aprscope {

/// Cells of a row that are counted in one go. Rows are read and written in whole blocks.
inline constexpr std::int64_t kStrataBlock = 64;

/// How many strata a cell owns is one word, so that a sum over cells is one addition: byte s holds
/// how many have the free axes s, for s = 0 … 6 (of which two at most have s = 6); kCube is added
/// for the inside of the cell, and kCell for the cell itself. A sum that begins with kCell
/// overflows when 31 cells are in it, before any of its parts does.
inline constexpr std::uint64_t kStrataCube = std::uint64_t{1} << 54;
inline constexpr std::uint64_t kStrataCell = std::uint64_t{1} << 59;

/// A row of pixels with its eight neighbouring rows, as places: a stratum enters with the voxel of
/// the least place. (Vertices, where it enters with the last one: places in reverse.)
template <class Place>
struct PixelStrataRow {
  /// rows[z][x]: of slice z − 1 … z + 1 and row x − 1 … x + 1, at y = 0; readable from −1 to the
  /// end of the last block, and one more.
  const Place* rows[3][3] = {};
  std::int64_t count = 0;
  /// One word a pixel, up to the end of the last block.
  std::uint64_t* words = nullptr;
  /// One byte a block: not 0 where all its pixels have one place and own one stratum of each kind.
  std::uint8_t* uniform = nullptr;
};

/// A row of the grid of a level of cells with its eight neighbouring rows. Each cell is a particle
/// ("same"), lies in a larger one and has its place, is divided further, or lies outside. Places
/// are from 1 on; 0 is divided, or outside where strata that touch that never enter; the largest
/// number is outside otherwise.
template <class Place>
struct CellStrataRow {
  const Place* rows[3][3] = {};
  /// Bits of particles, of the words before the first block to after the last; as rows.
  const std::uint64_t* same[3][3] = {};
  /// Bits of cells that are particles or touch one; only what has a bit is read as said.
  const std::uint64_t* near = nullptr;
  std::int64_t count = 0;
  /// One a cell. It counts faces that touch a particle and nothing that is divided; meaningless
  /// where the place is 0. Bits of `owning`, one word a block, say of which cells it is not 0 then;
  /// blocks without any are left as they were.
  std::uint64_t* words = nullptr;
  std::uint64_t* owning = nullptr;
};

template <class Place>
struct StrataKernels {
  void (*pixels)(const PixelStrataRow<Place>& row) = nullptr;
  void (*cells)(const CellStrataRow<Place>& row) = nullptr;
};

/// The kernels for this machine; Place is std::uint8_t, std::uint16_t or std::uint32_t.
template <class Place>
const StrataKernels<Place>& strata_kernels();

}  // namespace aprscope
