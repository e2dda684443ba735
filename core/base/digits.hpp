#pragma once

namespace aprscope {

/// The nearest number with so many significant digits, 1 … 17: one that reads well.
double to_digits(double value, int digits);

/// The least number with so many significant digits that is not below `value`, which is above 0.
double up_to_digits(double value, int digits);

}  // namespace aprscope
