#pragma once

#include <vector>

#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// Maps, correlation and statistics of the sums of one or two halves, which are used up. Errors:
/// no memory, cancelled.
Status finish_reconstruction(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                             std::vector<std::vector<float>> sums, Reconstruction& out,
                             const JobContext& context);

/// A quick map of the central frequencies of what an inserter holds.
Result<LiveMap> live_map(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                         Inserter& inserter, const JobContext& context);

/// tau of each padded shell: means · the larger of `least` and 1 ÷ SSNR, with SSNR = parts · F ÷
/// (1 − F), at least 1, of the correlation F of the halves (none: `least` alone).
std::vector<double> wiener_tau(const InsertionPlan& plan, const std::vector<double>& means,
                               const std::vector<double>& fsc, double least, double parts);

std::uint64_t finish_bytes(const ReconstructionPlan& plan, const BackprojectSettings& settings);

}  // namespace aprscope
