#include <algorithm>
#include <utility>

#include "core/pipeline/device_names.hpp"
#include "gpu/device/device_buffer.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/engines/cuda_backend.hpp"
#include "gpu/engines/devices.hpp"

namespace aprscope {
namespace {

GpuInventory look() {
  GpuInventory found;
  int count = 0;
  cudaError_t code = cudaGetDeviceCount(&count);
  (void)cudaGetLastError();
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) count = 0;
  if (code != cudaSuccess || count == 0) {
    found.reason = "there is no NVIDIA GPU with a driver for CUDA " +
                   std::to_string(CUDART_VERSION / 1000) + " (" +
                   std::string(cudaGetErrorString(code == cudaSuccess ? cudaErrorNoDevice : code)) +
                   ")";
    return found;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    code = cudaGetDeviceProperties(&properties, i);
    if (code != cudaSuccess) {
      (void)cudaGetLastError();
      found.reason = std::string("a GPU does not answer (") + cudaGetErrorString(code) + ")";
      continue;
    }
    found.devices.push_back({i, properties.name, properties.totalGlobalMem});
  }
  if (!found.devices.empty()) found.reason.clear();
  return found;
}

Result<ChosenBackend> cuda_devices(const std::vector<int>& numbers) {
  std::vector<std::shared_ptr<gpu::GpuDevice>> opened;
  for (const int number : numbers) {
    auto device = gpu::GpuDevice::open(number);
    if (!device) return device.error();
    opened.push_back(*std::move(device));
  }
  return ChosenBackend{gpu::cuda_backend(std::move(opened)), ""};
}

Error no_device(const std::string& name) {
  return {"is not a device", name, "use auto, cpu, cuda:N, several as cuda:0,1, or cuda:all"};
}

}  // namespace

GpuInventory gpu_inventory() {
  // Looked for once: CUDA does not notice devices that come or go while a process runs.
  static const GpuInventory inventory = look();
  return inventory;
}

Result<ChosenBackend> choose_backend(const std::string& device) {
  if (device == "cpu") return ChosenBackend{cpu_backend(), ""};
  const GpuInventory inventory = gpu_inventory();
  if (device == "auto" || device.empty()) {
    if (inventory.devices.empty()) return ChosenBackend{cpu_backend(), inventory.reason};
    auto chosen = cuda_devices({inventory.devices.front().index});
    if (chosen) return chosen;
    return ChosenBackend{cpu_backend(), chosen.error().message()};
  }
  if (device.rfind("cuda:", 0) == 0) {
    const auto named = named_gpus(device);
    if (!named) return no_device(device);
    if (inventory.devices.empty()) return Error{inventory.reason, device, "use --device cpu"};
    std::vector<int> there;
    std::string known;
    for (const GpuDevice& found : inventory.devices) {
      there.push_back(found.index);
      known +=
          (known.empty() ? "" : ", ") + ("cuda:" + std::to_string(found.index)) + " " + found.name;
    }
    if (named->all) return cuda_devices(there);
    for (const int number : named->numbers) {
      if (std::find(there.begin(), there.end(), number) != there.end()) continue;
      return Error{"there is no such GPU", "cuda:" + std::to_string(number),
                   "use cpu or one of " + known};
    }
    return cuda_devices(named->numbers);
  }
  return no_device(device);
}

Result<std::shared_ptr<const Backend>> select_backend(const std::string& device) {
  auto chosen = choose_backend(device);
  if (!chosen) return chosen.error();
  return std::move(chosen->backend);
}

}  // namespace aprscope
