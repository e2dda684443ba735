#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.hpp"

// Private to core/io: paths of files that other files name.

namespace aprscope {

/// The file or folder `name`, "part/of/a/path", below `folder`, without links. Errors say that
/// `where` needs it: the name is absolute or leads out of the folder, by ".." or by a link; nothing
/// is there; the system does not tell.
Result<std::filesystem::path> path_inside(const std::filesystem::path& folder,
                                          const std::string& name, const std::string& where);

}  // namespace aprscope
