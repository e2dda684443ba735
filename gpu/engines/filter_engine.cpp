#include "gpu/engines/filter_engine.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/base/scratch.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "gpu/octet/octet_reconstruction.hpp"
#include "gpu/octet/particle_filter.hpp"
#include "gpu/pixel/pixel_filter_plan.hpp"

namespace aprscope::gpu {
namespace {

// Filters pixels, or particles that the device cannot hold at once; copies the regions at the end.
Status filter_elsewhere(const EngineHost& host, const FilterPlan& plan, const Dataset& input,
                        std::span<const Region> regions, std::vector<float>& out,
                        const JobContext& context) {
  std::vector<float> all;
  std::vector<float>& to = regions.empty() ? out : all;
  to.resize(value_count(input));
  Status done = input.is_apr() ? filter_in_parts(plan, input, host.device, to, context)
                               : filter_pixels(plan, input.values().pixels(), input.name(),
                                               *host.device, to, context);
  if (!done) return done;
  for (const Region& region : regions) {
    if (input.is_apr()) {
      copy_particles(*input.apr().access, region, all, out);
    } else {
      copy_pixels(input.size(), region, all, out);
    }
  }
  return {};
}

// One slice in full resolution, painted on the device: a megabyte comes to the host where its
// particles would have to be put into all values there, and picked again.
Plane cut_slice(const OctetApr& apr, const OctetValues& values, const SlicePlace& slice,
                GpuDevice& device) {
  const Region box = region_of_slice(apr.access().size(), slice);
  const auto count = [](std::int64_t begin, std::int64_t end) {
    return static_cast<int>(end - begin);
  };
  Plane plane;
  plane_shape(apr.access().size(), slice.axis, plane.rows, plane.cols);
  plane.values.resize(static_cast<std::size_t>(plane.rows * plane.cols));
  const DeviceBuffer<float> pixels(plane.values.size(), "a slice on the GPU", device.main());
  reconstruct(
      apr.view(), values.data(), Reconstruct::constant,
      {static_cast<int>(box.begin.z), static_cast<int>(box.begin.x), static_cast<int>(box.begin.y)},
      {count(box.begin.z, box.end.z), count(box.begin.x, box.end.x), count(box.begin.y, box.end.y)},
      pixels.data(), device.main());
  device.download(pixels.data(), plane.values.data(), plane.values.size() * sizeof(float));
  return plane;
}

std::uint64_t bytes_of_filter(const EngineHost& /*host*/, const Operation& /*operation*/,
                              const Dataset& input) {
  if (!input.is_apr()) return pixel_filter_bytes(input.size());
  return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers);
}

// See filter_values(). Where all of an APR was filtered on the device, `result` is what lies there.
Status filter_into(const EngineHost& host, const Operation& operation, const Dataset& input,
                   std::span<const Region> regions, std::vector<float>& out, OctetValues& result,
                   const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok;
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  if (context.stop_requested()) return cancelled_error();
  const std::lock_guard turn(host.device->turn());
  return guarded([&]() -> Status {
    host.device->use();
    context.report(0.0, "copying to the GPU");
    ResidentApr& resident = *host.resident;
    if (!input.is_apr() || !resident.fits(input)) {
      return filter_elsewhere(host, *plan, input, regions, out, context);
    }
    const ResidentApr::Kept& data =
        regions.empty() ? resident.whole(input, 0) : resident.part(input, regions);
    if (context.stop_requested()) return cancelled_error();
    context.report(0.4, "filter");
    OctetValues filtered = data.apr->make_values();
    if (regions.empty()) {
      run_plan(*plan, input.apr().access->level_max(), 0, *data.apr, data.input, filtered);
      data.apr->download(filtered, out);
      result = std::move(filtered);
    } else {
      run_plan(*plan, *data.apr, *data.shown, data.input, filtered);
      data.shown->download(filtered, out);
    }
    context.report(1.0, "filter");
    return {};
  });
}

Result<Data> run_filter(const EngineHost& host, const Operation& operation, const Dataset& input,
                        const IterationHooks& /*hooks*/, const JobContext& context) {
  std::vector<float> values;
  make_zeros(values, static_cast<std::int64_t>(value_count(input)));
  OctetValues on_device;
  Status done = filter_into(host, operation, input, {}, values, on_device, context);
  if (!done) return done.error();
  if (!input.is_apr()) return Data{filtered_image(input, std::move(values))};
  Data out =
      with_field(input.apr(), std::move(values), describe(operation) + " [" + host.id() + "]");
  if (on_device.count() == 0) return out;
  const std::lock_guard turn(host.device->turn());
  // The next step sends what could not be kept.
  (void)guarded([&]() -> Status {
    host.device->use();
    host.resident->keep(std::get<Apr>(out), std::move(on_device));
    return {};
  });
  return out;
}

}  // namespace

Status filter_values(const EngineHost& host, const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) {
  OctetValues result;
  return filter_into(host, operation, input, regions, out, result, context);
}

Result<std::optional<std::vector<Plane>>> filter_slices(const EngineHost& host,
                                                        const Operation& operation,
                                                        const Dataset& input,
                                                        std::span<const SlicePlace> slices,
                                                        const JobContext& context) {
  if (!input.is_apr()) return std::optional<std::vector<Plane>>();
  if (Status ok = check_finite(input); !ok) return ok.error();
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  std::vector<Region> regions;
  for (const SlicePlace& slice : slices) regions.push_back(region_of_slice(input.size(), slice));
  std::optional<std::vector<Plane>> planes;
  const std::lock_guard turn(host.device->turn());
  if (context.stop_requested()) return cancelled_error();
  Status done = guarded([&]() -> Status {
    host.device->use();
    ResidentApr& resident = *host.resident;
    if (!resident.fits(input)) return {};
    const ResidentApr::Kept& data = resident.part(input, regions);
    const OctetValues filtered = data.apr->make_values();
    run_plan(*plan, *data.apr, *data.shown, data.input, filtered);
    planes.emplace();
    for (const SlicePlace& slice : slices) {
      planes->push_back(cut_slice(*data.apr, filtered, slice, *host.device));
    }
    return {};
  });
  if (!done) return done.error();
  return planes;
}

bool is_too_wide(const Operation& operation, const Dataset& input) {
  if (!input.is_apr() || !is_filter(operation)) return false;
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  return plan && std::any_of(plan->stencils.begin(), plan->stencils.end(),
                             [](const Stencil& s) { return s.lines.has_value(); });
}

Engine filter_engine() { return {bytes_of_filter, run_filter}; }

}  // namespace aprscope::gpu
