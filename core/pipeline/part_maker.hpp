#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/io/common/source_info.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {

/// Makes the data of a channel and time point.
using MakePart = std::function<Result<std::shared_ptr<const Data>>(const SourceSelection& part,
                                                                   const JobContext& context)>;

/// A maker of what steps make of `parts` of a file, pixels or particles; `voxel` replaces the
/// file's. Where a conversion among the steps says so, the channels of a time point share one
/// structure, see shared_conversion(): the same object, as long as parts of one time point are made
/// one after the other. Before the first of them, the steps up to the conversion run on each of
/// them, to see which particles it needs; then they run again, so that one channel is in memory at
/// a time. To be called from one thread at a time. `memory`: as in RunContext. Errors: those of
/// execute_file(), see in_part(); channels that differ in size where they would share. `info` and
/// `backend` outlive it.
MakePart part_maker(const std::vector<Operation>& steps, const SourceInfo& info,
                    std::span<const SourceSelection> parts, const std::optional<VoxelSize>& voxel,
                    const Backend& backend, std::uint64_t memory = 0);

}  // namespace aprscope
