#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/curve.hpp"
#include "core/data/table.hpp"

namespace aprscope {

/// Results of measuring an image or particles. They are no image: no operation on pixels or
/// particles takes them, and the data that was measured does not change.
struct Measurement {
  /// The name of the data it was measured on.
  std::string name;
  /// The steps that led to it, one line a step.
  std::vector<std::string> history;
  /// What readers of the numbers must know about how they were found: sentences without full stop.
  std::vector<std::string> notes;
  std::vector<Curve> curves;
  std::vector<Table> tables;

  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// Its curves as tables, except curves whose points a table holds already, then its tables: in the
/// order in which they are written to files.
std::vector<Table> all_tables(const Measurement& measurement);

}  // namespace aprscope
