#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <utility>

#include "core/base/scratch.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/particle_words.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/octet/octet_reconstruction.hpp"
#include "gpu/octet/particle_filter.hpp"

namespace aprscope::gpu {
namespace {

std::uint64_t bytes_of_reconstruction(const EngineHost& /*host*/, const Operation& /*operation*/,
                                      const Dataset& input) {
  return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers) +
         static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
}

// Paints an image of n pixels: everything at full resolution (level 0), or the cells of a level.
Status paint(const EngineHost& host, Reconstruct mode, int level, const Dataset& input,
             const Size3& n, std::span<float> out, const JobContext& context) {
  GpuDevice& device = *host.device;
  const std::lock_guard turn(device.turn());
  return guarded([&]() -> Status {
    device.use();
    context.report(0.0, "copying to the GPU");
    const auto plane = static_cast<std::uint64_t>(n.x * n.y) * sizeof(float);
    const ResidentApr::Kept& data = host.resident->whole(input, plane);
    if (mode == Reconstruct::smooth || level != 0) data.apr->fill_tree(data.input, Reduction::mean);
    // As many slices at a time as the free memory holds.
    const auto room = static_cast<std::int64_t>(device_memory().free / plane);
    const std::int64_t slices = std::clamp<std::int64_t>(room, 1, n.z);
    const DeviceBuffer<float> pixels(static_cast<std::uint64_t>(slices * n.x * n.y),
                                     "pixels on the GPU", device.main());
    for (std::int64_t z = 0; z < n.z; z += slices) {
      if (context.stop_requested()) return cancelled_error();
      context.report(0.3 + 0.7 * static_cast<double>(z) / static_cast<double>(n.z), "pixels");
      const std::int64_t count = std::min(slices, n.z - z);
      const int first = static_cast<int>(z);
      if (level != 0) {
        reconstruct_level(data.apr->view(), data.input.data(), level, first,
                          static_cast<int>(count), pixels.data(), device.main());
      } else {
        gpu::reconstruct(data.apr->view(), data.input.data(), mode, {first, 0, 0},
                         {static_cast<int>(count), static_cast<int>(n.x), static_cast<int>(n.y)},
                         pixels.data(), device.main());
      }
      device.download(pixels.data(), out.data() + z * n.x * n.y,
                      static_cast<std::uint64_t>(count) * plane);
    }
    context.report(1.0, "pixels");
    return {};
  });
}

Reconstruct mode_of(const Operation& operation) {
  switch (schema::value_of(kReconstructionModes, parameter<std::string>(operation, "mode"))) {
    case ReconstructionMode::smooth:
      return Reconstruct::smooth;
    case ReconstructionMode::level:
      return Reconstruct::level;
    default:
      return Reconstruct::constant;
  }
}

Result<Data> run_reconstruction(const EngineHost& host, const Operation& operation,
                                const Dataset& input, const IterationHooks& /*hooks*/,
                                const JobContext& context) {
  const Apr& apr = input.apr();
  const Reconstruct mode = mode_of(operation);
  const auto field = apr.main_field();
  // An image of levels needs no values, but the kernel on the device expects some.
  if (mode == Reconstruct::level && (!field || field->count() != apr.access->count())) {
    return host.run_on_cpu(operation, input, "these particles have no values, which the GPU needs",
                           {}, context);
  }
  const auto level = static_cast<int>(parameter<std::int64_t>(operation, "at_level"));
  // The CPU's back end refuses what is impossible, with the message for the user.
  if (level > apr.access->level_max() || (level != 0 && mode != Reconstruct::constant)) {
    return host.cpu->run(operation, input, context);
  }
  if (mode == Reconstruct::smooth) {
    if (Status ok = check_finite(input); !ok) return ok.error();
  }
  if (context.stop_requested()) return cancelled_error();
  Pixels<float> pixels;
  pixels.size =
      level == 0 ? input.size() : level_grid(input.size(), apr.access->level_max(), level);
  make_zeros(pixels.values, pixels.size.count());
  if (Status done = paint(host, mode, level, input, pixels.size, pixels.values, context); !done) {
    return done.error();
  }
  // Constant reconstruction keeps the type of the particles; interpolated values are f32.
  const bool exact = mode == Reconstruct::constant && level == 0;
  const bool whole = mode == Reconstruct::level;
  Volume out = image_like(apr, whole   ? typed<std::uint8_t>(std::move(pixels))
                               : exact ? typed_as(*field, std::move(pixels))
                                       : AnyPixels(std::move(pixels)));
  if (level != 0) {
    const double factor = std::exp2(apr.access->level_max() - level);
    out.voxel.z *= factor;
    out.voxel.x *= factor;
    out.voxel.y *= factor;
  }
  return with_labels_of(apr, std::move(out), context);
}

}  // namespace

Engine reconstruction_engine() { return {bytes_of_reconstruction, run_reconstruction}; }

}  // namespace aprscope::gpu
