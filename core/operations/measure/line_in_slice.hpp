#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/image/plane_axes.hpp"
#include "core/image/profile.hpp"
#include "core/operations/schema/operation.hpp"

// The line of the operation that measures a profile, as one that is drawn in a slice.
namespace aprscope {

/// Id of the operation.
constexpr const char* kLineProfile = "line_profile";

/// The component along an axis of a parameter that has three, z, x and y.
double component(const std::array<double, 3>& point, Axis axis);

/// The axis that the slices of a plane, "xy", "yz" or "xz", are perpendicular to.
Axis axis_of_plane(const std::string& plane);

/// A line in one slice of a volume.
struct LineInSlice {
  /// The axis that the slice is perpendicular to, and its index.
  Axis axis = Axis::z;
  std::int64_t index = 0;
  PlaneLine line;
  friend bool operator==(const LineInSlice&, const LineInSlice&) = default;
};

/// The line of such an operation; none: it is another one, or its ends are at one place.
std::optional<LineInSlice> line_of(const Operation& operation);

/// Such an operation with this line, its ends to a thousandth of a pixel.
Operation with_line(Operation operation, const LineInSlice& line);

}  // namespace aprscope
