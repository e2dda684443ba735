#pragma once

#include "core/cells/correction_frame.hpp"

namespace aprscope {

/// Paint or erase: what the brush covers about all points gets the label at the first one / becomes
/// background. Errors: those of correction().
Result<LabelChange> brushed(const CorrectionFrame& frame);

}  // namespace aprscope
