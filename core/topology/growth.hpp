#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

// How pieces of a set grow while cells (voxels or particles) enter one by one, by place and among
// cells of one place by a fixed order. A cell that enters beside nothing begins a piece; one that
// enters beside earlier cells continues one of theirs and joins it to the others. All cells that
// continue, directly or not, what one cell began are its *basin*; they are in one piece as soon as
// they enter. So pieces are known from basins and joints, of which there are far fewer than cells.
namespace aprscope {

/// Cells are numbered below this, see check_cell_count().
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 31U;
/// Marks the number of a basin among those of cells.
constexpr std::uint32_t kBasin = std::uint32_t{1} << 31U;
/// The number of the basin of all that lies outside, in growths that begin with it.
constexpr std::uint32_t kExterior = kBasin;

/// Threads that looking round so many cells is worth.
int growth_threads(std::uint64_t cells);

/// An error that says so where there are more cells than have numbers.
Status check_cell_count(std::uint64_t cells);

/// The pieces of two cells become one when a cell of this place has entered.
struct Joint {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint16_t place = 0;
};

struct Growth {
  /// Basins and joints of one block of cells. Blocks hold cells in ascending order.
  struct Part {
    /// Cells that begin a basin, and their places.
    std::vector<std::uint32_t> first;
    std::vector<std::uint16_t> first_place;
    std::vector<Joint> joints;
  };

  /// The cell that each cell continues, or the number of a basin with kBasin.
  std::vector<std::uint32_t> down;
  std::vector<Part> parts;
  /// Whether basin 0 is what lies outside; that basin exists before the first cell enters.
  bool has_exterior = false;

  [[nodiscard]] std::uint64_t basins() const;
  /// Basin of a cell, once basins have numbers. Shortens paths on the way; any thread may call it.
  std::uint32_t basin_of(std::uint32_t cell);
};

/// Numbers the basins in the order of their first cells and turns the cells of joints into basins.
/// Afterwards each part's joints are in the order of places, without joints that earlier joints of
/// the part make needless. Errors: cancelled.
Status number_basins(Growth& growth, const JobContext& context);

}  // namespace aprscope
