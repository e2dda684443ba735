#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/common/format.hpp"

namespace aprscope {

/// All formats that are read, in the order in which they examine a file and in which sentences name
/// them. Dialogs, help and the desktop entry follow this table.
const std::vector<Format>& formats();

/// The format with this id; null when the table has none.
const Format* format_by_id(std::string_view id);

/// The first format of `table` that the file has; its name plays no part. Errors: none, or the file
/// cannot be examined.
Result<const Format*> find_format(std::span<const Format> table, Probe& probe);

/// The names of formats in a sentence: "TIFF, HDF5 or APR".
std::string format_names(std::span<const Format> table = formats());

/// Names with all endings: "TIFF (.tif, .tiff), HDF5 (.h5), APR (.apr)".
std::string format_list(std::span<const Format> table = formats());

}  // namespace aprscope
