// The volume enclosed by membranes against the radius up to which holes are closed: it shows how
// large a radius mends leaks, and from which on it does harm.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/cells/closing_curve.hpp"
#include "core/cells/connected_components.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/operations/segment/threshold_parameters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

// Chosen without asking, in sides of a pixel: holes that are wider are no gaps in a stain.
constexpr double kMostPixels = 12.0;
// Least length of a plateau in pixels: a single pixel could be chance.
constexpr double kLevelPixels = 2.0;

OperationSchema closing_schema() {
  OperationSchema schema =
      operation_schema(
          "closing", "Volume against closing radius", "Measure", {DataKind::pixels},
          "Volume that membranes enclose when their holes are closed up to a radius, for many "
          "radii. Where the curve levels off, holes are closed and cells stop changing.")
          .with(threshold_parameters())
          .with(boolean("dark", "Dark membranes")
                    .help("Membranes are darker than what they enclose."))
          .with(connectivity_parameter("membranes", true))
          .with(
              real("largest", "Largest radius")
                  .range(0.0, 1e6)
                  .lowest("automatic")
                  .unit(kLengthUnit)
                  .main()
                  .help("Largest radius of the curve, in the unit of the voxel size (µm; px where "
                        "the file has none). 0: twelve times the shortest side of a voxel."))
          .with(
              integer("steps", "Steps", 12)
                  .range(2, 256)
                  .main()
                  .help(
                      "Number of radii, evenly spaced from 0 to the largest; each takes as long."));
  schema.counts = threshold_counts;
  return schema;
}

LevelSets sets_of_closing(const Operation& operation) {
  return parameter<bool>(operation, "dark") ? LevelSets::sublevel : LevelSets::superlevel;
}

double shortest_side(const Dataset& input) {
  const VoxelSize& voxel = input.voxel();
  const double flat = std::min(voxel.x, voxel.y);
  return input.size().z == 1 ? flat : std::min(voxel.z, flat);
}

double largest_radius(const Operation& operation, const Dataset& input) {
  const auto given = parameter<double>(operation, "largest");
  return given > 0.0 ? given : kMostPixels * shortest_side(input);
}

std::uint64_t bytes_of_closing(const Operation& operation, const Dataset& input) {
  const Size3 n = input.size();
  const auto pixels = static_cast<std::uint64_t>(n.count());
  const std::uint64_t close = closing_bytes(n, input.voxel(), largest_radius(operation, input));
  return 2 * pixels + std::max(close, component_label_bytes(n) + 4 * pixels) +
         threshold_bytes(operation, input);
}

using Real = std::vector<double>;
using Whole = std::vector<std::int64_t>;

// Columns of the table: radii, volumes with and without membranes, numbers of cells.
struct Columns {
  Columns(const std::vector<ClosedCells>& found, double pixel) {
    for (const ClosedCells& one : found) {
      radius.push_back(one.radius);
      enclosed.push_back(pixel * static_cast<double>(one.enclosed));
      volume.push_back(pixel * static_cast<double>(one.pixels));
      cells.push_back(one.cells);
    }
  }
  Real radius;
  Real enclosed;
  Real volume;
  Whole cells;
};

Measurement described(const std::vector<ClosedCells>& found, const Dataset& input) {
  const Columns columns(found, pixel_volume(input));
  const bool flat = input.size().z == 1;
  const std::string& length = input.voxel().unit;
  const std::string unit = length + (flat ? "²" : "³");
  const char* const enclosed = flat ? "Enclosed area" : "Enclosed volume";
  const char* const volume = flat ? "Area with membranes" : "Volume with membranes";
  const char* const volume_id = flat ? "area" : "volume";
  Table table;
  table.id = "closing";
  table.label = "Closing radii";
  table.columns = {{"radius", "Closing radius", length, columns.radius},
                   {"enclosed", enclosed, unit, columns.enclosed},
                   {volume_id, volume, unit, columns.volume},
                   {"cells", "Cells", "", columns.cells}};
  Curve sizes;
  sizes.id = volume_id;
  sizes.label = flat ? "Area against closing radius" : "Volume against closing radius";
  sizes.in_table = table.id;
  sizes.x = {"radius", "Closing radius", length, columns.radius};
  sizes.ys = {{"enclosed", enclosed, unit, columns.enclosed},
              {volume_id, volume, unit, columns.volume}};
  Curve numbers = sizes;
  numbers.id = "cells";
  numbers.label = "Cells against closing radius";
  numbers.ys = {{"cells", "Cells", "", Real(columns.cells.begin(), columns.cells.end())}};
  Measurement out;
  if (const auto start = start_of_plateau(found, kLevelPixels * shortest_side(input))) {
    const CurveMark mark{columns.radius[*start], "stops changing"};
    sizes.marks.push_back(mark);
    numbers.marks.push_back(mark);
  } else if (columns.enclosed.back() > 0.0) {
    out.notes.emplace_back("cells change with every radius: no closing can be told from it");
  } else {
    out.notes.emplace_back(
        "nothing is enclosed at any of these radii: choose another threshold or a larger radius");
  }
  if (length == "px") {
    out.notes.emplace_back("the image has no unit of length: sizes are in pixels");
  }
  out.curves = {std::move(sizes), std::move(numbers)};
  out.tables.push_back(std::move(table));
  return out;
}

Result<Measurement> measure_closing(const Operation& operation, const Dataset& input,
                                    const JobContext& context) {
  const auto mask =
      threshold_mask(operation, sets_of_closing(operation), input, context.part(0.0, 0.05));
  if (!mask) return mask.error();
  const double largest = largest_radius(operation, input);
  const auto steps = parameter<std::int64_t>(operation, "steps");
  std::vector<double> radii;
  for (std::int64_t i = 0; i <= steps; ++i) {
    radii.push_back(largest * static_cast<double>(i) / static_cast<double>(steps));
  }
  const auto found = closing_curve(*mask, input.voxel(), radii, connectivity_of(operation),
                                   context.part(0.05, 1.0));
  if (!found) {
    Error error = found.error();
    if (!error.cancelled()) error.where = input.name();
    return error;
  }
  return described(*found, input);
}

Operation settled_closing(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || threshold_is_given(*whole) || threshold_is_local(*whole)) return asked;
  const auto found = threshold_of(*whole, sets_of_closing(*whole), input, context);
  return found ? with_threshold(std::move(asked), found->at) : asked;
}

}  // namespace

OperationType closing_operation() {
  OperationType type;
  type.schema = closing_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "closing";
  type.traits.panel = "measure";
  type.cpu.bytes = bytes_of_closing;
  type.cpu.measure = measure_closing;
  type.settled = settled_closing;
  return type;
}

}  // namespace aprscope
