#include <cmath>

#include "core/operations/schema/operation.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

Vector as_array(const Size3& size) {
  return {static_cast<double>(size.z), static_cast<double>(size.x), static_cast<double>(size.y)};
}

Vector voxel_array(const VoxelSize& voxel) { return {voxel.z, voxel.x, voxel.y}; }

// Sigma in pixels; a dimension of one pixel is not smoothed.
Vector sigma_in_pixels(const Operation& op, const VoxelSize& voxel, const Size3& size) {
  Vector sigma = parameter<Vector>(op, "sigma");
  if (parameter<std::string>(op, "sigma_unit") == "physical") {
    const Vector distance = voxel_array(voxel);
    for (std::size_t d = 0; d < 3; ++d) sigma[d] /= distance[d];
  }
  const Vector extent = as_array(size);
  for (std::size_t d = 0; d < 3; ++d) {
    if (extent[d] <= 1.0) sigma[d] = 0.0;
  }
  return sigma;
}

// The size asked for, 0 where automatic, 1 where the image has one pixel.
Size3 size_in_pixels(const Operation& op, const Size3& image) {
  const Vector& wanted = parameter<Vector>(op, "size");
  const auto fit = [](double n, std::int64_t pixels) {
    return pixels <= 1 ? std::int64_t{1} : static_cast<std::int64_t>(n);
  };
  return {fit(wanted[0], image.z), fit(wanted[1], image.x), fit(wanted[2], image.y)};
}

Vector distances(const Operation& op, const VoxelSize& voxel) {
  if (parameter<std::string>(op, "distance_unit") == "physical") return voxel_array(voxel);
  return {1.0, 1.0, 1.0};
}

// A physical sigma may be many pixels; the stencil then would not fit anywhere.
Status check_sigma(const Vector& sigma) {
  for (const double s : sigma) {
    if (!std::isfinite(s) || s > 1000.0) {
      return Error{"sigma is " + std::to_string(s) + " pixels in this image", "",
                   "use a smaller sigma or check the voxel size"};
    }
  }
  return {};
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

}  // namespace

Result<std::vector<Stencil>> stencils_of(const Operation& operation, const VoxelSize& voxel,
                                         const Size3& size) {
  auto whole = complete(operation);
  if (!whole) return whole.error();
  const Operation& op = *whole;
  for (const double d : voxel_array(voxel)) {
    if (!(d > 0.0) || !std::isfinite(d)) {
      return Error{"the voxel size is not positive", op.id, "set the voxel size of the image"};
    }
  }
  if (op.parameters.contains("sigma")) {
    const Vector sigma = sigma_in_pixels(op, voxel, size);
    if (Status ok = check_sigma(sigma); !ok) return ok.error();
    if (op.id == "gaussian") {
      return std::vector{wide_gaussian_stencil(sigma, size_in_pixels(op, size))};
    }
    if (op.id == "log") return std::vector{log_stencil(sigma, size_in_pixels(op, size))};
    return std::vector{sharpen_stencil(sigma, parameter<double>(op, "amount"))};
  }
  if (op.id == "box") return std::vector{wide_box_stencil(size_in_pixels(op, size))};
  if (op.id == "laplacian") return std::vector{laplacian_stencil(distances(op, voxel))};
  if (op.id == "gradient") {
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
  if (op.id == "custom") return std::vector{parameter<Stencil>(op, "stencil")};
  return Error{op.id + " is not a convolution", "", "choose a filter with a stencil"};
}

}  // namespace aprscope
