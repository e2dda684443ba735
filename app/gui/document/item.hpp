#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/widgets/axis_words.hpp"
#include "app/gui/widgets/display_settings.hpp"
#include "core/apr/convert/report.hpp"
#include "core/apr/raycast/translucency.hpp"
#include "core/base/file_stamp.hpp"
#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/histogram.hpp"
#include "core/io/image_source.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::gui {

/// Drawings over the data; the same for all items.
struct ViewOptions {
  bool captions = true;
  /// The heads-up panel is off by default, as it covers a part of the picture.
  bool heads_up = false;
  bool box = true;
  bool planes = true;
  /// The 3-D view shows the slices in place of the projection.
  bool slices = false;
  /// The 3-D view shows translucent matter in place of the projection, of this depth, as a share of
  /// mean_side().
  bool translucent = false;
  double depth = kUsualDepth;
  /// How positions call the two directions in a slice, see AxisWords.
  AxisWords axes = AxisWords::rows_are_x;
  /// Slices that each slice view shows the maximum of: the one of the crosshair in their middle.
  int slab = 1;
  friend bool operator==(const ViewOptions&, const ViewOptions&) = default;
};

/// The estimate of a conversion, for the chip in the Convert panel and the bar below the views.
struct ConversionEstimate {
  double computational_ratio = 0.0;
  std::uint64_t particles = 0;
  std::uint64_t bytes_pixels = 0;
  std::uint64_t bytes_apr = 0;
  /// How well the bound E is kept; see RelativeError.
  RelativeError error;
  double rel_error = 0.0;
  /// Any E below this gives the same particles; see idle_relative_error().
  double idle_error = 0.0;
  /// The thresholds that were applied, also if they were found automatically.
  float sigma_th = 0.0F;
  float grad_th = 0.0F;
};

/// One entry of the data list: an original (from a file) or the result of an operation. A value;
/// the data in it is shared and immutable.
struct Item {
  /// 0 is no item.
  std::uint64_t id = 0;
  QString name;
  /// Never null. For a measurement, the data that was measured.
  std::shared_ptr<const Dataset> dataset;
  /// The result of the recipe's last step, if that measures; null: the item is data.
  std::shared_ptr<const Measurement> measurement;
  std::shared_ptr<const Histogram> histogram;
  /// Null until it is built in the background.
  std::shared_ptr<const Raycaster> raycaster;
  /// The pixel image that an APR was made from, if any, for ShowMode::pixel.
  std::shared_ptr<const Dataset> pixels;
  /// The data that this result of deconvolution was made from, needed to continue the run; null for
  /// any other item.
  std::shared_ptr<const Dataset> deconvolved_from;
  /// The item that the operation was applied to; 0 for an original. It may have been removed.
  std::uint64_t parent = 0;
  /// The names of the items that it was made from, in case these are removed: "cells › particles".
  QString origin;
  /// The voxel size that the user typed for this original; none: that of the file.
  std::optional<VoxelSize> typed_voxel;
  /// For a measurement of all of a file that does not fit into memory: the level of it that
  /// `dataset` shows beside the numbers; 0 for any other item.
  int beside_level = 0;
  /// For a set of projections: the rows that are left out of reconstructions, see row_ranges().
  std::string left_out;
  /// The steps from the original to this item; empty for an original.
  Recipe recipe;
  /// The cost of each of these steps; empty if unknown.
  std::vector<StepCost> costs;
  /// The last file that holds exactly this item, and a stamp to check that it still does; empty:
  /// never exported.
  std::string saved_as;
  std::optional<FileStamp> saved_stamp;
  /// The measurement was exported. A workspace still repeats the measurement.
  bool exported = false;
  /// For originals from files: the contents of the file, and which part of it this is.
  std::optional<SourceInfo> source;
  SourceSelection selection;
  /// The numbers of channels and time points in the file of the original.
  int file_channels = 1;
  int file_times = 1;
  DisplaySettings display;
  /// The unfinished result of a job, replaced as the job goes on: it cannot be edited or
  /// saved.
  bool growing = false;

  [[nodiscard]] bool is_apr() const { return dataset->is_apr(); }
  [[nodiscard]] bool is_measurement() const { return measurement != nullptr; }
  /// Whether a mode can show this item.
  [[nodiscard]] bool supports(ShowMode mode) const;
};

/// "channel 2, time point 3": which part of its file an item shows or was made of; empty where the
/// file has one of each.
QString part_text(const Item& item);

/// The row of its table that a slice z of a set of projections shows; −1: it is none.
std::int64_t shown_row(const Item& item, std::int64_t z);

/// The histogram of an item's data; in an APR, a particle counts as many pixels as its cell has.
/// Slow for large data: call it from a worker.
std::shared_ptr<const Histogram> histogram_of(const Dataset& dataset);

/// The display mode for new data.
ShowMode first_mode(const Dataset& dataset);

/// True when the dataset has a value for each particle, or is a pixel image.
bool has_values(const Dataset& dataset);

}  // namespace aprscope::gui
