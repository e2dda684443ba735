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

/// Where the preview of a filter is computed: one value a particle (or a pixel) of the whole data,
/// valid only where it was last computed. Kept from edit to edit, since taking so much memory anew
/// each time would cost more than the filter. Touched by the preview lane's one worker only.
struct PreviewBuffer {
  std::shared_ptr<const Dataset> dataset;
  std::vector<float> values;
  /// Contrast for filters whose result has a range of its own, from the first slice computed.
  std::optional<Operation> contrast_of;
  Contrast contrast;
  /// The filter with the numbers that its words stand for on this data, see settled().
  std::optional<Operation> asked;
  Operation settled;
};

/// One slice to be made. A value; what it refers to is immutable, but for the buffer.
struct SliceRequest {
  std::shared_ptr<const Dataset> dataset;
  /// What ShowMode::pixel shows of an APR.
  std::shared_ptr<const Dataset> pixels;
  ShowMode mode = ShowMode::pixel;
  Axis axis = Axis::z;
  std::int64_t index = 0;
  /// A filter to preview.
  std::optional<Operation> filter;
  std::shared_ptr<const Backend> backend;
  std::shared_ptr<PreviewBuffer> buffer;
  /// The channel that the dataset is, and others that are shown over it; none: it alone.
  std::optional<int> channel;
  std::vector<std::pair<int, std::shared_ptr<const Dataset>>> others;
  /// What is drawn over it; null: nothing.
  std::shared_ptr<const Labels> labels;
  /// What those were made of, where that is to be seen.
  std::shared_ptr<const LabelParts> parts;
  /// What is shown of it while it is worked on; its dataset, where it has one, is `dataset`.
  std::shared_ptr<const LiveImage> live;
  /// The labels are what an operation would give.
  bool label_preview = false;
  /// The dataset is what a conversion would give.
  bool conversion = false;
  /// Smooth previews need a neighbourhood and come second, after a constant one.
  bool refine = false;

  friend bool operator==(const SliceRequest&, const SliceRequest&) = default;
};

/// A finished slice, ready for a view.
struct SlicePicture {
  Axis axis = Axis::z;
  std::int64_t index = 0;
  Plane plane;
  /// Slices of other channels that are shown with it.
  ChannelPlanes channels;
  /// Drawn over the plane; empty: nothing.
  LabelPlane labels;
  /// Used instead of the plane where the mode is dots.
  std::vector<SliceDot> dots;
  ShowMode mode = ShowMode::pixel;
  bool preview = false;
  /// Instead of the item's own contrast and colours (levels, edges).
  std::optional<Contrast> contrast;
  std::string colormap;
  /// What the colours mean, where they are not grey values.
  std::vector<LegendEntry> legend;
  /// What the caption says of a live picture.
  QString caption;
  /// The picture stands in for a smooth one that is on its way.
  bool provisional = false;
};

/// Makes the pictures, in the order of the requests; takes milliseconds, or as long as the filter
/// takes on the slices: neighbouring requests of one preview are computed in one go. Errors: those
/// of Backend::run_regions, cancelled.
Result<std::vector<SlicePicture>> make_pictures(std::span<const SliceRequest> requests,
                                                const JobContext& context);

}  // namespace aprscope::gui
