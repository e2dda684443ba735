#include <utility>
#include <vector>

#include "core/pipeline/device_names.hpp"
#include "gpu/engines/devices.hpp"
#include "gpu/engines/projections.hpp"
#include "gpu/projections/projection_inserter.hpp"

namespace aprscope {

Result<InserterFactory> inserters_on(const std::string& device, InsertionReading reading) {
  // select_backend() knows what the names of devices mean.
  const auto chosen = select_backend(device);
  if (!chosen) return chosen.error();
  const auto named = named_gpus((*chosen)->id());
  if (!named) return InserterFactory(make_cpu_inserter);
  std::vector<std::shared_ptr<gpu::GpuDevice>> devices;
  for (const int number : named->numbers) {
    auto opened = gpu::GpuDevice::open(number);
    if (!opened) return opened.error();
    devices.push_back(*std::move(opened));
  }
  return InserterFactory(
      [gpus = std::move(devices), reading](const InsertionPlan& plan, const JobContext& context) {
        return gpu::make_cuda_inserter(gpus, plan, reading == InsertionReading::exact, context);
      });
}

}  // namespace aprscope
