#include <mutex>
#include <span>
#include <vector>

#include "core/operations/measure/topology_measurement.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/octet/particle_filter.hpp"
#include "gpu/topology/strata_counting.hpp"

namespace aprscope::gpu {
namespace {

// The largest number of levels of a measurement.
constexpr int kMostPlaces = 65536;

std::uint64_t bytes(const Dataset& input) {
  if (!input.is_apr()) return pixel_strata_bytes(input.volume()).plenty;
  const AprAccess& access = *input.apr().access;
  return OctetApr::estimate_bytes(access, kFilterBuffers) +
         ParticleStrata::bytes(access, kMostPlaces);
}

Status make_room(const EngineHost& host, const Dataset& input) {
  const std::lock_guard turn(host.device->turn());
  return guarded([&]() -> Status {
    host.device->use();
    const std::uint64_t all =
        input.is_apr() ? bytes(input) : pixel_strata_bytes(input.volume()).least;
    const std::uint64_t more =
        host.resident->has(input) ? ParticleStrata::bytes(*input.apr().access, kMostPlaces) : all;
    if (more <= device_memory().free) return {};
    host.resident->release();
    check_device_memory(all, input.name(), *host.device);
    return {};
  });
}

// Call with the device's lock held.
Result<StrataCounts> count_particles(const EngineHost& host, const Dataset& input,
                                     const LevelPlaces& places,
                                     const std::vector<std::uint16_t>& found,
                                     Construction construction, const JobContext& context) {
  context.report(0.0, "copying to the GPU");
  const auto levels = static_cast<int>(places.levels().size());
  const OctetApr& apr =
      host.resident->structure(input, ParticleStrata::bytes(*input.apr().access, levels));
  const ParticleStrata strata(apr, found, levels, construction);
  for (std::uint32_t i = 0; i < strata.parts(); ++i) {
    if (context.stop_requested()) return cancelled_error();
    context.report(0.5 + 0.5 * i / strata.parts(), "strata");
    strata.enqueue(i);
  }
  StrataCounts counts = strata.counts();
  context.report(1.0, "strata");
  return counts;
}

Result<Measurement> measure(const EngineHost& host, const Operation& operation,
                            const Dataset& input, std::optional<Error>& refused,
                            const JobContext& context) {
  const auto count = [&](const LevelPlaces& places, Construction construction,
                         const JobContext& part) -> Result<StrataCounts> {
    std::vector<std::uint16_t> found(input.is_apr() ? value_count(input) : 0);
    if (input.is_apr()) {
      places.find(std::span<const float>(input.values().particles()), std::span(found));
    }
    const std::lock_guard turn(host.device->turn());
    auto counted = guarded([&]() -> Result<StrataCounts> {
      host.device->use();
      if (input.is_apr()) {
        return count_particles(host, input, places, found, construction, part);
      }
      return count_pixel_strata(*host.device, input.volume(), places, construction, 0, part);
    });
    if (!counted && !counted.error().cancelled()) refused = counted.error();
    return counted;
  };
  return measure_topology(operation, input, count, context);
}

}  // namespace

Gauge topology_gauge() { return {bytes, make_room, measure}; }

}  // namespace aprscope::gpu
