#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aprscope {

/// One line of a CSV file (RFC 4180) with "\n" at its end: fields with commas, quotes or line
/// breaks stand in quotes. A text that a spreadsheet would compute (it begins with = + - @, a tab
/// or a line break, and is no number) gets an apostrophe before it, so that it is taken as text.
std::string csv_line(const std::vector<std::string>& fields);

/// The lines of a CSV file, each with its "\n" where it has one: a line break inside quotes ends no
/// line. Quotes stay as they are, so that joining the lines gives the text again.
std::vector<std::string_view> csv_records(std::string_view text);

/// The fields of one line as csv_records() gives it: the inverse of csv_line().
std::vector<std::string> csv_fields(std::string_view record);

/// A number with all the digits that reading it back needs; empty for one that is not finite.
std::string csv_number(double value);

}  // namespace aprscope
