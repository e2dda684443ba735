// The profile along a line in a slice.
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/image/profile.hpp"
#include "core/operations/measure/line_in_slice.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/particles/particle_words.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kFarthest = 1e9;  // pixels; images are smaller

OperationSchema line_schema() {
  return operation_schema(
             kLineProfile, "Profile along a line", "Measure", {DataKind::pixels, DataKind::apr},
             "Grey values along a line in a slice, with its length and the width of its highest "
             "peak at half maximum. In the window the line is drawn in a slice.")
      .with(vector3("start", "Start")
                .range(-kFarthest, kFarthest)
                .unit("px")
                .main()
                .help("Where the line begins: z, x, y in pixels, whole numbers in the middle of "
                      "pixels, the first of which is 0."))
      .with(vector3("end", "End")
                .range(-kFarthest, kFarthest)
                .unit("px")
                .main()
                .help("Where the line ends, in the same slice."))
      .with(integer("width", "Width", 1)
                .range(1, 1000)
                .unit("px")
                .help("Number of lines side by side in the slice, one pixel apart, whose mean is "
                      "taken. More of them mean less noise."))
      .with(choice("plane", "Slice", {"xy", "yz", "xz"})
                .help("The slices in one of which the line lies. Both ends have the same z for xy, "
                      "the same x for yz and the same y for xz."))
      .with(choice("mode", "Particles as", {"constant", "smooth"})
                .help("How particles are turned into pixels. constant: one value for each cell; "
                      "smooth: interpolated."));
}

Status takes_line(const Operation& operation, const Dataset& input) {
  if (input.is_apr() && input.values().particles().size() != input.apr().access->count()) {
    return Error{"has no particle values to measure", input.name(), "open a file that holds some"};
  }
  const auto& from = parameter<std::array<double, 3>>(operation, "start");
  const auto& to = parameter<std::array<double, 3>>(operation, "end");
  if (from == to) {
    return Error{"needs a line, and both ends are at one place", input.name(),
                 "draw a line in a slice, or say where it begins and ends"};
  }
  const std::string& plane = parameter<std::string>(operation, "plane");
  const Axis axis = axis_of_plane(plane);
  if (std::llround(component(from, axis)) != std::llround(component(to, axis))) {
    return Error{"has a line that leaves its " + plane + " slice", input.name(),
                 std::string("give both ends the same ") + axis_name(axis)};
  }
  for (const Axis each : {Axis::z, Axis::x, Axis::y}) {
    const std::int64_t last = plane_count(input.size(), each) - 1;
    for (const double at : {component(from, each), component(to, each)}) {
      // As far as the edges of the outermost pixels.
      if (at >= -0.5 && at <= static_cast<double>(last) + 0.5) continue;
      return Error{std::string("has a line that leaves the image along ") + axis_name(each),
                   input.name(),
                   std::string("choose ") + axis_name(each) + " from 0 to " + std::to_string(last)};
    }
  }
  return {};
}

std::uint64_t bytes_of_line(const Operation& operation, const Dataset& input) {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  plane_shape(input.size(), axis_of_plane(parameter<std::string>(operation, "plane")), rows, cols);
  return static_cast<std::uint64_t>(rows * cols) * sizeof(float);
}

Curve curve_of(const LineProfile& profile, const std::optional<PeakWidth>& peak,
               const std::string& unit) {
  Curve curve;
  curve.id = "profile";
  curve.label = "Profile";
  curve.x = {"distance", "Distance", unit, profile.distance};
  curve.ys.push_back({"value", "Grey value", "", profile.values});
  if (peak) curve.levels.push_back({peak->level, "half maximum"});
  return curve;
}

Table table_of_line(const LineProfile& profile, const std::optional<PeakWidth>& peak, double pixels,
                    const std::string& unit) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  double low = kNone;
  double high = kNone;
  std::int64_t seen = 0;
  for (const double value : profile.values) {
    if (std::isnan(value)) continue;
    sum += value;
    low = std::fmin(low, value);
    high = std::fmax(high, value);
    ++seen;
  }
  Table table;
  table.id = "line";
  table.label = "Line";
  const auto column = [&](const char* id, const char* label, std::string of, double value) {
    table.columns.push_back({id, label, std::move(of), std::vector<double>{value}});
  };
  column("length", "Length", unit, profile.distance.back());
  column("half_width", "Width at half maximum", unit, peak ? peak->width() : kNone);
  column("mean", "Mean", "", seen > 0 ? sum / static_cast<double>(seen) : kNone);
  column("minimum", "Minimum", "", low);
  column("maximum", "Maximum", "", high);
  if (unit != "px") column("length_px", "Length", "px", pixels);
  return table;
}

Result<Measurement> measure_line(const Operation& operation, const Dataset& input,
                                 const JobContext& context) {
  const LineInSlice line = *line_of(operation);
  const auto mode = value_of(kReconstructionModes, parameter<std::string>(operation, "mode"));
  if (context.stop_requested()) return cancelled_error();
  const Plane plane = input.slice(mode, line.axis, line.index);
  if (plane.values.empty()) {
    return Error{"has a slice that there is no memory for", input.name(),
                 "close other data or programs"};
  }
  ProfileOptions options;
  options.row_step = component(input.voxel(), row_axis(line.axis));
  options.col_step = component(input.voxel(), col_axis(line.axis));
  options.width = static_cast<int>(parameter<std::int64_t>(operation, "width"));
  const LineProfile profile = line_profile(plane, line.line, options);
  const auto peak = width_at_half_maximum(profile);
  const double pixels =
      std::hypot(line.line.to.row - line.line.from.row, line.line.to.col - line.line.from.col);
  Measurement found;
  found.curves.push_back(curve_of(profile, peak, input.voxel().unit));
  found.tables.push_back(table_of_line(profile, peak, pixels, input.voxel().unit));
  found.tables.push_back(table_of(found.curves.front()));
  found.curves.front().in_table = found.tables.back().id;
  if (input.is_apr()) {
    found.notes.push_back("particles as pixels: " + parameter<std::string>(operation, "mode") +
                          " reconstruction");
  }
  return found;
}

}  // namespace

OperationType line_operation() {
  OperationType type;
  type.schema = line_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "line_profile";
  type.traits.panel = "measure";
  type.takes = takes_line;
  type.cpu.bytes = bytes_of_line;
  type.cpu.measure = measure_line;
  return type;
}

}  // namespace aprscope
