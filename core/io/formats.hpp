#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/common/format.hpp"

namespace aprscope {

/// All formats that are read, in the order in which a file is asked whether it is theirs and in
/// which sentences name them. Dialogs, help and the desktop entry follow it.
const std::vector<Format>& formats();

/// None when the table has no format of that id.
const Format* format_by_id(std::string_view id);

/// The first of `table` that the file is of; its name plays no part. Errors: none, it cannot be
/// found out.
Result<const Format*> find_format(std::span<const Format> table, Probe& probe);

/// "TIFF, HDF5 or APR".
std::string format_names(std::span<const Format> table = formats());

/// "TIFF (.tif, .tiff), HDF5 (.h5), APR (.apr)": with all endings.
std::string format_list(std::span<const Format> table = formats());

}  // namespace aprscope
