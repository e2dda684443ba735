#include <utility>

#include "gpu/engines/devices.hpp"
#include "gpu/engines/projections.hpp"
#include "gpu/projections/projection_inserter.hpp"

namespace aprscope {

Result<InserterFactory> inserters_on(const std::string& device, InsertionReading reading) {
  // What a name comes to is said in one place.
  const auto chosen = select_backend(device);
  if (!chosen) return chosen.error();
  const std::string id = (*chosen)->id();
  if (id.rfind("cuda:", 0) != 0) return InserterFactory(make_cpu_inserter);
  auto opened = gpu::GpuDevice::open(std::stoi(id.substr(5)));
  if (!opened) return opened.error();
  return InserterFactory(
      [gpu = *std::move(opened), reading](const InsertionPlan& plan, const JobContext& context) {
        if (plan.kernel == InsertionKernel::blob) return make_cpu_inserter(plan, context);
        return gpu::make_cuda_inserter(gpu, plan, reading == InsertionReading::exact);
      });
}

}  // namespace aprscope
