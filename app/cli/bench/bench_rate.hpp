#pragma once

#include <cstdint>

namespace aprscope::cli {

/// Does `rounds` × a constant multiply–adds of floats in one thread and returns how many. Written
/// to reach the processor's peak: independent sums in registers, no memory accesses.
std::int64_t multiply_adds(std::int64_t rounds, float* result);

}  // namespace aprscope::cli
