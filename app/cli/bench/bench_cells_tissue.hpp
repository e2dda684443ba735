#pragma once

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope::cli {

/// A tissue: cells some 32 pixels wide (8 µm) between bright walls, as a camera counts its light;
/// u16, the same for any number of threads. Errors: cancelled.
Result<Volume> tissue_image(const Size3& size, const JobContext& context);

}  // namespace aprscope::cli
