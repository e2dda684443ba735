#pragma once

#include "gpu/octet/wide_job.hpp"

namespace aprscope::gpu {

/// The largest block whose patch is small enough for several blocks on a multiprocessor of the
/// current device, else for one, else side 0. `split`: even and odd cells are stored apart.
PatchShape choose_patch(Int3 radius, bool split);

}  // namespace aprscope::gpu
