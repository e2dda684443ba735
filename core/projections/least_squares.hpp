#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/insertion_plan.hpp"

namespace aprscope {

/// The map x (side³) that minimises ‖CTF · (P x) − images‖² + xᵀ T x with T diagonal in Fourier
/// space (`tau`, one for each padded shell, 0: none): (p ⁎ x) + T x = b, with p and b the inverse
/// transforms of W and G divided by the blob's window, by preconditioned conjugate gradients from
/// 0. The padded side must be twice the side at least. Errors: no memory, cancelled.
Result<std::vector<float>> least_squares(const InsertionPlan& plan, std::span<const float> sums,
                                         std::span<const double> weights,
                                         std::span<const double> tau, int iterations,
                                         const JobContext& context = {});

/// Bytes of its work space.
std::uint64_t least_squares_bytes(const InsertionPlan& plan);

}  // namespace aprscope
