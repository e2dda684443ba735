#pragma once

#include "core/cells/correction_frame.hpp"

namespace aprscope {

/// Paint or erase: the pixels that the brush covers at all points get the label at the first point
/// / become background. Errors: those of correction().
Result<LabelChange> brushed(const CorrectionFrame& frame);

}  // namespace aprscope
