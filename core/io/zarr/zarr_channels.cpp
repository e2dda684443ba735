#include "core/io/zarr/zarr_channels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/io/zarr/zarr_json.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

// A colour "RRGGBB"; some programs write a # before it, or an opacity behind.
std::optional<Rgb> colour_of(std::string text) {
  if (!text.empty() && text.front() == '#') text.erase(0, 1);
  if (text.size() != 6 && text.size() != 8) return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = text.data() + 6;
  const auto [rest, error] = std::from_chars(text.data(), end, number, 16);
  if (error != std::errc() || rest != end) return std::nullopt;
  return Rgb{static_cast<std::uint8_t>(number >> 16U), static_cast<std::uint8_t>(number >> 8U),
             static_cast<std::uint8_t>(number)};
}

std::optional<std::array<double, 2>> window_of(const Json& window) {
  const Json& start = member(window, "start");
  const Json& end = member(window, "end");
  if (!start.is_number() || !end.is_number()) return std::nullopt;
  const std::array<double, 2> found{start.get<double>(), end.get<double>()};
  const bool sound = std::isfinite(found[0]) && std::isfinite(found[1]) && found[0] < found[1];
  return sound ? std::optional(found) : std::nullopt;
}

}  // namespace

ZarrChannels zarr_channels(const Json& attributes, std::int64_t count) {
  ZarrChannels out;
  const Json& list = member(member(attributes, "omero"), "channels");
  bool said = false;
  for (std::int64_t c = 0; c < count; ++c) {
    std::string name = std::to_string(c);
    ChannelHint hint;
    if (list.is_array() && static_cast<std::size_t>(c) < list.size()) {
      const Json& channel = list[static_cast<std::size_t>(c)];
      const std::string label = text_of(member(channel, "label"));
      if (!label.empty()) name = label;
      hint = {colour_of(text_of(member(channel, "color"))), window_of(member(channel, "window"))};
      said = said || hint != ChannelHint{};
    }
    out.names.push_back(std::move(name));
    out.hints.push_back(hint);
  }
  if (!said) out.hints.clear();
  return out;
}

}  // namespace aprscope
