#include "gpu/device/gpu_device.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "core/base/parallel.hpp"

namespace aprscope::gpu {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{8} << 20U;

// Copies with several threads: one is slower than the bus.
void copy_in_parts(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  constexpr std::uint64_t kPart = std::uint64_t{1} << 20U;
  const auto parts = static_cast<std::int64_t>((bytes + kPart - 1) / kPart);
  const int threads = std::min(thread_count(), 8);
  parallel_for(parts, threads, [&](std::int64_t i) {
    const std::uint64_t begin = static_cast<std::uint64_t>(i) * kPart;
    std::memcpy(to + begin, from + begin, std::min(kPart, bytes - begin));
  });
}

// Makes the device current before the constructor's members, which need that.
int current(int index) {
  use_device(index);
  return index;
}

}  // namespace

GpuDevice::GpuDevice(int index) : index_(current(index)) {
  cudaDeviceProp properties{};
  ensure(cudaGetDeviceProperties(&properties, index), "asking what the GPU is");
  name_ = properties.name;
  multiprocessors_ = properties.multiProcessorCount;
  for (auto& piece : pinned_) {
    void* memory = nullptr;
    ensure(cudaMallocHost(&memory, kPiece), "reserving memory for transfers");
    piece = static_cast<std::byte*>(memory);
  }
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
  for (std::uint64_t at = 0; at < bytes; at += kPiece) {
    const std::uint64_t i = pieces_++ % 2;
    const std::uint64_t n = std::min(kPiece, bytes - at);
    ensure(cudaEventSynchronize(free_[i]), "copying to the GPU");
    copy_in_parts(pinned_[i], static_cast<const std::byte*>(from) + at, n);
    ensure(cudaMemcpyAsync(static_cast<std::byte*>(to) + at, pinned_[i], n, cudaMemcpyHostToDevice,
                           stream),
           "copying to the GPU");
    free_[i].record(stream);
  }
}

void GpuDevice::download(const void* from, void* to, std::uint64_t bytes) {
  downloaded_ += bytes;
  // The device sends piece i while the host copies piece i − 1 out of pinned memory.
  const std::uint64_t pieces = (bytes + kPiece - 1) / kPiece;
  for (std::uint64_t i = 0; i <= pieces; ++i) {
    if (i < pieces) {
      const std::uint64_t n = std::min(kPiece, bytes - i * kPiece);
      ensure(cudaMemcpyAsync(pinned_[i % 2], static_cast<const std::byte*>(from) + i * kPiece, n,
                             cudaMemcpyDeviceToHost, main_),
             "copying from the GPU");
      free_[i % 2].record(main_);
    }
    if (i > 0) {
      const std::uint64_t at = (i - 1) * kPiece;
      ensure(cudaEventSynchronize(free_[(i - 1) % 2]), "copying from the GPU");
      copy_in_parts(static_cast<std::byte*>(to) + at, pinned_[(i - 1) % 2],
                    std::min(kPiece, bytes - at));
    }
  }
}

}  // namespace aprscope::gpu
