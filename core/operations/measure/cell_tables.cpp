#include "core/operations/measure/cell_tables.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/cells/suspicion.hpp"

namespace aprscope {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
const char* const kAxes[3] = {"z", "x", "y"};

// Units of powers of a length.
struct Units {
  Units(const Size3& size, const VoxelSize& voxel)
      : flat(size.z == 1), length(voxel.unit), area(voxel.unit + "²"), volume(voxel.unit + "³") {}
  bool flat;
  std::string length;
  std::string area;
  std::string volume;

  [[nodiscard]] const char* size_id() const { return flat ? "area" : "volume"; }
  [[nodiscard]] const char* size_label() const { return flat ? "Area" : "Volume"; }
  [[nodiscard]] const std::string& size_unit() const { return flat ? area : volume; }
};

// Ids of columns of channels: "Channel 1" is channel_1. All are different.
std::vector<std::string> channel_ids(const std::vector<std::string>& names) {
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    std::string id;
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      // Letters of other scripts stay.
      const bool stays = byte >= 0x80 || std::isalnum(byte) != 0;
      id += stays ? static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte) : '_';
    }
    const std::string plain = id;
    for (int k = 2; id.empty() || std::find(ids.begin(), ids.end(), id) != ids.end(); ++k) {
      id = plain + (plain.empty() ? "" : "_") + std::to_string(k);
    }
    ids.push_back(id);
  }
  return ids;
}

class CellColumns {
 public:
  CellColumns(const std::vector<LabelRow>& rows, const Size3& size, const VoxelSize& voxel)
      : rows_(rows), units_(size, voxel) {
    table_.id = "cells";
    table_.label = "Cells";
  }
  void of_size() {
    whole("label", "Label", "", [](const LabelRow& r) { return r.label; });
    real(units_.size_id(), units_.size_label(), units_.size_unit(),
         [](const LabelRow& r) { return r.shape.volume; });
    add<std::string>("flags", "Flags", "", [](const LabelRow& r) { return r.flags(); });
    whole("voxels", "Voxels", "", [](const LabelRow& r) { return r.voxels; });
    real("diameter", "Equivalent diameter", units_.length,
         [](const LabelRow& r) { return r.shape.diameter; });
  }
  void of_surface() {
    const bool flat = units_.flat;
    const std::string& unit = flat ? units_.length : units_.area;
    real(flat ? "perimeter" : "surface", flat ? "Perimeter" : "Surface", unit,
         [](const LabelRow& r) { return r.shape.surface; });
    real(flat ? "digital_perimeter" : "digital_surface",
         flat ? "Perimeter of the pixels" : "Surface of the voxels", unit,
         [](const LabelRow& r) { return r.shape.digital_surface; });
    // MorphoLibJ's "sphericity" of volumes is the cube of this one.
    real(flat ? "circularity" : "sphericity",
         flat ? "Circularity 4πA ÷ P²" : "Sphericity ∛π (6V)^⅔ ÷ S", "",
         [](const LabelRow& r) { return r.shape.sphericity; });
    whole("euler", "Euler number", "", [](const LabelRow& r) { return r.shape.euler; });
    if (flat) return;
    real("breadth", "Mean breadth", units_.length,
         [](const LabelRow& r) { return r.shape.breadth; });
    real("digital_breadth", "Mean breadth of the voxels", units_.length,
         [](const LabelRow& r) { return r.shape.digital_breadth; });
  }
  void of_place(const VoxelSize& voxel, const std::array<double, 3>& origin) {
    const double side[3] = {voxel.z, voxel.x, voxel.y};
    for (std::size_t k = 0; k < 3; ++k) {
      real(kAxes[k], std::string("Centroid ") + kAxes[k], "px",
           [k](const LabelRow& r) { return r.shape.centroid[k]; });
    }
    if (voxel.unit != "px") {
      for (std::size_t k = 0; k < 3; ++k) {
        real(std::string("at_") + kAxes[k], std::string("Centroid ") + kAxes[k], units_.length,
             [&, k](const LabelRow& r) { return origin[k] + side[k] * r.shape.centroid[k]; });
      }
    }
    box_columns("begin_", "Box from ", "px", [](const LabelRow& r) { return r.box.begin; }, {}, {});
    box_columns("end_", "Box to before ", "px", [](const LabelRow& r) { return r.box.end; }, {},
                {});
    if (voxel.unit == "px") return;
    box_columns("from_", "Box from ", units_.length, [](const LabelRow& r) { return r.box.begin; },
                origin, {side[0], side[1], side[2]});
    box_columns("to_", "Box to ", units_.length, [](const LabelRow& r) { return r.box.end; },
                origin, {side[0], side[1], side[2]});
  }
  void of_axes() {
    const char* const ids[3] = {"semi_axis_1", "semi_axis_2", "semi_axis_3"};
    const char* const labels[3] = {"Longest semi-axis", "Middle semi-axis", "Shortest semi-axis"};
    for (std::size_t k = 0; k < (units_.flat ? 2U : 3U); ++k) {
      real(ids[k], units_.flat && k == 1 ? "Shortest semi-axis" : labels[k], units_.length,
           [k](const LabelRow& r) { return r.shape.semi_axes[k]; });
    }
    real("azimuth", "Angle from y towards x", "°",
         [](const LabelRow& r) { return r.shape.azimuth; });
    if (!units_.flat) {
      real("elevation", "Angle to the slice", "°",
           [](const LabelRow& r) { return r.shape.elevation; });
    }
    real("elongation", "Elongation", "", [](const LabelRow& r) { return r.shape.elongation; });
    if (!units_.flat) {
      real("flatness", "Flatness", "", [](const LabelRow& r) { return r.shape.flatness; });
    }
  }
  void of_values(const std::vector<std::string>& channels) {
    const std::vector<std::string> ids = channel_ids(channels);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const bool one = channels.size() == 1;
      const std::string id = one ? "" : "_" + ids[c];
      const std::string label = one ? "" : " of " + channels[c];
      const auto value = [&](const char* name, const char* words, double LabelIntensity::*member) {
        real(name + id, words + label, "",
             [&, c, member](const LabelRow& r) { return r.intensities[c].*member; });
      };
      value("mean", "Mean", &LabelIntensity::mean);
      value("deviation", "Deviation", &LabelIntensity::deviation);
      value("minimum", "Minimum", &LabelIntensity::minimum);
      value("maximum", "Maximum", &LabelIntensity::maximum);
      value("sum", "Sum", &LabelIntensity::sum);
      value("wall_mean", "Mean on the wall", &LabelIntensity::wall_mean);
    }
  }
  void of_neighbours() {
    whole("neighbours", "Neighbours", "", [](const LabelRow& r) { return r.neighbours; });
    real("shared_surface", units_.flat ? "Perimeter in contact" : "Surface in contact", "%",
         [](const LabelRow& r) { return 100.0 * r.shared_surface; });
  }
  void of_findings() {
    whole("border", "Touches the border", "",
          [](const LabelRow& r) { return r.shape.touches_border ? 1 : 0; });
    real("closed", "Closed", "", [](const LabelRow& r) {
      return std::isnan(r.finding.leak_radius) ? kUnknown : r.leaks() ? 0.0 : 1.0;
    });
    real("leak_radius", "Leak radius", units_.length,
         [](const LabelRow& r) { return r.finding.leak_radius; });
    for (std::size_t k = 0; k < 3; ++k) {
      real(std::string("leak_") + kAxes[k], std::string("Leak at ") + kAxes[k], "px",
           [k](const LabelRow& r) {
             const Index3& at = r.finding.leak_at;
             const std::int64_t place[3] = {at.z, at.x, at.y};
             return r.leaks() ? static_cast<double>(place[k]) : kUnknown;
           });
    }
    if (units_.flat) return;
    real("per_slice_ratio", "3-D ÷ per-slice volume", "",
         [](const LabelRow& r) { return r.per_slice_ratio; });
    real("most_open_slice", "Most open slice", "px", [](const LabelRow& r) {
      const std::int64_t z = r.finding.most_open_slice;
      return z < 0 ? kUnknown : static_cast<double>(z);
    });
  }
  void of_review(std::span<const double> wall_strengths) {
    // Why and how urgently a row should be looked at; empty and 0 where nothing is odd.
    std::vector<std::string> reasons(rows_.size());
    std::vector<double> scores(rows_.size(), 0.0);
    for (const Suspicion& one : suspicions(rows_, wall_strengths)) {
      const auto at =
          std::lower_bound(rows_.begin(), rows_.end(), one.label,
                           [](const LabelRow& r, std::uint32_t label) { return r.label < label; });
      const auto row = static_cast<std::size_t>(at - rows_.begin());
      reasons[row] = one.reason;
      scores[row] = one.score;
    }
    table_.columns.push_back({"suspicion", "Suspicion", "", std::move(scores)});
    table_.columns.push_back({"reason", "Reason", "", std::move(reasons)});
  }
  Table take() { return std::move(table_); }

 private:
  template <class T, class Cell>
  void add(std::string id, std::string label, std::string unit, const Cell& cell) {
    std::vector<T> cells;
    cells.reserve(rows_.size());
    for (const LabelRow& row : rows_) cells.push_back(static_cast<T>(cell(row)));
    table_.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(cells)});
  }
  template <class Cell>
  void real(std::string id, std::string label, std::string unit, const Cell& cell) {
    add<double>(std::move(id), std::move(label), std::move(unit), cell);
  }
  template <class Cell>
  void whole(std::string id, std::string label, std::string unit, const Cell& cell) {
    add<std::int64_t>(std::move(id), std::move(label), std::move(unit), cell);
  }
  // Corners of the bounding box: pixels, or where their faces lie in the unit, half a voxel before
  // the centre of the pixel of that number.
  template <class Corner>
  void box_columns(const char* id, const char* label, const std::string& unit, const Corner& corner,
                   const std::array<double, 3>& origin, const std::array<double, 3>& side) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = [&, k](const LabelRow& r) {
        const Index3 p = corner(r);
        const std::int64_t place[3] = {p.z, p.x, p.y};
        return place[k];
      };
      if (side[k] == 0.0) {
        whole(std::string(id) + kAxes[k], std::string(label) + kAxes[k], unit, at);
      } else {
        real(std::string(id) + kAxes[k], std::string(label) + kAxes[k], unit,
             [&, k](const LabelRow& r) {
               return origin[k] + side[k] * (static_cast<double>(at(r)) - 0.5);
             });
      }
    }
  }

  const std::vector<LabelRow>& rows_;
  Units units_;
  Table table_;
};

// Adds a column to a table.
void put(Table& table, std::string id, std::string label, std::string unit, Column::Cells cells) {
  table.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(cells)});
}

}  // namespace

Table cell_table(const std::vector<LabelRow>& rows, const std::vector<std::string>& channels,
                 const Size3& size, const VoxelSize& voxel, const std::array<double, 3>& origin,
                 std::span<const double> wall_strengths) {
  CellColumns columns(rows, size, voxel);
  columns.of_size();
  columns.of_surface();
  columns.of_place(voxel, origin);
  columns.of_axes();
  columns.of_values(channels);
  columns.of_neighbours();
  columns.of_findings();
  columns.of_review(wall_strengths);
  return columns.take();
}

Table total_table(const std::vector<LabelRow>& rows, const Size3& size, const VoxelSize& voxel) {
  const Units units(size, voxel);
  using Whole = std::vector<std::int64_t>;
  using Real = std::vector<double>;
  std::int64_t voxels = 0;
  std::int64_t flagged = 0;
  std::int64_t border = 0;
  std::int64_t leaking = 0;
  Real volumes;
  for (const LabelRow& row : rows) {
    voxels += row.voxels;
    flagged += row.flags().empty() ? 0 : 1;
    border += row.shape.touches_border ? 1 : 0;
    leaking += row.leaks() ? 1 : 0;
    volumes.push_back(row.shape.volume);
  }
  const double each = (units.flat ? 1.0 : voxel.z) * voxel.x * voxel.y;
  const double all = static_cast<double>(voxels) * each;
  const auto n = static_cast<double>(rows.size());
  const double mean = all / n;
  double squares = 0.0;
  for (const double v : volumes) squares += (v - mean) * (v - mean);
  std::sort(volumes.begin(), volumes.end());
  const double median = volumes.empty() ? kUnknown : volumes[(volumes.size() - 1) / 2];
  const std::string id = units.size_id();
  const std::string of = units.flat ? " area" : " volume";
  Table table;
  table.id = "total";
  table.label = "All cells";
  put(table, "cells", "Cells", "", Whole{static_cast<std::int64_t>(rows.size())});
  put(table, id, units.size_label(), units.size_unit(), Real{all});
  put(table, "flagged", "With flags", "", Whole{flagged});
  put(table, "border", "Touch the border", "", Whole{border});
  put(table, "leaking", "Leak", "", Whole{leaking});
  put(table, "voxels", "Voxels", "", Whole{voxels});
  put(table, "share", "Share of the image", "%",
      Real{100.0 * static_cast<double>(voxels) / static_cast<double>(size.count())});
  put(table, "mean", "Mean" + of, units.size_unit(), Real{mean});
  put(table, "deviation", "Deviation", units.size_unit(), Real{std::sqrt(squares / n)});
  put(table, "median", "Median" + of, units.size_unit(), Real{median});
  return table;
}

Table contact_table(const LabelRecords& records, const std::vector<LabelRow>& rows,
                    const Size3& size, const VoxelSize& voxel) {
  const Units units(size, voxel);
  std::vector<std::int64_t> label;
  std::vector<std::int64_t> neighbour;
  std::vector<double> area;
  std::vector<double> of_label;
  std::vector<double> of_neighbour;
  const auto surface = [&](std::uint32_t of) {
    const auto at =
        std::lower_bound(rows.begin(), rows.end(), of,
                         [](const LabelRow& r, std::uint32_t asked) { return r.label < asked; });
    return at->shape.digital_surface;
  };
  for (const LabelContact& one : records.contacts) {
    label.push_back(one.a);
    neighbour.push_back(one.b);
    area.push_back(contact_area(one.faces, voxel, units.flat));
    const double faces = face_area(one.faces[0], one.faces[1], one.faces[2], voxel, units.flat);
    of_label.push_back(100.0 * faces / surface(one.a));
    of_neighbour.push_back(100.0 * faces / surface(one.b));
  }
  Table table;
  table.id = "contacts";
  table.label = "Contacts";
  const std::string what = units.flat ? "perimeter" : "surface";
  put(table, "label", "Label", "", std::move(label));
  put(table, "neighbour", "Neighbour", "", std::move(neighbour));
  put(table, units.flat ? "length" : "area", units.flat ? "Contact length" : "Contact area",
      units.flat ? units.length : units.area, std::move(area));
  put(table, "share", "Share of the label's " + what, "%", std::move(of_label));
  put(table, "neighbour_share", "Share of the neighbour's " + what, "%", std::move(of_neighbour));
  return table;
}

Table slice_table(const std::vector<SliceOutline>& outlines, const VoxelSize& voxel) {
  std::vector<std::int64_t> label;
  std::vector<std::int64_t> z;
  std::vector<double> area;
  std::vector<double> perimeter;
  for (const SliceOutline& one : outlines) {
    label.push_back(one.label);
    z.push_back(one.z);
    area.push_back(static_cast<double>(one.pixels) * (voxel.x * voxel.y));
    perimeter.push_back(one.perimeter);
  }
  Table table;
  table.id = "slices";
  table.label = "Slices of cells";
  put(table, "label", "Label", "", std::move(label));
  put(table, "z", "z", "px", std::move(z));
  put(table, "area", "Area", voxel.unit + "²", std::move(area));
  put(table, "perimeter", "Perimeter", voxel.unit, std::move(perimeter));
  return table;
}

Curve volume_histogram(const std::vector<LabelRow>& rows, const Size3& size, const VoxelSize& voxel,
                       int bins) {
  const Units units(size, voxel);
  Curve curve;
  curve.id = "volumes";
  curve.label = units.flat ? "Areas" : "Volumes";
  curve.shape = CurveShape::steps;
  curve.x = {units.size_id(), units.size_label(), units.size_unit(), {}};
  CurveLine counts{"cells", "Cells", "", {}};
  if (!rows.empty()) {
    double most = 0.0;
    double sum = 0.0;
    for (const LabelRow& row : rows) {
      most = std::max(most, row.shape.volume);
      sum += row.shape.volume;
    }
    const double width = most / bins;
    for (int i = 0; i < bins; ++i) curve.x.values.push_back(width * i);
    counts.values.assign(static_cast<std::size_t>(bins), 0.0);
    for (const LabelRow& row : rows) {
      const auto bin = static_cast<int>(row.shape.volume / width);
      counts.values[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))] += 1.0;
    }
    curve.marks.push_back({sum / static_cast<double>(rows.size()), "mean"});
  }
  curve.ys.push_back(std::move(counts));
  return curve;
}

}  // namespace aprscope
