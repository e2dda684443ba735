#include "gpu/engines/cuda_backend.hpp"

#include <map>
#include <new>
#include <optional>
#include <utility>

#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/filter_engine.hpp"
#include "gpu/engines/octet_scene.hpp"

namespace aprscope::gpu {
namespace {

// The engine that computes this on the device; null: the CPU has to. Operations are complete.
const Engine* engine_for(const Operation& operation, const Dataset& input) {
  static const std::map<std::string, Engine> engines{
      {"convert", conversion_engine()}, {"reconstruct", reconstruction_engine()},
      {"filter", filter_engine()},      {"deconvolve", deconvolution_engine()},
      {"label", label_engine()},        {"backproject", map_engine()}};
  if (is_too_wide(operation, input)) return nullptr;
  const auto found = engines.find(traits_of(operation).family);
  return found != engines.end() ? &found->second : nullptr;
}

// The gauge that measures this on the device; null: the CPU has to.
const Gauge* gauge_for(const Operation& operation) {
  static const std::map<std::string, Gauge> gauges{{"topology", topology_gauge()}};
  const auto found = gauges.find(traits_of(operation).family);
  return found != gauges.end() ? &found->second : nullptr;
}

Error no_memory_for_result(const Dataset& input) {
  return {"there is not enough memory for the result", input.name(), "close other data first"};
}

// The regions that are not empty. Errors: a region reaches out of the image.
Result<std::vector<Region>> regions_inside(std::span<const Region> regions, const Size3& n,
                                           const std::string& what) {
  std::vector<Region> inside;
  for (const Region& region : regions) {
    if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > n.z ||
        region.end.x > n.x || region.end.y > n.y) {
      return Error{"the region reaches out of the image", what, "choose one inside"};
    }
    const Size3 extent = region.size();
    if (extent.z > 0 && extent.x > 0 && extent.y > 0) inside.push_back(region);
  }
  return inside;
}

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(std::vector<std::shared_ptr<GpuDevice>> devices)
      : host_(std::move(devices)) {
    host_.asked = this;
  }
  ~CudaBackend() override {
    (void)guarded([&]() -> Status {
      host_.device->use();
      host_.resident->release();
      return {};
    });
  }

  std::string name() const override {
    const std::size_t others = host_.devices.size() - 1;
    return id() + " " + host_.device->name() +
           (others > 0 ? " and " + std::to_string(others) + " more" : "");
  }
  std::string id() const override { return host_.id(); }

  Status supports(const Operation& operation, const Dataset& input) const override {
    return host_.cpu->supports(operation, input);
  }

  std::uint64_t estimate_bytes(const Operation& operation, const Dataset& input) const override {
    const auto whole = complete(operation);
    if (!whole) return host_.cpu->estimate_bytes(operation, input);
    if (const Gauge* gauge = gauge_for(*whole)) return gauge->bytes(input);
    const Engine* engine = engine_for(*whole, input);
    return engine != nullptr ? engine->bytes(host_, *whole, input)
                             : host_.cpu->estimate_bytes(operation, input);
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
  Result<std::optional<std::vector<Plane>>> filtered_slices(
      const Operation& operation, const Dataset& input, std::span<const SlicePlace> slices,
      const JobContext& context) const override;
  Result<Measurement> measure(const Operation& operation, const Dataset& input,
                              const JobContext& context) const override;
  Result<std::shared_ptr<const Raycaster>> raycaster(const std::shared_ptr<const Dataset>& input,
                                                     const JobContext& context) const override;

 private:
  Result<Measurement> measure_elsewhere(const Operation& operation, const Dataset& input,
                                        const std::string& reason, const JobContext& context) const;

  EngineHost host_;
};

Result<Data> CudaBackend::iterate(const Operation& operation, const Dataset& input,
                                  const IterationHooks& hooks, const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (Status ok = supports(*op, input); !ok) return ok.error();
  const Engine* engine = engine_for(*op, input);
  if (engine == nullptr) {
    return host_.run_on_cpu(*op, input,
                            is_too_wide(*op, input)
                                ? "the stencil is too wide for particles on the GPU"
                                : "the GPU does not do this",
                            hooks, context);
  }
  try {
    return engine->run(host_, *op, input, hooks, context);
  } catch (const std::bad_alloc&) {
    return no_memory_for_result(input);
  }
}

Status CudaBackend::run_regions(const Operation& operation, const Dataset& input,
                                std::span<const Region> regions, std::vector<float>& out,
                                const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (engine_for(*op, input) == nullptr || !is_filter(*op)) {
    return host_.cpu->run_regions(operation, input, regions, out, context);
  }
  if (Status ok = supports(operation, input); !ok) return ok;
  const auto wanted = regions_inside(regions, input.size(), op->id);
  if (!wanted) return wanted.error();
  try {
    const std::uint64_t count = value_count(input);
    if (out.empty()) out.resize(count);
    if (out.size() != count) {
      return Error{"the buffer for the result has the wrong length", op->id, ""};
    }
    if (wanted->empty()) return {};
    return filter_values(host_, *op, input, *wanted, out, context);
  } catch (const std::bad_alloc&) {
    return no_memory_for_result(input);
  }
}

Result<std::optional<std::vector<Plane>>> CudaBackend::filtered_slices(
    const Operation& operation, const Dataset& input, std::span<const SlicePlace> slices,
    const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  if (engine_for(*op, input) == nullptr || !is_filter(*op)) {
    return std::optional<std::vector<Plane>>();
  }
  if (Status ok = supports(*op, input); !ok) return ok.error();
  try {
    return filter_slices(host_, *op, input, slices, context);
  } catch (const std::bad_alloc&) {
    return no_memory_for_result(input);
  }
}

Result<Measurement> CudaBackend::measure(const Operation& operation, const Dataset& input,
                                         const JobContext& context) const {
  const auto op = complete(operation);
  if (!op) return op.error();
  const Gauge* gauge = gauge_for(*op);
  if (gauge == nullptr) return Backend::measure(*op, input, context);
  if (Status ok = supports(*op, input); !ok) return ok.error();
  // The device only counts strata; the host finds levels and pieces, and needs memory for that.
  const std::uint64_t here = host_.cpu->estimate_bytes(*op, input);
  if (Status ok = check_memory(here, input); !ok) return ok.error();
  if (Status ok = gauge->make_room(host_, input); !ok) {
    return measure_elsewhere(*op, input, ok.error().message(), context);
  }
  try {
    std::optional<Error> refused;
    auto found = gauge->measure(host_, *op, input, refused, context);
    // Other programs may have taken the device's memory since make_room().
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
  context.moved({id(), host_.cpu->id(), host_.cpu->name(), reason});
  auto found = host_.cpu->measure(operation, input, context);
  if (found) found->history.back() = describe(operation) + " [cpu instead of " + id() + "]";
  return found;
}

// Unlike a result, a picture does not record where it was computed, so the CPU may take over.
Result<std::shared_ptr<const Raycaster>> CudaBackend::raycaster(
    const std::shared_ptr<const Dataset>& input, const JobContext& context) const {
  if (input->is_apr() && !input->values().particles().empty()) {
    // If there is not enough room even so, make_scene() says it.
    (void)host_.resident->make_room(scene_bytes(*input), *input);
    auto scene = make_scene(host_.device, input);
    if (scene) return scene;
    context.moved({id(), host_.cpu->id(), host_.cpu->name(), scene.error().message()});
  }
  return Backend::raycaster(input, context);
}

}  // namespace

std::shared_ptr<const Backend> cuda_backend(std::vector<std::shared_ptr<GpuDevice>> devices) {
  return std::make_shared<const CudaBackend>(std::move(devices));
}

}  // namespace aprscope::gpu
