#pragma once

#include <string>
#include <vector>

#include "core/operations/deconvolve/deconvolution_plan.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The parameters of operation "deconvolve" that say what projects back: back_projector, and of a
/// Wiener–Butterworth one wb_iterations, wb_alpha, wb_beta and wb_order.
std::vector<ParameterSpec> back_projector_parameters();

/// Whether a parameter has an effect with the operation's back projector; true for those that are
/// not about it. If only Wiener–Butterworth iterations are asked for, "iterations" has none.
bool back_projector_counts(const Operation& operation, const std::string& parameter);

/// True where a complete operation ends with the Wiener–Butterworth iterations.
bool is_unmatched_only(const Operation& complete);

/// Puts what a complete operation says of it into its plan: the back projector, and how many
/// iterations there are with it and in all.
void plan_iterations(const Operation& complete, DeconvolutionPlan& plan);

/// How many iterations a complete operation does at most, those of both kinds.
int most_iterations(const Operation& complete);

/// The operation that ends after the first `count` of them, at least 1.
Operation with_iterations(Operation complete, int count);

}  // namespace aprscope
