#include "core/projections/projection_table.hpp"

#include <cmath>

namespace aprscope {

Rotation orientation_of(const Projection& projection) {
  if (!projection.mirrored) return from_euler(projection.rot, projection.tilt, projection.psi);
  return from_euler(projection.rot, projection.tilt + 180.0, -projection.psi);
}

double centring_shift_x(const Projection& projection) {
  return projection.mirrored ? -projection.shift_x : projection.shift_x;
}

namespace {

// Whether all rows that are not skipped are so, and there is one.
template <class Is>
bool all_enabled(const std::vector<Projection>& rows, const Is& is) {
  bool any = false;
  for (const Projection& row : rows) {
    if (!row.enabled) continue;
    if (!is(row)) return false;
    any = true;
  }
  return any;
}

}  // namespace

bool ProjectionTable::has_ctf() const {
  std::vector<bool> is_usable(rows.size(), true);
  for (const UnusableRow& one : unusable) is_usable[static_cast<std::size_t>(one.row)] = false;
  bool any = false;
  const bool all = all_enabled(rows, [&](const Projection& row) {
    if (!is_usable[static_cast<std::size_t>(&row - rows.data())]) return true;
    any = true;
    const OpticsGroup& group = optics[row.optics];
    return !std::isnan(row.defocus_u) && !std::isnan(row.defocus_v) &&
           !std::isnan(group.voltage_kv) && !std::isnan(group.spherical_aberration_mm) &&
           !std::isnan(group.amplitude_contrast) && !std::isnan(group.pixel_size);
  });
  return all && any;
}

bool ProjectionTable::has_halves() const {
  return all_enabled(rows, [](const Projection& row) { return row.half == 1 || row.half == 2; });
}

std::int64_t leave_out_unusable(ProjectionTable& table) {
  std::int64_t left_out = 0;
  const auto disable = [&](Projection& row) {
    left_out += row.enabled ? 1 : 0;
    row.enabled = false;
  };
  for (const UnusableRow& bad : table.unusable) {
    disable(table.rows[static_cast<std::size_t>(bad.row)]);
  }
  std::vector<bool> broken(table.stacks.size(), false);
  for (const StackProblem& problem : table.stack_problems) broken[problem.stack] = true;
  for (Projection& row : table.rows) {
    if (broken[row.stack]) disable(row);
  }
  return left_out;
}

void set_pixel_size(ProjectionTable& table, double size) {
  const double ratio = size / table.pixel_size;  // NaN: the table has none
  for (OpticsGroup& group : table.optics) {
    group.pixel_size = std::isfinite(group.pixel_size) ? group.pixel_size * ratio : size;
  }
  table.pixel_size = size;
  if (!table.shifts_in_angstrom || std::isnan(ratio)) return;
  for (Projection& row : table.rows) {
    row.shift_x /= ratio;
    row.shift_y /= ratio;
  }
}

}  // namespace aprscope
