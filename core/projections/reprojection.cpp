#include "core/projections/reprojection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/memory_error.hpp"
#include "core/base/parallel.hpp"
#include "core/projections/project.hpp"

namespace aprscope {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A table of some rows of another one, with all that project() looks at.
ProjectionTable table_of_rows(const ProjectionTable& table, std::vector<Projection> rows) {
  ProjectionTable some;
  some.path = table.path;
  some.side = table.side;
  some.pixel_size = table.pixel_size;
  some.stacks = table.stacks;
  some.optics = table.optics;
  some.rows = std::move(rows);
  return some;
}

// Why a row cannot be used; empty: it can be.
std::string trouble_of(const ProjectionTable& table, std::size_t row) {
  const auto place = static_cast<std::int64_t>(row);
  const auto bad = std::lower_bound(
      table.unusable.begin(), table.unusable.end(), place,
      [](const UnusableRow& one, std::int64_t wanted) { return one.row < wanted; });
  if (bad != table.unusable.end() && bad->row == place) return bad->why;
  for (const StackProblem& one : table.stack_problems) {
    if (one.stack == table.rows[row].stack) return "its stack " + one.why;
  }
  return {};
}

// The rows that a map can be compared with, by their place in the table.
std::vector<std::size_t> usable_rows(const ProjectionTable& table) {
  ProjectionTable usable = table;
  leave_out_unusable(usable);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < usable.rows.size(); ++i) {
    if (usable.rows[i].enabled) places.push_back(i);
  }
  return places;
}

// Checks what rows and their table must have to be projected.
Status check(std::int64_t side, const Projections& projections, std::span<const Projection> rows) {
  const ProjectionTable& table = projections.table;
  if (!projections.images) {
    return Error{"the images of the table are not open", table.path.string(),
                 "open the file again"};
  }
  if (table.side != side) {
    return Error{"has images of " + std::to_string(table.side) + " pixels, and the map has " +
                     std::to_string(side) + " voxels a side",
                 table.path.string(), "compare with a map of the same side"};
  }
  for (const Projection& row : rows) {
    const bool numbers = std::isfinite(row.rot) && std::isfinite(row.tilt) &&
                         std::isfinite(row.psi) && std::isfinite(row.shift_x) &&
                         std::isfinite(row.shift_y);
    if (numbers && row.optics < table.optics.size()) continue;
    return Error{"line " + std::to_string(row.line) + " has no orientation or optics group",
                 table.path.string(), "leave the row out"};
  }
  return {};
}

// A row that a map of this side can be compared with.
Result<Projection> usable_row(std::int64_t side, const Projections& projections, std::size_t row) {
  if (row >= projections.table.rows.size()) {
    return Error{"has no row " + std::to_string(row + 1), projections.table.path.string(),
                 "choose one of its rows"};
  }
  if (const std::string why = trouble_of(projections.table, row); !why.empty()) {
    return Error{"image " + std::to_string(row + 1) + " cannot be used: " + why,
                 projections.table.path.string(), "leave it out"};
  }
  Projection one = projections.table.rows[row];
  one.enabled = true;
  if (Status ok = check(side, projections, {&one, 1}); !ok) return ok.error();
  return one;
}

}  // namespace

double disc_correlation(std::span<const float> a, std::span<const float> b, std::int64_t side,
                        double dx, double dy) {
  const std::int64_t middle = side / 2;
  const double centre_x = static_cast<double>(middle) - dx;
  const double centre_y = static_cast<double>(middle) - dy;
  const double radius = 0.5 * static_cast<double>(side);
  const auto each = [&](const auto& take) {
    for (std::int64_t y = 0; y < side; ++y) {
      const double fy = static_cast<double>(y) - centre_y;
      for (std::int64_t x = 0; x < side; ++x) {
        const double fx = static_cast<double>(x) - centre_x;
        if (fx * fx + fy * fy > radius * radius) continue;
        const auto at = static_cast<std::size_t>(y * side + x);
        take(static_cast<double>(a[at]), static_cast<double>(b[at]));
      }
    }
  };
  double count = 0.0;
  double mean_a = 0.0;
  double mean_b = 0.0;
  each([&](double va, double vb) {
    count += 1.0;
    mean_a += va;
    mean_b += vb;
  });
  mean_a /= count;
  mean_b /= count;
  double aa = 0.0;
  double bb = 0.0;
  double ab = 0.0;
  each([&](double va, double vb) {
    aa += (va - mean_a) * (va - mean_a);
    bb += (vb - mean_b) * (vb - mean_b);
    ab += (va - mean_a) * (vb - mean_b);
  });
  const double scale = std::sqrt(aa) * std::sqrt(bb);
  return scale > 0.0 && std::isfinite(scale) ? ab / scale : kUnknown;
}

Result<Reprojection> reproject(std::span<const float> map, std::int64_t side,
                               const Projections& projections, std::size_t row,
                               const JobContext& context) {
  // Errors of the row are found before the map is transformed, which takes long.
  const auto one = usable_row(side, projections, row);
  if (!one) return one.error();
  const auto prepared = PreparedMap::create(map, side, {}, context);
  if (!prepared) return prepared.error();
  return reproject(*prepared, projections, row, context);
}

Result<Reprojection> reproject(const PreparedMap& map, const Projections& projections,
                               std::size_t row, const JobContext& context) {
  const std::int64_t side = map.side();
  const auto one = usable_row(side, projections, row);
  if (!one) return one.error();
  Reprojection out;
  out.side = side;
  out.image.resize(static_cast<std::size_t>(side * side));
  if (Status ok = projections.images->read({&*one, 1}, out.image, context); !ok) return ok.error();
  const ProjectionTable table = table_of_rows(projections.table, {*one});
  ProjectSettings settings;
  settings.ctf = table.has_ctf();
  const Status projected = project(
      map, table, settings,
      [&](std::int64_t, std::span<const float> made) -> Status {
        out.projection.assign(made.begin(), made.end());
        return {};
      },
      context);
  if (!projected) return projected.error();
  out.correlation =
      disc_correlation(out.image, out.projection, side, centring_shift_x(*one), one->shift_y);
  return out;
}

Result<std::vector<double>> reprojection_correlations(std::span<const float> map, std::int64_t side,
                                                      const Projections& projections,
                                                      const JobContext& context) {
  return with_memory_errors(projections.table.path.string(), [&]() -> Result<std::vector<double>> {
    const std::vector<std::size_t> places = usable_rows(projections.table);
    std::vector<Projection> rows;
    rows.reserve(places.size());
    for (const std::size_t place : places) rows.push_back(projections.table.rows[place]);
    if (Status ok = check(side, projections, rows); !ok) return ok.error();
    const ProjectionTable table = table_of_rows(projections.table, std::move(rows));
    ProjectSettings settings;
    settings.ctf = table.has_ctf();
    std::vector<double> found(projections.table.rows.size(), kUnknown);
    std::vector<float> images;
    const auto pixels = static_cast<std::size_t>(side * side);
    const auto take = [&](std::int64_t first, std::span<const float> made) -> Status {
      const auto begin = static_cast<std::size_t>(first);
      const std::size_t count = made.size() / pixels;
      images.resize(made.size());
      Status read = projections.images->read(std::span(table.rows).subspan(begin, count), images,
                                             JobContext(context.stop_token()));
      if (!read) return read;
      const auto work = static_cast<std::int64_t>(count);
      parallel_for(work, threads_for(static_cast<std::int64_t>(made.size())), [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        const Projection& row = table.rows[begin + at];
        found[places[begin + at]] = disc_correlation(std::span(images).subspan(at * pixels, pixels),
                                                     made.subspan(at * pixels, pixels), side,
                                                     centring_shift_x(row), row.shift_y);
      });
      return {};
    };
    if (table.rows.empty()) return found;
    if (Status ok = project(map, side, table, settings, take, context); !ok) return ok.error();
    return found;
  });
}

std::uint64_t reprojection_bytes(std::int64_t side, std::int64_t rows) {
  const auto n = static_cast<std::uint64_t>(side);
  const auto count = static_cast<std::uint64_t>(rows);
  // The padded spectrum, two batches of images, two tables of rows and what was found.
  return 9 * n * n * n * sizeof(float) + (std::uint64_t{2} << 26U) +
         count * (2 * sizeof(Projection) + 2 * sizeof(double));
}

}  // namespace aprscope
