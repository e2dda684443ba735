#pragma once

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/correction.hpp"
#include "core/cells/label_change.hpp"
#include "core/cells/label_records.hpp"
#include "core/cells/label_window.hpp"

namespace aprscope {

/// The change that a correction makes to the labels of an image of these pixels; the labels are
/// only read. `records`: if given, boxes of labels come from them. Errors: a point outside of the
/// image, on background where a label is meant or the other way round, too few points, nothing to
/// change, no numbers left, cancelled. Throws std::bad_alloc.
Result<LabelChange> correction(const Correction& asked, const Labels& labels,
                               const AnyPixels& pixels, const VoxelSize& voxel,
                               const LabelRecords* records = nullptr,
                               const JobContext& context = {});

/// correction() where only a box of the image is in memory, which must hold the points, the boxes
/// of the labels at them (with the radius round them where they grow, a pixel where they shrink)
/// and all that a brush reaches, or background can be flooded to. `records`: with the boxes of
/// these labels in the image. Runs of the change are those of the pixels of the box; its own box is
/// one of the image.
Result<LabelChange> correction_in(const LabelWindow& window, const Correction& asked,
                                  const VoxelSize& voxel, const LabelRecords* records,
                                  const JobContext& context = {});

}  // namespace aprscope
