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

/// What there is to compute on besides the CPU.
struct GpuInventory {
  std::vector<GpuDevice> devices;
  /// Why there are none, in a sentence for the user; empty otherwise.
  std::string reason;
};
GpuInventory gpu_inventory();

/// What a name of a device came to.
struct ChosenBackend {
  std::shared_ptr<const Backend> backend;
  /// Why "auto" is not a GPU, in a sentence without a full stop; empty otherwise.
  std::string reason;
};

/// The backend for "auto" (the best there is), "cpu", "cuda:N", several GPUs as "cuda:0,1" or all
/// there are as "cuda:all", with what to tell the user. Errors: no such device, and why.
Result<ChosenBackend> choose_backend(const std::string& device);

/// The same without the reason.
Result<std::shared_ptr<const Backend>> select_backend(const std::string& device);

}  // namespace aprscope
