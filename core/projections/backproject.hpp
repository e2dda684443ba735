#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/backproject_settings.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope {

class Ranks;

struct BackprojectHooks {
  /// Called from the thread that called backproject(), as often as LivePace allows.
  std::function<void(LiveMap)> live;
  /// Least seconds between two live maps; 0: one after every batch, whatever it takes.
  double seconds_between = 0.25;
  /// A stop requested here ends early with a valid map that is marked partial.
  std::stop_token keep;
  /// Bytes that backproject() may take on the host. If these are fewer than backproject_bytes()
  /// (see backproject_scratch_bytes()), the images are inserted in passes, and the sums lie in
  /// temporary files. The map is the same; `live` is not called. 0: no limit. An error with
  /// ranks.
  std::uint64_t memory = 0;
  /// Processes that share the images: each inserts its share of the rows, and the first gets the
  /// map. With `live` or `keep` that is an error. Null, or ranks that have parted: one process.
  Ranks* ranks = nullptr;
  /// Called with the images that have pixels that are not numbers, before the error that names
  /// them; with ranks each process is told of its share.
  UnsoundRows unsound{};
};

class Inserter;
struct InsertionPlan;

/// Bytes that backproject() needs at most on the processor.
std::uint64_t backproject_bytes(const ProjectionTable& table, const BackprojectSettings& settings);

/// Least bytes that backproject() needs: sums in temporary files, the most passes over the images.
std::uint64_t backproject_scratch_bytes(const ProjectionTable& table,
                                        const BackprojectSettings& settings);

/// A map from projections. Rows that are not enabled are left out. Errors, naming file and
/// line: rows whose angles, shifts or defocus are not numbers, images with pixels that are
/// not numbers or that cannot be read, numbers that give no finite map, settings that do not
/// fit, no memory, cancelled. With hooks.ranks all ranks call it with the same table and
/// settings (an error on all of them where they are not: see job_fingerprint()); a rank that
/// fails must call Ranks::agree() with its error; all ranks but the first get
/// cancelled_error() when the first has the sums. `factory` makes the inserter (see
/// inserter.hpp); none: the processor.
Result<Reconstruction> backproject(
    const Projections& projections, const BackprojectSettings& settings,
    const BackprojectHooks& hooks = {}, const JobContext& context = {},
    const std::function<Result<std::unique_ptr<Inserter>>(const InsertionPlan&, const JobContext&)>&
        factory = {});

}  // namespace aprscope
