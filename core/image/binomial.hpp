#pragma once

#include <cstdint>

#include "core/image/random.hpp"

namespace aprscope {

/// How many of `trials` ≥ 0 succeed, each with probability `p` in (0, ½]. Exact: by inversion where
/// few are expected, else by transformed rejection (Hörmann 1993, algorithm BTRS). Uses values 0,
/// 1, … of `random`.
std::int64_t binomial(std::int64_t trials, double p, const CounterRandom& random);

}  // namespace aprscope
