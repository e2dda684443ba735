#pragma once

#include <driver_types.h>

namespace aprscope::gpu {

/// Gives what the pool keeps of freed buffers back to the device, once work on `stream` is done:
/// for libraries that take memory of their own. Throws a Failure.
void release_freed_memory(cudaStream_t stream);

}  // namespace aprscope::gpu
