// Filters with a stencil.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/operations/filter/filter_parameters.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/filters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

using Vector = std::array<double, 3>;
using Stencils = Result<std::vector<Stencil>>;

const std::vector<DataKind> kBoth{DataKind::pixels, DataKind::apr};

Vector as_array(const Size3& size) {
  return {static_cast<double>(size.z), static_cast<double>(size.x), static_cast<double>(size.y)};
}

Vector voxel_array(const VoxelSize& voxel) { return {voxel.z, voxel.x, voxel.y}; }

ParameterSpec sigma(double value) {
  return vector3("sigma", "Sigma", value)
      .range(0, 100)
      .unit("px")
      .help(
          "Standard deviation of the Gaussian in z, x, y. Larger smooths more; 0 does not smooth "
          "along that axis.");
}

ParameterSpec sigma_unit() {
  return choice("sigma_unit", "Unit of sigma", {"pixels", "physical"})
      .alias("unit")
      .help(
          "Whether sigma is in pixels, or in the physical unit of the voxel size, which smooths "
          "equally in all directions where voxels are not cubes.");
}

ParameterSpec distance_unit() {
  return choice("distance_unit", "Unit of distance", {"pixels", "physical"})
      .alias("unit")
      .help("Whether derivatives are per pixel or per physical unit of the image.");
}

ParameterSpec automatic_size() {
  return stencil_size(0, 0, 255).help(
      "Size of the stencil in z, x, y (odd); 0 takes 3 sigma on both sides.");
}

// Sigma in pixels; a dimension of one pixel is not smoothed. A physical sigma may be many pixels;
// the stencil then would not fit anywhere.
Result<Vector> sigma_in_pixels(const Operation& op, const VoxelSize& voxel, const Size3& size) {
  Vector sigma = parameter<Vector>(op, "sigma");
  if (parameter<std::string>(op, "sigma_unit") == "physical") {
    const Vector distance = voxel_array(voxel);
    for (std::size_t d = 0; d < 3; ++d) sigma[d] /= distance[d];
  }
  const Vector extent = as_array(size);
  for (std::size_t d = 0; d < 3; ++d) {
    if (extent[d] <= 1.0) sigma[d] = 0.0;
  }
  for (const double s : sigma) {
    if (!std::isfinite(s) || s > 1000.0) {
      return Error{"sigma is " + std::to_string(s) + " pixels in this image", "",
                   "use a smaller sigma or check the voxel size"};
    }
  }
  return sigma;
}

Vector distances(const Operation& op, const VoxelSize& voxel) {
  if (parameter<std::string>(op, "distance_unit") == "physical") return voxel_array(voxel);
  return {1.0, 1.0, 1.0};
}

Stencil derivative(bool sobel, Axis axis, double distance, const Size3& size) {
  if (!sobel) return central_difference_stencil(axis, distance);
  Stencil full = sobel_stencil(axis, distance);
  // In a dimension of one pixel there is nothing to smooth across: with its factor summed up the
  // stencil acts on the line or plane that the image is.
  const std::array<std::int64_t, 3> extent{size.z, size.x, size.y};
  const std::array<std::int64_t, 3> old{full.size.z, full.size.x, full.size.y};
  std::array<std::int64_t, 3> now = old;
  for (std::size_t d = 0; d < 3; ++d) {
    if (extent[d] <= 1 && d != static_cast<std::size_t>(axis)) now[d] = 1;
  }
  Stencil out;
  out.name = full.name;
  out.size = {now[0], now[1], now[2]};
  out.weights.assign(static_cast<std::size_t>(now[0] * now[1] * now[2]), 0.0);
  for (std::int64_t z = 0; z < old[0]; ++z) {
    for (std::int64_t x = 0; x < old[1]; ++x) {
      for (std::int64_t y = 0; y < old[2]; ++y) {
        const auto to = ((z % now[0]) * now[1] + x % now[1]) * now[2] + y % now[2];
        const auto from = (z * old[1] + x) * old[2] + y;
        out.weights[static_cast<std::size_t>(to)] += full.weights[static_cast<std::size_t>(from)];
      }
    }
  }
  return out;
}

Stencils gaussian(const Operation& op, const VoxelSize& voxel, const Size3& size) {
  const auto sigma = sigma_in_pixels(op, voxel, size);
  if (!sigma) return sigma.error();
  return std::vector{wide_gaussian_stencil(*sigma, size_in_pixels(op, size))};
}

Stencils laplacian_of_gaussian(const Operation& op, const VoxelSize& voxel, const Size3& size) {
  const auto sigma = sigma_in_pixels(op, voxel, size);
  if (!sigma) return sigma.error();
  return std::vector{log_stencil(*sigma, size_in_pixels(op, size))};
}

Stencils sharpen(const Operation& op, const VoxelSize& voxel, const Size3& size) {
  const auto sigma = sigma_in_pixels(op, voxel, size);
  if (!sigma) return sigma.error();
  return std::vector{sharpen_stencil(*sigma, parameter<double>(op, "amount"))};
}

Stencils box(const Operation& op, const VoxelSize&, const Size3& size) {
  return std::vector{wide_box_stencil(size_in_pixels(op, size))};
}

Stencils laplacian(const Operation& op, const VoxelSize& voxel, const Size3&) {
  return std::vector{laplacian_stencil(distances(op, voxel))};
}

Stencils gradient(const Operation& op, const VoxelSize& voxel, const Size3& size) {
  const bool sobel = parameter<std::string>(op, "kind") == "sobel";
  const Vector d = distances(op, voxel);
  const std::string& component = parameter<std::string>(op, "component");
  std::vector<Stencil> stencils;
  const std::array<std::pair<const char*, Axis>, 3> axes{
      {{"z", Axis::z}, {"x", Axis::x}, {"y", Axis::y}}};
  for (const auto& [name, axis] : axes) {
    if (component != "magnitude" && component != name) continue;
    stencils.push_back(derivative(sobel, axis, d[static_cast<std::size_t>(axis)], size));
  }
  return stencils;
}

Stencils custom(const Operation& op, const VoxelSize&, const Size3&) {
  return std::vector{parameter<Stencil>(op, "stencil")};
}

// Grey values stay what they are where weights are normalized and none is negative.
Range range_of_custom(const Operation& op) {
  const Stencil& stencil = parameter<Stencil>(op, "stencil");
  const bool own =
      !parameter<bool>(op, "normalize") ||
      std::any_of(stencil.weights.begin(), stencil.weights.end(), [](double w) { return w < 0.0; });
  return own ? Range::own : Range::of_input;
}

OperationType smoothing(OperationSchema schema, FilterPart::MakeStencils stencils) {
  return filter_operation(convolution_schema(std::move(schema), "restricted", true),
                          FilterPart::convolution(std::move(stencils)));
}

// Differences, whose values are others than the image's.
OperationType differences(OperationSchema schema, FilterPart::MakeStencils stencils) {
  auto type = filter_operation(convolution_schema(std::move(schema), "rescaled", false),
                               FilterPart::convolution(std::move(stencils)));
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace

std::vector<OperationType> convolution_operations() {
  std::vector<OperationType> all;
  all.push_back(smoothing(
      operation_schema("gaussian", "Gaussian", "Smooth", kBoth, "Smooths with a Gaussian.")
          .with(sigma(2.0))
          .with(sigma_unit())
          .with(automatic_size()),
      gaussian));
  all.push_back(smoothing(
      operation_schema("box", "Box mean", "Smooth", kBoth, "Smooths with equal weights in a box.")
          .with(stencil_size(3, 1, 255).help("Size of the box in z, x, y "
                                             "(odd).")),
      box));
  all.push_back(
      smoothing(operation_schema("sharpen", "Sharpen", "Edges", kBoth,
                                 "Sharpens by adding the difference between the image and its "
                                 "Gaussian-smoothed copy (unsharp masking).")
                    .with(sigma(1.0))
                    .with(sigma_unit())
                    .with(real("amount", "Amount", 1.0)
                              .range(0, 100)
                              .help("Factor of the difference between image and smoothed image "
                                    "that is added. Larger sharpens more and amplifies noise.")),
                sharpen));
  all.push_back(differences(
      operation_schema("laplacian", "Laplacian", "Edges", kBoth, "Sum of the second derivatives.")
          .with(distance_unit()),
      laplacian));
  all.push_back(differences(
      operation_schema("log", "Laplacian of Gaussian", "Edges", kBoth,
                       "Second derivatives of the smoothed image; finds blobs and edges.")
          .with(sigma(2.0))
          .with(sigma_unit())
          .with(automatic_size()),
      laplacian_of_gaussian));
  all.push_back(
      differences(operation_schema("gradient", "Gradient", "Edges", kBoth,
                                   "First derivatives: one component, or their magnitude.")
                      .with(choice("kind", "Kind", {"central", "sobel"})
                                .help("central: central differences; sobel: also smooths across "
                                      "the direction of the derivative, so noise matters less."))
                      .with(choice("component", "Component", {"magnitude", "z", "x", "y"})
                                .alias("axis")
                                .help("magnitude: the length of the gradient; z, x, y: its "
                                      "component along that axis."))
                      .with(distance_unit()),
                  gradient));
  return all;
}

OperationType custom_operation() {
  auto type = filter_operation(
      convolution_schema(operation_schema("custom", "Custom stencil", "Stencil", kBoth,
                                          "Convolves with a stencil given by hand or by a file.")
                             .with(weights("stencil", "Stencil")
                                       .help("The weights that the values around each pixel are "
                                             "multiplied with, not flipped (correlation).")),
                         "restricted", false),
      FilterPart::convolution(custom));
  type.range = range_of_custom;
  return type;
}

}  // namespace aprscope
