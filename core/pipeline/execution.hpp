#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/pipeline/backend.hpp"

namespace aprscope {

/// The cost of one step, measured where it ran.
struct StepCost {
  /// Id of the operation.
  std::string operation;
  double seconds = 0.0;
  /// Bytes of the result (structure and fields, or pixels).
  std::uint64_t bytes = 0;
  /// The most memory of the process beyond what it held before the step; none where unknown.
  std::optional<std::uint64_t> peak_bytes;
  /// Backend::name() of what computed it.
  std::string backend;
  /// The move and its reason, if that is not the device that was asked for.
  std::optional<DeviceMove> moved{};

  friend bool operator==(const StepCost&, const StepCost&) = default;
};

/// Sums over steps.
struct TotalCost {
  double seconds = 0.0;
  /// The largest of the steps; none where no step knows.
  std::optional<std::uint64_t> peak_bytes;
  /// Backend of all steps if they agree, else of each, in order, joined by " + ".
  std::string backend;
};
/// Why steps were computed elsewhere, each reason once, joined by "; "; empty where none was.
std::string move_reasons(const std::vector<StepCost>& costs);
TotalCost total(const std::vector<StepCost>& costs);

/// Bytes of the data itself, without what is derived from it.
std::uint64_t own_bytes(const Data& data);

/// A measurement of a step, and the data it was made on.
struct StepMeasurement {
  /// Index of the step, from 0.
  std::size_t step = 0;
  std::shared_ptr<const Dataset> of;
  std::shared_ptr<const Measurement> found;
};

/// The result of a list of steps.
struct Execution {
  std::shared_ptr<const Dataset> data;
  /// Measurements of steps, in order. The step after a measurement gets the same data.
  std::vector<StepMeasurement> measured;
  /// The image that the last conversion among the steps took; null where none did.
  std::shared_ptr<const Dataset> converted_from;
  /// The image that the last step, a deconvolution, was of; null where the last step is none.
  std::shared_ptr<const Dataset> deconvolved_from;
  /// Cost of each step.
  std::vector<StepCost> costs;
  /// The steps as they were run, with numbers for what was to be guessed, such as an offset: on
  /// this input they give the same result again.
  std::vector<Operation> steps;
};

/// The measurements alone.
std::vector<std::shared_ptr<const Measurement>> found_in(const Execution& run);

/// How the host of a run takes part in it.
struct RunContext {
  RunContext(JobContext context = {})  // NOLINT(google-explicit-constructor): most have no hooks
      : job(std::move(context)) {}
  JobContext job;
  /// Hooks of iterating steps. A given start is for the first step, unless that continues another.
  IterationHooks hooks;
  /// Time that the host's own work in its observer took so far, which does not count for the step;
  /// empty: none.
  std::function<std::chrono::duration<double>()> beside{};
  /// Steps that were done before these, which errors count, too.
  std::size_t steps_before = 0;
  /// Bytes that data and steps are to stay within, see most_within(): a step that takes more, as
  /// Backend::estimate_bytes() says, is refused. 0: nothing is.
  std::uint64_t memory = 0;
};

/// The error of one of several steps, from 0, with its number; of a single one as it is.
Error error_of_step(Error error, std::size_t step, const std::string& id, std::size_t count);

/// Runs steps one after the other; the executor of window, command line and batches. A
/// deconvolution that goes on from the one before it takes the image that was deconvolved there,
/// and its result to start from; `deconvolved_from` is that image where `input` is such a result.
/// Errors: those of the backend with the number of the step, where there are several; a step that
/// takes more than the memory that is given; nothing to go on from; cancelled.
Result<Execution> execute(const std::vector<Operation>& steps, std::shared_ptr<const Dataset> input,
                          const Backend& backend, const RunContext& context = {},
                          std::shared_ptr<const Dataset> deconvolved_from = nullptr);

}  // namespace aprscope
