#pragma once

#include <memory>
#include <vector>

#include "core/projections/backproject_settings.hpp"
#include "core/projections/map_solver.hpp"
#include "core/projections/reconstruction.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// Maps, correlation and statistics of the sums of one or two halves, which are used up. What the
/// solver has no room for is done by the processor, and a note says so. Errors: device, no memory,
/// cancelled.
Status finish_reconstruction(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                             std::vector<std::unique_ptr<HeldSums>> sums, MapSolver& solver,
                             Reconstruction& out, const JobContext& context);

/// tau of each padded shell: means · the larger of `least` and 1 ÷ SSNR, with SSNR = parts · F ÷
/// (1 − F), at least 1, of the correlation F of the halves (none: `least` alone).
std::vector<double> wiener_tau(const InsertionPlan& plan, const std::vector<double>& means,
                               const std::vector<double>& fsc, double least, double parts);

/// Bytes that finishing takes on the processor, with the sums; `in_scratch`: sums are in files.
std::uint64_t finish_bytes(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                           bool in_scratch);

}  // namespace aprscope
