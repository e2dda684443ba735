#include "core/io/common/path_inside.hpp"

#include <algorithm>
#include <system_error>

#include "core/base/memory_error.hpp"
#include "core/base/printable.hpp"

namespace aprscope {

namespace fs = std::filesystem;

Result<fs::path> path_inside(const fs::path& folder, const std::string& name,
                             const std::string& where) {
  const std::string shown = printable(name.substr(0, 200));
  const Error outside{"names a file outside of its folder (" + shown + "), which is not read",
                      where, "put what it names into its folder, and name it by that"};
  const fs::path named(name);
  if (name.empty() || name.find('\0') != std::string::npos || named.is_absolute() ||
      std::find(named.begin(), named.end(), "..") != named.end()) {
    return outside;
  }
  std::error_code code;
  const fs::path real = fs::canonical(folder.empty() ? fs::path(".") : folder, code);
  throw_without_memory(code);
  if (code) return Error{"is in a folder that cannot be read", where, "check the folder's rights"};
  fs::path found = fs::canonical(real / named, code);
  if (code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory) {
    return Error{"needs " + shown + ", which is not in its folder", where,
                 "put that file there, or get the data again from its source"};
  }
  throw_without_memory(code);
  if (code) {
    return Error{"needs " + shown + ", which cannot be read (" + code.message() + ")", where,
                 "check its rights"};
  }
  if (std::mismatch(real.begin(), real.end(), found.begin(), found.end()).first != real.end()) {
    return outside;
  }
  return found;
}

}  // namespace aprscope
