#pragma once

#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {

/// The largest block whose patch fits into the shared memory of the current device with others
/// beside it, else one that fits alone, else side 0. `split`: even and odd cells apart.
PatchShape choose_patch(Int3 radius, bool split);

}  // namespace aprscope::gpu
