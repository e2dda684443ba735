#pragma once

#include "core/cells/correction_frame.hpp"

namespace aprscope {

/// The background round each point gets a new label. Errors: those of correction().
Result<LabelChange> created(const CorrectionFrame& frame);

}  // namespace aprscope
