#include "core/operations/measure/wall_tables.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace aprscope {
namespace {

using Whole = std::vector<std::int64_t>;

// The wall of each row; null where there is none. Walls are in ascending order of (a, b).
std::vector<const WallStatistics*> of_rows(const std::vector<WallStatistics>& walls, const Whole& a,
                                           const Whole* b) {
  std::vector<const WallStatistics*> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::pair<std::int64_t, std::int64_t> asked{a[i], b != nullptr ? (*b)[i] : 0};
    const auto at = std::lower_bound(
        walls.begin(), walls.end(), asked, [](const WallStatistics& one, const auto& key) {
          return std::tuple(one.a, one.b) < std::tuple(key.first, key.second);
        });
    const bool found = at != walls.end() && at->a == asked.first && at->b == asked.second;
    out.push_back(found ? &*at : nullptr);
  }
  return out;
}

void add_columns(const std::vector<const WallStatistics*>& walls, bool with_mean, Table& table) {
  const auto add = [&](std::string id, std::string label, std::string unit, const auto& number) {
    std::vector<double> cells;
    cells.reserve(walls.size());
    for (const WallStatistics* wall : walls) {
      cells.push_back(wall != nullptr ? number(*wall) : std::numeric_limits<double>::quiet_NaN());
    }
    table.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(cells)});
  };
  using Wall = WallStatistics;
  if (with_mean) {
    add("wall_mean", "Mean on the wall", "", [](const Wall& w) { return w.mean; });
  }
  add("wall_median", "Median on the wall", "", [](const Wall& w) { return w.median; });
  add("wall_deviation", "Deviation on the wall", "", [](const Wall& w) { return w.deviation; });
  add("wall_weakest", "Weakest on the wall", "", [](const Wall& w) { return w.weakest; });
  add("weakest_z", "Weakest at z", "px",
      [](const Wall& w) { return static_cast<double>(w.weakest_at.z); });
  add("weakest_x", "Weakest at x", "px",
      [](const Wall& w) { return static_cast<double>(w.weakest_at.x); });
  add("weakest_y", "Weakest at y", "px",
      [](const Wall& w) { return static_cast<double>(w.weakest_at.y); });
}

}  // namespace

void add_walls(const std::vector<WallStatistics>& of_objects, Table& cells) {
  // Without the mean, which is a column already.
  add_columns(of_rows(of_objects, std::get<Whole>(cells.column("label")->cells), nullptr), false,
              cells);
}

void add_contacts(const std::vector<WallStatistics>& between, Table& contacts) {
  const auto& neighbours = std::get<Whole>(contacts.column("neighbour")->cells);
  add_columns(of_rows(between, std::get<Whole>(contacts.column("label")->cells), &neighbours), true,
              contacts);
}

bool has_dark_walls(const std::vector<Operation>& steps) {
  // If several steps find cells, the last one counts.
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const OperationSchema* const schema = find_schema(step->id);
    if (schema == nullptr || schema->parameter("dark") == nullptr) continue;
    const auto whole = complete(*step);
    if (!whole) return false;
    // Objects that water finds by distance are dark themselves.
    const bool by_distance = schema->parameter("signal") != nullptr &&
                             parameter<std::string>(*whole, "signal") == "distance";
    return parameter<bool>(*whole, "dark") && !by_distance;
  }
  return false;
}

}  // namespace aprscope
