#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gpu/bench/benchmark.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// The GPU that "cuda:N" names.
Result<std::shared_ptr<GpuDevice>> device_of(const std::string& id);

/// Median and minimum of seconds.
GpuTiming summarize(std::vector<double> seconds);

/// Runs `enqueue` three times to warm up and then `repeats` times between events.
template <class Enqueue>
GpuTiming measure(const GpuDevice& device, int repeats, const Enqueue& enqueue) {
  const Event begin(true);
  const Event end(true);
  std::vector<double> seconds;
  for (int i = -3; i < repeats; ++i) {
    begin.record(device.main());
    enqueue();
    end.record(device.main());
    ensure(cudaEventSynchronize(end), "waiting for the GPU");
    float milliseconds = 0.0F;
    ensure(cudaEventElapsedTime(&milliseconds, begin, end), "reading the time");
    if (i >= 0) seconds.push_back(static_cast<double>(milliseconds) * 1e-3);
  }
  return summarize(std::move(seconds));
}

/// As measure(), but timed by the host's clock.
template <class Work>
GpuTiming measure_wall(int repeats, const Work& work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = -3; i < repeats; ++i) {
    const auto begin = Clock::now();
    work();
    if (i >= 0) {
      seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
  }
  return summarize(std::move(seconds));
}

}  // namespace aprscope::gpu
