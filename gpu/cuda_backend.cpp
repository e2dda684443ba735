#include "gpu/cuda_backend.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "core/base/system.hpp"
#include "core/pipeline/conversion_operation.hpp"
#include "core/pipeline/filter_runner.hpp"
#include "gpu/image_conversion.hpp"
#include "gpu/octet_arithmetic.hpp"
#include "gpu/octet_filter.hpp"
#include "gpu/octet_reconstruction.hpp"

namespace aprscope::gpu {
namespace {

// Input, result, and what a gradient's components are gathered in.
constexpr int kBuffers = 3;

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
    return Error{"holds " + std::to_string(bad.count) +
                     " values that are not finite (NaN or infinity), the first at z=" +
                     std::to_string(bad.first.z) + ", x=" + std::to_string(bad.first.x) +
                     ", y=" + std::to_string(bad.first.y),
                 input.name(), "replace them first"};
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
    if (whole_operation->id == "convert") {
      return ImageConversion::estimate_bytes(
          input.size(), static_cast<SampleKind>(input.volume().pixels.index()),
          conversion_parameters(*whole_operation, input.voxel()));
    }
    return OctetApr::estimate_bytes(*input.apr().access, kBuffers) +
           (is_filter(*whole_operation) ? 0 : pixel_bytes(input));
  }

  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    const auto whole_operation = complete(operation);
    if (!whole_operation) return whole_operation.error();
    if (!on_gpu(*whole_operation, input)) return cpu_->run(operation, input, context);
    if (Status ok = supports(operation, input); !ok) return ok.error();
    try {
      if (whole_operation->id == "convert") return convert(*whole_operation, input, context);
      if (!is_filter(*whole_operation)) return reconstruct_image(*whole_operation, input, context);
      std::vector<float> values(input.apr().access->count());
      if (Status done = filter(*whole_operation, input, values, context); !done) {
        return done.error();
      }
      Apr out = input.apr();
      const std::string field = out.main_field()->name;
      out.fields = {std::make_shared<const Field>(Field{field, std::move(values)})};
      out.tree_fields.clear();
      out.history.push_back(describe(*whole_operation) + " [" + id() + "]");
      return Data{std::move(out)};
    } catch (const std::bad_alloc&) {
      return Error{"there is not enough memory for the result", input.name(),
                   "close other data first"};
    }
  }

  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override {
    return cpu_->iterate(operation, input, hooks, context);
  }

  Status run_region(const Operation& operation, const Dataset& input, const Region& region,
                    std::vector<float>& out, const JobContext& context) const override;

 private:
  // `operation` is complete.
  static bool on_gpu(const Operation& operation, const Dataset& input) {
    if (!input.is_apr()) return operation.id == "convert";
    if (is_filter(operation)) return true;
    return operation.id == "reconstruct" && parameter<std::int64_t>(operation, "at_level") == 0;
  }
  static std::uint64_t pixel_bytes(const Dataset& input) {
    return static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
  }

  Result<Data> convert(const Operation& operation, const Dataset& input,
                       const JobContext& context) const;
  Result<Data> reconstruct_image(const Operation& operation, const Dataset& input,
                                 const JobContext& context) const;
  Status paint(Reconstruct mode, const Dataset& input, std::span<float> out,
               const JobContext& context) const;

  Status filter(const Operation& operation, const Dataset& input, std::span<float> out,
                const JobContext& context) const;
  const Resident& make_resident(const Dataset& input, std::uint64_t more) const;
  void compute(const FilterPlan& plan, const Resident& data, const OctetValues& out) const;

  std::shared_ptr<GpuDevice> device_;
  std::shared_ptr<const Backend> cpu_;
  // Guarded by the device's turn.
  mutable Resident resident_;
};

void check_memory(std::uint64_t needed, const std::string& where, const std::string& device) {
  const DeviceMemory memory = device_memory();
  if (needed <= memory.free) return;
  throw Failure{{"needs about " + format_bytes(needed) + " of GPU memory, but only " +
                     format_bytes(memory.free) + " of " + format_bytes(memory.total) +
                     " are free on " + device,
                 where, "use --device cpu or smaller data"}};
}

// The input on the device; `more` bytes will be needed beside it and its result.
const Resident& CudaBackend::make_resident(const Dataset& input, std::uint64_t more) const {
  const Apr& apr = input.apr();
  const auto field = apr.main_field();
  const bool same_structure = resident_.apr && resident_.access == apr.access;
  if (!same_structure) {
    resident_ = {};
    check_memory(OctetApr::estimate_bytes(*apr.access, kBuffers) + more, input.name(),
                 device_->name());
  } else {
    check_memory(more, input.name(), device_->name());
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

void CudaBackend::compute(const FilterPlan& plan, const Resident& data,
                          const OctetValues& out) const {
  const OctetApr& apr = *data.apr;
  if (plan.kind == FilterPlan::Kind::statistic && plan.statistic != LocalStatistic::mean) {
    local_statistic(apr, plan.statistic, plan.size, plan.boundary, data.input, out);
    return;
  }
  FilterPlan convolution = plan;
  if (plan.kind == FilterPlan::Kind::statistic) convolution.stencils = {box_stencil(plan.size)};
  const auto pyramids = pyramids_of(convolution, apr.access().level_max());
  if (!pyramids) throw Failure{pyramids.error()};
  Target target;
  if (pyramids->size() == 1) {
    target.out = out.data();
    OctetConvolution(apr, pyramids->front(), plan.boundary).run(data.input, target);
    return;
  }
  const OctetValues component = apr.make_values();
  target.out = component.data();
  const cudaStream_t stream = device_->main();
  for (const StencilPyramid& pyramid : *pyramids) {
    OctetConvolution(apr, pyramid, plan.boundary).run(data.input, target);
    combine(Arithmetic::add_square, out.data(), component.data(), out.data(), out.count(), stream);
  }
  combine(Arithmetic::root, out.data(), 0.0F, out.data(), out.count(), stream);
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
    const Resident& data = make_resident(input, 0);
    if (context.stop_requested()) return cancelled_error();
    context.report(0.4, "filter");
    const OctetValues result = data.apr->make_values();
    compute(*plan, data, result);
    data.apr->download(result, out);
    context.report(1.0, "filter");
    return {};
  });
}

Status CudaBackend::paint(Reconstruct mode, const Dataset& input, std::span<float> out,
                          const JobContext& context) const {
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    context.report(0.0, "copying to the GPU");
    const Resident& data = make_resident(input, pixel_bytes(input));
    if (context.stop_requested()) return cancelled_error();
    context.report(0.3, "pixels");
    if (mode == Reconstruct::smooth) data.apr->fill_tree(data.input, Reduction::mean);
    const DeviceBuffer<float> pixels(out.size(), "pixels on the GPU", device_->main());
    const Size3 n = input.size();
    gpu::reconstruct(data.apr->view(), data.input.data(), mode, {0, 0, 0},
                     {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)},
                     pixels.data(), device_->main());
    device_->download(pixels.data(), out.data(), out.size_bytes());
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

template <class T>
Pixels<T> rounded(const Pixels<float>& from) {
  Pixels<T> to(from.size);
  std::transform(from.values.begin(), from.values.end(), to.values.begin(),
                 [](float v) { return static_cast<T>(std::lround(v)); });
  return to;
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
    return cpu_->run(operation, input, context);
  }
  if (mode == Reconstruct::smooth) {
    if (Status ok = check_finite(input); !ok) return ok.error();
  }
  if (context.stop_requested()) return cancelled_error();
  Pixels<float> pixels(input.size());
  if (Status done = paint(mode, input, pixels.values, context); !done) return done.error();
  Volume out;
  out.voxel = apr.voxel;
  out.name = apr.name;
  out.channel = apr.channel;
  out.channel_index = apr.channel_index;
  out.time = apr.time;
  // Values that are those of particles keep the particles' type; interpolated ones are f32.
  const bool exact = mode == Reconstruct::constant;
  if (mode == Reconstruct::level ||
      (exact && std::holds_alternative<std::vector<std::uint8_t>>(field->values))) {
    out.pixels = rounded<std::uint8_t>(pixels);
  } else if (exact && std::holds_alternative<std::vector<std::uint16_t>>(field->values)) {
    out.pixels = rounded<std::uint16_t>(pixels);
  } else {
    out.pixels = std::move(pixels);
  }
  return Data{std::move(out)};
}

Status CudaBackend::run_region(const Operation& operation, const Dataset& input,
                               const Region& region, std::vector<float>& out,
                               const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (!on_gpu(*op, input)) return cpu_->run_region(operation, input, region, out, context);
  if (Status ok = supports(operation, input); !ok) return ok;
  const AprAccess& access = *input.apr().access;
  const Size3& n = access.size();
  if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > n.z ||
      region.end.x > n.x || region.end.y > n.y) {
    return Error{"the region reaches out of the image", op->id, "choose one inside"};
  }
  try {
    if (out.empty()) out.resize(access.count());
    if (out.size() != access.count()) {
      return Error{"the buffer for the result has the wrong length", op->id, ""};
    }
    std::vector<float> all(access.count());
    if (Status done = filter(*op, input, all, context); !done) return done;
    const Size3 extent = region.size();
    if (extent.z <= 0 || extent.x <= 0 || extent.y <= 0) return {};
    const LinearAccess& cells = access.particles();
    for (int l = 1; l <= access.level_max(); ++l) {
      const int shift = access.level_max() - l;
      const auto last = [&](std::int64_t end) { return (end - 1) >> shift; };
      for (std::int64_t z = region.begin.z >> shift; z <= last(region.end.z); ++z) {
        for (std::int64_t x = region.begin.x >> shift; x <= last(region.end.x); ++x) {
          const ParticleRange row = cells.row(l, z, x);
          for (std::uint64_t i = row.begin; i < row.end; ++i) {
            const std::int64_t y = cells.y()[i];
            if (y >= region.begin.y >> shift && y <= last(region.end.y)) out[i] = all[i];
          }
        }
      }
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
