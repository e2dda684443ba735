#include "core/operations/schema/file_list.hpp"

#include <algorithm>

namespace aprscope {

std::vector<std::string> files_in_list(const std::string& text) {
  constexpr const char* kBlank = " \t\r\n";
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    begin = end + 1;
    const auto from = one.find_first_not_of(kBlank);
    if (from == std::string::npos) continue;
    files.push_back(one.substr(from, one.find_last_not_of(kBlank) - from + 1));
  }
  return files;
}

std::string list_of_files(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += (text.empty() ? "" : "; ") + file;
  return text;
}

}  // namespace aprscope
