#include "gpu/device/cuda_check.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "core/base/system.hpp"
#include "gpu/device/device_buffer.hpp"
#include "gpu/device/device_pool.hpp"

namespace aprscope::gpu {

Error cuda_error(cudaError_t code, const std::string& doing) {
  std::string what = std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")";
  return {std::move(what), "GPU, " + doing, "try again with --device cpu"};
}

namespace {

std::atomic<std::uint64_t>& memory_limit() {
  static std::atomic<std::uint64_t> limit = [] {
    const char* const text = std::getenv("APRSCOPE_GPU_MEMORY_MB");
    return text != nullptr ? std::strtoull(text, nullptr, 10) * 1'000'000 : 0;
  }();
  return limit;
}

cudaMemPool_t current_pool() {
  int device = 0;
  ensure(cudaGetDevice(&device), "asking for the current GPU");
  cudaMemPool_t pool = nullptr;
  ensure(cudaDeviceGetDefaultMemPool(&pool, device), "asking for its memory pool");
  return pool;
}

}  // namespace

DeviceMemory device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  ensure(cudaMemGetInfo(&free, &total), "asking for its memory");
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  cudaMemPool_t pool = current_pool();
  ensure(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "its memory");
  ensure(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), "its memory");
  DeviceMemory memory{free + (reserved - used), total, used};
  if (const std::uint64_t limit = memory_limit(); limit != 0) {
    memory.free = std::min<std::uint64_t>(memory.free, limit > used ? limit - used : 0);
    memory.total = std::min<std::uint64_t>(memory.total, limit);
  }
  return memory;
}

void limit_device_memory(std::uint64_t bytes) { memory_limit() = bytes; }

void use_device(int index) {
  ensure(cudaSetDevice(index), "choosing the GPU");
  std::uint64_t keep = ~std::uint64_t{0};
  ensure(cudaMemPoolSetAttribute(current_pool(), cudaMemPoolAttrReleaseThreshold, &keep),
         "setting up its memory pool");
}

void release_freed_memory(cudaStream_t stream) {
  ensure(cudaStreamSynchronize(stream), "freeing memory");
  ensure(cudaMemPoolTrimTo(current_pool(), 0), "freeing memory");
}

void* device_allocate(std::uint64_t bytes, const char* what, cudaStream_t stream) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  cudaError_t code = cudaMallocAsync(&memory, bytes, stream);
  if (code == cudaErrorMemoryAllocation) {
    // The pool's memory may be fragmented: free what it keeps and try once more.
    (void)cudaGetLastError();
    release_freed_memory(stream);
    code = cudaMallocAsync(&memory, bytes, stream);
  }
  if (code == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    const DeviceMemory now = device_memory();
    throw Failure{{"needs " + format_bytes(bytes) + " of GPU memory, but only " +
                       format_bytes(now.free) + " of " + format_bytes(now.total) + " are free",
                   what, "use --device cpu or smaller data"}};
  }
  ensure(code, what);
  return memory;
}

void device_free(void* memory, cudaStream_t stream) noexcept {
  // Freeing fails only where the device is lost, and then the next call reports that.
  if (memory != nullptr) (void)cudaFreeAsync(memory, stream);
}

}  // namespace aprscope::gpu
