// Tables of a set of projections: one row for each image, and how their views are spread.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reprojection.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr int kTiltBins = 36;
constexpr std::int64_t kDefocusBins = 40;

OperationSchema projections_schema() {
  return operation_schema("projections", "Table of projections", "Maps", {DataKind::pixels},
                          "Lists the images of a set of projections with their orientations, "
                          "shifts and defocus, and shows how their views are spread.")
      .with(text("against", "Against")
                .names_file()
                .help("Map of the same side to compare with: each image is correlated with the "
                      "projection of the map along the image's orientation, inside a disc as wide "
                      "as the image. Images that are dark on bright give negative numbers."));
}

template <class T, class Cell>
Column column(std::string id, std::string label, std::string unit,
              const std::vector<Projection>& rows, const Cell& cell) {
  std::vector<T> cells;
  cells.reserve(rows.size());
  for (const Projection& row : rows) cells.push_back(cell(row));
  return {std::move(id), std::move(label), std::move(unit), std::move(cells)};
}

Table rows_table(const ProjectionTable& of) {
  Table table;
  table.id = "projections";
  table.label = "Projections";
  const auto& rows = of.rows;
  std::vector<std::int64_t> numbers(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) numbers[i] = static_cast<std::int64_t>(i) + 1;
  table.columns.push_back({"image", "Image", "", std::move(numbers)});
  const auto real = [&](const char* id, const char* label, const char* unit,
                        double Projection::*member) {
    table.columns.push_back(
        column<double>(id, label, unit, rows, [&](const Projection& r) { return r.*member; }));
  };
  const auto whole = [&](const char* id, const char* label, const auto& cell) {
    table.columns.push_back(column<std::int64_t>(id, label, "", rows, [&](const Projection& r) {
      return static_cast<std::int64_t>(cell(r));
    }));
  };
  real("rot", "Rot", "°", &Projection::rot);
  real("tilt", "Tilt", "°", &Projection::tilt);
  real("psi", "Psi", "°", &Projection::psi);
  real("shift_x", "Shift x", "px", &Projection::shift_x);
  real("shift_y", "Shift y", "px", &Projection::shift_y);
  if (of.has_ctf()) {
    real("defocus_u", "Defocus U", "Å", &Projection::defocus_u);
    real("defocus_v", "Defocus V", "Å", &Projection::defocus_v);
    real("defocus_angle", "Astigmatism", "°", &Projection::defocus_angle);
  }
  whole("half", "Half", [](const Projection& r) { return r.half; });
  whole("optics", "Optics", [](const Projection& r) { return r.optics + 1; });
  real("weight", "Weight", "", &Projection::weight);
  table.columns.push_back(column<std::string>("stack", "Stack", "", rows, [&](const Projection& r) {
    return r.stack < of.stacks.size() ? of.stacks[r.stack].filename().string() : std::string();
  }));
  whole("in_stack", "In stack", [](const Projection& r) { return r.image + 1; });
  whole("line", "Line", [](const Projection& r) { return r.line; });
  return table;
}

// How many images look along each tilt, beside what views in all directions alike would give.
Curve tilt_curve(const ProjectionTable& of) {
  Curve curve;
  curve.id = "tilts";
  curve.label = "Views by tilt";
  curve.shape = CurveShape::steps;
  curve.x = {"tilt", "Tilt", "°", {}};
  CurveLine found{"images", "Images", "", std::vector<double>(kTiltBins, 0.0)};
  CurveLine uniform{"uniform", "All directions alike", "", std::vector<double>(kTiltBins, 0.0)};
  constexpr double kWidth = 180.0 / kTiltBins;
  double count = 0.0;
  for (const Projection& row : of.rows) {
    const Vector3 view = orientation_of(row).rows[2];
    const double tilt = std::acos(std::clamp(view[2], -1.0, 1.0)) * 180.0 / std::numbers::pi;
    if (std::isnan(tilt)) continue;
    const auto bin = std::min<std::size_t>(kTiltBins - 1, static_cast<std::size_t>(tilt / kWidth));
    found.values[bin] += 1.0;
    count += 1.0;
  }
  const auto cosine = [&](int edge) { return std::cos(edge * kWidth * std::numbers::pi / 180.0); };
  for (int i = 0; i < kTiltBins; ++i) {
    curve.x.values.push_back(i * kWidth);
    uniform.values[static_cast<std::size_t>(i)] = count * (cosine(i) - cosine(i + 1)) / 2.0;
  }
  curve.ys = {std::move(found), std::move(uniform)};
  return curve;
}

Curve defocus_curve(const ProjectionTable& of) {
  std::vector<double> all;
  for (const Projection& row : of.rows) all.push_back((row.defocus_u + row.defocus_v) / 2.0);
  std::erase_if(all, [](double v) { return !std::isfinite(v); });
  Curve curve;
  curve.id = "defocus";
  curve.label = "Images by defocus";
  curve.shape = CurveShape::steps;
  curve.x = {"defocus", "Defocus", "Å", {}};
  CurveLine found{"images", "Images", "", std::vector<double>(kDefocusBins, 0.0)};
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  const double first = all.empty() ? 0.0 : *low;
  const double width = all.empty() ? 1.0 : std::max(1.0, (*high - first) / kDefocusBins);
  for (const double v : all) {
    found.values[static_cast<std::size_t>(std::min<std::int64_t>(
        kDefocusBins - 1, static_cast<std::int64_t>((v - first) / width)))] += 1.0;
  }
  for (std::int64_t i = 0; i < kDefocusBins; ++i) {
    curve.x.values.push_back(first + static_cast<double>(i) * width);
  }
  curve.ys = {std::move(found)};
  return curve;
}

// The correlation of each image with the projection of a map.
Result<Column> correlations(const std::string& file, const Projections& projections,
                            const JobContext& context) {
  const std::int64_t side = projections.table.side;
  const auto map = read_map(file, "map", side, context.part(0.0, 0.1));
  if (!map) return map.error();
  auto found = reprojection_correlations(map->values, side, projections, context.part(0.1, 1.0));
  if (!found) return found.error();
  return Column{"correlation", "Correlation", "", *std::move(found)};
}

// Adds a column of problems of rows in words; none if all rows can be used.
void add_problems(const ProjectionTable& of, Table& table) {
  if (of.unusable.empty() && of.stack_problems.empty()) return;
  std::vector<std::string> problems(of.rows.size());
  std::vector<const StackProblem*> by_stack(of.stacks.size(), nullptr);
  for (const StackProblem& one : of.stack_problems) {
    if (one.stack < by_stack.size()) by_stack[one.stack] = &one;
  }
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const std::size_t stack = of.rows[i].stack;
    if (stack < by_stack.size() && by_stack[stack] != nullptr) {
      problems[i] = "its stack " + by_stack[stack]->why;
    }
  }
  for (const UnusableRow& one : of.unusable) problems[static_cast<std::size_t>(one.row)] = one.why;
  table.columns.push_back({"problem", "Problem", "", std::move(problems)});
}

Result<Measurement> measure_projections(const Operation& operation, const Dataset& input,
                                        const JobContext& context) {
  const Projections& projections = *input.volume().projections;
  const ProjectionTable& table = projections.table;
  Measurement out;
  out.curves.push_back(tilt_curve(table));
  if (table.has_ctf()) out.curves.push_back(defocus_curve(table));
  out.tables.push_back(rows_table(table));
  add_problems(table, out.tables.back());
  out.notes = table.warnings;
  const auto& file = parameter<std::string>(operation, "against");
  if (file.empty()) return out;
  auto column = correlations(file, projections_with_typed_size(input), context);
  if (!column) return column.error();
  std::vector<Column>& columns = out.tables.back().columns;
  columns.insert(columns.begin() + 1, *std::move(column));
  return out;
}

std::uint64_t bytes_of_projections(const Operation& operation, const Dataset& input) {
  constexpr std::uint64_t kRow = 200;
  if (input.is_apr() || !input.volume().projections) return 0;
  const ProjectionTable& table = input.volume().projections->table;
  const std::size_t rows = table.rows.size();
  if (parameter<std::string>(operation, "against").empty()) return kRow * rows;
  return kRow * rows + reprojection_bytes(table.side, static_cast<std::int64_t>(rows));
}

}  // namespace

OperationType projections_operation() {
  OperationType type;
  type.schema = projections_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "projections";
  type.traits.panel = "reconstruct";
  type.traits.takes_projections = true;
  type.cpu.bytes = bytes_of_projections;
  type.cpu.measure = measure_projections;
  return type;
}

}  // namespace aprscope
