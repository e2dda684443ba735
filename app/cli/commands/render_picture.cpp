#include "app/cli/commands/render_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "app/cli/shared/options.hpp"
#include "core/apr/raycast/raycast.hpp"
#include "core/apr/raycast/surface_shading.hpp"
#include "core/image/histogram.hpp"
#include "core/operations/schema/region_text.hpp"

namespace aprscope::cli {
namespace {

constexpr int kLargest = 16384;
constexpr int kUsualSide = 512;

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

double largest_value(const Dataset& data) {
  return data.is_apr() ? histogram(data.values().particles()).maximum
                       : histogram(data.volume()).maximum;
}

// Resizes by nearest neighbour, so that pixels and cells keep sharp edges.
RenderedValues resized(const RenderedValues& from, int width, int height) {
  RenderedValues to{width, height, {}};
  to.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::int64_t row = 0; row < height; ++row) {
    const std::int64_t source = row * from.height / height;
    for (std::int64_t col = 0; col < width; ++col) {
      to.values[static_cast<std::size_t>(row * width + col)] =
          from.values[static_cast<std::size_t>(source * from.width + col * from.width / width)];
    }
  }
  return to;
}

Result<RenderedValues> slice(const RenderOptions& options, const Dataset& data, Session& session) {
  const Axis axis = options.axis == "x" ? Axis::x : options.axis == "y" ? Axis::y : Axis::z;
  const std::int64_t count = plane_count(data.size(), axis);
  if (options.index >= count) {
    return Error{"has no slice " + std::to_string(options.index) + " along " + options.axis,
                 options.input.path, "use 0 to " + std::to_string(count - 1)};
  }
  const std::int64_t index = options.index < 0 ? (count - 1) / 2 : options.index;
  const auto mode = options.mode == "smooth"  ? ReconstructionMode::smooth
                    : options.mode == "level" ? ReconstructionMode::level
                                              : ReconstructionMode::constant;
  const Plane plane = session.timed("render", [&] { return data.slice(mode, axis, index); });
  RenderedValues picture{static_cast<int>(plane.cols), static_cast<int>(plane.rows), plane.values};
  const auto [width, height] = wanted_size(options);
  session.report()["index"] = index;
  return width > 0 ? resized(picture, width, height) : picture;
}

Result<RenderedValues> surface(const RenderOptions& options, const Dataset& data,
                               const Raycaster& rays, const RayCamera& camera,
                               std::pair<int, int> sides, Session& session) {
  const auto at = static_cast<float>(*options.at);
  auto image = session.timed("render", [&] {
    return lit_surface(rays, camera, sides.first, sides.second, {at, data.voxel()},
                       session.context());
  });
  if (!image) return image.error();
  const bool there = std::any_of(image->values.begin(), image->values.end(),
                                 [](float v) { return !std::isnan(v); });
  if (!there) {
    return Error{"shows no value of at least " + number_text(*options.at) + " here",
                 options.input.path, "choose a smaller one by --at, or look elsewhere"};
  }
  return RenderedValues{image->width, image->height, std::move(image->values),
                        Contrast{0.0, 1.0, 1.0}};
}

Result<RenderedValues> in_space(const RenderOptions& options, const Dataset& data,
                                const std::optional<Contrast>& contrast, Session& session) {
  const auto only = clip_of(options, data);
  if (!only) return only.error();
  const auto raycaster = session.timed("build", [&] { return data.raycaster(session.context()); });
  if (!raycaster) return raycaster.error();
  const auto view = numbers_from("--camera", options.camera, 3);
  RayCamera camera = orbit_camera(data.size(), data.voxel(), view[0], view[1], view[2]);
  camera.only = *only;
  auto [width, height] = wanted_size(options);
  if (width == 0) width = height = kUsualSide;
  const Raycaster& rays = **raycaster;
  if (options.view == "surface") {
    return surface(options, data, rays, camera, {width, height}, session);
  }
  const auto depth = depth_of(options, data, session);
  std::optional<Contrast> used;
  if (depth) {
    used = contrast ? *contrast
                    : session.timed("contrast", [&] { return contrast_of(options, data); });
  }
  auto image = session.timed("render", [&, w = width, h = height] {
    return depth ? rays.translucent(camera, w, h, {*used, *depth}, session.context())
                 : rays.render(camera, w, h, rays.level_max(), session.context());
  });
  if (!image) return image.error();
  return RenderedValues{image->width, image->height, std::move(image->values), used};
}

}  // namespace

std::pair<int, int> wanted_size(const RenderOptions& options) {
  if (options.size.empty()) return {0, 0};
  const auto n = numbers_from("--size", options.size, 2);
  for (const double v : n) {
    if (v < 1.0 || v > kLargest || v != std::floor(v)) {
      wrong_usage("--size", "\"" + options.size + "\" is not a size in pixels up to 16384");
    }
  }
  return {static_cast<int>(n[0]), static_cast<int>(n[1])};
}

Contrast contrast_of(const RenderOptions& options, const Dataset& data) {
  if (options.contrast == "auto") {
    return automatic_contrast(data.is_apr() ? histogram(data.values().particles())
                                            : histogram(data.volume()));
  }
  const auto limits = numbers_from("--contrast", options.contrast, 2);
  return {limits[0], limits[1], 1.0};
}

Result<std::optional<Region>> clip_of(const RenderOptions& options, const Dataset& data) {
  if (options.clip.empty()) return std::optional<Region>();
  const auto box = region_in(options.clip, data.size());
  if (!box) {
    Error error = box.error();
    error.where = options.input.path;
    return error;
  }
  return std::optional(*box);
}

std::optional<double> depth_of(const RenderOptions& options, const Dataset& data,
                               Session& session) {
  if (options.view != "translucent") return std::nullopt;
  const double depth = options.depth.value_or(kUsualDepth * mean_side(data.size(), data.voxel()));
  session.report()["depth"] = depth;
  return depth;
}

Status check_shown(const RenderOptions& options, const Dataset& data) {
  if (!data.is_apr() && !options.mode.empty() && options.mode != "pixel") {
    return Error{"is a pixel image, which is shown in mode pixel only", options.input.path,
                 "leave --mode out or convert it"};
  }
  if (data.is_apr() && options.mode == "pixel") {
    return Error{"is an APR, which has no pixels of its own", options.input.path,
                 "use --mode constant, smooth or level"};
  }
  if (data.is_apr() && data.values().particles().empty() && options.mode != "level") {
    return Error{"has no particle values to show", options.input.path, "use --mode level"};
  }
  if (!options.at) return {};
  const double largest = largest_value(data);
  if (largest >= *options.at) return {};
  return Error{"has no value of at least " + number_text(*options.at) + ", the largest is " +
                   number_text(largest),
               options.input.path, "choose a smaller one by --at"};
}

Result<RenderedValues> picture_of(const RenderOptions& options, const Dataset& data,
                                  const std::optional<Contrast>& contrast, Session& session) {
  return options.view == "slice" ? slice(options, data, session)
                                 : in_space(options, data, contrast, session);
}

}  // namespace aprscope::cli
