#include "gpu/bench/benchmark.hpp"
#include "gpu/engines/devices.hpp"

namespace aprscope {

Result<GpuFacts> gpu_facts(const std::string& device) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_benchmark(const std::string& device,
                                             const std::shared_ptr<const AprAccess>& /*access*/,
                                             std::span<const float> /*values*/, int /*repeats*/) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_conversion_benchmark(const std::string& device, const Volume&,
                                                        const ConversionParameters&, int) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_pixel_topology_benchmark(const std::string& device, const Size3&,
                                                            int) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_label_benchmark(const std::string& device, const Size3&, int) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_projection_benchmark(const std::string& device, int) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_topology_benchmark(const std::string& device,
                                                      const std::shared_ptr<const AprAccess>&,
                                                      std::span<const float>, int) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

Result<std::vector<GpuTiming>> gpu_deconvolution_benchmark(const std::string& device,
                                                           const std::shared_ptr<const AprAccess>&,
                                                           std::span<const float>,
                                                           std::vector<float>, int) {
  return Error{gpu_inventory().reason, device, "use --device cpu"};
}

}  // namespace aprscope
