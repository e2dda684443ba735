#include "gpu/devices.hpp"

namespace aprscope {

GpuInventory gpu_inventory() { return {{}, "this build has no CUDA support"}; }

Result<std::shared_ptr<const Backend>> select_backend(const std::string& device) {
  if (device == "auto" || device == "cpu" || device.empty()) return cpu_backend();
  if (device.rfind("cuda:", 0) == 0) {
    return Error{gpu_inventory().reason, device, "use --device cpu"};
  }
  return Error{"is not a device", device, "use auto, cpu or cuda:N"};
}

}  // namespace aprscope
