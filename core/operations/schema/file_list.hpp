#pragma once

#include <string>
#include <vector>

namespace aprscope {

/// Unit of parameters that name several files, not one.
inline constexpr const char* kFiles = "files";

/// The files that such a text names: what stands between semicolons, without blanks round it.
std::vector<std::string> files_in_list(const std::string& text);
/// The text that names them.
std::string list_of_files(const std::vector<std::string>& files);

}  // namespace aprscope
