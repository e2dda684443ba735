#include "gpu/engines/cuda_backend.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "core/base/system.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/measure/topology_measurement.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/particle_words.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/operations/registry.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/pipeline/device_names.hpp"
#include "gpu/cells/labelling.hpp"
#include "gpu/convert/image_conversion.hpp"
#include "gpu/deconvolution/cuda_deconvolution.hpp"
#include "gpu/engines/octet_scene.hpp"
#include "gpu/octet/octet_reconstruction.hpp"
#include "gpu/octet/particle_filter.hpp"
#include "gpu/pixel/pixel_filter_plan.hpp"
#include "gpu/projections/projection_inserter.hpp"
#include "gpu/topology/strata_counting.hpp"

namespace aprscope::gpu {
namespace {

// Levels of a measurement, at most.
constexpr int kMostPlaces = 65536;

// An APR on the device. The keys hold what they name, so that their addresses stay theirs.
struct Resident {
  std::shared_ptr<const AprAccess> access;
  std::shared_ptr<const Field> field;
  std::unique_ptr<OctetApr> apr;
  OctetValues input;
  // Whether the interior cells of `input` hold means. Whoever fills them fills in means.
  bool tree = false;
  // What previews showed last, and will show again with the next edit.
  std::unique_ptr<OctetPart> shown;
};

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(std::vector<std::shared_ptr<GpuDevice>> devices)
      : device_(devices.front()), all_(std::move(devices)), cpu_(cpu_backend()) {}
  ~CudaBackend() override {
    (void)guarded([&]() -> Status {
      device_->use();
      resident_ = {};
      return {};
    });
  }

  std::string name() const override {
    const std::string others =
        all_.size() > 1 ? " and " + std::to_string(all_.size() - 1) + " more" : "";
    return id() + " " + device_->name() + others;
  }
  std::string id() const override {
    std::vector<int> numbers;
    for (const auto& device : all_) numbers.push_back(device->index());
    return name_of_gpus(numbers);
  }

  Status supports(const Operation& operation, const Dataset& input) const override {
    return cpu_->supports(operation, input);
  }

  std::uint64_t estimate_bytes(const Operation& operation, const Dataset& input) const override {
    const auto whole = complete(operation);
    if (whole && gauge_for(*whole) != nullptr) return (this->*gauge_for(*whole)->bytes)(input);
    const Engine* engine = whole ? engine_for(*whole, input) : nullptr;
    return engine != nullptr ? (this->*engine->bytes)(*whole, input)
                             : cpu_->estimate_bytes(operation, input);
  }

  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    return iterate(operation, input, {}, context);
  }

  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override;

  Status run_regions(const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) const override;

  Result<Measurement> measure(const Operation& operation, const Dataset& input,
                              const JobContext& context) const override;

  // Where a picture is made leaves no trace in data: the CPU takes over what the device cannot
  // hold.
  Result<std::shared_ptr<const Raycaster>> raycaster(const std::shared_ptr<const Dataset>& input,
                                                     const JobContext& context) const override {
    if (input->is_apr() && !input->particle_values().empty()) {
      auto scene = make_scene(device_, input);
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
  // A family of operations on the device. Operations are complete.
  struct Engine {
    std::uint64_t (CudaBackend::*bytes)(const Operation&, const Dataset&) const;
    Result<Data> (CudaBackend::*run)(const Operation&, const Dataset&, const IterationHooks&,
                                     const JobContext&) const;
  };
  // What computes this here; null: the CPU has to.
  static const Engine* engine_for(const Operation& operation, const Dataset& input);

  // A family of operations that measure on the device.
  struct Gauge {
    std::uint64_t (CudaBackend::*bytes)(const Dataset&) const;
    // Lets go of what filters keep, if need be. Errors: even then it is too little (with numbers).
    Status (CudaBackend::*make_room)(const Dataset&) const;
    // `refused`: why the device did not do it, where it did not.
    Result<Measurement> (CudaBackend::*measure)(const Operation&, const Dataset&,
                                                std::optional<Error>& refused,
                                                const JobContext&) const;
  };
  // What measures this here; null: the CPU has to.
  static const Gauge* gauge_for(const Operation& operation);

  std::uint64_t strata_bytes(const Dataset& input) const {
    if (!input.is_apr()) return pixel_strata_bytes(input.volume()).plenty;
    const AprAccess& access = *input.apr().access;
    return OctetApr::estimate_bytes(access, kFilterBuffers) +
           ParticleStrata::bytes(access, kMostPlaces);
  }
  Status make_room_for_strata(const Dataset& input) const;
  Result<Measurement> measure_strata(const Operation& operation, const Dataset& input,
                                     std::optional<Error>& refused,
                                     const JobContext& context) const;
  Result<Measurement> measure_elsewhere(const Operation& operation, const Dataset& input,
                                        const std::string& reason, const JobContext& context) const;

  std::uint64_t filter_bytes(const Operation& operation, const Dataset& input) const {
    (void)operation;
    if (!input.is_apr()) return pixel_filter_bytes(input.size());
    return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers);
  }
  std::uint64_t reconstruction_bytes(const Operation& operation, const Dataset& input) const {
    (void)operation;
    return OctetApr::estimate_bytes(*input.apr().access, kFilterBuffers) + pixel_bytes(input);
  }
  std::uint64_t conversion_bytes(const Operation& operation, const Dataset& input) const {
    return ImageConversion::estimate_bytes(input.size(),
                                           static_cast<SampleKind>(input.volume().pixels.index()),
                                           conversion_parameters(operation, input.voxel()));
  }
  std::uint64_t deconvolution_bytes(const Operation& operation, const Dataset& input) const {
    const auto plan = plan_deconvolution(operation, input.voxel(), input.size());
    if (!plan) return 0;
    if (!can_deconvolve(*plan, input)) return cpu_->estimate_bytes(operation, input);
    return device_deconvolution_bytes(*plan, input);
  }
  // What the host takes comes on top of what the device does, and is more.
  std::uint64_t label_bytes(const Operation& operation, const Dataset& input) const {
    return std::max(cpu_->estimate_bytes(operation, input), device_label_bytes(input.size()));
  }
  static std::uint64_t value_count(const Dataset& input) {
    return input.is_apr() ? input.apr().access->count()
                          : static_cast<std::uint64_t>(input.size().count());
  }
  static std::uint64_t pixel_bytes(const Dataset& input) {
    return static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
  }

  Result<Data> run_on_cpu(const Operation& operation, const Dataset& input,
                          const std::string& reason, const IterationHooks& hooks,
                          const JobContext& context) const {
    return compute_elsewhere(*this, *cpu_, reason, context,
                             [&] { return cpu_->iterate(operation, input, hooks, context); });
  }
  Result<Data> convert(const Operation& operation, const Dataset& input, const IterationHooks&,
                       const JobContext& context) const;
  Result<Data> reconstruct_image(const Operation& operation, const Dataset& input,
                                 const IterationHooks&, const JobContext& context) const;
  Result<Data> filter_all(const Operation& operation, const Dataset& input, const IterationHooks&,
                          const JobContext& context) const;
  Result<Data> deconvolve(const Operation& asked, const Dataset& input, const IterationHooks& hooks,
                          const JobContext& context) const;
  Result<Data> label(const Operation& operation, const Dataset& input, const IterationHooks& hooks,
                     const JobContext& context) const;
  Result<Data> backproject_map(const Operation& operation, const Dataset& input,
                               const IterationHooks& hooks, const JobContext& context) const;
  // What the host takes: sums are summed up and solved there.
  std::uint64_t backproject_memory(const Operation& operation, const Dataset& input) const {
    return cpu_->estimate_bytes(operation, input);
  }
  Status paint(Reconstruct mode, int level, const Dataset& input, const Size3& n,
               std::span<float> out, const JobContext& context) const;

  // Without regions `out` is all new; with some, of particles only those that they touch are
  // computed, and come from the device.
  Status filter(const Operation& operation, const Dataset& input, std::span<const Region> regions,
                std::vector<float>& out, const JobContext& context) const;
  const Resident& make_shown(const Dataset& input, std::span<const Region> regions) const;
  const Resident& make_resident(const Dataset& input, std::uint64_t more) const;
  const OctetApr& make_structure(const Dataset& input, std::uint64_t more) const;
  [[nodiscard]] bool fits(const Dataset& input) const;
  [[nodiscard]] Status make_room(std::uint64_t needed, const Dataset& input) const;

  std::shared_ptr<GpuDevice> device_;  // the first of all
  std::vector<std::shared_ptr<GpuDevice>> all_;
  std::shared_ptr<const Backend> cpu_;
  // Guarded by the device's turn.
  mutable Resident resident_;
};

// The structure of the input on the device; `more` bytes will be needed beside it, its values and
// a result.
const OctetApr& CudaBackend::make_structure(const Dataset& input, std::uint64_t more) const {
  const Apr& apr = input.apr();
  if (resident_.apr && resident_.access == apr.access) {
    check_device_memory(more, input.name(), *device_);
    return *resident_.apr;
  }
  resident_ = {};
  check_device_memory(OctetApr::estimate_bytes(*apr.access, kFilterBuffers) + more, input.name(),
                      *device_);
  Resident next;
  next.apr = std::make_unique<OctetApr>(apr.access, device_);
  next.access = apr.access;
  next.input = next.apr->make_values();
  resident_ = std::move(next);
  return *resident_.apr;
}

// The input on the device.
const Resident& CudaBackend::make_resident(const Dataset& input, std::uint64_t more) const {
  make_structure(input, more);
  const auto field = input.apr().main_field();
  if (resident_.field == field) return resident_;
  const std::vector<float>& values = input.particle_values();
  Resident next = std::exchange(resident_, {});
  next.apr->upload(values, next.input);
  next.field = field;
  next.tree = false;
  resident_ = std::move(next);
  return resident_;
}

// The input on the device with means in its interior cells, and what previews of these regions
// need.
const Resident& CudaBackend::make_shown(const Dataset& input,
                                        std::span<const Region> regions) const {
  make_resident(input, 0);
  if (!resident_.tree) {
    resident_.apr->fill_tree(resident_.input, Reduction::mean);
    resident_.tree = true;
  }
  const auto same = [](const Region& a, const Region& b) {
    return a.begin == b.begin && a.end == b.end;
  };
  const auto& shown = resident_.shown;
  if (!shown || !std::equal(regions.begin(), regions.end(), shown->regions().begin(),
                            shown->regions().end(), same)) {
    resident_.shown = std::make_unique<OctetPart>(*resident_.apr, regions);
  }
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

Status CudaBackend::filter(const Operation& operation, const Dataset& input,
                           std::span<const Region> regions, std::vector<float>& out,
                           const JobContext& context) const {
  if (Status ok = check_finite(input); !ok) return ok;
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  if (context.stop_requested()) return cancelled_error();
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    context.report(0.0, "copying to the GPU");
    // Of what is not filtered whole and in place, the regions are taken at the end.
    std::vector<float> all;
    if (!input.is_apr() || !fits(input)) {
      std::vector<float>& to = regions.empty() ? out : all;
      to.resize(value_count(input));
      Status done = input.is_apr() ? filter_in_parts(*plan, input, device_, to, context)
                                   : filter_pixels(*plan, input.pixels_f32(), input.name(),
                                                   *device_, to, context);
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
    const Resident& data = regions.empty() ? make_resident(input, 0) : make_shown(input, regions);
    if (context.stop_requested()) return cancelled_error();
    context.report(0.4, "filter");
    const OctetValues result = data.apr->make_values();
    if (regions.empty()) {
      run_plan(*plan, input.apr().access->level_max(), 0, *data.apr, data.input, result);
      data.apr->download(result, out);
    } else {
      run_plan(*plan, *data.apr, *data.shown, data.input, result);
      data.shown->download(result, out);
    }
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
                                  const IterationHooks&, const JobContext& context) const {
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
  return with_labels_of(input.labels(), *std::move(apr), context);
}

Result<Data> CudaBackend::reconstruct_image(const Operation& operation, const Dataset& input,
                                            const IterationHooks&,
                                            const JobContext& context) const {
  const Apr& apr = input.apr();
  const ReconstructionMode wanted =
      schema::value_of(kReconstructionModes, parameter<std::string>(operation, "mode"));
  const Reconstruct mode = wanted == ReconstructionMode::smooth  ? Reconstruct::smooth
                           : wanted == ReconstructionMode::level ? Reconstruct::level
                                                                 : Reconstruct::constant;
  const auto field = apr.main_field();
  // Levels need no values; the device wants some.
  if (mode == Reconstruct::level && (!field || field->count() != apr.access->count())) {
    return run_on_cpu(operation, input, "these particles have no values, which the GPU needs", {},
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
  return with_labels_of(apr, std::move(out), context);
}

Result<Data> CudaBackend::filter_all(const Operation& operation, const Dataset& input,
                                     const IterationHooks&, const JobContext& context) const {
  std::vector<float> values(value_count(input));
  if (Status done = filter(operation, input, {}, values, context); !done) return done.error();
  if (!input.is_apr()) return Data{filtered_image(input, std::move(values))};
  return Data{with_field(input.apr(), std::move(values), describe(operation) + " [" + id() + "]")};
}

Result<Data> CudaBackend::deconvolve(const Operation& asked, const Dataset& input,
                                     const IterationHooks& hooks, const JobContext& context) const {
  if (Status ok = check_finite(input); !ok) return ok.error();
  const Operation op = with_guesses(asked, input);
  const auto plan = plan_deconvolution(op, input.voxel(), input.size(), hooks.psf);
  if (!plan) return plan.error();
  const auto on_cpu = [&](const std::string& reason) {
    return compute_elsewhere(*this, *cpu_, reason, context, [&] {
      IterationHooks with_psf = hooks;
      with_psf.psf = std::make_shared<const Stencil>(plan->psf);
      return cpu_->iterate(op, input, with_psf, context);
    });
  };
  if (!can_deconvolve(*plan, input)) {
    if (plan->back_projector) return on_cpu("Wiener–Butterworth iterations run on the CPU only");
    return on_cpu("the image has too few levels for a far part on the GPU");
  }
  if (Status ok = make_room(device_deconvolution_bytes(*plan, input), input); !ok) {
    return on_cpu(ok.error().message());
  }
  return deconvolve_on_device(device_, op, *plan, input, hooks, context, id());
}

Result<Data> CudaBackend::label(const Operation& operation, const Dataset& input,
                                const IterationHooks& hooks, const JobContext& context) const {
  if (context.stop_requested()) return cancelled_error();
  if (Status ok = check_memory(cpu_->estimate_bytes(operation, input), input); !ok) {
    return ok.error();
  }
  auto found = [&] {
    const std::lock_guard turn(device_->turn());
    return guarded([&]() -> Result<CountedLabels> {
      device_->use();
      if (device_label_bytes(input.size()) > device_memory().free) resident_ = {};
      return label_on_device(*device_, input.volume(), connectivity_of(operation), context);
    });
  }();
  // Too large for it, or others took the memory meanwhile.
  if (!found && !found.error().cancelled()) {
    return run_on_cpu(operation, input, found.error().message(), hooks, context);
  }
  if (!found) return found.error();
  // What is refused is refused by the CPU in its words.
  if (found->labels.largest == 0) return cpu_->run(operation, input, context);
  auto kept =
      large_enough(operation, input, AllLabels(std::move(found->labels), std::move(found->counts)));
  if (!kept) return kept.error();
  return with_labels(input, *std::move(kept), describe(operation) + " [" + id() + "]");
}

// Images are inserted there, and the map is solved on the host.
Result<Data> CudaBackend::backproject_map(const Operation& operation, const Dataset& input,
                                          const IterationHooks& hooks,
                                          const JobContext& context) const {
  if (backproject_settings(operation).kernel == InsertionKernel::blob) {
    return run_on_cpu(operation, input, "the blob kernel is the processor's", hooks, context);
  }
  std::optional<Error> refused;
  const auto inserters = [&](const InsertionPlan& plan, const JobContext& job) {
    {
      const std::lock_guard turn(device_->turn());
      resident_ = {};
    }
    auto made = make_cuda_inserter(all_, plan, false, job);
    if (!made) refused = made.error();
    return made;
  };
  auto done = backproject_with(operation, input, hooks, inserters, context);
  if (!done && refused) {
    return run_on_cpu(operation, input, refused->message(), hooks, context);
  }
  return done;
}

const CudaBackend::Gauge* CudaBackend::gauge_for(const Operation& operation) {
  static const std::map<std::string, Gauge> gauges{
      {"topology",
       {&CudaBackend::strata_bytes, &CudaBackend::make_room_for_strata,
        &CudaBackend::measure_strata}}};
  const auto found = gauges.find(traits_of(operation).family);
  return found != gauges.end() ? &found->second : nullptr;
}

Status CudaBackend::make_room_for_strata(const Dataset& input) const {
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    const bool there = input.is_apr() && resident_.apr && resident_.access == input.apr().access;
    const std::uint64_t all =
        input.is_apr() ? strata_bytes(input) : pixel_strata_bytes(input.volume()).least;
    const std::uint64_t more =
        there ? ParticleStrata::bytes(*input.apr().access, kMostPlaces) : all;
    if (more <= device_memory().free) return {};
    resident_ = {};
    check_device_memory(all, input.name(), *device_);
    return {};
  });
}

Result<Measurement> CudaBackend::measure_strata(const Operation& operation, const Dataset& input,
                                                std::optional<Error>& refused,
                                                const JobContext& context) const {
  const auto count = [&](const LevelPlaces& places, Construction construction,
                         const JobContext& part) -> Result<StrataCounts> {
    std::vector<std::uint16_t> found(input.is_apr() ? value_count(input) : 0);
    if (input.is_apr()) {
      places.find(std::span<const float>(input.particle_values()), std::span(found));
    }
    const std::lock_guard turn(device_->turn());
    auto counted = guarded([&]() -> Result<StrataCounts> {
      device_->use();
      if (!input.is_apr()) {
        return count_pixel_strata(*device_, input.volume(), places, construction, 0, part);
      }
      part.report(0.0, "copying to the GPU");
      const auto levels = static_cast<int>(places.levels().size());
      const OctetApr& apr =
          make_structure(input, ParticleStrata::bytes(*input.apr().access, levels));
      const ParticleStrata strata(apr, found, levels, construction);
      for (std::uint32_t i = 0; i < strata.parts(); ++i) {
        if (part.stop_requested()) return cancelled_error();
        part.report(0.5 + 0.5 * i / strata.parts(), "strata");
        strata.enqueue(i);
      }
      StrataCounts counts = strata.counts();
      part.report(1.0, "strata");
      return counts;
    });
    if (!counted && !counted.error().cancelled()) refused = counted.error();
    return counted;
  };
  return measure_topology(operation, input, count, context);
}

Result<Measurement> CudaBackend::measure(const Operation& operation, const Dataset& input,
                                         const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  const Gauge* gauge = gauge_for(*op);
  if (gauge == nullptr) return Backend::measure(*op, input, context);
  if (Status ok = supports(*op, input); !ok) return ok.error();
  // The host finds levels and pieces.
  const std::uint64_t here = cpu_->estimate_bytes(*op, input);
  if (Status ok = check_memory(here, input); !ok) return ok.error();
  if (Status ok = (this->*gauge->make_room)(input); !ok) {
    return measure_elsewhere(*op, input, ok.error().message(), context);
  }
  try {
    std::optional<Error> refused;
    auto found = (this->*gauge->measure)(*op, input, refused, context);
    // Others may have taken the memory meanwhile.
    if (refused) return measure_elsewhere(*op, input, refused->message(), context);
    if (!found) return found;
    found->name = input.name();
    if (input.is_apr()) found->history = input.apr().history;
    found->history.push_back(describe(*op) + " [" + id() + "]");
    return found;
  } catch (const std::bad_alloc&) {
    return too_little_memory(input, here);
  }
}

Result<Measurement> CudaBackend::measure_elsewhere(const Operation& operation, const Dataset& input,
                                                   const std::string& reason,
                                                   const JobContext& context) const {
  context.moved({id(), cpu_->id(), cpu_->name(), reason});
  auto found = cpu_->measure(operation, input, context);
  if (found) found->history.back() = describe(operation) + " [cpu instead of " + id() + "]";
  return found;
}

const CudaBackend::Engine* CudaBackend::engine_for(const Operation& operation,
                                                   const Dataset& input) {
  static const std::map<std::string, Engine> engines{
      {"convert", {&CudaBackend::conversion_bytes, &CudaBackend::convert}},
      {"reconstruct", {&CudaBackend::reconstruction_bytes, &CudaBackend::reconstruct_image}},
      {"filter", {&CudaBackend::filter_bytes, &CudaBackend::filter_all}},
      {"deconvolve", {&CudaBackend::deconvolution_bytes, &CudaBackend::deconvolve}},
      {"label", {&CudaBackend::label_bytes, &CudaBackend::label}},
      {"backproject", {&CudaBackend::backproject_memory, &CudaBackend::backproject_map}}};
  if (is_too_wide(operation, input)) return nullptr;
  const auto found = engines.find(traits_of(operation).family);
  return found != engines.end() ? &found->second : nullptr;
}

Result<Data> CudaBackend::iterate(const Operation& operation, const Dataset& input,
                                  const IterationHooks& hooks, const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (Status ok = supports(*op, input); !ok) return ok.error();
  const Engine* engine = engine_for(*op, input);
  if (engine == nullptr) {
    return run_on_cpu(*op, input,
                      is_too_wide(*op, input) ? "the stencil is too wide for particles on the GPU"
                                              : "the GPU does not do this",
                      hooks, context);
  }
  try {
    return (this->*engine->run)(*op, input, hooks, context);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the result", input.name(),
                 "close other data first"};
  }
}

Status CudaBackend::run_regions(const Operation& operation, const Dataset& input,
                                std::span<const Region> regions, std::vector<float>& out,
                                const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (engine_for(*op, input) == nullptr || !is_filter(*op)) {
    return cpu_->run_regions(operation, input, regions, out, context);
  }
  if (Status ok = supports(operation, input); !ok) return ok;
  const Size3 n = input.size();
  std::vector<Region> wanted;
  for (const Region& region : regions) {
    if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > n.z ||
        region.end.x > n.x || region.end.y > n.y) {
      return Error{"the region reaches out of the image", op->id, "choose one inside"};
    }
    const Size3 extent = region.size();
    if (extent.z > 0 && extent.x > 0 && extent.y > 0) wanted.push_back(region);
  }
  try {
    const std::uint64_t count = value_count(input);
    if (out.empty()) out.resize(count);
    if (out.size() != count) {
      return Error{"the buffer for the result has the wrong length", op->id, ""};
    }
    if (wanted.empty()) return {};
    return filter(*op, input, wanted, out, context);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the result", input.name(),
                 "close other data first"};
  }
}

}  // namespace

std::shared_ptr<const Backend> cuda_backend(std::vector<std::shared_ptr<GpuDevice>> devices) {
  return std::make_shared<const CudaBackend>(std::move(devices));
}

}  // namespace aprscope::gpu
