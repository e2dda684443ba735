#pragma once

namespace aprscope {

/// The number with at most `digits` (1 … 17) significant digits that is nearest to `value`.
double to_digits(double value, int digits);

/// The least number with `digits` significant digits that is not below `value` (> 0).
double up_to_digits(double value, int digits);

}  // namespace aprscope
