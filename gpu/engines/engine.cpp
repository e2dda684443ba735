#include "gpu/engines/engine.hpp"

#include <utility>

#include "core/pipeline/device_names.hpp"

namespace aprscope::gpu {

EngineHost::EngineHost(std::vector<std::shared_ptr<GpuDevice>> all)
    : devices(std::move(all)),
      device(devices.front()),
      cpu(cpu_backend()),
      resident(std::make_shared<ResidentApr>(device)) {}

std::string EngineHost::id() const {
  std::vector<int> numbers;
  for (const auto& one : devices) numbers.push_back(one->index());
  return name_of_gpus(numbers);
}

Result<Data> EngineHost::run_on_cpu(const Operation& operation, const Dataset& input,
                                    const std::string& reason, const IterationHooks& hooks,
                                    const JobContext& context) const {
  return compute_elsewhere(*asked, *cpu, reason, context,
                           [&] { return cpu->iterate(operation, input, hooks, context); });
}

}  // namespace aprscope::gpu
