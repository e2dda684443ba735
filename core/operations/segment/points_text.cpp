#include "core/operations/segment/points_text.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace aprscope {
namespace {

std::string_view without_outer_blanks(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

bool whole_number(std::string_view text, std::int64_t& out) {
  text = without_outer_blanks(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool point_from(std::string_view text, Index3& out) {
  const auto first = text.find(',');
  const auto second = first == std::string_view::npos ? first : text.find(',', first + 1);
  if (second == std::string_view::npos) return false;
  return whole_number(text.substr(0, first), out.z) &&
         whole_number(text.substr(first + 1, second - first - 1), out.x) &&
         whole_number(text.substr(second + 1), out.y);
}

}  // namespace

Result<std::vector<Index3>> points_from_text(const std::string& text, const std::string& where) {
  std::vector<Index3> out;
  std::string_view rest = text;
  while (!without_outer_blanks(rest).empty()) {
    const auto end = std::min(rest.find(';'), rest.size());
    const std::string_view one = without_outer_blanks(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
    Index3 p;
    if (!point_from(one, p)) {
      return Error{"\"" + std::string(one) + "\" is no point", where,
                   "write z,x,y in whole pixels, with a semicolon between points"};
    }
    out.push_back(p);
  }
  return out;
}

std::string points_to_text(const std::vector<Index3>& points) {
  std::string out;
  for (const Index3& p : points) {
    out += (out.empty() ? "" : "; ") + std::to_string(p.z) + "," + std::to_string(p.x) + "," +
           std::to_string(p.y);
  }
  return out;
}

}  // namespace aprscope
