#pragma once

#include "core/cells/correction_frame.hpp"

namespace aprscope {

/// Gives background that is enclosed by a label at a point that label. Errors, here and below:
/// those of correction().
Result<LabelChange> holes_filled(const CorrectionFrame& frame);

/// Background near the labels at the points gets their label; where two want it, that of the first.
Result<LabelChange> grown(const CorrectionFrame& frame);

/// Turns pixels at the rim of the labels at the points into background.
Result<LabelChange> shrunk(const CorrectionFrame& frame);

}  // namespace aprscope
