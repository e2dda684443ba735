#pragma once

#include <string>
#include <vector>

namespace aprscope {

/// One line of a CSV file (RFC 4180) with "\n" at its end: fields with commas, quotes or line
/// breaks stand in quotes.
std::string csv_line(const std::vector<std::string>& fields);

/// A number with all the digits that reading it back needs; empty for one that is not finite.
std::string csv_number(double value);

}  // namespace aprscope
