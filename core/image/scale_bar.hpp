#pragma once

#include <string>

namespace aprscope {

/// A length that a scale bar can have.
struct NiceLength {
  double length = 0.0;
  /// The length with its unit: "20 µm", "500 nm", "50 px".
  std::string label;
};

/// The longest of 1, 2, 5 × 10^k that fits in `longest` (in `unit`); lengths in µm are named in nm
/// below 1 µm and in mm from 1000 µm. `longest` must be positive and finite, else length is 0.
NiceLength nice_length(double longest, const std::string& unit);

/// A physical length for a label: three significant digits and the unit.
std::string format_length(double length, const std::string& unit);

}  // namespace aprscope
