#include <utility>

#include "gpu/engines/devices.hpp"

namespace aprscope {

GpuInventory gpu_inventory() { return {{}, "this build has no CUDA support"}; }

Result<ChosenBackend> choose_backend(const std::string& device) {
  if (device == "cpu") return ChosenBackend{cpu_backend(), ""};
  if (device == "auto" || device.empty()) {
    return ChosenBackend{cpu_backend(), gpu_inventory().reason};
  }
  if (device.rfind("cuda:", 0) == 0) {
    return Error{gpu_inventory().reason, device, "use --device cpu"};
  }
  return Error{"is not a device", device, "use auto, cpu or cuda:N"};
}

Result<std::shared_ptr<const Backend>> select_backend(const std::string& device) {
  auto chosen = choose_backend(device);
  if (!chosen) return chosen.error();
  return std::move(chosen->backend);
}

}  // namespace aprscope
