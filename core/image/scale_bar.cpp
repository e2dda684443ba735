#include "core/image/scale_bar.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace aprscope {
namespace {

std::string number(double value, const char* format) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// Micrometres change their name where the number would get long.
std::string with_unit(double length, const std::string& unit, const char* format) {
  if (unit == "µm" && length < 1.0) return number(length * 1000.0, format) + " nm";
  if (unit == "µm" && length >= 1000.0) return number(length / 1000.0, format) + " mm";
  return number(length, format) + (unit.empty() ? "" : " " + unit);
}

}  // namespace

NiceLength nice_length(double longest, const std::string& unit) {
  if (!(longest > 0.0) || !std::isfinite(longest)) return {};
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  double length = decade;
  // 1 + 1e-9: a bar that fits exactly does fit, whatever the logarithm rounded to.
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (factor * decade <= longest * (1.0 + 1e-9)) length = factor * decade;
  }
  return {length, with_unit(length, unit, "%g")};
}

std::string format_length(double length, const std::string& unit) {
  return with_unit(length, unit, "%.3g");
}

}  // namespace aprscope
