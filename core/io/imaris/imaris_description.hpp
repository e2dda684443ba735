#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/volume.hpp"

// Private to core/io: what the attributes of an Imaris file say (Bitplane, "Imaris 5.5 file format
// description").

namespace aprscope {

/// The attributes of a group as texts, by name.
using ImarisTexts = std::map<std::string, std::string>;

/// The number of "Channel 3"; nothing for other names. `kind`: "Channel ", with its space.
std::optional<int> imaris_number(std::string_view name, std::string_view kind);

/// The contents of /DataSetInfo/Image, in the order z, x, y, which are the file's Z, Y and X.
struct ImarisImage {
  /// Pixels at full resolution, without padding; nothing where the file does not say.
  std::optional<Size3> size;
  /// The outer faces of the first and of the last pixels, in `unit`.
  struct Extent {
    std::array<double, 3> low{0.0, 0.0, 0.0};
    std::array<double, 3> high{0.0, 0.0, 0.0};
  };
  std::optional<Extent> extent;
  /// "µm" where the file says none.
  std::string unit = "µm";
};

/// The attributes that parse_imaris_image() looks at.
std::span<const char* const> imaris_image_names();
/// Parses an image. Errors (without `where`): some of X, Y, Z or of ExtMin0 … ExtMax2 but not all,
/// sizes that are no whole numbers from 1 on, extents that are no numbers.
Result<ImarisImage> parse_imaris_image(const ImarisTexts& texts);

std::span<const char* const> imaris_size_names();
/// The pixels of a channel (ImageSizeX, …) without padding, z, x, y; nothing where it says none.
/// Errors as those of sizes in parse_imaris_image().
Result<std::optional<Size3>> parse_imaris_size(const ImarisTexts& texts);

/// Size and place of the pixels of one level of resolution.
struct ImarisPlace {
  VoxelSize voxel;
  /// See Volume::origin.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
};

/// The place of a level with `size` pixels: voxel = (ExtMax − ExtMin) / size along each axis;
/// without extents in pixels of full resolution. Errors (without `where`): the image ends where or
/// before it begins (but for an axis of one pixel, which is as thick as the others are wide),
/// lengths that no image has.
Result<ImarisPlace> imaris_place(const ImarisImage& image, const Size3& size);

struct ImarisChannel {
  /// Name of the channel; its number where it has none.
  std::string name;
  ChannelHint hint;
};

std::span<const char* const> imaris_channel_names();
/// The channel that /DataSetInfo/Channel `number` describes; unknown values are left out.
ImarisChannel parse_imaris_channel(const ImarisTexts& texts, int number);

std::span<const char* const> imaris_time_names();
/// How many time points /DataSetInfo/TimeInfo claims for this file; nothing where it does not say.
std::optional<std::int64_t> parse_imaris_times(const ImarisTexts& texts);
/// Seconds since 1970 of a date such as "2005-05-31 09:24:30.250"; nothing for what is none.
std::optional<double> parse_imaris_date(std::string_view text);

}  // namespace aprscope
