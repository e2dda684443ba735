#pragma once

#include "core/apr/structure/apr.hpp"

namespace aprscope {

/// Repeats an APR `times` times in each dimension (times a power of two, sizes powers of two), for
/// benchmarks at real sizes. Levels shift by log2(times); seams may break the 2:1 balance. All
/// particle fields are repeated, tree fields are left out; dimensions of length 1 stay so. Errors:
/// sizes or times that do not fit, cells that reach beyond the image, too little memory.
Result<Apr> tile(const Apr& apr, int times);

}  // namespace aprscope
