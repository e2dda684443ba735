#include <cmath>
#include <string_view>

#include "core/io/common/units.hpp"
#include "core/io/tiff/tiff_metadata.hpp"

namespace aprscope {
namespace {

std::int64_t whole_number(std::string_view text) {
  const auto value = parse_number(text);
  // ImageJ keeps counts in 32-bit integers.
  if (!value || *value < 1.0 || *value > 2147483647.0 || *value != std::floor(*value)) return 1;
  return static_cast<std::int64_t>(*value);
}

}  // namespace

std::optional<ImageJInfo> parse_imagej(const std::string& description) {
  constexpr std::string_view mark = "ImageJ=";
  if (description.compare(0, mark.size(), mark) != 0) return {};
  ImageJInfo info;
  bool has_slices = false;
  std::optional<double> interval;
  double time_unit = 1.0;
  std::string_view rest = description;
  while (!rest.empty()) {
    const auto end = rest.find_first_of("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    const auto number = parse_number(value);
    if (key == "images") info.images = whole_number(value);
    if (key == "channels") info.channels = whole_number(value);
    if (key == "frames") info.frames = whole_number(value);
    if (key == "slices") {
      info.slices = whole_number(value);
      has_slices = true;
    }
    if (key == "unit") info.unit = normalized_unit(value);
    // ImageJ writes a negative spacing for stacks recorded from the top down.
    if (key == "spacing" && number && *number != 0.0) info.spacing = std::abs(*number);
    if (key == "finterval") interval = number;
    if (key == "tunit") time_unit = unit_in_seconds(value).value_or(0.0);
    if (key == "zorigin" && number) info.origin_pixel[0] = *number;
    if (key == "yorigin" && number) info.origin_pixel[1] = *number;
    if (key == "xorigin" && number) info.origin_pixel[2] = *number;
    if (key == "aprscope.channel") info.channel_name = unescape_properties(value);
  }
  if (interval) info.seconds = sane_step(*interval * time_unit);
  // Old versions write "images" only, for a plain stack.
  if (!has_slices && info.images % (info.channels * info.frames) == 0) {
    info.slices = info.images / (info.channels * info.frames);
  }
  return info;
}

}  // namespace aprscope
