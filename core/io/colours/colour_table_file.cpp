#include "core/io/colours/colour_table_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/memory_error.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kEntries = 256;
constexpr std::size_t kRawBytes = 3 * kEntries;
constexpr std::size_t kHeaderBytes = 32;  // of NIH Image
constexpr std::size_t kMostBytes = 1U << 20U;

using Colour = std::array<double, 3>;

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
}

ColorTable table_of_bytes(std::string_view bytes) {
  ColorTable table;
  for (std::size_t i = 0; i < kEntries; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      table[i][c] = static_cast<std::uint8_t>(bytes[c * kEntries + i]);
    }
    table[i][3] = 255;
  }
  return table;
}

// The numbers of a line; none if something else stands in it.
std::optional<std::vector<double>> numbers_of(std::string_view line) {
  constexpr std::string_view kBetween = " \t,;";
  std::vector<double> out;
  while (true) {
    const auto from = line.find_first_not_of(kBetween);
    if (from == std::string_view::npos) return out;
    line.remove_prefix(from);
    const std::string_view word = line.substr(0, line.find_first_of(kBetween));
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    out.push_back(value);
    line.remove_prefix(word.size());
  }
}

// The colours of 256 places from first to last, linear between those that there are.
ColorTable stretched(const std::vector<Colour>& colours, double scale) {
  ColorTable table;
  const auto last = static_cast<double>(colours.size() - 1);
  for (std::size_t i = 0; i < kEntries; ++i) {
    const double at = last * static_cast<double>(i) / static_cast<double>(kEntries - 1);
    const auto k = std::min(static_cast<std::size_t>(at), colours.size() - 2);
    const double share = at - static_cast<double>(k);
    for (std::size_t c = 0; c < 3; ++c) {
      const double value = colours[k][c] + share * (colours[k + 1][c] - colours[k][c]);
      table[i][c] = static_cast<std::uint8_t>(std::lround(scale * value));
    }
    table[i][3] = 255;
  }
  return table;
}

Error wrong_line(std::size_t line, const std::string& what, const std::string& where) {
  return {"has no colour in line " + std::to_string(line) + ": " + what, where,
          "give lines of red, green and blue, from 0 to 255"};
}

// Lines of colours, or what is wrong with them.
class ColourLines {
 public:
  explicit ColourLines(const std::string& where) : where_(where) {}

  Status add(std::string_view line) {
    ++line_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') return {};
    const auto numbers = numbers_of(line);
    if (!numbers) {
      // The names of the columns.
      if (colours_.empty() && !std::exchange(headed_, true)) return {};
      return wrong_line(line_, "it is no row of numbers", where_);
    }
    const std::size_t count = numbers->size();
    if (count != 3 && count != 4) {
      return wrong_line(line_, "it has " + std::to_string(count) + " numbers", where_);
    }
    if (columns_ != 0 && count != columns_) {
      return wrong_line(line_, "it has not as many numbers as the lines before it", where_);
    }
    columns_ = count;
    Colour colour{};
    std::copy(numbers->end() - 3, numbers->end(), colour.begin());
    for (const double part : colour) {
      if (!(part >= 0.0 && part <= 255.0)) {
        return wrong_line(line_, "its parts must be from 0 to 255", where_);
      }
      largest_ = std::max(largest_, part);
      whole_ = whole_ && part == std::floor(part);
    }
    colours_.push_back(colour);
    return {};
  }

  [[nodiscard]] Result<ColorTable> table() const {
    if (colours_.size() < 2) {
      return Error{"holds no table of colours", where_,
                   "give 768 bytes, or lines of red, green and blue"};
    }
    // Fractions are what is never more than 1: nobody brings 256 shades that are nearly black.
    const bool fractions = largest_ <= 1.0 && (largest_ > 0.0 || !whole_);
    return stretched(colours_, fractions ? 255.0 : 1.0);
  }

 private:
  const std::string& where_;
  std::vector<Colour> colours_;
  std::size_t line_ = 0;
  std::size_t columns_ = 0;
  double largest_ = 0.0;
  bool whole_ = true;
  bool headed_ = false;
};

}  // namespace

Result<ColorTable> colour_table_from(std::string_view bytes, const std::string& where) {
  // Text may have as many bytes.
  if (bytes.size() == kRawBytes && !is_text(bytes)) return table_of_bytes(bytes);
  if (bytes.size() == kHeaderBytes + kRawBytes && bytes.substr(0, 4) == "ICOL") {
    return table_of_bytes(bytes.substr(kHeaderBytes));
  }
  if (bytes.substr(0, kMark.size()) == kMark) bytes.remove_prefix(kMark.size());
  ColourLines lines(where);
  while (!bytes.empty()) {
    const auto end = std::min(bytes.find('\n'), bytes.size());
    if (Status ok = lines.add(bytes.substr(0, end)); !ok) return ok.error();
    bytes.remove_prefix(std::min(bytes.size(), end + 1));
  }
  return lines.table();
}

Result<ColorTable> read_colour_table(const std::string& path) {
  return with_memory_errors(path, [&]() -> Result<ColorTable> {
    const auto bytes = read_text(path, kMostBytes);
    if (!bytes) return bytes.error();
    return colour_table_from(*bytes, path);
  });
}

std::string colour_table_bytes(const ColorTable& table) {
  std::string bytes(kRawBytes, '\0');
  for (std::size_t i = 0; i < kEntries; ++i) {
    for (std::size_t c = 0; c < 3; ++c) bytes[c * kEntries + i] = static_cast<char>(table[i][c]);
  }
  return bytes;
}

}  // namespace aprscope
