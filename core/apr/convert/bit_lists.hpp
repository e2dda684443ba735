#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/apr/structure/bit_grid.hpp"
#include "core/base/job_context.hpp"
#include "core/base/scratch.hpp"

// Cells that are bits of a grid, as the lists of an access structure.

namespace aprscope {

/// The cells of a level as bits of it or, where `children`, of the level above: the children of
/// each cell.
struct LevelBits {
  const BitGrid* cells = nullptr;
  bool children = false;
};

/// The cells in slices [begin, end) of a level whose grid is `grid`. Where `bits.children`, begin
/// and end are even, except at the end of the grid.
struct BitSlices {
  LevelBits bits;
  Size3 grid{1, 1, 1};
  std::int64_t begin = 0;
  std::int64_t end = 1;
};

/// The y of cells, level after level, and one past the last cell of each row; ends[0] = 0.
struct BitLists {
  Scratch<std::uint64_t> ends;
  Scratch<std::uint16_t> y;
};

/// The lists of some slices of each level, y in the memory of `spare` if they fit. Throws
/// std::bad_alloc. Nothing when cancelled.
std::optional<BitLists> list_bits(std::vector<BitSlices> levels, const JobContext& context,
                                  Scratch<float> spare = {});

/// How many cells each slice of a level holds.
std::vector<std::uint64_t> count_slices(const LevelBits& bits, const Size3& grid);

}  // namespace aprscope
