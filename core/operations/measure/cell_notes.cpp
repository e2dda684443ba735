#include "core/operations/measure/cell_notes.hpp"

#include <algorithm>

#include "core/base/printed.hpp"
#include "core/cells/background_cell.hpp"
#include "core/operations/measure/background_note.hpp"

namespace aprscope {
namespace {

// A program that counts in 16 bits begins anew after this number.
constexpr std::size_t kMostOf16Bits = 65535;

std::string open_note(std::span<const OpenCell> open, const VoxelSize& voxel) {
  const OpenCell& first = open.front();
  const std::string where = "z " + std::to_string(first.at.z) + ", x " +
                            std::to_string(first.at.x) + ", y " + std::to_string(first.at.y);
  const std::string advice =
      ": close holes with " + printed("%g ", closing_radius(first.radius)) + voxel.unit;
  if (open.size() == 1) return "a cell is missing: it leaks at " + where + advice;
  return std::to_string(open.size()) + " cells are missing: they leak, the largest at " + where +
         advice;
}

}  // namespace

std::vector<std::string> cell_notes(const std::vector<LabelRow>& rows,
                                    std::span<const OpenCell> open, const Size3& size,
                                    const VoxelSize& voxel) {
  std::vector<std::string> notes;
  if (voxel.unit == "px") {
    notes.emplace_back("the image has no unit of length: sizes are in pixels");
  }
  if (std::string note = background_note(background_share(rows, size)); !note.empty()) {
    notes.push_back(std::move(note));
  }
  if (!open.empty()) notes.push_back(open_note(open, voxel));
  const auto unchecked = static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const LabelRow& row) { return row.finding.unchecked; }));
  if (unchecked > 0) {
    const std::string which = unchecked == rows.size() ? "cells leak"
                              : unchecked == 1         ? "one of the cells leaks"
                                               : std::to_string(unchecked) + " of the cells leak";
    notes.push_back("whether " + which + " was not checked");
  }
  const bool flagged = std::any_of(rows.begin(), rows.end(), [](const LabelRow& row) {
    return !row.flags().empty() && row.flags() != LabelRow::kUnchecked;
  });
  if (flagged) {
    notes.emplace_back("some volumes are not to be trusted: see the flags beside them");
  }
  if (rows.size() == kMostOf16Bits && rows.back().label == kMostOf16Bits) {
    notes.emplace_back(
        "all 65535 numbers of 16 bits are used: cells beyond them share numbers with others, if "
        "there were more; write labels with 32 bits");
  }
  return notes;
}

}  // namespace aprscope
