#pragma once

#include "core/cells/correction_frame.hpp"

namespace aprscope {

/// Gives the background round each point a new label. Errors: those of correction().
Result<LabelChange> created(const CorrectionFrame& frame);

}  // namespace aprscope
