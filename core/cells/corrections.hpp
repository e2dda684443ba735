#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_change.hpp"
#include "core/cells/label_records.hpp"

namespace aprscope {

/// Corrections of the labels of an image by hand.
enum class CorrectionAction {
  /// The labels at the points become the one at the first point.
  merge,
  /// The label at the points is divided among them by a watershed of the signal; the first point
  /// keeps the label, each other one gets a new one.
  split,
  /// The labels at the points become background.
  remove,
  /// The background round each point, as far as it is connected across faces (and no further than
  /// the radius, where there is one), gets a new label.
  create,
  /// Background that the labels at the points enclose gets their label.
  fill_holes,
  /// Background at most the radius away from the labels at the points gets their label.
  grow,
  /// Pixels of each label at a point become background if a pixel without that label lies within
  /// the radius. What lies beyond the image does not count.
  shrink,
  /// Balls about all points get the label at the first point / become background.
  paint,
  erase,
  /// Labels get numbers from 1 on without gaps, in the order of their first pixels.
  relabel
};

/// A correction: positions say which labels are meant, so that it can be made again on labels with
/// other numbers.
struct Correction {
  CorrectionAction action = CorrectionAction::merge;
  /// Positions in pixels (z, x, y).
  std::vector<Index3> points;
  /// Radius in the unit of the voxel size.
  double radius = 0.0;
  /// Paint and erase: −1: the brush is a ball; else its middle section in so many slices on either
  /// side of the point.
  std::int64_t slices = -1;
  /// Split: walls are darker than what is between them.
  bool dark_walls = false;
};

/// The change that a correction makes to the labels of an image of these pixels; the labels are
/// only read. `records`: if given, boxes of labels come from them. Errors: a point outside of the
/// image, on background where a label is meant or the other way round, too few points, nothing to
/// change, no numbers left, cancelled. Throws std::bad_alloc.
Result<LabelChange> correction(const Correction& asked, const Labels& labels,
                               const AnyPixels& pixels, const VoxelSize& voxel,
                               const LabelRecords* records = nullptr,
                               const JobContext& context = {});

/// Labels and values of a box of an image of this size.
struct LabelWindow {
  Size3 size{0, 0, 0};
  Region box{};
  /// Labels of the pixels of the box in memory order; `largest` is that of the whole image.
  const Labels& labels;
  /// Pixels of the box; used by split only.
  const AnyPixels& pixels;
};

/// correction() where only a box of the image is in memory, which must hold the points, the boxes
/// of the labels at them (with the radius round them where they grow, a pixel where they shrink)
/// and all that a brush reaches, or background can be flooded to. `records`: with the boxes of
/// these labels in the image. Runs of the change are those of the pixels of the box; its own box is
/// one of the image.
Result<LabelChange> correction_in(const LabelWindow& window, const Correction& asked,
                                  const VoxelSize& voxel, const LabelRecords* records,
                                  const JobContext& context = {});

}  // namespace aprscope
