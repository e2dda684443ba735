#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/pipeline/backend.hpp"

namespace aprscope {

/// A GPU that this program could use.
struct GpuDevice {
  int index = 0;
  std::string name;
  std::uint64_t memory_bytes = 0;
};

/// The devices besides the CPU that can compute.
struct GpuInventory {
  std::vector<GpuDevice> devices;
  /// Why there are no GPUs, in a sentence for the user; empty if there are some.
  std::string reason;
};
GpuInventory gpu_inventory();

/// The back end that the name of a device stands for.
struct ChosenBackend {
  std::shared_ptr<const Backend> backend;
  /// Why "auto" did not choose a GPU, in a sentence without a full stop; empty if it did.
  std::string reason;
};

/// The backend for "auto" (the best there is), "cpu", "cuda:N", several GPUs as "cuda:0,1" or all
/// there are as "cuda:all", with what to tell the user. Errors: no such device, and why.
Result<ChosenBackend> choose_backend(const std::string& device);

/// The back end of choose_backend(), without the reason.
Result<std::shared_ptr<const Backend>> select_backend(const std::string& device);

}  // namespace aprscope
