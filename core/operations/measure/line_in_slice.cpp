#include "core/operations/measure/line_in_slice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aprscope {
namespace {

// Where the component along an axis stands among z, x and y.
std::size_t place_of(Axis axis) { return axis == Axis::z ? 0 : axis == Axis::x ? 1 : 2; }

const char* plane_word(Axis axis) { return axis == Axis::z ? "xy" : axis == Axis::x ? "yz" : "xz"; }

}  // namespace

double component(const std::array<double, 3>& point, Axis axis) { return point[place_of(axis)]; }

Axis axis_of_plane(const std::string& plane) {
  return plane == "yz" ? Axis::x : plane == "xz" ? Axis::y : Axis::z;
}

std::optional<LineInSlice> line_of(const Operation& operation) {
  if (operation.id != kLineProfile) return std::nullopt;
  const auto& from = parameter<std::array<double, 3>>(operation, "start");
  const auto& to = parameter<std::array<double, 3>>(operation, "end");
  if (from == to) return std::nullopt;
  LineInSlice out;
  out.axis = axis_of_plane(parameter<std::string>(operation, "plane"));
  out.index = std::llround(std::clamp(component(from, out.axis), -1e15, 1e15));
  // Of a plane (0.5, 0.5) is the middle of the first pixel.
  const auto place = [&](const std::array<double, 3>& p) {
    return PlanePoint{component(p, row_axis(out.axis)) + 0.5,
                      component(p, col_axis(out.axis)) + 0.5};
  };
  out.line = {place(from), place(to)};
  return out;
}

Operation with_line(Operation operation, const LineInSlice& line) {
  const auto point = [&](const PlanePoint& p) {
    // Thousandths of a pixel: more could not be drawn, and would be long to read.
    const auto rounded = [](double v) { return std::round(1000.0 * (v - 0.5)) / 1000.0; };
    std::array<double, 3> out{};
    out[place_of(line.axis)] = static_cast<double>(line.index);
    out[place_of(row_axis(line.axis))] = rounded(p.row);
    out[place_of(col_axis(line.axis))] = rounded(p.col);
    return out;
  };
  operation.parameters["start"] = point(line.line.from);
  operation.parameters["end"] = point(line.line.to);
  operation.parameters["plane"] = std::string(plane_word(line.axis));
  return operation;
}

}  // namespace aprscope
