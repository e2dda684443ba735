#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/insertion_plan.hpp"

namespace aprscope {

/// The map (side³) of G · w, with weights w such that (W + tau) w smoothed with the blob is 1 at
/// all frequencies of the ball (Pipe & Menon 1999; Abrishami et al. 2015): from w = 1 ÷ (W + tau),
/// which is division, so many times w ← w ÷ ((W + tau) w ⊗ blob). tau: one for each padded shell.
/// Errors: no memory, cancelled.
Result<std::vector<float>> weight_iterations(const InsertionPlan& plan, std::span<const float> sums,
                                             std::span<const double> tau, int iterations,
                                             const JobContext& context = {});

/// Bytes of its work space.
std::uint64_t weight_iterations_bytes(const InsertionPlan& plan);

}  // namespace aprscope
