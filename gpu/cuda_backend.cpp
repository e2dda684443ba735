#include "gpu/cuda_backend.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "core/base/system.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "gpu/cuda_deconvolution.hpp"
#include "gpu/image_conversion.hpp"
#include "gpu/octet_reconstruction.hpp"
#include "gpu/octet_scene.hpp"
#include "gpu/particle_filter.hpp"
#include "gpu/pixel_filter_plan.hpp"

namespace aprscope::gpu {
namespace {

// An APR on the device. The keys hold what they name, so that their addresses stay theirs.
struct Resident {
  std::shared_ptr<const AprAccess> access;
  std::shared_ptr<const Field> field;
  std::unique_ptr<OctetApr> apr;
  OctetValues input;
};

Status check_finite(const Dataset& input) {
  const NonFinite bad = input.non_finite();
  if (bad.count != 0) {
    return Error{non_finite_text(bad), input.name(), "replace them, or scale the image, first"};
  }
  return {};
}

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(std::shared_ptr<GpuDevice> device)
      : device_(std::move(device)), cpu_(cpu_backend()) {}
  ~CudaBackend() override {
    (void)guarded([&]() -> Status {
      device_->use();
      resident_ = {};
      return {};
    });
  }

  std::string name() const override { return id() + " " + device_->name(); }
  std::string id() const override { return "cuda:" + std::to_string(device_->index()); }

  Status supports(const Operation& operation, const Dataset& input) const override {
    return cpu_->supports(operation, input);
  }

  std::uint64_t estimate_bytes(const Operation& operation, const Dataset& input) const override {
    const auto whole_operation = complete(operation);
    if (!whole_operation || !on_gpu(*whole_operation, input)) {
      return cpu_->estimate_bytes(operation, input);
    }
    if (whole_operation->id == "deconvolve") {
      const auto plan = plan_deconvolution(*whole_operation, input.voxel(), input.size());
      if (!plan) return 0;
      if (!can_deconvolve(*plan, input)) return cpu_->estimate_bytes(operation, input);
      return device_deconvolution_bytes(*plan, input);
    }
    if (whole_operation->id == "convert") {
      return ImageConversion::estimate_bytes(
          input.size(), static_cast<SampleKind>(input.volume().pixels.index()),
          conversion_parameters(*whole_operation, input.voxel()));
    }
    if (!input.is_apr()) return pixel_filter_bytes(input.size());
    return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers) +
           (is_filter(*whole_operation) ? 0 : pixel_bytes(input));
  }

  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    const auto whole_operation = complete(operation);
    if (!whole_operation) return whole_operation.error();
    if (whole_operation->id == "deconvolve") return iterate(operation, input, {}, context);
    if (Status ok = supports(operation, input); !ok) return ok.error();
    if (!on_gpu(*whole_operation, input)) {
      return run_on_cpu(*whole_operation, input,
                        is_too_wide(*whole_operation, input)
                            ? "the stencil is too wide for particles on the GPU"
                            : "the GPU does not do this",
                        context);
    }
    try {
      if (whole_operation->id == "convert") return convert(*whole_operation, input, context);
      if (!is_filter(*whole_operation)) return reconstruct_image(*whole_operation, input, context);
      std::vector<float> values(value_count(input));
      if (Status done = filter(*whole_operation, input, values, context); !done) {
        return done.error();
      }
      if (!input.is_apr()) return filtered_image(input.volume(), std::move(values));
      return with_field(input.apr(), std::move(values),
                        describe(*whole_operation) + " [" + id() + "]");
    } catch (const std::bad_alloc&) {
      return Error{"there is not enough memory for the result", input.name(),
                   "close other data first"};
    }
  }

  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override;

  Status run_region(const Operation& operation, const Dataset& input, const Region& region,
                    std::vector<float>& out, const JobContext& context) const override;

  // Where a picture is made leaves no trace in data: the CPU takes over what the device cannot
  // hold.
  Result<std::shared_ptr<const Raycaster>> raycaster(const std::shared_ptr<const Dataset>& input,
                                                     const JobContext& context) const override {
    if (input->is_apr() && !input->particle_values().empty()) {
      auto scene = make_scene(device_, *input);
      if (scene) return scene;
      context.moved({id(), cpu_->id(), cpu_->name(), scene.error().message()});
    }
    return Backend::raycaster(input, context);
  }

 private:
  // Passes over particles are for short lines there; the product of long ones would not end.
  static bool is_too_wide(const Operation& operation, const Dataset& input) {
    if (!input.is_apr() || !is_filter(operation)) return false;
    const auto plan = plan_filter(operation, input.voxel(), input.size());
    return plan && std::any_of(plan->stencils.begin(), plan->stencils.end(),
                               [](const Stencil& s) { return s.lines.has_value(); });
  }
  // `operation` is complete.
  static bool on_gpu(const Operation& operation, const Dataset& input) {
    if (is_too_wide(operation, input)) return false;
    return input.is_apr() || operation.id == "convert" || operation.id == "deconvolve" ||
           is_filter(operation);
  }
  static std::uint64_t value_count(const Dataset& input) {
    return input.is_apr() ? input.apr().access->count()
                          : static_cast<std::uint64_t>(input.size().count());
  }
  static std::uint64_t pixel_bytes(const Dataset& input) {
    return static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
  }

  Result<Data> run_on_cpu(const Operation& operation, const Dataset& input,
                          const std::string& reason, const JobContext& context) const {
    return compute_elsewhere(*this, *cpu_, reason, context,
                             [&] { return cpu_->run(operation, input, context); });
  }
  Result<Data> convert(const Operation& operation, const Dataset& input,
                       const JobContext& context) const;
  Result<Data> reconstruct_image(const Operation& operation, const Dataset& input,
                                 const JobContext& context) const;
  Status paint(Reconstruct mode, int level, const Dataset& input, const Size3& n,
               std::span<float> out, const JobContext& context) const;

  Status filter(const Operation& operation, const Dataset& input, std::span<float> out,
                const JobContext& context) const;
  const Resident& make_resident(const Dataset& input, std::uint64_t more) const;
  [[nodiscard]] bool fits(const Dataset& input) const;
  [[nodiscard]] Status make_room(std::uint64_t needed, const Dataset& input) const;

  std::shared_ptr<GpuDevice> device_;
  std::shared_ptr<const Backend> cpu_;
  // Guarded by the device's turn.
  mutable Resident resident_;
};

// The input on the device; `more` bytes will be needed beside it and its result.
const Resident& CudaBackend::make_resident(const Dataset& input, std::uint64_t more) const {
  const Apr& apr = input.apr();
  const auto field = apr.main_field();
  const bool same_structure = resident_.apr && resident_.access == apr.access;
  if (!same_structure) {
    resident_ = {};
    check_device_memory(OctetApr::estimate_bytes(*apr.access, kFilterBuffers) + more, input.name(),
                        *device_);
  } else {
    check_device_memory(more, input.name(), *device_);
    if (resident_.field == field) return resident_;
  }
  const std::vector<float>& values = input.particle_values();
  Resident next = std::exchange(resident_, {});
  if (!same_structure) {
    next.apr = std::make_unique<OctetApr>(apr.access, device_);
    next.access = apr.access;
    next.input = next.apr->make_values();
  }
  next.apr->upload(values, next.input);
  next.field = field;
  resident_ = std::move(next);
  return resident_;
}

// Whether filters hold all of the input on the device. Makes room for what is not there yet.
bool CudaBackend::fits(const Dataset& input) const {
  if (resident_.apr && resident_.access == input.apr().access) return true;
  resident_ = {};
  return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers) <= device_memory().free;
}

// Lets go of what filters keep, if need be. Errors: even then it is too little (with numbers).
Status CudaBackend::make_room(std::uint64_t needed, const Dataset& input) const {
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    if (needed > device_memory().free) resident_ = {};
    check_device_memory(needed, input.name(), *device_);
    return {};
  });
}

Status CudaBackend::filter(const Operation& operation, const Dataset& input, std::span<float> out,
                           const JobContext& context) const {
  if (Status ok = check_finite(input); !ok) return ok;
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  if (context.stop_requested()) return cancelled_error();
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    context.report(0.0, "copying to the GPU");
    if (!input.is_apr()) {
      return filter_pixels(*plan, input.pixels_f32(), input.name(), *device_, out, context);
    }
    if (!fits(input)) return filter_in_parts(*plan, input, device_, out, context);
    const Resident& data = make_resident(input, 0);
    if (context.stop_requested()) return cancelled_error();
    context.report(0.4, "filter");
    const OctetValues result = data.apr->make_values();
    run_plan(*plan, input.apr().access->level_max(), 0, *data.apr, data.input, result);
    data.apr->download(result, out);
    context.report(1.0, "filter");
    return {};
  });
}

// An image of n pixels: the whole at full resolution (level 0), or one level.
Status CudaBackend::paint(Reconstruct mode, int level, const Dataset& input, const Size3& n,
                          std::span<float> out, const JobContext& context) const {
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    context.report(0.0, "copying to the GPU");
    const auto plane = static_cast<std::uint64_t>(n.x * n.y) * sizeof(float);
    const Resident& data = make_resident(input, plane);
    if (mode == Reconstruct::smooth || level != 0) data.apr->fill_tree(data.input, Reduction::mean);
    // As many slices at once as there is room for.
    const auto room = static_cast<std::int64_t>(device_memory().free / plane);
    const std::int64_t slices = std::clamp<std::int64_t>(room, 1, n.z);
    const DeviceBuffer<float> pixels(static_cast<std::uint64_t>(slices * n.x * n.y),
                                     "pixels on the GPU", device_->main());
    for (std::int64_t z = 0; z < n.z; z += slices) {
      if (context.stop_requested()) return cancelled_error();
      context.report(0.3 + 0.7 * static_cast<double>(z) / static_cast<double>(n.z), "pixels");
      const std::int64_t count = std::min(slices, n.z - z);
      const int first = static_cast<int>(z);
      if (level != 0) {
        reconstruct_level(data.apr->view(), data.input.data(), level, first,
                          static_cast<int>(count), pixels.data(), device_->main());
      } else {
        gpu::reconstruct(data.apr->view(), data.input.data(), mode, {first, 0, 0},
                         {static_cast<int>(count), static_cast<int>(n.x), static_cast<int>(n.y)},
                         pixels.data(), device_->main());
      }
      device_->download(pixels.data(), out.data() + z * n.x * n.y,
                        static_cast<std::uint64_t>(count) * plane);
    }
    context.report(1.0, "pixels");
    return {};
  });
}

Result<Data> CudaBackend::convert(const Operation& operation, const Dataset& input,
                                  const JobContext& context) const {
  if (Status ok = check_finite(input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const Volume& volume = input.volume();
  const std::lock_guard turn(device_->turn());
  auto apr = guarded([&]() -> Result<Apr> {
    device_->use();
    return convert_on_device(*device_, volume, conversion_parameters(operation, volume.voxel),
                             context);
  });
  if (!apr) return apr.error();
  name_channel(*apr);
  apr->history = {describe(operation) + " [" + id() + "]"};
  return Data{*std::move(apr)};
}

Result<Data> CudaBackend::reconstruct_image(const Operation& operation, const Dataset& input,
                                            const JobContext& context) const {
  const Apr& apr = input.apr();
  const auto& name = parameter<std::string>(operation, "mode");
  const Reconstruct mode = name == "smooth"  ? Reconstruct::smooth
                           : name == "level" ? Reconstruct::level
                                             : Reconstruct::constant;
  const auto field = apr.main_field();
  // Levels need no values; the device wants some.
  if (mode == Reconstruct::level && (!field || field->count() != apr.access->count())) {
    return run_on_cpu(operation, input, "these particles have no values, which the GPU needs",
                      context);
  }
  const auto level = static_cast<int>(parameter<std::int64_t>(operation, "at_level"));
  // What cannot be is refused by the CPU in its words.
  if (level > apr.access->level_max() || (level != 0 && mode != Reconstruct::constant)) {
    return cpu_->run(operation, input, context);
  }
  if (mode == Reconstruct::smooth) {
    if (Status ok = check_finite(input); !ok) return ok.error();
  }
  if (context.stop_requested()) return cancelled_error();
  Pixels<float> pixels(level == 0 ? input.size()
                                  : level_grid(input.size(), apr.access->level_max(), level));
  if (Status done = paint(mode, level, input, pixels.size, pixels.values, context); !done) {
    return done.error();
  }
  // Values that are those of particles keep the particles' type; interpolated ones are f32.
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
  return Data{std::move(out)};
}

Result<Data> CudaBackend::iterate(const Operation& operation, const Dataset& input,
                                  const IterationHooks& hooks, const JobContext& context) const {
  auto op = complete(operation);
  if (!op) return op.error();
  if (op->id != "deconvolve") return run(operation, input, context);
  if (Status ok = supports(operation, input); !ok) return ok.error();
  if (Status ok = check_finite(input); !ok) return ok.error();
  *op = with_offset(*std::move(op), input);
  const auto plan = plan_deconvolution(*op, input.voxel(), input.size(), hooks.psf);
  if (!plan) return plan.error();
  const auto on_cpu = [&](const std::string& reason) {
    return compute_elsewhere(*this, *cpu_, reason, context, [&] {
      IterationHooks with_psf = hooks;
      with_psf.psf = std::make_shared<const Stencil>(plan->psf);
      return cpu_->iterate(*op, input, with_psf, context);
    });
  };
  if (!can_deconvolve(*plan, input)) {
    return on_cpu("the image has too few levels for a far part on the GPU");
  }
  if (Status ok = make_room(device_deconvolution_bytes(*plan, input), input); !ok) {
    return on_cpu(ok.error().message());
  }
  return deconvolve_on_device(device_, *op, *plan, input, hooks, context, id());
}

Status CudaBackend::run_region(const Operation& operation, const Dataset& input,
                               const Region& region, std::vector<float>& out,
                               const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (!on_gpu(*op, input)) return cpu_->run_region(operation, input, region, out, context);
  if (Status ok = supports(operation, input); !ok) return ok;
  if (!is_filter(*op)) return cpu_->run_region(operation, input, region, out, context);
  const Size3 n = input.size();
  if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > n.z ||
      region.end.x > n.x || region.end.y > n.y) {
    return Error{"the region reaches out of the image", op->id, "choose one inside"};
  }
  try {
    const std::uint64_t count = value_count(input);
    if (out.empty()) out.resize(count);
    if (out.size() != count) {
      return Error{"the buffer for the result has the wrong length", op->id, ""};
    }
    std::vector<float> all(count);
    if (Status done = filter(*op, input, all, context); !done) return done;
    const Size3 extent = region.size();
    if (extent.z <= 0 || extent.x <= 0 || extent.y <= 0) return {};
    if (input.is_apr()) {
      copy_particles(*input.apr().access, region, all, out);
    } else {
      copy_pixels(n, region, all, out);
    }
    return {};
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the result", input.name(),
                 "close other data first"};
  }
}

}  // namespace

std::shared_ptr<const Backend> cuda_backend(std::shared_ptr<GpuDevice> device) {
  return std::make_shared<const CudaBackend>(std::move(device));
}

}  // namespace aprscope::gpu
