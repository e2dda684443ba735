#pragma once

#include <cstdint>

#include <driver_types.h>

namespace aprscope::gpu {

/// Reads words and does nothing with them, to measure the time of reading alone. `sum`: one word of
/// device memory, needed so that the compiler keeps the reads.
void read_words(const std::uint32_t* words, std::uint64_t count, std::uint32_t* sum,
                cudaStream_t stream);

}  // namespace aprscope::gpu
