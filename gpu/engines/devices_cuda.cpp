#include <charconv>
#include <string_view>
#include <utility>

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

// "cuda:12" → 12.
bool parse_index(std::string_view text, int& index) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, index);
  return parsed.ec == std::errc() && parsed.ptr == end && index >= 0;
}

Result<ChosenBackend> cuda_device(int index) {
  auto device = gpu::GpuDevice::open(index);
  if (!device) return device.error();
  return ChosenBackend{gpu::cuda_backend(*std::move(device)), ""};
}

}  // namespace

GpuInventory gpu_inventory() {
  // Devices do not come and go while a process runs, as far as CUDA can see.
  static const GpuInventory inventory = look();
  return inventory;
}

Result<ChosenBackend> choose_backend(const std::string& device) {
  if (device == "cpu") return ChosenBackend{cpu_backend(), ""};
  const GpuInventory inventory = gpu_inventory();
  if (device == "auto" || device.empty()) {
    if (inventory.devices.empty()) return ChosenBackend{cpu_backend(), inventory.reason};
    auto chosen = cuda_device(inventory.devices.front().index);
    if (chosen) return chosen;
    return ChosenBackend{cpu_backend(), chosen.error().message()};
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

Result<std::shared_ptr<const Backend>> select_backend(const std::string& device) {
  auto chosen = choose_backend(device);
  if (!chosen) return chosen.error();
  return std::move(chosen->backend);
}

}  // namespace aprscope
