#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/options.hpp"
#include "core/image/volume.hpp"

namespace aprscope::cli {

/// Turns the options that say how to find cells into steps.
class CellSteps {
 public:
  /// Adds --method, --threshold, --labels, and options for the parameters of all operations used.
  void add_to(CLI::App& command);
  /// Whether an option asks to find cells, or to read them.
  [[nodiscard]] bool asked() const;
  /// A file of labels, used instead of a method; empty: none.
  [[nodiscard]] const std::string& labels_file() const { return labels_; }
  /// The steps that give labels, in order; none if the data's own labels are kept. `voxel`: the
  /// voxel size of the data, for lengths and volumes given in pixels; `flat`: the data is a single
  /// slice. Wrong usage if options contradict each other.
  [[nodiscard]] std::vector<Operation> steps(const VoxelSize& voxel = {}, bool flat = false) const;
  /// The name of the method: "watershed", "labels" …
  [[nodiscard]] std::string method() const;
  /// Whether the table should also have a row for each slice of a cell.
  [[nodiscard]] bool per_slice() const;

 private:
  [[nodiscard]] Operation threshold_in(Operation operation) const;
  [[nodiscard]] Operation seeds_in(Operation operation) const;
  void scale(Operation& operation, const VoxelSize& voxel, bool flat) const;
  SchemaOptions parameters_;
  std::string method_;
  std::string threshold_;
  std::string labels_;
  std::string unit_;
};

}  // namespace aprscope::cli
