#include <algorithm>
#include <mutex>
#include <utility>

#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "gpu/cells/labelling.hpp"
#include "gpu/engines/engine.hpp"

namespace aprscope::gpu {
namespace {

// The larger of both: the job needs memory of the host and of the device.
std::uint64_t bytes_of_label(const EngineHost& host, const Operation& operation,
                             const Dataset& input) {
  return std::max(host.cpu->estimate_bytes(operation, input), device_label_bytes(input.size()));
}

Result<CountedLabels> find(const EngineHost& host, const Operation& operation, const Dataset& input,
                           const JobContext& context) {
  const std::lock_guard turn(host.device->turn());
  return guarded([&]() -> Result<CountedLabels> {
    host.device->use();
    if (device_label_bytes(input.size()) > device_memory().free) host.resident->release();
    return label_on_device(*host.device, input.volume(), connectivity_of(operation), context);
  });
}

Result<Data> run_label(const EngineHost& host, const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) {
  if (context.stop_requested()) return cancelled_error();
  if (Status ok = check_memory(host.cpu->estimate_bytes(operation, input), input); !ok) {
    return ok.error();
  }
  auto found = find(host, operation, input, context);
  // The data may be too large for the device, or other programs took its memory meanwhile.
  if (!found && !found.error().cancelled()) {
    return host.run_on_cpu(operation, input, found.error().message(), hooks, context);
  }
  if (!found) return found.error();
  // No labels: the CPU's back end refuses that, with the message for the user.
  if (found->labels.largest == 0) return host.cpu->run(operation, input, context);
  auto kept =
      large_enough(operation, input, AllLabels(std::move(found->labels), std::move(found->counts)));
  if (!kept) return kept.error();
  return with_labels(input, *std::move(kept), describe(operation) + " [" + host.id() + "]");
}

}  // namespace

Engine label_engine() { return {bytes_of_label, run_label}; }

}  // namespace aprscope::gpu
