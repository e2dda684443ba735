#include "core/operations/measure/topology_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace aprscope {

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
  for (const ComponentLife& life : lives) {
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
