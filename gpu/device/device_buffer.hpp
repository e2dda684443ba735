#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {

/// Bytes of the current device's memory that are free, all of them, and those that buffers of this
/// process hold. What the pool of freed buffers keeps counts as free.
struct DeviceMemory {
  std::uint64_t free = 0;
  std::uint64_t total = 0;
  std::uint64_t used = 0;
};
DeviceMemory device_memory();

/// Lets this process plan with at most so many bytes of each device, as if it had no more; 0 = all
/// there are. The environment variable APRSCOPE_GPU_MEMORY_MB sets it too.
void limit_device_memory(std::uint64_t bytes);

/// Makes the device current for this thread and lets it keep freed memory for the next buffer, so
/// that buffers cost next to nothing after the first.
void use_device(int index);

/// Memory of the current device, in the order of `stream`; null for 0 bytes. Throws a Failure that
/// names the size asked for and the memory free.
void* device_allocate(std::uint64_t bytes, const char* what, cudaStream_t stream);
void device_free(void* memory, cudaStream_t stream) noexcept;

/// An array on the device that was current when it was made. Not initialised. Valid for work that
/// follows on `stream`, which must outlive it.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::uint64_t count, const char* what, cudaStream_t stream)
      : data_(static_cast<T*>(device_allocate(count * sizeof(T), what, stream))),
        count_(count),
        stream_(stream) {}
  ~DeviceBuffer() { device_free(data_, stream_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t bytes() const { return count_ * sizeof(T); }

  void zero() const {
    if (count_ != 0) ensure(cudaMemsetAsync(data_, 0, bytes(), stream_), "clearing memory");
  }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(stream_, other.stream_);
  }

  T* data_ = nullptr;
  std::uint64_t count_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// A stream of the current device.
class Stream {
 public:
  /// `urgent`: its work starts before work of other streams that is already waiting.
  explicit Stream(bool urgent = false) {
    int least = 0;
    int greatest = 0;
    ensure(cudaDeviceGetStreamPriorityRange(&least, &greatest), "making a stream");
    ensure(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? greatest : least),
           "making a stream");
  }
  ~Stream() { (void)cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }  // NOLINT: stands for its stream
  void wait() const { ensure(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// An event; by default without a time stamp.
class Event {
 public:
  explicit Event(bool timed = false) {
    ensure(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming),
           "making an event");
  }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }  // NOLINT: stands for its event
  void record(cudaStream_t stream) const {
    ensure(cudaEventRecord(event_, stream), "recording an event");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace aprscope::gpu
