#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/backend.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/engines/resident_apr.hpp"

namespace aprscope::gpu {

/// The parts of a back end that its engines share.
struct EngineHost {
  explicit EngineHost(std::vector<std::shared_ptr<GpuDevice>> all);

  /// The name of the devices: "cuda:0", or of several devices "cuda:0,1".
  [[nodiscard]] std::string id() const;
  /// Runs on the CPU what the device cannot do, and tells the job's host `reason`.
  [[nodiscard]] Result<Data> run_on_cpu(const Operation& operation, const Dataset& input,
                                        const std::string& reason, const IterationHooks& hooks,
                                        const JobContext& context) const;

  /// At least one; everything but maps of projections is computed on the first.
  std::vector<std::shared_ptr<GpuDevice>> devices;
  std::shared_ptr<GpuDevice> device;
  std::shared_ptr<const Backend> cpu;
  std::shared_ptr<ResidentApr> resident;
  /// The back end that the job was given to.
  const Backend* asked = nullptr;
};

/// A family of operations on the device. Operations are complete, and supported for this input.
struct Engine {
  /// Memory in bytes that a run takes beyond the input.
  std::uint64_t (*bytes)(const EngineHost&, const Operation&, const Dataset&);
  /// See Backend::iterate(). May throw std::bad_alloc.
  Result<Data> (*run)(const EngineHost&, const Operation&, const Dataset&, const IterationHooks&,
                      const JobContext&);
};

Engine conversion_engine();
Engine reconstruction_engine();
Engine filter_engine();
Engine deconvolution_engine();
Engine label_engine();
Engine map_engine();

/// A family of operations that measure on the device.
struct Gauge {
  std::uint64_t (*bytes)(const Dataset&);
  /// Frees what filters keep on the device if needed. Errors: too little memory even then.
  Status (*make_room)(const EngineHost&, const Dataset&);
  /// `refused`: set to the reason where the device could not measure, so that the CPU has to.
  Result<Measurement> (*measure)(const EngineHost&, const Operation&, const Dataset&,
                                 std::optional<Error>& refused, const JobContext&);
};

Gauge topology_gauge();

/// The number of values of an image or of particles.
inline std::uint64_t value_count(const Dataset& input) {
  return input.is_apr() ? input.apr().access->count()
                        : static_cast<std::uint64_t>(input.size().count());
}

}  // namespace aprscope::gpu
