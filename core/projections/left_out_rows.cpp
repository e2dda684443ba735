#include "core/projections/left_out_rows.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/printable.hpp"

namespace aprscope {

namespace {

constexpr std::size_t kLongestWord = 40;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error bad_word(std::string_view word, std::string why) {
  return Error{"cannot leave out “" + printable_line(utf8_prefix(word, kLongestWord)) + "”: " + why,
               "rows", "write rows from 1 as 3,17-20"};
}

Status mark(std::string_view word, std::vector<bool>& rows) {
  const auto dash = word.find('-');
  const auto first = number(word.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(word.substr(dash + 1));
  if (!first || !last) return bad_word(word, "it is no row and no range of rows");
  if (*first < 1 || *last < *first) return bad_word(word, "rows rise from 1");
  if (*last > rows.size()) {
    return bad_word(word, "the table has " + std::to_string(rows.size()) + " rows");
  }
  std::fill(rows.begin() + static_cast<std::ptrdiff_t>(*first - 1),
            rows.begin() + static_cast<std::ptrdiff_t>(*last), true);
  return {};
}

// Calls take(word) for each that is not empty.
template <class Take>
Status each_word(std::string_view words, const Take& take) {
  while (!words.empty()) {
    const auto end = std::min(words.find(','), words.size());
    const std::string_view word = trimmed(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
    if (word.empty()) continue;
    if (Status ok = take(word); !ok) return ok;
  }
  return {};
}

}  // namespace

std::string row_ranges(const std::vector<bool>& rows) {
  std::string words;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    const std::size_t first = i;
    while (i + 1 < rows.size() && rows[i + 1]) ++i;
    if (!words.empty()) words += ',';
    words += std::to_string(first + 1);
    if (i > first) words += '-' + std::to_string(i + 1);
  }
  return words;
}

Result<std::vector<bool>> rows_of_ranges(std::string_view words, std::size_t rows) {
  std::vector<bool> marked(rows, false);
  const Status read = each_word(words, [&](std::string_view word) { return mark(word, marked); });
  if (!read) return read.error();
  return marked;
}

bool names_unusable_rows(std::string_view words) {
  bool found = false;
  (void)each_word(words, [&](std::string_view word) -> Status {
    found = found || word == kUnusableRows;
    return {};
  });
  return found;
}

Status leave_out_rows(ProjectionTable& table, std::string_view words) {
  std::vector<bool> marked(table.rows.size(), false);
  bool unusable = false;
  const Status read = each_word(words, [&](std::string_view word) -> Status {
    if (word != kUnusableRows) return mark(word, marked);
    unusable = true;
    return {};
  });
  if (!read) {
    Error error = read.error();
    error.where = table.path.empty() ? error.where : table.path.string();
    return error;
  }
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i]) table.rows[i].enabled = false;
  }
  if (unusable) leave_out_unusable(table);
  return {};
}

}  // namespace aprscope
