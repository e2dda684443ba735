#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/io/apr/apr_write.hpp"
#include "core/io/common/source_info.hpp"
#include "core/operations/engine/file_engine.hpp"

namespace aprscope {

class Backend;

/// How steps are run from an .apr to another.
struct SlabRun {
  /// Bytes to stay within, also in memory, see RunContext; 0: most of what is free.
  std::uint64_t memory = 0;
  /// Whether to write the tree; not set: has_tree_by_default(), and the input has one. How to pack.
  AprWriteOptions file{};
  /// Gives the voxel size to use instead of that of the file; empty: that.
  std::function<VoxelSize(const VoxelSize& of_file)> voxel{};
  /// Called before the first step, once it is known that they run in slabs.
  std::function<void()> begins{};
  /// With the processes that share it, if there are several, of which so many are on this host.
  IterationHooks hooks{};
  int on_this_host = 1;
};

/// Facts about such a run.
struct SlabExecution {
  /// Of the result, which has the structure of the source.
  Size3 size{1, 1, 1};
  VoxelSize voxel;
  std::uint64_t particles = 0;
  std::vector<FileRunReport> steps;
  std::vector<double> seconds;
};

/// Whether all of these steps, and there are some, have a FileEngine.
bool can_run_in_slabs(const std::vector<Operation>& steps);

/// Runs steps on a channel and time point of an .apr slab by slab into another, if they do not fit
/// into memory, or if several processes share them (one step only): the same values as execute() on
/// the CPU. None: they fit, or the file cannot be read in slabs, or no memory is given and a step
/// needs all particles, or this system does not tell how much is free. Results of steps before the
/// last lie beside `output` meanwhile. Errors: for several processes also a file that cannot be
/// read in slabs; a tree that is asked for, but is not in the source; those of FileEngine::run();
/// then `output` is as it was.
Result<std::optional<SlabExecution>> execute_in_slabs(
    const std::vector<Operation>& steps, const SourceInfo& info, const SourceSelection& selection,
    const SlabRun& run, const std::filesystem::path& output, const JobContext& context = {});

/// Runs steps on the particles of a file into an .apr: slab by slab where they do not fit into
/// memory, else in memory on `backend`, as execute_file() and write_apr() do. Returns the number of
/// particles. Errors: the output is the source, those of both ways.
Result<std::uint64_t> apply_to_file(const std::vector<Operation>& steps, const SourceInfo& info,
                                    const SourceSelection& selection, const SlabRun& run,
                                    const Backend& backend, const std::filesystem::path& output,
                                    const JobContext& context = {});

/// A channel and time point, and the steps to apply to it.
struct PartSteps {
  SourceSelection part;
  std::vector<Operation> steps;
};

/// What became of a channel and time point.
struct AppliedPart {
  std::uint64_t particles = 0;
  /// Of the last step; 0: it was done in memory.
  std::int64_t slabs = 0;
};

/// apply_to_file() of several channels and time points of a file, one after the other, to one .apr:
/// the file that write_series() writes of them. Their results lie beside `output` meanwhile; where
/// steps or a part cannot be worked on slab by slab, one part is in memory at a time instead, and
/// channels with the same steps share a structure where a conversion among these says so.
/// Errors: those of check_parts(), apply_to_file(), see in_part(), and join_apr_files(); then
/// `output` is as it was.
Result<std::vector<AppliedPart>> apply_to_parts(std::span<const PartSteps> parts,
                                                const SourceInfo& info, const SlabRun& run,
                                                const Backend& backend,
                                                const std::filesystem::path& output,
                                                const JobContext& context = {});
/// The same steps for all of them.
Result<std::vector<AppliedPart>> apply_to_parts(const std::vector<Operation>& steps,
                                                const SourceInfo& info,
                                                std::span<const SourceSelection> parts,
                                                const SlabRun& run, const Backend& backend,
                                                const std::filesystem::path& output,
                                                const JobContext& context = {});

}  // namespace aprscope
