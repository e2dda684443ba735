#include "core/io/common/same_file.hpp"

#include <algorithm>
#include <system_error>

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// Whether `output` is the input, or lies in it where that is a folder.
bool belongs_to(const fs::path& output, const fs::path& input) {
  std::error_code code;
  // equivalent() of two names that do not exist is an error, and of one false.
  if (fs::exists(output, code) && fs::equivalent(output, input, code)) return true;
  if (!fs::is_directory(input, code)) return false;
  const fs::path folder = fs::canonical(input, code);
  if (code) return false;
  const fs::path target = fs::weakly_canonical(fs::absolute(output, code), code);
  return std::mismatch(folder.begin(), folder.end(), target.begin(), target.end()).first ==
         folder.end();
}

}  // namespace

bool is_same_file(const fs::path& output, const std::string& input) {
  if (input.empty() || output.empty()) return false;
  if (belongs_to(output, input)) return true;
  for (auto at = input.find(":/"); at != std::string::npos; at = input.find(":/", at + 1)) {
    if (at > 0 && belongs_to(output, input.substr(0, at))) return true;
  }
  return false;
}

}  // namespace aprscope
