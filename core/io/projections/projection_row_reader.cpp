#include "core/io/projections/projection_row_reader.hpp"

#include <charconv>

namespace aprscope {

std::optional<double> star_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stop != text.data() + text.size() || text.empty()) return {};
  // Out of range of a double: too small counts as zero, too large as infinite.
  if (error == std::errc::result_out_of_range) {
    const auto exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && exponent + 1 < text.size() &&
                      text[exponent + 1] == '-';
    return tiny ? 0.0 : HUGE_VAL;
  }
  if (error != std::errc()) return {};
  return value;
}

void StackNames::put(std::string_view name, StarRowReader& reader, Projection& row) {
  // The number ends at the first @, as in both programs; names may hold more of them.
  const auto at = name.find('@');
  if (at != std::string_view::npos) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(name.data(), name.data() + at, number);
    if (error != std::errc() || stop != name.data() + at || number < 1) {
      reader.complain("its number in the stack is none from 1 on (" +
                      printable_line(utf8_prefix(name, 80)) + ")");
      number = 1;
    }
    row.image = number - 1;
    name.remove_prefix(at + 1);
  }
  if (name.empty()) reader.complain("it names no file");
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) {
    row.stack = found->second;
    return;
  }
  row.stack = static_cast<std::uint32_t>(table_.stacks.size());
  table_.stacks.emplace_back(std::string(name));
  numbers_.emplace(std::string(name), row.stack);
}

std::uint32_t OpticsOfRows::group(double voltage, double aberration, double contrast,
                                  double pixel_size, double beam_tilt_x, double beam_tilt_y) {
  // NaN is equal to nothing, and would make a group of every row.
  std::vector<double> key{voltage, aberration, contrast, pixel_size, beam_tilt_x, beam_tilt_y};
  for (double& value : key) {
    if (std::isnan(value)) value = -HUGE_VAL;
  }
  const auto [found, is_new] =
      numbers_.emplace(std::move(key), static_cast<std::uint32_t>(table_.optics.size()));
  if (is_new) {
    OpticsGroup group;
    group.name = std::to_string(table_.optics.size() + 1);
    group.voltage_kv = voltage;
    group.spherical_aberration_mm = aberration;
    group.amplitude_contrast = contrast;
    group.pixel_size = pixel_size;
    group.beam_tilt_x = beam_tilt_x;
    group.beam_tilt_y = beam_tilt_y;
    table_.optics.push_back(std::move(group));
  }
  return found->second;
}

}  // namespace aprscope
