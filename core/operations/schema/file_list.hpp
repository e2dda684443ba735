#pragma once

#include <string>
#include <vector>

namespace aprscope {

/// Unit of parameters that name several files, not one.
inline constexpr const char* kFiles = "files";
/// In such a list, this word means the file that the steps begin with (a file of that name is
/// written ./input). See Recipe.
inline constexpr const char* kInputFile = "input";

/// The files that such a text names: what stands between semicolons, without blanks round it; in
/// double quotes (two of them are one) a name may have semicolons and blanks.
std::vector<std::string> files_in_list(const std::string& text);
/// The text that names them.
std::string list_of_files(const std::vector<std::string>& files);

}  // namespace aprscope
