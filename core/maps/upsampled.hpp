#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// A cubic map of `side`³ values on a grid `times` finer, of (times · side)³: its Fourier series
/// between the voxels, by zeros round its spectrum. Voxel (z, x, y) is voxel times · (z, x, y) of
/// the result and keeps its value to rounding. If the side is even, the frequencies at Nyquist
/// are halved between both signs. Errors: another number of values, times < 2, no memory,
/// cancelled.
Result<std::vector<float>> upsampled(std::span<const float> map, std::int64_t side,
                                     std::int64_t times, const JobContext& context = {});

/// Bytes that upsampled() takes at most, the result included.
std::uint64_t upsampled_bytes(std::int64_t side, std::int64_t times);

}  // namespace aprscope
