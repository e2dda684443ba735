#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/backproject_settings.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/map_solver.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reconstruction.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// The sums G and W of each half.
using HalfSums = std::vector<std::unique_ptr<HeldSums>>;

/// What the images of a plan, or the share of a process in them, add up to.
struct ImageSums {
  /// Makes maps of the sums, and holds them.
  std::unique_ptr<MapSolver> solver;
  HalfSums halves;
  /// Rows of the plan up to the last one that was inserted.
  std::int64_t images = 0;
  /// Views of the images that were inserted.
  DirectionHistogram directions;
  /// By row of the table: images with pixels that are not numbers, which were left out.
  std::vector<bool> unsound;
  /// What the map's notes should say.
  std::vector<std::string> notes;
};

/// What happens to images with pixels that are not numbers.
Unsound unsound_of(const BackprojectSettings& settings);

/// Inserts the images of a plan, in several passes where the sums of all tiles have no room. With
/// `ranks` (null: one process) those of the share of this process; if another process fails, the
/// sums are unfinished. Errors: images that cannot be read or have pixels that are not numbers,
/// unless they are skipped, device, no memory, disk, cancelled.
Result<ImageSums> sum_images(const Projections& projections, const BackprojectSettings& settings,
                             const BackprojectHooks& hooks, Ranks* ranks,
                             const ReconstructionPlan& plan, const InserterFactory& factory,
                             const JobContext& context);

}  // namespace aprscope
