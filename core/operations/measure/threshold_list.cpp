#include "core/operations/measure/threshold_list.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/atomic_file.hpp"

namespace aprscope {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\"";
  const auto from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

std::optional<double> number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool fine =
      error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return fine ? std::optional(value) : std::nullopt;
}

// The text up to one of `ends`, which is taken off as well.
std::string_view next_part(std::string_view& rest, std::string_view ends) {
  const auto end = std::min(rest.find_first_of(ends), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + 1));
  return part;
}

Error too_many() {
  return {"has more than " + std::to_string(kMostThresholds) + " thresholds", "thresholds",
          "choose fewer"};
}

// The numbers of "from:to:N"; empty where the text is something else.
Result<std::vector<double>> spaced(std::string_view text) {
  const auto from = number(next_part(text, ":"));
  const auto to = number(next_part(text, ":"));
  const auto count = number(text);
  if (!from || !to || !count) return std::vector<double>();
  if (*count < 1.0 || *count != std::floor(*count)) {
    return Error{"\"" + std::string(text) + "\" is no number of thresholds", "thresholds",
                 "write from:to:N, N a whole number from 1 on"};
  }
  if (*count > static_cast<double>(kMostThresholds)) return too_many();
  const auto n = static_cast<std::size_t>(*count);
  std::vector<double> out(n, *from);
  for (std::size_t i = 1; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    out[i] = *from * (1.0 - share) + *to * share;
  }
  return out;
}

// The numbers of "10,20,35"; empty where the text is something else.
std::vector<double> listed(std::string_view text) {
  std::vector<double> out;
  while (!text.empty()) {
    const auto value = number(next_part(text, ",;"));
    if (!value) return {};
    out.push_back(*value);
  }
  return out;
}

Result<std::vector<double>> from_file(const std::string& path) {
  const auto text = read_text(path);
  if (!text) {
    Error error = text.error();
    error.advice = "thresholds are from:to:N, 10,20,35 or a file with one a line";
    return error;
  }
  std::vector<double> out;
  std::string_view rest = *text;
  bool headed = false;
  for (int line = 1; !rest.empty(); ++line) {
    std::string_view row = trimmed(next_part(rest, "\n"));
    if (row.empty() || row.front() == '#') continue;
    const std::string_view cell = next_part(row, ",;\t ");
    const auto value = number(cell);
    if (!value && (headed || !out.empty())) {
      return Error{"line " + std::to_string(line) + ": \"" + std::string(cell) + "\" is no number",
                   path, "write one threshold a line"};
    }
    headed = headed || !value;
    if (value) out.push_back(*value);
    if (out.size() > kMostThresholds) return too_many();
  }
  if (out.empty()) return Error{"holds no thresholds", path, "write one a line"};
  return out;
}

}  // namespace

Result<ThresholdList> thresholds_from_text(const std::string& text) {
  auto values = spaced(text);
  if (!values) return values.error();
  if (values->empty()) *values = listed(text);
  if (values->empty()) values = from_file(text);
  if (!values) return values.error();
  if (values->size() > kMostThresholds) return too_many();
  ThresholdList out{*std::move(values)};
  // Superlevel sets take them from the largest on: falling is an order, too.
  const bool rises = std::ranges::is_sorted(out.values);
  if (!rises && std::ranges::is_sorted(out.values, std::greater<>())) {
    std::ranges::reverse(out.values);
  } else if (!rises) {
    std::ranges::sort(out.values);
    out.was_changed = true;
  }
  const auto twice = std::unique(out.values.begin(), out.values.end());
  out.was_changed = out.was_changed || twice != out.values.end();
  out.values.erase(twice, out.values.end());
  return out;
}

}  // namespace aprscope
