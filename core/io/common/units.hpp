#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/image/volume.hpp"

// Private to core/io: numbers, units and escaped text as image metadata write them.

namespace aprscope {

/// A whole text as a number, '.' as the decimal point whatever the locale; nothing for anything
/// else, infinity and NaN.
std::optional<double> parse_number(std::string_view text);

/// The unit's usual sign: "µm" for um, micron, micrometer, μm (Greek letter), "\u00B5m" and Latin-1
/// text; "nm", "mm", "cm", "inch", "Å"; "px" for pixel and for nothing. Others as they are.
std::string normalized_unit(std::string_view unit);

/// Length of a unit in µm; nothing when it is no length.
std::optional<double> unit_in_micrometres(const std::string& normalized);

/// Length of a unit of time in s: "s", "sec", "second", "ms", "millisecond", …, as ImageJ, OME-XML
/// and OME-NGFF call them; nothing when it is none.
std::optional<double> unit_in_seconds(std::string_view unit);

/// A time step that can be one: positive and finite.
std::optional<double> sane_step(std::optional<double> seconds);

/// Units that nobody measures a voxel in (cm, inch, m) become µm; sizes that are not positive
/// numbers become 1.
VoxelSize sane_voxel(VoxelSize voxel);

/// The shortest decimal number within single precision (1.2e-7 relative) of `value`: undoes the
/// rounding of 1 / size through the float of a resolution tag.
double shortest_decimal(double value);

/// `\uXXXX` and `\\` … as in Java property files, which ImageJ writes, to UTF-8 and back. Escaping
/// makes plain ASCII on one line.
std::string unescape_properties(std::string_view text);
std::string escape_properties(std::string_view text);

}  // namespace aprscope
