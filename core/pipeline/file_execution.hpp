#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/io/common/source_info.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {

/// Whether a first step may need no more than a part of a file of particles, which can then be
/// larger than memory, see OperationType::of_file.
bool may_take_part(const std::vector<Operation>& steps);

/// Whether all of a channel and time point, with what is made to compute with it, keeps to `memory`
/// bytes, see most_within(); 0: it does. Errors: it does not; those of its headers.
Status check_load(const SourceInfo& info, const SourceSelection& selection, std::uint64_t memory);

/// execute() on a channel and time point of a file, of which only the part that the first step
/// needs is read; without steps, what load() gives. `voxel` replaces the file's. Errors: those of
/// load() and execute(); data that have to be read whole and take more than the memory of `run`.
Result<Execution> execute_file(const std::vector<Operation>& steps, const SourceInfo& info,
                               const SourceSelection& selection, const Backend& backend,
                               const RunContext& run = {},
                               const std::optional<VoxelSize>& voxel = std::nullopt);

/// The data to show of a channel and time point of a file: what load() gives, if that takes at most
/// `memory` bytes to show; else, for particles, the image of the finest level that does, as a step;
/// all particles if the file has no tree. Errors: those of load().
Result<Execution> open_file(const SourceInfo& info, const SourceSelection& selection,
                            std::uint64_t memory, const Backend& backend,
                            const RunContext& run = {});

/// The image of a level of a channel and time point, as open_file() shows one. Errors: those of
/// level_of_file(); there is none.
Result<Data> load_level(const SourceInfo& info, const SourceSelection& selection, int level,
                        const JobContext& context = {});

/// Whether the whole image takes at most `memory` bytes to show; for images only.
bool image_fits(const SourceInfo& info, std::uint64_t memory);

/// Whether the particles of a channel and time point take at most `memory` bytes to show, by the
/// headers of their file; false where these do not tell.
bool particles_fit(const SourceInfo& info, const SourceSelection& selection, std::uint64_t memory);
/// particles_fit() of several, all together.
bool all_particles_fit(const SourceInfo& info, std::span<const SourceSelection> parts,
                       std::uint64_t memory);

/// The level of a file of particles whose image these steps make, see open_file(); none: other
/// steps.
std::optional<int> shown_level(const std::vector<Operation>& steps);

/// The step that makes the image of a level, as open_file() shows one.
std::vector<Operation> steps_to_level(int level);

}  // namespace aprscope
