#include <charconv>
#include <mutex>
#include <string_view>

#include "core/base/log.hpp"
#include "gpu/cuda_backend.hpp"
#include "gpu/device_buffer.hpp"
#include "gpu/devices.hpp"
#include "gpu/gpu_device.hpp"

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

// "cuda:12" → 12.
bool parse_index(std::string_view text, int& index) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, index);
  return parsed.ec == std::errc() && parsed.ptr == end && index >= 0;
}

Result<std::shared_ptr<const Backend>> cuda_device(int index) {
  auto device = gpu::GpuDevice::open(index);
  if (!device) return device.error();
  return gpu::cuda_backend(*std::move(device));
}

}  // namespace

GpuInventory gpu_inventory() {
  // Devices do not come and go while a process runs, as far as CUDA can see.
  static const GpuInventory inventory = look();
  return inventory;
}

Result<std::shared_ptr<const Backend>> select_backend(const std::string& device) {
  if (device == "cpu") return cpu_backend();
  const GpuInventory inventory = gpu_inventory();
  if (device == "auto" || device.empty()) {
    if (!inventory.devices.empty()) {
      auto backend = cuda_device(inventory.devices.front().index);
      if (backend) return backend;
      log(LogLevel::warning, backend.error().message());
      return cpu_backend();
    }
    static std::once_flag said;
    std::call_once(said,
                   [&] { log(LogLevel::info, "Computing on the CPU: " + inventory.reason + "."); });
    return cpu_backend();
  }
  if (device.rfind("cuda:", 0) == 0) {
    int index = 0;
    if (!parse_index(std::string_view(device).substr(5), index)) {
      return Error{"is not a device", device, "use auto, cpu or cuda:N"};
    }
    if (inventory.devices.empty()) return Error{inventory.reason, device, "use --device cpu"};
    for (const GpuDevice& found : inventory.devices) {
      if (found.index == index) return cuda_device(index);
    }
    std::string known;
    for (const GpuDevice& found : inventory.devices) {
      known +=
          (known.empty() ? "" : ", ") + ("cuda:" + std::to_string(found.index)) + " " + found.name;
    }
    return Error{"there is no such GPU", device, "use cpu or one of " + known};
  }
  return Error{"is not a device", device, "use auto, cpu or cuda:N"};
}

}  // namespace aprscope
