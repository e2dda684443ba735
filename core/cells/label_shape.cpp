#include "core/cells/label_shape.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/cells/principal_axes.hpp"

namespace aprscope {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Moments about the first corner of its box: whole numbers, the same wherever the object lies.
struct Moments {
  std::array<double, 3> mean{};
  std::array<std::array<double, 3>, 3> covariance{};
};
Moments moments(const LabelSums& sums) {
  const Int128 n = sums.voxels;
  const Int128 origin[3] = {sums.box.begin.z, sums.box.begin.x, sums.box.begin.y};
  constexpr std::size_t kEntry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  Int128 first[3];
  for (std::size_t i = 0; i < 3; ++i) first[i] = sums.first[i] - n * origin[i];
  const auto count = static_cast<double>(n);
  Moments out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.mean[i] = static_cast<double>(origin[i]) + static_cast<double>(first[i]) / count;
    for (std::size_t j = 0; j < 3; ++j) {
      const Int128 second = sums.second[kEntry[i][j]] - origin[i] * sums.first[j] -
                            origin[j] * sums.first[i] + n * origin[i] * origin[j];
      out.covariance[i][j] =
          static_cast<double>(second) / count -
          (static_cast<double>(first[i]) / count) * (static_cast<double>(first[j]) / count);
    }
  }
  return out;
}

void add_axes(const Moments& moments, const VoxelSize& voxel, bool flat, LabelShape& out) {
  const double side[3] = {voxel.z, voxel.x, voxel.y};
  std::array<std::array<double, 3>, 3> m{};
  for (std::size_t i = flat ? 1 : 0; i < 3; ++i) {
    for (std::size_t j = flat ? 1 : 0; j < 3; ++j) {
      m[i][j] = moments.covariance[i][j] * side[i] * side[j];
    }
    m[i][i] += side[i] * side[i] / 12.0;
  }
  const PrincipalAxes found = principal_axes(m);
  for (std::size_t i = 0; i < 3; ++i) {
    out.semi_axes[i] = std::sqrt((flat ? 4.0 : 5.0) * std::max(0.0, found.values[i]));
  }
  out.elongation = out.semi_axes[0] / out.semi_axes[1];
  out.flatness = out.semi_axes[1] / out.semi_axes[2];
  if (flat) out.semi_axes[2] = out.flatness = kUnknown;
  std::array<double, 3> axis = found.axes[0];
  // Of both directions of the axis, the one towards y; if that is 0, x; else z.
  const bool turned = axis[2] != 0.0   ? axis[2] < 0.0
                      : axis[1] != 0.0 ? axis[1] < 0.0
                                       : axis[0] < 0.0;
  for (double& one : axis) one = turned ? -one : one;
  out.azimuth = std::atan2(axis[1], axis[2]) * 180.0 / kPi;
  if (out.azimuth <= -90.0) out.azimuth = 90.0;
  out.elevation = std::atan2(axis[0], std::hypot(axis[1], axis[2])) * 180.0 / kPi;
}

}  // namespace

double face_area(std::int64_t y, std::int64_t x, std::int64_t z, const VoxelSize& voxel,
                 bool flat) {
  const double height = flat ? 1.0 : voxel.z;
  return static_cast<double>(y) * height * voxel.x + static_cast<double>(x) * height * voxel.y +
         (flat ? 0.0 : static_cast<double>(z) * voxel.x * voxel.y);
}

double contact_area(const std::array<std::int64_t, 3>& faces, const VoxelSize& voxel, bool flat) {
  return std::hypot(face_area(faces[0], 0, 0, voxel, flat), face_area(0, faces[1], 0, voxel, flat),
                    face_area(0, 0, faces[2], voxel, flat));
}

LabelShape label_shape(const LabelSums& sums, const Size3& size, const VoxelSize& voxel,
                       const CroftonWeights& weights) {
  const bool flat = size.z == 1;
  LabelShape out;
  const double each = (flat ? 1.0 : voxel.z) * voxel.x * voxel.y;
  out.volume = static_cast<double>(sums.voxels) * each;
  out.digital_surface =
      face_area(sums.crossings[0], sums.crossings[1], sums.crossings[2], voxel, flat);
  if (flat) {
    out.diameter = 2.0 * std::sqrt(out.volume / kPi);
    out.surface = weights.perimeter(sums.crossings);
    out.sphericity = 4.0 * kPi * out.volume / (out.surface * out.surface);
    out.breadth = out.digital_breadth = kUnknown;
  } else {
    out.diameter = std::cbrt(6.0 * out.volume / kPi);
    out.surface = weights.surface(sums.crossings);
    out.sphericity = std::cbrt(kPi) * std::pow(6.0 * out.volume, 2.0 / 3.0) / out.surface;
    // Half of the first intrinsic volume: of an open box (−1)^(k − 1) times the sum of its sides.
    const double side[3] = {voxel.y, voxel.x, voxel.z};
    double first = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::int64_t along = 0;
      for (unsigned s = 0; s < 8; ++s) {
        if ((s >> axis & 1U) == 0) continue;
        along += std::popcount(s) % 2 == 1 ? sums.strata[s] : -sums.strata[s];
      }
      first += side[axis] * static_cast<double>(along);
    }
    out.digital_breadth = first / 2.0;
    out.breadth = out.digital_breadth * 2.0 / 3.0;
  }
  // In one slice only strata that extend along z count.
  for (unsigned s = flat ? 4 : 0; s < 8; ++s) {
    const int dimension = std::popcount(flat ? s & 3U : s);
    out.euler += dimension % 2 == 0 ? sums.strata[s] : -sums.strata[s];
  }
  const Moments of = moments(sums);
  out.centroid = of.mean;
  add_axes(of, voxel, flat, out);
  const auto at_border = [](std::int64_t begin, std::int64_t end, std::int64_t n) {
    return begin == 0 || end == n;
  };
  out.touches_border = (!flat && at_border(sums.box.begin.z, sums.box.end.z, size.z)) ||
                       at_border(sums.box.begin.x, sums.box.end.x, size.x) ||
                       at_border(sums.box.begin.y, sums.box.end.y, size.y);
  return out;
}

}  // namespace aprscope
