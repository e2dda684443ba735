#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/data/table.hpp"

namespace aprscope {

/// Which rows of a table hold what the words say: conditions on columns of numbers with commas
/// between them, "correlation < 0.2, tilt >= 30", all of which a row has to hold; signs are <, <=,
/// ≤, >, >=, ≥, =, !=, ≠. A column is named by its id or label or by how either begins, where that
/// is one column only; upper and lower case, blanks and low lines are alike. A number that is not
/// known fulfils no condition. None: the words are no conditions.
std::optional<std::vector<bool>> rows_that_hold(const Table& table, std::string_view words);

}  // namespace aprscope
