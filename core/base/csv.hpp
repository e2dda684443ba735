#pragma once

#include <string>
#include <vector>

namespace aprscope {

/// One line of a CSV file (RFC 4180) with "\n" at its end: fields with commas, quotes or line
/// breaks stand in quotes. A text that a spreadsheet would compute (it begins with = + - @, a tab
/// or a line break, and is no number) gets an apostrophe before it, so that it is taken as text.
std::string csv_line(const std::vector<std::string>& fields);

/// A number with all the digits that reading it back needs; empty for one that is not finite.
std::string csv_number(double value);

}  // namespace aprscope
