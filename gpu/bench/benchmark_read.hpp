#pragma once

#include <cstdint>

#include <driver_types.h>

namespace aprscope::gpu {

/// Reads words, of which nothing is made: how long the device takes for that alone. `sum`: one word
/// of memory.
void read_words(const std::uint32_t* words, std::uint64_t count, std::uint32_t* sum,
                cudaStream_t stream);

}  // namespace aprscope::gpu
