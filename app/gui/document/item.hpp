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
#include "core/base/file_stamp.hpp"
#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/histogram.hpp"
#include "core/io/image_source.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::gui {

/// What is drawn over the data; the same for all items.
struct ViewOptions {
  bool captions = true;
  /// For those who ask for it: it lies over the picture.
  bool heads_up = false;
  bool box = true;
  bool planes = true;
  /// See AxisWords.
  AxisWords axes = AxisWords::rows_are_x;
  friend bool operator==(const ViewOptions&, const ViewOptions&) = default;
};

/// What Convert would give, for the chip that says so.
struct ConversionEstimate {
  double computational_ratio = 0.0;
  std::uint64_t particles = 0;
  std::uint64_t bytes_pixels = 0;
  std::uint64_t bytes_apr = 0;
  /// How well the bound E is kept; see RelativeError.
  RelativeError error;
  double rel_error = 0.0;
  /// A smaller E than this gives the same particles; see idle_relative_error().
  double idle_error = 0.0;
  /// The thresholds that were applied (the automatic ones, if they are automatic).
  float sigma_th = 0.0F;
  float grad_th = 0.0F;
};

/// One entry of the data list: an original (from a file) or the result of an operation. A value;
/// the data in it is shared and immutable.
struct Item {
  /// 0 is no item.
  std::uint64_t id = 0;
  QString name;
  /// Never null. Of a measurement: what was measured.
  std::shared_ptr<const Dataset> dataset;
  /// What the last step of the recipe measured on that; null: this is data.
  std::shared_ptr<const Measurement> measurement;
  std::shared_ptr<const Histogram> histogram;
  /// Null until it is built in the background.
  std::shared_ptr<const Raycaster> raycaster;
  /// The pixel image that an APR was made from, if any; what ShowMode::pixel shows.
  std::shared_ptr<const Dataset> pixels;
  /// The data that this was deconvolved from, for a run that goes on from it; null: not a result of
  /// deconvolution.
  std::shared_ptr<const Dataset> deconvolved_from;
  /// The item that the operation was applied to; 0 for an original. It may be gone from the list.
  std::uint64_t parent = 0;
  /// Names of what it was made from, for when that is gone: "cells › particles".
  QString origin;
  /// The voxel size that was typed for the original, instead of that of its file.
  std::optional<VoxelSize> typed_voxel;
  /// Of a set of projections: the rows that reconstructions leave out, see row_ranges().
  std::string left_out;
  /// Steps that lead from the original to this item; none for an original.
  Recipe recipe;
  /// What those steps took, one a step; empty where it is not known.
  std::vector<StepCost> costs;
  /// The last file that holds exactly this item, and what tells that it still does; empty: never
  /// exported.
  std::string saved_as;
  std::optional<FileStamp> saved_stamp;
  /// A measurement that was exported; a workspace measures again all the same.
  bool exported = false;
  /// Originals from files: what else the file holds, and which part of it this is.
  std::optional<SourceInfo> source;
  SourceSelection selection;
  /// How many channels and time points the file has that the original came from.
  int file_channels = 1;
  int file_times = 1;
  DisplaySettings display;
  /// What a job has made so far, replaced as it goes on: nothing can be done to it, and nothing
  /// keeps it.
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

/// A fresh item's histogram; of an APR, each particle counts as many pixels as its cell covers.
/// Takes a while for large data: call it from a worker.
std::shared_ptr<const Histogram> histogram_of(const Dataset& dataset);

/// How data is shown at first.
ShowMode first_mode(const Dataset& dataset);

/// True when the dataset has a value for each particle, or is a pixel image.
bool has_values(const Dataset& dataset);

}  // namespace aprscope::gui
