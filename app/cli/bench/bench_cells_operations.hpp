#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// From grey values to a table of cells and its correction, as commands, recipes and the window do
/// it, on images and, natively, on their particles. Of an input all of it; without one, components
/// and filling of the synthetic image, and what knows cells by their walls of a tissue.
Status bench_cell_steps(const BenchCase& item, BenchTable& table, Session& session);

/// What a row of a step says.
struct StepRow {
  std::string op;
  std::string mode;
  BenchTable::Times times;
  std::optional<std::uint64_t> peak_bytes{};
};

/// The rows of one image: those of its pixels first, to which those of its particles are relative.
class StepRows {
 public:
  StepRows(std::string name, BenchTable& table);

  [[nodiscard]] const BenchTable& table() const { return table_; }
  /// `of`: what it was done to.
  void add(const StepRow& row, const Dataset& of);

 private:
  std::string name_;
  BenchTable& table_;
  /// Of rows of pixels, by op and mode.
  std::map<std::string, double> pixel_seconds_;
};

}  // namespace aprscope::cli
