#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Times the steps from grey values to a corrected table of cells, as commands and the window run
/// them, on images and, natively, on their particles. With an input, all steps; without one,
/// components and filling on the synthetic image, and watersheds on a tissue with walls.
Status bench_cell_steps(const BenchCase& item, BenchTable& table, Session& session);

/// The texts of a row of a step.
struct StepRow {
  std::string op;
  std::string mode;
  BenchTable::Times times;
  std::optional<std::uint64_t> peak_bytes{};
};

/// The rows of an image: first those of its pixels, to which those of its particles are relative.
class StepRows {
 public:
  StepRows(std::string name, BenchTable& table);

  [[nodiscard]] const BenchTable& table() const { return table_; }
  /// `of`: the data that the step was run on.
  void add(const StepRow& row, const Dataset& of);

 private:
  std::string name_;
  BenchTable& table_;
  /// The seconds of rows of pixels, by op and mode.
  std::map<std::string, double> pixel_seconds_;
};

}  // namespace aprscope::cli
