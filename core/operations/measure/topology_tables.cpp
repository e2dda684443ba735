#include "core/operations/measure/topology_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace aprscope {
namespace {

std::string power(const std::string& unit, int exponent) {
  static const char* const kPowers[] = {"", "", "²", "³"};
  return unit + kPowers[exponent];
}

// The columns, in rising order of thresholds.
class Columns {
 public:
  Columns(const TopologyCurves& curves, const VoxelSize& voxel) : curves_(curves) {
    table_.id = "topology";
    table_.label = "Topology";
    const int d = curves.dimension;
    const std::string& unit = voxel.unit;
    add("threshold", "Threshold", "", curves.levels);
    add("voxels", "Voxels", "", curves.voxels);
    add("vcec", "Change of χ", "", curves.change);
    add("ecc", "Euler characteristic", "", curves.euler);
    add("volume", d == 3 ? "Volume" : "Area", power(unit, d), curves.volume);
    add("surface", d == 3 ? "Surface" : "Perimeter", power(unit, d - 1), curves.surface);
    if (d == 3) add("breadth", "Mean breadth", unit, curves.breadth);
  }
  Table take() { return std::move(table_); }

 private:
  template <class T>
  void add(std::string id, std::string label, std::string unit, std::vector<T> values) {
    if (!curves_.levels.empty() && curves_.levels.front() > curves_.levels.back()) {
      std::reverse(values.begin(), values.end());
    }
    table_.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(values)});
  }

  const TopologyCurves& curves_;
  Table table_;
};

// Indices of the points to draw: all, or of very many the lowest and highest of each stretch.
std::vector<std::size_t> drawn_points(const std::vector<double>& values) {
  constexpr std::size_t kMost = 65536;
  std::vector<std::size_t> out;
  const std::size_t count = values.size();
  const std::size_t stretches = count <= kMost ? count : kMost / 2 - 1;
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(count * s / stretches);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(count * (s + 1) / stretches);
    const auto [least, most] = std::minmax_element(begin, end);
    for (const auto at : {s == 0 ? begin : least, std::min(least, most), std::max(least, most),
                          s + 1 == stretches ? end - 1 : most}) {
      const auto i = static_cast<std::size_t>(at - values.begin());
      if (out.empty() || out.back() < i) out.push_back(i);
    }
  }
  return out;
}

// Drops pieces that begin at the infinite level; pieces that end there count as never ending.
std::vector<ComponentLife> lives_at(std::vector<ComponentLife> lives,
                                    std::span<const double> levels) {
  if (levels.size() < 2 || !std::isinf(levels.back())) return lives;
  const auto last = levels.size() - 1;
  std::erase_if(lives, [&](const ComponentLife& life) { return life.birth == last; });
  for (ComponentLife& life : lives) {
    if (life.death == last) life.death = MergeTree::kNever;
  }
  return lives;
}

// Counts may be negative, and noise near the background dwarfs all else.
bool is_count(const std::string& id) {
  const std::string of = id.substr(0, id.find('_'));
  return of == "ecc" || of == "b0" || of == "b1" || of == "b2";
}

// One unit in mm; none: the unit is no length here.
std::optional<double> in_millimetres(const std::string& unit) {
  if (unit == "mm") return 1.0;
  if (unit == "µm") return 1e-3;
  if (unit == "nm") return 1e-6;
  return std::nullopt;
}

}  // namespace

Table topology_table(const TopologyCurves& curves, const VoxelSize& voxel) {
  return Columns(curves, voxel).take();
}

Curve topology_curve(const Table& table, const std::string& id, std::vector<CurveMark> marks,
                     const CurveThreshold& threshold) {
  const Column& y = *table.column(id);
  Curve curve;
  curve.id = id;
  curve.label = y.label;
  curve.in_table = table.id;
  // Between two values the level set is that of the next one (superlevel) or of the one before.
  curve.shape =
      threshold.sets == LevelSets::sublevel ? CurveShape::steps : CurveShape::steps_before;
  if (is_count(id)) curve.scale = CurveScale::logarithmic;
  CurveLine line{y.id, y.label, y.unit, {}};
  std::visit(
      [&]<class Cells>(const Cells& cells) {
        if constexpr (!std::is_same_v<Cells, std::vector<std::string>>) {
          line.values.assign(cells.begin(), cells.end());
        }
      },
      y.cells);
  curve.x = {"threshold", "Threshold", "",
             std::get<std::vector<double>>(table.column("threshold")->cells)};
  const std::vector<std::size_t> drawn = drawn_points(line.values);
  for (auto* values : {&line.values, &curve.x.values}) {
    for (std::size_t i = 0; i < drawn.size(); ++i) (*values)[i] = (*values)[drawn[i]];
    values->resize(drawn.size());
  }
  curve.ys.push_back(std::move(line));
  curve.marks = std::move(marks);
  curve.threshold = threshold;
  return curve;
}

std::vector<std::string> add_densities(Table& table, const Size3& size, const VoxelSize& voxel) {
  const bool flat = table.column("breadth") == nullptr;
  const std::optional<double> scale = in_millimetres(voxel.unit);
  const std::string unit = scale ? "mm" : voxel.unit;
  const double side = scale.value_or(1.0);
  const double all = static_cast<double>(size.count()) * voxel.x * side * voxel.y * side *
                     (flat ? 1.0 : voxel.z * side);
  std::vector<std::string> ids;
  const auto add = [&](const char* id, const char* label, double factor, int exponent) {
    const Column* const of = table.column(id);
    if (of == nullptr) return;
    std::vector<double> values;
    std::visit(
        [&]<class Cells>(const Cells& cells) {
          if constexpr (!std::is_same_v<Cells, std::vector<std::string>>) {
            for (const auto v : cells) values.push_back(static_cast<double>(v) * factor / all);
          }
        },
        of->cells);
    ids.push_back(std::string(id) + "_density");
    table.columns.push_back(
        {ids.back(), label, exponent == 0 ? "" : "1/" + unit + power("", exponent), values});
  };
  const int d = flat ? 2 : 3;
  add("ecc", flat ? "χ per area" : "χ per volume", 1.0, d);
  add("b0", flat ? "Pieces per area" : "Pieces per volume", 1.0, d);
  add("b1", flat ? "Holes per area" : "Tunnels per volume", 1.0, d);
  add("b2", "Voids per volume", 1.0, d);
  add("volume", flat ? "Share of the area" : "Share of the volume", std::pow(side, d), 0);
  add("surface", flat ? "Perimeter per area" : "Surface per volume", std::pow(side, d - 1), 1);
  return ids;
}

std::vector<std::string> add_betti(Table& table, const std::string& after, BettiCurves betti,
                                   bool turned) {
  const bool flat = betti.voids.empty();
  std::vector<Column> columns;
  const auto add = [&](const char* id, const char* label, std::vector<std::int64_t>& values) {
    if (turned) std::reverse(values.begin(), values.end());
    columns.push_back({id, label, "", std::move(values)});
  };
  add("b0", "Pieces β0", betti.pieces);
  add("b1", flat ? "Holes β1" : "Tunnels β1", betti.tunnels);
  if (!flat) add("b2", "Voids β2", betti.voids);
  std::vector<std::string> ids;
  for (const Column& column : columns) ids.push_back(column.id);
  const auto place = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Column& column) { return column.id == after; });
  table.columns.insert(place == table.columns.end() ? place : place + 1,
                       std::make_move_iterator(columns.begin()),
                       std::make_move_iterator(columns.end()));
  return ids;
}

Table summary_table(const TopologyCurves& curves, const Size3& size,
                    const std::optional<double>& plateau, const std::optional<double>& otsu) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  Table table;
  table.id = "topology_summary";
  table.label = "Summary";
  const auto whole = [&](const char* id, const char* label, const char* unit, std::int64_t value) {
    table.columns.push_back({id, label, unit, std::vector<std::int64_t>{value}});
  };
  const auto real = [&](const char* id, const char* label, double value) {
    table.columns.push_back({id, label, "", std::vector<double>{value}});
  };
  whole("size_z", "Size z", "px", size.z);
  whole("size_x", "Size x", "px", size.x);
  whole("size_y", "Size y", "px", size.y);
  whole("thresholds", "Thresholds", "", static_cast<std::int64_t>(curves.levels.size()));
  const auto& euler = curves.euler;
  const auto at = [&](auto one) {
    return curves.levels[static_cast<std::size_t>(one - euler.begin())];
  };
  const auto most = std::max_element(euler.begin(), euler.end());
  const auto least = std::min_element(euler.begin(), euler.end());
  whole("ecc_most", "Largest χ", "", *most);
  real("ecc_most_at", "Largest χ at", at(most));
  whole("ecc_least", "Least χ", "", *least);
  real("ecc_least_at", "Least χ at", at(least));
  const std::vector<double> crossings = zero_crossings(curves);
  whole("crossings", "Changes of sign", "", static_cast<std::int64_t>(crossings.size()));
  real("crossing", "First change of sign", crossings.empty() ? kUnknown : crossings.front());
  real("plateau", "Plateau", plateau.value_or(kUnknown));
  real("otsu", "Otsu", otsu.value_or(kUnknown));
  return table;
}

Table persistence_table(const std::vector<ComponentLife>& lives, std::span<const double> levels,
                        const Size3& size, const VoxelSize& voxel,
                        const std::array<double, 3>& origin) {
  std::vector<double> birth;
  std::vector<double> death;
  std::vector<double> length;
  std::vector<std::int64_t> at[3];
  std::vector<double> real_at[3];
  std::vector<std::int64_t> pixels;
  const double side[3] = {voxel.z, voxel.x, voxel.y};
  for (const ComponentLife& life : lives_at(lives, levels)) {
    birth.push_back(levels[life.birth]);
    death.push_back(life.death == MergeTree::kNever ? std::numeric_limits<double>::quiet_NaN()
                                                    : levels[life.death]);
    length.push_back(std::abs(death.back() - birth.back()));
    const auto position = static_cast<std::int64_t>(life.position);
    const std::int64_t place[3] = {position / size.y / size.x, position / size.y % size.x,
                                   position % size.y};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis].push_back(place[axis]);
      real_at[axis].push_back(origin[axis] + side[axis] * static_cast<double>(place[axis]));
    }
    pixels.push_back(static_cast<std::int64_t>(life.size));
  }
  Table table;
  table.id = "persistence";
  table.label = "Longest-lived pieces";
  const auto add = [&](std::string id, std::string label, std::string unit, auto values) {
    table.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(values)});
  };
  add("birth", "Birth", "", std::move(birth));
  add("death", "Death", "", std::move(death));
  add("persistence", "Persistence", "", std::move(length));
  const char* const names[3] = {"z", "x", "y"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    add(names[axis], names[axis], "px", std::move(at[axis]));
  }
  if (voxel.unit != "px") {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      add(std::string("at_") + names[axis], names[axis], voxel.unit, std::move(real_at[axis]));
    }
  }
  add("size", "Size at death", "px", std::move(pixels));
  return table;
}

}  // namespace aprscope
