#pragma once

#include <optional>

#include "core/data/curve.hpp"

namespace aprscope {

/// How many rows have which value of a column, in `bins` of equal width from the least to the most;
/// of whole numbers no more bins than numbers. Values that are not known are left out. A curve with
/// the id and the words of the column, and its mean as a mark. None: the column has words, or fewer
/// than two values.
std::optional<Curve> column_histogram(const Column& column, int bins = 64);

/// The value of a row as a number; NaN where it is none.
double cell_number(const Column& column, std::size_t row);

}  // namespace aprscope
