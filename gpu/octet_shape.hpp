#pragma once

#include "gpu/octet_wide.hpp"

namespace aprscope::gpu {

/// The largest block whose patch fits into the shared memory of the current device with others
/// beside it, else one that fits alone, else side 0. `split`: even and odd cells apart. `small`:
/// small blocks first, where the work on a result is far more than that on its halo.
PatchShape choose_patch(Int3 radius, bool split, bool small = false);

}  // namespace aprscope::gpu
