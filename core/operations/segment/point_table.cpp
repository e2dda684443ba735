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

// What parts the cells of a line: what stands in it, in this order.
char separator_of(std::string_view line) {
  for (const char one : {';', '\t', ','}) {
    if (line.find(one) != std::string_view::npos) return one;
  }
  return ' ';
}

std::vector<std::string_view> cells_of(std::string_view line) {
  const char separator = separator_of(line);
  if (separator == ' ') line = trimmed(line);
  std::vector<std::string_view> out;
  while (true) {
    const auto end = std::min(line.find(separator), line.size());
    const std::string_view cell = trimmed(line.substr(0, end));
    // Several blanks are one.
    if (separator != ' ' || !cell.empty()) out.push_back(cell);
    if (end == line.size()) return out;
    line.remove_prefix(end + 1);
  }
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

// "Centroid z (µm)": which axis and unit; no axis where it is another column.
struct Head {
  std::optional<std::size_t> axis;
  std::string unit;
};

Head head_in(std::string_view cell) {
  const auto mark = cell.find_first_of("([/");
  Head head;
  if (mark != std::string_view::npos) {
    head.unit = trimmed(cell.substr(mark + 1), " \t\r\")]");
  }
  std::string name = lower(trimmed(cell.substr(0, mark)));
  for (const std::string_view prefix : {"centroid ", "position "}) {
    if (name.rfind(prefix, 0) == 0) name.erase(0, prefix.size());
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

// Where a coordinate stands and what makes a pixel of it: (value − first) ÷ side.
struct Axle {
  std::optional<std::size_t> column;
  double first = 0.0;
  double side = 1.0;
};

class PointReader {
 public:
  PointReader(const VoxelSize& voxel, const std::array<double, 3>& origin, bool flat,
              const std::string& where)
      : voxel_(voxel), origin_(origin), flat_(flat), where_(where) {
    for (std::size_t k = 0; k < 3; ++k) axles_[k].column = k;
  }

  Result<std::vector<Index3>> read(std::string_view text) {
    // Some programs mark UTF-8 so.
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.rfind(kMark, 0) == 0) text.remove_prefix(kMark.size());
    std::vector<Index3> out;
    for (bool first = true; !text.empty();) {
      ++line_;
      const auto end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end), " \r");
      text.remove_prefix(std::min(text.size(), end + 1));
      if (trimmed(line).empty() || line.front() == '#') continue;
      const auto cells = cells_of(line);
      if (std::exchange(first, false) && !number_in(cells.front()) &&
          std::any_of(cells.begin(), cells.end(), [](auto cell) { return head_in(cell).axis; })) {
        if (Status ok = take_head(cells); !ok) return ok.error();
        continue;
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

  Status take_head(const std::vector<std::string_view>& cells) {
    for (Axle& one : axles_) one.column.reset();
    const std::array<double, 3> sides{voxel_.z, voxel_.x, voxel_.y};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Head head = head_in(cells[i]);
      // A table may have each in pixels and in its unit: the first counts.
      if (!head.axis || axles_[*head.axis].column) continue;
      Axle& axle = axles_[*head.axis];
      axle.column = i;
      if (is_pixels(head.unit)) continue;
      const bool own =
          head.unit == voxel_.unit || (is_micrometres(head.unit) && is_micrometres(voxel_.unit));
      if (!own) {
        return Error{"has points in " + head.unit + ", and the image is measured in " + voxel_.unit,
                     at_line(), "write them in pixels, or set the voxel size of the image"};
      }
      axle.first = origin_[*head.axis];
      axle.side = sides[*head.axis];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (axles_[k].column || (k == 0 && flat_)) continue;
      return Error{std::string("has no column ") + kAxes[k], at_line(),
                   "name the columns z, x and y, or leave their names out"};
    }
    return {};
  }

  Result<Index3> point_in(const std::vector<std::string_view>& cells) const {
    std::array<std::int64_t, 3> p{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Axle& axle = axles_[k];
      if (!axle.column) continue;
      const std::string_view cell =
          *axle.column < cells.size() ? cells[*axle.column] : std::string_view();
      const auto value = number_in(cell);
      if (!value) {
        return Error{
            "has \"" + std::string(cell) + "\" where the " + kAxes[k] + " of a point should stand",
            at_line(), "write z,x,y in pixels, a point a line"};
      }
      const double pixel = (*value - axle.first) / axle.side;
      p[k] = std::llround(std::clamp(pixel, -kFarthest, kFarthest));
    }
    return Index3{p[0], p[1], p[2]};
  }

  const VoxelSize& voxel_;
  const std::array<double, 3>& origin_;
  bool flat_;
  const std::string& where_;
  std::array<Axle, 3> axles_{};
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
