#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/projections/projection_table.hpp"

namespace aprscope {

/// Rows in a few words: those that are true, counted from 1, as ranges: "3,17-20". Empty: none.
std::string row_ranges(const std::vector<bool>& rows);

/// The inverse of row_ranges() for a table of `rows` rows; blanks are ignored. Errors: a word that
/// is no range, a row that is not in the table.
Result<std::vector<bool>> rows_of_ranges(std::string_view words, std::size_t rows);

/// The word for all rows that cannot be used, see leave_out_unusable().
inline constexpr std::string_view kUnusableRows = "unusable";

/// Whether kUnusableRows is among the words.
bool names_unusable_rows(std::string_view words);

/// Disables the rows that `words` name: ranges and kUnusableRows. Errors: as rows_of_ranges().
Status leave_out_rows(ProjectionTable& table, std::string_view words);

}  // namespace aprscope
