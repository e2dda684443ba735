#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/curve.hpp"
#include "core/data/table.hpp"

namespace aprscope {

/// What was measured on an image or on particles. It has no space: nothing that takes pixels or
/// particles takes it, and the data that it was measured on stays what it is.
struct Measurement {
  /// Of the data it was measured on.
  std::string name;
  /// What was done to come here, one line a step.
  std::vector<std::string> history;
  /// What whoever reads the numbers has to know of how they came about: sentences without a stop.
  std::vector<std::string> notes;
  std::vector<Curve> curves;
  std::vector<Table> tables;

  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// Its curves, as tables, but for those that a table has already, and its tables: the files that it
/// becomes, in this order.
std::vector<Table> all_tables(const Measurement& measurement);

}  // namespace aprscope
