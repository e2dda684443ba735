#pragma once

#include <cstdint>

#include "core/io/common/source_info.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope {

/// About how many bytes a process takes that reads this image and runs these steps on the CPU: what
/// the operations themselves estimate, for each step on the image as pixels, its input and its
/// result with it. Nothing is read: bytes are estimated for a small image of the same shape and
/// scaled up. Particles take less, except for steps that take a quarter more than estimated.
std::uint64_t estimate_job_bytes(const Recipe& recipe, const SourceInfo& info);

}  // namespace aprscope
