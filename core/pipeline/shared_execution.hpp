#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope {

/// Whether steps make particles whose structure the channels that they are run on share, see
/// shared_conversion().
bool share_structure(const std::vector<Operation>& steps);

/// Whether particles of two channels may have been made together by these steps, the ones that were
/// run: they share, and are the same but for steps that find numbers in each channel, see
/// OperationType::settled.
bool could_share(const std::vector<Operation>& a, const std::vector<Operation>& b);

/// A channel of an image, and the steps to run on it: they must share, see share_structure().
struct SharedChannel {
  std::vector<Operation> steps;
  std::shared_ptr<const Dataset> input;
  /// See execute().
  std::shared_ptr<const Dataset> deconvolved_from{};
};

/// execute() on channels of one image, in memory, whose particles share one structure, the same
/// object: that which any of them needs. The conversion's time includes finding it. Errors: those
/// of execute(); channels that differ in size.
Result<std::vector<Execution>> execute_shared(std::span<const SharedChannel> channels,
                                              const Backend& backend,
                                              const JobContext& context = {});

}  // namespace aprscope
