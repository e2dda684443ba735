#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace aprscope {

/// Thresholds from text, put in order: finite, rising, each once.
struct ThresholdList {
  std::vector<double> values;
  /// Whether they were out of order, or some came twice.
  bool was_changed = false;
};

/// At most so many thresholds are measured at.
inline constexpr std::size_t kMostThresholds = 65535;

/// From "from:to:N", N of them, both ends included; from "10,20,35"; or from a file with one a line
/// (of a table the first column; a line of words may head it, lines that begin with # are left
/// out). Errors: a text of another form, no threshold or more than kMostThresholds, reading.
Result<ThresholdList> thresholds_from_text(const std::string& text);

}  // namespace aprscope
