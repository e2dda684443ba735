#include "gpu/device/gpu_device.hpp"

#include <map>
#include <mutex>

namespace aprscope::gpu {
namespace {

// Makes the device current before the constructor's members, which need that.
int current(int index) {
  use_device(index);
  return index;
}

}  // namespace

GpuDevice::GpuDevice(int index) : index_(current(index)), pinned_(index) {
  cudaDeviceProp properties{};
  ensure(cudaGetDeviceProperties(&properties, index), "asking what the GPU is");
  name_ = properties.name;
  multiprocessors_ = properties.multiProcessorCount;
}

Result<std::shared_ptr<GpuDevice>> GpuDevice::open(int index) {
  static std::mutex mutex;
  // Never destroyed: the driver may be gone when the process ends.
  static auto& devices = *new std::map<int, std::shared_ptr<GpuDevice>>;
  const std::lock_guard lock(mutex);
  auto& device = devices[index];
  if (device) return device;
  return guarded([&]() -> Result<std::shared_ptr<GpuDevice>> {
    device = std::make_shared<GpuDevice>(index);
    return device;
  });
}

void GpuDevice::fork() const {
  forked_.record(main_);
  ensure(cudaStreamWaitEvent(side_, forked_, 0), "ordering work");
}

void GpuDevice::join() const {
  joined_.record(side_);
  ensure(cudaStreamWaitEvent(main_, joined_, 0), "ordering work");
}

void GpuDevice::upload(const void* from, void* to, std::uint64_t bytes, cudaStream_t stream) {
  uploaded_ += bytes;
  pinned_.upload(from, to, bytes, stream);
}

void GpuDevice::download(const void* from, void* to, std::uint64_t bytes) {
  downloaded_ += bytes;
  pinned_.download(from, to, bytes, main_);
}

}  // namespace aprscope::gpu
