#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/document/live_image.hpp"
#include "app/gui/widgets/display_settings.hpp"
#include "core/pipeline/backend.hpp"
#include "render/slice_view.hpp"

namespace aprscope::gui {

/// The results of a filter's preview: one value for each particle (or pixel) of the whole data,
/// valid only where it was last computed. Kept between edits and time points, as allocating so much
/// memory each time would take longer than the filter; so is the contrast, so that changes along
/// time can be seen. Only used by the single worker of the preview lane.
struct PreviewBuffer {
  std::shared_ptr<const Dataset> dataset;
  std::vector<float> values;
  /// The operation that the contrast belongs to, for filters whose results have another range.
  std::optional<Operation> contrast_of;
  Contrast contrast;
  /// The requested filter, and the same with numbers for automatic parameters, see settled().
  std::optional<Operation> asked;
  Operation settled;
};

/// A request for one slice. A value; everything it points to is immutable, except for the buffer.
struct SliceRequest {
  std::shared_ptr<const Dataset> dataset;
  /// The image for ShowMode::pixel of an APR.
  std::shared_ptr<const Dataset> pixels;
  ShowMode mode = ShowMode::pixel;
  Axis axis = Axis::z;
  std::int64_t index = 0;
  /// The filter to preview.
  std::optional<Operation> filter;
  std::shared_ptr<const Backend> backend;
  std::shared_ptr<PreviewBuffer> buffer;
  /// The channel of the dataset, and other channels to show over it; none: the dataset alone.
  std::optional<int> channel;
  std::vector<std::pair<int, std::shared_ptr<const Dataset>>> others;
  /// Labels to draw over the slice; null: none.
  std::shared_ptr<const Labels> labels;
  /// The smaller parts that the labels consist of, if they should be visible.
  std::shared_ptr<const LabelParts> parts;
  /// The intermediate result of a job; if it has a dataset, this is also `dataset`.
  std::shared_ptr<const LiveImage> live;
  /// The labels are a preview of an operation.
  bool label_preview = false;
  /// The dataset is a preview of a conversion.
  bool conversion = false;
  /// Slices to show the maximum of, `index` in their middle. Not of previews, levels and dots.
  std::int64_t slab = 1;
  /// Smooth previews need neighbourhoods; they are made second, after a constant picture.
  bool refine = false;

  friend bool operator==(const SliceRequest&, const SliceRequest&) = default;
};

/// A finished slice, ready for a view.
struct SlicePicture {
  Axis axis = Axis::z;
  std::int64_t index = 0;
  Plane plane;
  /// The slices of other channels to show with this one.
  ChannelPlanes channels;
  /// Labels to draw over the plane; empty: none.
  LabelPlane labels;
  /// Dots to draw instead of the plane, in mode dots.
  std::vector<SliceDot> dots;
  ShowMode mode = ShowMode::pixel;
  bool preview = false;
  /// It is the maximum of so many slices.
  std::int64_t slab = 1;
  /// Replace the contrast and colours of the item (for levels and edges).
  std::optional<Contrast> contrast;
  std::string colormap;
  /// A legend for colours that are not grey values.
  std::vector<LegendEntry> legend;
  /// The caption of a live picture.
  QString caption;
  /// A constant picture, shown until the smooth one is finished.
  bool provisional = false;
};

/// Makes the pictures in the order of the requests. Takes milliseconds, or as long as the filter
/// takes for the slices: neighbouring requests of one preview are computed together. Errors: those
/// of Backend::run_regions, cancelled.
Result<std::vector<SlicePicture>> make_pictures(std::span<const SliceRequest> requests,
                                                const JobContext& context);

}  // namespace aprscope::gui
