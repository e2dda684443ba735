#pragma once

#include <cstdint>

#include "core/projections/backproject_settings.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// A number that two processes share where they make the same map: of settings and plan, of optics
/// groups, and of all that the table says of the rows that are inserted (images by their number and
/// the place of their stack as seen from the table, so that a set may lie elsewhere on each host).
/// Pixels are not looked at. Jobs that differ have the same number by chance of 2⁻⁶⁴.
std::uint64_t job_fingerprint(const ProjectionTable& table, const BackprojectSettings& settings,
                              const ReconstructionPlan& plan);

}  // namespace aprscope
