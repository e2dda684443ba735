#include "core/operations/schema/file_list.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace aprscope {

namespace {

constexpr const char* kBlank = " \t\r\n";

// Takes the file in quotes from `begin` on, and moves that behind its semicolon; none where the
// quotes do not enclose all of it: a name may begin with one.
std::optional<std::string> take_quoted(const std::string& text, std::size_t& begin) {
  std::size_t i = text.find_first_not_of(kBlank, begin);
  if (i == std::string::npos || text[i] != '"') return std::nullopt;
  std::string file;
  for (++i; i < text.size(); ++i) {
    if (text[i] == '"' && (i + 1 == text.size() || text[i + 1] != '"')) break;
    if (text[i] == '"') ++i;
    file += text[i];
  }
  if (i == text.size()) return std::nullopt;
  const std::size_t end = std::min(text.find_first_not_of(kBlank, i + 1), text.size());
  if (end < text.size() && text[end] != ';') return std::nullopt;
  begin = end + 1;
  return file;
}

std::string quoted_where_needed(const std::string& file) {
  const bool needed = file.find_first_of(";\"") != std::string::npos ||
                      file.find_first_of(kBlank) == 0 ||
                      file.find_last_of(kBlank) + 1 == file.size();
  if (!needed) return file;
  std::string out = "\"";
  for (const char c : file) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::vector<std::string> files_in_list(const std::string& text) {
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin <= text.size();) {
    if (auto quoted = take_quoted(text, begin)) {
      if (!quoted->empty()) files.push_back(*std::move(quoted));
      continue;
    }
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
  for (const std::string& file : files) {
    text += (text.empty() ? "" : "; ") + quoted_where_needed(file);
  }
  return text;
}

}  // namespace aprscope
