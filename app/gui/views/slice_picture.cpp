#include "app/gui/views/slice_picture.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/widgets/level_legend.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/image/histogram.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

// More dots could not be told apart on a screen, and would take long to draw.
constexpr std::size_t kMostDots = 200'000;

// Cuts a slice out of values that are stored pixel by pixel.
Plane slice_values(const std::vector<float>& values, const Size3& size, Axis axis,
                   std::int64_t index) {
  Plane plane;
  plane_shape(size, axis, plane.rows, plane.cols);
  plane.values.resize(static_cast<std::size_t>(plane.rows * plane.cols));
  std::int64_t start = 0;
  std::int64_t row_step = 0;
  std::int64_t col_step = 1;
  switch (axis) {
    case Axis::z:
      start = index * size.x * size.y;
      row_step = size.y;
      break;
    case Axis::x:
      start = index * size.y;
      row_step = size.x * size.y;
      break;
    case Axis::y:
      start = index;
      row_step = size.x * size.y;
      col_step = size.y;
      break;
  }
  for (std::int64_t r = 0; r < plane.rows; ++r) {
    for (std::int64_t c = 0; c < plane.cols; ++c) {
      plane.values[static_cast<std::size_t>(r * plane.cols + c)] =
          values[static_cast<std::size_t>(start + r * row_step + c * col_step)];
    }
  }
  return plane;
}

void show_levels(const Dataset& data, SlicePicture& picture) {
  const AprAccess& access = *data.apr().access;
  picture.contrast = level_contrast(access);
  picture.colormap = kLevelColors;
  picture.legend = level_legend(access, data.voxel());
}

// Makes the picture of particles with these `values`; `tree` has the tree's means, for smooth.
void show_particles(const SliceRequest& request, ShowMode mode, const std::vector<float>& values,
                    const std::vector<float>& tree, SlicePicture& picture) {
  const AprAccess& access = *request.dataset->apr().access;
  picture.mode = mode;
  switch (mode) {
    case ShowMode::dots:
      picture.dots = slice_dots(access, values, request.axis, request.index, kMostDots);
      break;
    case ShowMode::level:
      picture.plane =
          slice_particles(access, {}, ReconstructionMode::level, request.axis, request.index);
      show_levels(*request.dataset, picture);
      break;
    case ShowMode::smooth:
      picture.plane = slice_particles(access, values, tree, ReconstructionMode::smooth,
                                      request.axis, request.index);
      break;
    case ShowMode::pixel:
    case ShowMode::constant:
      picture.plane = slice_particles(access, values, ReconstructionMode::constant, request.axis,
                                      request.index);
      break;
  }
}

// Sets the contrast from a previewed slice; it is the same for all slices of one operation.
void fit_contrast(const SliceRequest& request, const Plane& plane, SlicePicture& picture) {
  PreviewBuffer& buffer = *request.buffer;
  if (range_of(*request.filter) != Range::own || plane.values.empty()) return;
  if (buffer.contrast_of != request.filter) {
    buffer.contrast = automatic_contrast(histogram(plane.values));
    buffer.contrast_of = request.filter;
  }
  picture.contrast = buffer.contrast;
}

// Whether the filter changes the picture; it does not change levels.
bool is_filtered(const SliceRequest& request) {
  return request.filter && request.mode != ShowMode::level;
}

bool is_smooth(const SliceRequest& request) {
  return request.dataset->is_apr() && request.mode == ShowMode::smooth && request.refine;
}

bool same_preview(const SliceRequest& a, const SliceRequest& b) {
  return is_filtered(a) && is_filtered(b) && a.dataset == b.dataset && a.filter == b.filter &&
         a.backend == b.backend && a.buffer == b.buffer;
}

// The region in which values have to be computed for a slice.
Region filtered_region(const SliceRequest& request) {
  const Size3 size = request.dataset->size();
  if (!is_smooth(request))
    return region_of_slices(size, request.axis, request.index, request.index + 1);
  // Smooth pictures interpolate between cells as large as the one at the pixel, so they need
  // everything within two of the largest cells.
  const AprAccess& access = *request.dataset->apr().access;
  const std::int64_t reach = std::int64_t{2} << (access.level_max() - access.level_min_used());
  return region_of_slices(size, request.axis, request.index - reach, request.index + reach + 1);
}

// How particles are shown after a filter: until a smooth picture is refined, it is constant.
ShowMode preview_mode(const SliceRequest& request) {
  if (request.mode == ShowMode::pixel) return ShowMode::constant;
  return request.mode == ShowMode::smooth && !request.refine ? ShowMode::constant : request.mode;
}

// Slices of one preview that the device cut itself; none: it does not, or not all are of that kind.
Result<std::optional<std::vector<Plane>>> cut_by_device(std::span<const SliceRequest> requests,
                                                        const Operation& filter,
                                                        const JobContext& context) {
  const SliceRequest& first = requests.front();
  std::vector<SlicePlace> places;
  for (const SliceRequest& request : requests) {
    if (!request.dataset->is_apr() || preview_mode(request) != ShowMode::constant) {
      return std::optional<std::vector<Plane>>();
    }
    places.push_back({request.axis, request.index});
  }
  return first.backend->filtered_slices(filter, *first.dataset, places, context);
}

// What the slices of one preview are cut from, or they themselves.
struct PreviewValues {
  // The means that smooth pictures interpolate.
  std::vector<float> tree;
  // One for each request; empty: they are cut from the values of the shared buffer.
  std::vector<Plane> planes;
};

// Computes what the slices of one preview need: their planes, or values in their shared buffer.
Status compute_preview(std::span<const SliceRequest> requests, PreviewValues& out,
                       const JobContext& context) {
  const SliceRequest& first = requests.front();
  const Dataset& data = *first.dataset;
  PreviewBuffer& buffer = *first.buffer;
  if (buffer.dataset != first.dataset) {
    buffer.dataset = first.dataset;
    buffer.asked.reset();
    const auto count = data.is_apr() ? data.apr().access->count()
                                     : static_cast<std::uint64_t>(data.size().count());
    if (buffer.values.size() != count) buffer.values = {};
  }
  // Finding automatic parameters takes the whole data, so it is done once for all slices.
  if (buffer.asked != first.filter) {
    buffer.settled = settled(*first.filter, data, context);
    if (context.stop_requested()) return cancelled_error();
    buffer.asked = first.filter;
  }
  auto planes = cut_by_device(requests, buffer.settled, context);
  if (!planes) {
    buffer.dataset.reset();
    return planes.error();
  }
  out.planes.clear();
  if (*planes) {
    out.planes = **std::move(planes);
    return {};
  }
  std::vector<Region> regions;
  for (const SliceRequest& request : requests) regions.push_back(filtered_region(request));
  Status done = first.backend->run_regions(buffer.settled, data, regions, buffer.values, context);
  if (!done) {
    buffer.dataset.reset();
    return done;
  }
  if (std::any_of(requests.begin(), requests.end(), is_smooth)) {
    auto filled = fill_tree(*data.apr().access, buffer.values, Reduction::mean, context);
    if (!filled) return filled.error();
    out.tree = *std::move(filled);
  }
  return {};
}

// Makes the picture of a slice from what was computed before; `number`: of the request in its
// preview.
SlicePicture filtered_picture(const SliceRequest& request, PreviewValues& made, std::size_t number,
                              SlicePicture picture) {
  const Dataset& data = *request.dataset;
  const PreviewBuffer& buffer = *request.buffer;
  picture.preview = true;
  if (!data.is_apr()) {
    picture.plane = slice_values(buffer.values, data.size(), request.axis, request.index);
    picture.mode = ShowMode::pixel;
  } else {
    picture.provisional = request.mode == ShowMode::smooth && !request.refine;
    if (made.planes.empty()) {
      show_particles(request, preview_mode(request), buffer.values, made.tree, picture);
    } else {
      picture.mode = ShowMode::constant;
      picture.plane = std::move(made.planes[number]);
    }
  }
  if (picture.mode == ShowMode::dots) {
    Plane values;
    for (const SliceDot& dot : picture.dots) values.values.push_back(dot.value);
    fit_contrast(request, values, picture);
  } else if (picture.mode != ShowMode::level) {
    fit_contrast(request, picture.plane, picture);
  }
  return picture;
}

// Replaces the pixels of the live image's region, or all pixels.
void paint_live(const LiveImage& live, SlicePicture& picture) {
  picture.preview = true;
  picture.caption = live.caption;
  if (picture.mode == ShowMode::level) return;
  if (live.dataset) picture.contrast = live.contrast;
  const Index3& begin = live.region.begin;
  const Index3& end = live.region.end;
  const Size3 size = live.pixels.size;
  if (live.pixels.values.empty() || picture.plane.values.empty()) return;
  const auto row_of = [&](const Index3& p) { return picture.axis == Axis::z ? p.x : p.z; };
  const auto col_of = [&](const Index3& p) { return picture.axis == Axis::y ? p.x : p.y; };
  const auto across = [&](const Index3& p) {
    return picture.axis == Axis::z ? p.z : picture.axis == Axis::x ? p.x : p.y;
  };
  if (picture.index < across(begin) || picture.index >= across(end)) return;
  picture.contrast = live.contrast;
  for (std::int64_t r = row_of(begin); r < row_of(end); ++r) {
    for (std::int64_t c = col_of(begin); c < col_of(end); ++c) {
      Index3 p;
      p.z = (picture.axis == Axis::z ? picture.index : r) - begin.z;
      p.x = (picture.axis == Axis::z ? r : picture.axis == Axis::x ? picture.index : c) - begin.x;
      p.y = (picture.axis == Axis::y ? picture.index : c) - begin.y;
      picture.plane.values[static_cast<std::size_t>(r * picture.plane.cols + c)] =
          live.pixels.values[static_cast<std::size_t>((p.z * size.x + p.x) * size.y + p.y)];
    }
  }
}

// The maximum of a slab of slices, each made by make(index).
template <class Make>
Result<Plane> maximum(const SliceRequest& request, const JobContext& context, const Make& make) {
  const std::int64_t count = plane_count(request.dataset->size(), request.axis);
  const std::int64_t first = std::max<std::int64_t>(0, request.index - (request.slab - 1) / 2);
  const std::int64_t end = std::min(count, request.index + request.slab / 2 + 1);
  Plane out = make(first);
  for (std::int64_t i = first + 1; i < end; ++i) {
    if (context.stop_requested()) return cancelled_error();
    const Plane next = make(i);
    if (next.values.size() != out.values.size()) break;
    std::transform(out.values.begin(), out.values.end(), next.values.begin(), out.values.begin(),
                   [](float a, float b) { return std::max(a, b); });
  }
  return out;
}

// Whether the picture of a request is the maximum of several slices.
bool is_slab(const SliceRequest& request) {
  return request.slab > 1 && !request.filter && !request.live && request.mode != ShowMode::level &&
         request.mode != ShowMode::dots;
}

ReconstructionMode reconstruction(ShowMode mode) {
  return mode == ShowMode::smooth ? ReconstructionMode::smooth : ReconstructionMode::constant;
}

// A slab of pixels or of particles.
Result<SlicePicture> slab_picture(const SliceRequest& request, SlicePicture picture,
                                  const JobContext& context) {
  picture.preview = request.conversion || request.label_preview;
  picture.slab = request.slab;
  picture.mode = request.mode;
  const bool pixels =
      !request.dataset->is_apr() || (request.mode == ShowMode::pixel && request.pixels);
  if (pixels) picture.mode = ShowMode::pixel;
  const Dataset& from = pixels && request.dataset->is_apr() ? *request.pixels : *request.dataset;
  auto plane = maximum(request, context, [&](std::int64_t index) {
    return pixels ? slice_pixels(from.volume(), request.axis, index)
                  : from.slice(reconstruction(request.mode), request.axis, index);
  });
  if (!plane) return plane.error();
  picture.plane = *std::move(plane);
  return picture;
}

Result<SlicePicture> plain_picture(const SliceRequest& request, SlicePicture picture) {
  picture.preview = request.conversion || request.label_preview;
  const Dataset& data = *request.dataset;
  if (!data.is_apr() || (request.mode == ShowMode::pixel && request.pixels)) {
    const Dataset& pixels = data.is_apr() ? *request.pixels : data;
    picture.mode = ShowMode::pixel;
    picture.plane = slice_pixels(pixels.volume(), request.axis, request.index);
    return picture;
  }
  static const std::vector<float> none;
  const bool smooth = request.mode == ShowMode::smooth;
  show_particles(request, request.mode, data.values().particles(),
                 smooth ? data.values().tree_mean() : none, picture);
  return picture;
}

// Adds the slices of other channels, to be shown over this one. Errors: cancelled.
Status add_channels(const SliceRequest& request, SlicePicture& picture, const JobContext& context) {
  if (!request.channel || picture.mode == ShowMode::level || picture.mode == ShowMode::dots) {
    return {};
  }
  picture.channels.of_slice = request.channel;
  for (const auto& [channel, data] : request.others) {
    const auto make = [&, &of = *data](std::int64_t index) {
      return of.slice(reconstruction(picture.mode), request.axis, index);
    };
    auto plane =
        picture.slab > 1 ? maximum(request, context, make) : Result<Plane>(make(request.index));
    if (!plane) return plane.error();
    picture.channels.others.push_back({channel, *std::move(plane)});
  }
  return {};
}

// Makes the parts of a picture that all modes have.
SlicePicture begin_picture(const SliceRequest& request) {
  SlicePicture picture;
  picture.axis = request.axis;
  picture.index = request.index;
  if (request.labels && request.mode != ShowMode::level && request.mode != ShowMode::dots) {
    const Dataset& data = *request.dataset;
    const auto slice = [&](const std::vector<std::uint32_t>& values) {
      // Labels of pixels may be shown over particles.
      return data.is_apr() && values.size() == data.apr().access->count()
                 ? slice_labels(*data.apr().access, values, request.axis, request.index)
                 : slice_labels(values, data.size(), request.axis, request.index);
    };
    picture.labels = slice(request.labels->values);
    if (const auto pieces = request.parts ? request.parts->pieces.lock() : nullptr) {
      add_parts(slice(*pieces), *request.parts, picture.labels);
    }
  }
  return picture;
}

}  // namespace

Result<std::vector<SlicePicture>> make_pictures(std::span<const SliceRequest> requests,
                                                const JobContext& context) {
  std::vector<SlicePicture> pictures;
  PreviewValues made;
  std::size_t first = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const SliceRequest& request = requests[i];
    if (context.stop_requested()) return cancelled_error();
    if (is_filtered(request) && (i == 0 || !same_preview(requests[i - 1], request))) {
      std::size_t end = i + 1;
      while (end < requests.size() && same_preview(request, requests[end])) ++end;
      Status done = compute_preview(requests.subspan(i, end - i), made, context);
      if (!done) return done.error();
      first = i;
    }
    if (is_filtered(request)) {
      pictures.push_back(filtered_picture(request, made, i - first, begin_picture(request)));
      continue;
    }
    auto plain = is_slab(request) ? slab_picture(request, begin_picture(request), context)
                                  : plain_picture(request, begin_picture(request));
    if (!plain) return plain.error();
    if (request.live) paint_live(*request.live, *plain);
    pictures.push_back(*std::move(plain));
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (context.stop_requested()) return cancelled_error();
    if (Status added = add_channels(requests[i], pictures[i], context); !added) {
      return added.error();
    }
  }
  return pictures;
}

}  // namespace aprscope::gui
