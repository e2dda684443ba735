#include "core/base/digits.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace aprscope {

double to_digits(double value, int digits) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  double out = value;
  std::from_chars(text.data(), end, out);
  return out;
}

double up_to_digits(double value, int digits) {
  const double nearest = to_digits(value, digits);
  if (nearest >= value) return nearest;
  // Half a step more is nearest to the next larger number with `digits` digits.
  const double step = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
  return to_digits(value + 0.5 * step, digits);
}

}  // namespace aprscope
