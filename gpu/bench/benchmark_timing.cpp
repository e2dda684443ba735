#include "gpu/bench/benchmark_timing.hpp"

#include <algorithm>
#include <cstdlib>

namespace aprscope::gpu {

Result<std::shared_ptr<GpuDevice>> device_of(const std::string& id) {
  if (id.rfind("cuda:", 0) != 0) return Error{"is not a GPU", id, "use --device cuda:N"};
  return GpuDevice::open(std::atoi(id.c_str() + 5));
}

GpuTiming summarize(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  GpuTiming timing;
  timing.median = seconds[seconds.size() / 2];
  timing.minimum = seconds.front();
  timing.repeats = static_cast<int>(seconds.size());
  return timing;
}

}  // namespace aprscope::gpu
