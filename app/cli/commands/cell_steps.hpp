#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/options.hpp"
#include "core/image/volume.hpp"

namespace aprscope::cli {

/// How cells are found: what the command line says, and the steps that it comes to.
class CellSteps {
 public:
  /// Adds --method, --threshold, --labels, and the parameters of the operations behind them.
  void add_to(CLI::App& command);
  /// Whether any of them says that cells are to be found, or read.
  [[nodiscard]] bool asked() const;
  /// A file of labels that takes the place of a method; empty: none.
  [[nodiscard]] const std::string& labels_file() const { return labels_; }
  /// Steps that give labels, in order; none where those that the data has are kept. `voxel`: of the
  /// data, and whether that is one slice (`flat`): lengths and volumes follow them where they are
  /// given in pixels. Wrong usage where options do not fit together.
  [[nodiscard]] std::vector<Operation> steps(const VoxelSize& voxel = {}, bool flat = false) const;
  /// "watershed", "labels" …
  [[nodiscard]] std::string method() const;
  /// The table has slices, too.
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
