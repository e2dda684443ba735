#pragma once

#include "core/base/result.hpp"
#include "core/projections/backproject_settings.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// Plans a map. Errors: settings that do not fit the table, unusable rows (with file and line).
Result<ReconstructionPlan> plan_reconstruction(const ProjectionTable& table,
                                               const BackprojectSettings& settings);

}  // namespace aprscope
