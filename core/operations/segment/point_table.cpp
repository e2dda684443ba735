#include "core/operations/segment/point_table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace aprscope {
namespace {

constexpr std::array<char, 3> kAxes{'z', 'x', 'y'};
// Farther out no image has a pixel.
constexpr double kFarthest = 1e15;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text, std::string_view blank = " \t\r\"") {
  const auto from = text.find_first_not_of(blank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blank) - from + 1);
}

// The separator of a line: the first of these that stands in it outside of quotes.
char separator_of(std::string_view line) {
  std::string bare;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted) bare += c;
  }
  for (const char one : {';', '\t', ','}) {
    if (bare.find(one) != std::string::npos) return one;
  }
  return ' ';
}

// The cells of a line, as in RFC 4180: text in quotes is one cell, and two quotes in it are one.
std::vector<std::string> cells_of(std::string_view line, char separator) {
  if (separator == ' ') line = trimmed(line, " \t\r");
  std::vector<std::string> out;
  std::string cell;
  const auto take = [&] {
    const std::string whole(trimmed(cell, " \t\r"));
    cell.clear();
    // Several blanks in a row count as one separator.
    if (separator != ' ' || !whole.empty()) out.push_back(whole);
  };
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool twice = quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (twice) {
      cell += line[i++];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      take();
    } else {
      cell += c;
    }
  }
  take();
  return out;
}

std::optional<double> number_in(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !(std::abs(value) < kFarthest)) {
    return std::nullopt;
  }
  return value;
}

// Axis and unit of a head such as "Centroid z (µm)"; no axis: it is another column.
struct Head {
  std::optional<std::size_t> axis;
  std::string unit;
  /// Whether it is named "position": such programs measure in a unit of length.
  bool position = false;
};

Head head_in(std::string_view cell) {
  const auto mark = cell.find_first_of("([/");
  Head head;
  if (mark != std::string_view::npos) {
    head.unit = trimmed(cell.substr(mark + 1), " \t\r\")]");
  }
  std::string name = lower(trimmed(cell.substr(0, mark)));
  for (const std::string_view prefix : {"centroid ", "position "}) {
    if (name.rfind(prefix, 0) != 0) continue;
    head.position = head.position || prefix.front() == 'p';
    name.erase(0, prefix.size());
  }
  const auto axis = std::find(kAxes.begin(), kAxes.end(), name.size() == 1 ? name[0] : '\0');
  if (axis != kAxes.end()) head.axis = static_cast<std::size_t>(axis - kAxes.begin());
  return head;
}

bool is_micrometres(const std::string& unit) {
  // U+00B5 and U+03BC look the same.
  return unit == "µm" || unit == "μm" || unit == "um" || unit == "micron" || unit == "microns";
}

bool is_pixels(const std::string& unit) {
  const std::string word = lower(unit);
  return word.empty() || word == "px" || word == "pixel" || word == "pixels" || word == "voxel" ||
         word == "voxels";
}

// Turns a value into a pixel: (value − first) ÷ side.
struct Scale {
  double first = 0.0;
  double side = 1.0;
};

// Where the coordinate of an axis stands.
struct Axle {
  std::optional<std::size_t> column;
  Scale scale;
  /// Whether its unit stands in a column of its own.
  bool unit_beside = false;
};

class PointReader {
 public:
  PointReader(const VoxelSize& voxel, const std::array<double, 3>& origin, bool flat,
              const std::string& where)
      : voxel_(voxel), origin_(origin), flat_(flat), where_(where) {
    for (std::size_t k = 0; k < 3; ++k) axles_[k].column = k;
  }

  Result<std::vector<Index3>> read(std::string_view text) {
    // Byte-order mark with which some programs begin UTF-8.
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.rfind(kMark, 0) == 0) text.remove_prefix(kMark.size());
    std::vector<Index3> out;
    for (bool first = true; !text.empty();) {
      ++line_;
      const auto end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end), " \r");
      text.remove_prefix(std::min(text.size(), end + 1));
      if (trimmed(line).empty() || line.front() == '#') continue;
      if (first) separator_ = separator_of(line);
      const auto cells = cells_of(line, separator_);
      if (first) {
        // A title above the table.
        if (cells.size() == 1 && !number_in(cells.front())) continue;
        first = false;
        columns_ = cells.size();
        const bool named = !number_in(cells.front()) &&
                           std::any_of(cells.begin(), cells.end(), [](const std::string& cell) {
                             return head_in(cell).axis.has_value();
                           });
        if (Status ok = named ? take_head(cells) : take_order(); !ok) return ok.error();
        if (named) continue;
      }
      if (cells.size() != columns_) {
        return Error{"has " + std::to_string(cells.size()) + " cells where the first line has " +
                         std::to_string(columns_),
                     at_line(), "give all lines as many; quote a cell with a separator in it"};
      }
      auto point = point_in(cells);
      if (!point) return point.error();
      out.push_back(*point);
    }
    if (out.empty()) return Error{"has no points", where_, "write z,x,y in pixels, a point a line"};
    return out;
  }

 private:
  [[nodiscard]] std::string at_line() const { return where_ + ", line " + std::to_string(line_); }

  // Without a head, the order of columns is fixed and there may be no others.
  Status take_order() {
    if (columns_ == 3) return {};
    if (columns_ == 2 && flat_) {
      axles_[0].column.reset();
      axles_[1].column = 0;
      axles_[2].column = 1;
      return {};
    }
    return Error{"has " + std::to_string(columns_) + " columns without names", at_line(),
                 flat_ ? "write x,y or z,x,y, or name the columns in the first line"
                       : "write z,x,y, or name the columns in the first line"};
  }

  // The scale of values in this unit along an axis.
  [[nodiscard]] Result<Scale> scale_of(const std::string& unit, std::size_t axis) const {
    if (is_pixels(unit)) return Scale{};
    const bool own = unit == voxel_.unit || (is_micrometres(unit) && is_micrometres(voxel_.unit));
    if (!own) {
      return Error{"has points in " + unit + ", and the image is measured in " + voxel_.unit,
                   at_line(), "write them in pixels, or set the voxel size of the image"};
    }
    const std::array<double, 3> sides{voxel_.z, voxel_.x, voxel_.y};
    return Scale{origin_[axis], sides[axis]};
  }

  Status take_head(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size() && !unit_column_; ++i) {
      if (lower(cells[i]) == "unit") unit_column_ = i;
    }
    for (Axle& one : axles_) one.column.reset();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Head head = head_in(cells[i]);
      // A table may have a coordinate in pixels and in a unit: the first column counts.
      if (!head.axis || axles_[*head.axis].column) continue;
      Axle& axle = axles_[*head.axis];
      axle.column = i;
      axle.unit_beside = head.unit.empty() && unit_column_;
      if (head.position && head.unit.empty() && !unit_column_) {
        return Error{"has \"" + cells[i] + "\" without a unit", at_line(),
                     "name it in the head, as in z (µm) or z (px), or in a column Unit"};
      }
      const auto scale = scale_of(head.unit, *head.axis);
      if (!scale) return scale.error();
      axle.scale = *scale;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (axles_[k].column || (k == 0 && flat_)) continue;
      return Error{std::string("has no column ") + kAxes[k], at_line(),
                   "name the columns z, x and y, or leave their names out"};
    }
    return {};
  }

  // The scale of the head, or of the unit in the line itself.
  [[nodiscard]] Result<Scale> scale_in(const std::vector<std::string>& cells,
                                       std::size_t axis) const {
    if (!axles_[axis].unit_beside) return axles_[axis].scale;
    const std::string& unit = cells[*unit_column_];
    if (!unit.empty()) return scale_of(unit, axis);
    return Error{"has a point without a unit", at_line(), "write it in the column Unit, or px"};
  }

  [[nodiscard]] Result<Index3> point_in(const std::vector<std::string>& cells) const {
    std::array<std::int64_t, 3> p{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Axle& axle = axles_[k];
      if (!axle.column) continue;
      const std::string& cell = cells[*axle.column];
      const auto value = number_in(cell);
      if (!value) {
        return Error{"has \"" + cell + "\" where the " + kAxes[k] + " of a point should stand",
                     at_line(), "write z,x,y in pixels, a point a line"};
      }
      const auto scale = scale_in(cells, k);
      if (!scale) return scale.error();
      const double pixel = (*value - scale->first) / scale->side;
      p[k] = std::llround(std::clamp(pixel, -kFarthest, kFarthest));
    }
    return Index3{p[0], p[1], p[2]};
  }

  const VoxelSize& voxel_;
  const std::array<double, 3>& origin_;
  bool flat_;
  const std::string& where_;
  std::array<Axle, 3> axles_{};
  std::optional<std::size_t> unit_column_;
  // Separator and number of columns of the first line.
  char separator_ = ' ';
  std::size_t columns_ = 0;
  int line_ = 0;
};

}  // namespace

bool is_point_table(const std::string& path) {
  const std::string ending = lower(std::filesystem::path(path).extension().string());
  return ending == ".csv" || ending == ".tsv" || ending == ".txt";
}

Result<std::vector<Index3>> points_from_table(const std::string& text, const VoxelSize& voxel,
                                              const std::array<double, 3>& origin, bool flat,
                                              const std::string& where) {
  return PointReader(voxel, origin, flat, where).read(text);
}

}  // namespace aprscope
