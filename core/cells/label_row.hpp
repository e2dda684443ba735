#pragma once

#include <string>
#include <vector>

#include "core/cells/label_records.hpp"
#include "core/cells/label_shape.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Grey values in an object; NaN where none are known.
struct LabelIntensity {
  double mean = 0.0;
  /// Standard deviation of the values (of the population: division by their number).
  double deviation = 0.0;
  double minimum = 0.0;
  double maximum = 0.0;
  double sum = 0.0;
  /// Mean of voxels that share a face with another object or background; NaN without such.
  double wall_mean = 0.0;
};

/// A row of the table of cells.
struct LabelRow {
  std::uint32_t label = 0;
  std::int64_t voxels = 0;
  Region box{};
  LabelShape shape;
  /// One entry for each channel.
  std::vector<LabelIntensity> intensities;
  /// Other objects that share a face with it, and which part of its digital surface is shared.
  std::int64_t neighbours = 0;
  double shared_surface = 0.0;
  /// What is known of how the object was made, see LabelFinding.
  LabelFinding finding;
  /// Its voxels ÷ its voxels when each slice is filled by itself; NaN: not looked at.
  double per_slice_ratio = 0.0;

  /// Among the flags of a cell that may leak.
  static constexpr const char* kUnchecked = "leaks not checked";

  [[nodiscard]] bool leaks() const { return finding.leak_radius > 0.0; }
  /// Reasons not to trust the object, in words: "border, leaks"; empty: none was found.
  [[nodiscard]] std::string flags() const;
};

/// The rows of a table of objects, in ascending order of labels. `findings` as in Labels.
std::vector<LabelRow> label_rows(const LabelRecords& records,
                                 const std::vector<LabelFinding>& findings, const Size3& size,
                                 const VoxelSize& voxel);

}  // namespace aprscope
