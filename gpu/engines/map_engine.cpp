#include <mutex>
#include <optional>

#include "core/operations/project/projecting.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/projections/projection_inserter.hpp"

namespace aprscope::gpu {
namespace {

// Memory of the host, which adds up and solves the sums where the device cannot.
std::uint64_t bytes_of_map(const EngineHost& host, const Operation& operation,
                           const Dataset& input) {
  return host.cpu->estimate_bytes(operation, input);
}

// Images are inserted on all devices.
Result<Data> run_map(const EngineHost& host, const Operation& operation, const Dataset& input,
                     const IterationHooks& hooks, const JobContext& context) {
  std::optional<Error> refused;
  const auto inserters = [&](const InsertionPlan& plan, const JobContext& job) {
    {
      const std::lock_guard turn(host.device->turn());
      host.resident->release();
    }
    auto made = make_cuda_inserter(host.devices, plan, false, job);
    if (!made) refused = made.error();
    return made;
  };
  auto done = backproject_with(operation, input, hooks, inserters, context);
  if (!done && refused) {
    return host.run_on_cpu(operation, input, refused->message(), hooks, context);
  }
  return done;
}

}  // namespace

Engine map_engine() { return {bytes_of_map, run_map}; }

}  // namespace aprscope::gpu
