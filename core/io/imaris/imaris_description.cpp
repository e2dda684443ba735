#include "core/io/imaris/imaris_description.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/base/printable.hpp"
#include "core/io/common/units.hpp"

namespace aprscope {
namespace {

constexpr std::array<const char*, 10> kImage{"Z",       "Y",       "X",       "ExtMin2", "ExtMin1",
                                             "ExtMin0", "ExtMax2", "ExtMax1", "ExtMax0", "Unit"};
constexpr std::array<const char*, 3> kSize{"ImageSizeZ", "ImageSizeY", "ImageSizeX"};
constexpr std::array<const char*, 4> kChannel{"Name", "Color", "ColorMode", "ColorRange"};
// Some programs write the second in their own way.
constexpr std::array<const char*, 3> kTime{"FileTimePoints", "DatasetTimePoints",
                                           "DataSetTimePoints"};

constexpr const char* kByName =
    "the file is damaged; its pixels open by name "
    "(FILE:/DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data)";
// Lengths beyond these are not measured with microscopes, whatever the unit.
constexpr double kSmallest = 1e-9;
constexpr double kLargest = 1e12;
constexpr std::int64_t kMostPixels = 1LL << 31;
constexpr std::size_t kLongestName = 200;

// A text by its name; empty if there is none.
std::string text_of(const ImarisTexts& texts, const char* name) {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string() : found->second;
}

std::string quoted(const char* name, const std::string& text) {
  return std::string(name) + " = \"" + printable(utf8_prefix(text, 40)) + "\"";
}

Error missing_one(const char* name) {
  return {std::string("says its size but no ") + name, "", kByName};
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  const auto number = parse_number(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > 1e15) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

// Three sizes in the order z, x, y.
Result<std::optional<Size3>> size_of(const ImarisTexts& texts,
                                     const std::array<const char*, 3>& names) {
  const auto there = [&](const char* name) { return !text_of(texts, name).empty(); };
  if (std::none_of(names.begin(), names.end(), there)) return std::optional<Size3>();
  std::array<std::int64_t, 3> sides{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!there(names[d])) return missing_one(names[d]);
    const std::string text = text_of(texts, names[d]);
    const auto side = whole_number(text);
    if (!side || *side < 1 || *side > kMostPixels) {
      return Error{"has an impossible size (" + quoted(names[d], text) + ")", "", kByName};
    }
    sides[d] = *side;
  }
  return std::optional(Size3{sides[0], sides[1], sides[2]});
}

Result<std::optional<ImarisImage::Extent>> extent_of(const ImarisTexts& texts) {
  const auto name_of = [](std::size_t i) { return kImage[3 + i]; };
  std::array<double, 6> numbers{};
  std::size_t said = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string text = text_of(texts, name_of(i));
    if (text.empty()) continue;
    ++said;
    const auto number = parse_number(text);
    if (!number || std::abs(*number) > kLargest) {
      return Error{"has extents that are no lengths (" + quoted(name_of(i), text) + ")", "",
                   kByName};
    }
    numbers[i] = *number;
  }
  if (said == 0) return std::optional<ImarisImage::Extent>();
  if (said < numbers.size()) {
    return Error{"says only some of its extents (ExtMin0 to ExtMax2)", "", kByName};
  }
  return std::optional(ImarisImage::Extent{{numbers[0], numbers[1], numbers[2]},
                                           {numbers[3], numbers[4], numbers[5]}});
}

// Numbers between blanks or commas; none where something else stands there.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* const blank = " \t,;";
  for (std::size_t at = text.find_first_not_of(blank); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    const auto number = parse_number(std::string_view(text).substr(at, end - at));
    if (!number) return {};
    numbers.push_back(*number);
    at = text.find_first_not_of(blank, end);
  }
  return numbers;
}

}  // namespace

std::optional<int> imaris_number(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind)) return std::nullopt;
  const std::string_view digits = name.substr(kind.size());
  const bool padded = digits.size() > 1 && digits.front() == '0';
  if (digits.empty() || digits.size() > 9 || padded ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::span<const char* const> imaris_image_names() { return kImage; }
std::span<const char* const> imaris_size_names() { return kSize; }
std::span<const char* const> imaris_channel_names() { return kChannel; }
std::span<const char* const> imaris_time_names() { return kTime; }

Result<ImarisImage> parse_imaris_image(const ImarisTexts& texts) {
  ImarisImage image;
  const auto size = size_of(texts, {kImage[0], kImage[1], kImage[2]});
  if (!size) return size.error();
  image.size = *size;
  const auto extent = extent_of(texts);
  if (!extent) return extent.error();
  image.extent = *extent;
  const std::string unit = normalized_unit(utf8_prefix(text_of(texts, "Unit"), kLongestName));
  // Lengths without a unit are in µm, as in Imaris.
  if (unit != "px") image.unit = printable(unit);
  return image;
}

Result<std::optional<Size3>> parse_imaris_size(const ImarisTexts& texts) {
  return size_of(texts, kSize);
}

Result<ImarisPlace> imaris_place(const ImarisImage& image, const Size3& size) {
  ImarisPlace place;
  const std::array<std::int64_t, 3> sides{size.z, size.x, size.y};
  if (!image.extent) {
    if (!image.size) return place;
    place.voxel = {static_cast<double>(image.size->z) / static_cast<double>(size.z),
                   static_cast<double>(image.size->x) / static_cast<double>(size.x),
                   static_cast<double>(image.size->y) / static_cast<double>(size.y), "px"};
    // Level 0 begins at 0, and the centre of a pixel is that of those that it covers.
    place.origin = {0.5 * (place.voxel.z - 1.0), 0.5 * (place.voxel.x - 1.0),
                    0.5 * (place.voxel.y - 1.0)};
    return place;
  }
  const auto& [low, high] = *image.extent;
  std::array<double, 3> steps{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (low[d] == high[d] && sides[d] == 1) continue;
    const std::string name = std::to_string(2 - d);
    if (high[d] <= low[d]) {
      return Error{"ends where or before it begins (ExtMin" + name + " and ExtMax" + name + ")", "",
                   kByName};
    }
    // Undoes the rounding of the division.
    steps[d] = shortest_decimal((high[d] - low[d]) / static_cast<double>(sides[d]));
    if (steps[d] < kSmallest) {
      return Error{"has extents that are no lengths (ExtMin" + name + " and ExtMax" + name + ")",
                   "", kByName};
    }
  }
  double thinnest = 0.0;
  for (const double step : steps) {
    if (step > 0.0) thinnest = thinnest > 0.0 ? std::min(thinnest, step) : step;
  }
  if (thinnest == 0.0) thinnest = 1.0;
  for (double& step : steps) {
    if (step == 0.0) step = thinnest;
  }
  place.voxel = sane_voxel({steps[0], steps[1], steps[2], image.unit});
  // Lengths that nobody measures a voxel in became µm.
  const double factor =
      place.voxel.unit == image.unit ? 1.0 : unit_in_micrometres(image.unit).value_or(1.0);
  for (std::size_t d = 0; d < 3; ++d) place.origin[d] = (low[d] + 0.5 * steps[d]) * factor;
  return place;
}

ImarisChannel parse_imaris_channel(const ImarisTexts& texts, int number) {
  ImarisChannel channel;
  const std::string name = text_of(texts, "Name");
  // "(name not specified)" is what ImarisWriter calls a channel without a name.
  const bool named = !name.empty() && name != "(name not specified)";
  channel.name = named ? printable(utf8_prefix(name, kLongestName)) : std::to_string(number);
  const auto colour = numbers_in(text_of(texts, "Color"));
  // With a table of colours, the single colour means nothing.
  if (colour.size() == 3 && text_of(texts, "ColorMode") != "TableColor") {
    Rgb rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
      rgb[i] = static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(colour[i], 0.0, 1.0)));
    }
    channel.hint.colour = rgb;
  }
  const auto range = numbers_in(text_of(texts, "ColorRange"));
  if (range.size() == 2 && range[0] < range[1]) channel.hint.window = {range[0], range[1]};
  return channel;
}

std::optional<std::int64_t> parse_imaris_times(const ImarisTexts& texts) {
  for (const char* name : kTime) {
    const auto number = whole_number(text_of(texts, name));
    if (number && *number >= 0) return number;
  }
  return std::nullopt;
}

std::optional<double> parse_imaris_date(std::string_view text) {
  const auto number = [&text](std::string_view end) -> std::optional<int> {
    int value = 0;
    const char* const last = text.data() + text.size();
    const auto read = std::from_chars(text.data(), last, value);
    if (read.ec != std::errc() || value < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    if (!text.starts_with(end)) return std::nullopt;
    text.remove_prefix(end.size());
    return value;
  };
  const auto year = number("-");
  const auto month = year ? number("-") : std::nullopt;
  const auto day = month ? number(" ") : std::nullopt;
  const auto hour = day ? number(":") : std::nullopt;
  const auto minute = hour ? number(":") : std::nullopt;
  const auto second = minute ? parse_number(text) : std::nullopt;
  if (!second || *hour > 23 || *minute > 59 || !(*second >= 0.0 && *second < 61.0)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (*year > 9999 || !date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return 86400.0 * static_cast<double>(days) + 3600.0 * *hour + 60.0 * *minute + *second;
}

}  // namespace aprscope
