#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope {

/// Whether steps make particles whose structure the channels that they are run on share, see
/// shared_conversion().
bool share_structure(const std::vector<Operation>& steps);

/// execute() on channels of one image, in memory, whose particles share one structure, the same
/// object: that which any of them needs. The conversion's time includes finding it. The steps must
/// share. Errors: those of execute(); channels that differ in size.
Result<std::vector<Execution>> execute_shared(
    const std::vector<Operation>& steps, std::span<const std::shared_ptr<const Dataset>> channels,
    const Backend& backend, const JobContext& context = {});

}  // namespace aprscope
