#include <mutex>
#include <utility>

#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/particle_words.hpp"
#include "gpu/convert/image_conversion.hpp"
#include "gpu/engines/engine.hpp"

namespace aprscope::gpu {
namespace {

std::uint64_t bytes_of_conversion(const EngineHost& /*host*/, const Operation& operation,
                                  const Dataset& input) {
  return ImageConversion::estimate_bytes(input.size(),
                                         static_cast<SampleKind>(input.volume().pixels.index()),
                                         conversion_parameters(operation, input.voxel()));
}

Result<Data> run_conversion(const EngineHost& host, const Operation& operation,
                            const Dataset& input, const IterationHooks& /*hooks*/,
                            const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const Volume& volume = input.volume();
  const std::lock_guard turn(host.device->turn());
  auto apr = guarded([&]() -> Result<Apr> {
    host.device->use();
    // With the whole image on the device it takes one way, where it would take two.
    if (bytes_of_conversion(host, operation, input) > device_memory().free) {
      host.resident->release();
    }
    return convert_on_device(*host.device, volume, conversion_parameters(operation, volume.voxel),
                             context);
  });
  if (!apr) return apr.error();
  name_channel(*apr);
  apr->history = {describe(operation) + " [" + host.id() + "]"};
  return with_labels_of(input.labels(), *std::move(apr), context);
}

}  // namespace

Engine conversion_engine() { return {bytes_of_conversion, run_conversion}; }

}  // namespace aprscope::gpu
