#include "core/io/common/same_file.hpp"

#include <system_error>

namespace aprscope {

bool is_same_file(const std::filesystem::path& output, const std::string& input) {
  namespace fs = std::filesystem;
  std::error_code code;
  // equivalent() of two names that do not exist is an error, and of one false.
  if (input.empty() || !fs::exists(output, code)) return false;
  if (fs::equivalent(output, input, code)) return true;
  for (auto at = input.find(":/"); at != std::string::npos; at = input.find(":/", at + 1)) {
    if (at > 0 && fs::equivalent(output, input.substr(0, at), code)) return true;
  }
  return false;
}

}  // namespace aprscope
