#include "gpu/octet/particle_filter.hpp"

#include <algorithm>

#include "core/apr/structure/part.hpp"
#include "core/base/system.hpp"
#include "core/operations/filter/filter_reach.hpp"
#include "gpu/octet/octet_arithmetic.hpp"

namespace aprscope::gpu {
namespace {

std::vector<StencilPyramid> pyramids(const FilterPlan& plan, int level_max, int level_shift) {
  FilterPlan convolution = plan;
  if (plan.kind == FilterPlan::Kind::statistic)
    convolution.stencils = {wide_box_stencil(plan.size)};
  auto all = pyramids_of(convolution, level_max);
  if (!all) throw Failure{all.error()};
  if (level_shift == 0) return *std::move(all);
  for (StencilPyramid& pyramid : *all) {
    std::vector<Stencil> stencils;
    for (int l = level_shift; l <= level_max; ++l) stencils.push_back(pyramid.at(l));
    auto shifted = StencilPyramid::from_levels(std::move(stencils));
    if (!shifted) throw Failure{shifted.error()};
    pyramid = *std::move(shifted);
  }
  return *std::move(all);
}

bool is_statistic(const FilterPlan& plan) {
  return plan.kind == FilterPlan::Kind::statistic && plan.statistic != LocalStatistic::mean;
}

// Filters an APR that is too large for the device, in parts that fit.
class PartFilter {
 public:
  PartFilter(const FilterPlan& plan, const Dataset& input, std::shared_ptr<GpuDevice> device)
      : plan_(plan),
        input_(input),
        access_(*input.apr().access),
        values_(input.values().particles()),
        device_(std::move(device)) {}

  Status run(std::span<float> out, const JobContext& context) {
    // Slabs contain the levels from `coarsest_` on, whose cells are 16 slices thick, or fewer where
    // slabs would be too thick otherwise.
    const int level_max = access_.level_max();
    for (coarsest_ = std::max(1, level_max - 4);; ++coarsest_) {
      Status done = slabs(out, context);
      if (done.ok()) break;
      if (!too_thick_ || coarsest_ >= level_max - 1) return done;
    }
    if (coarsest_ == 1) return {};
    auto coarse = coarse_part_of(access_, values_, input_.values().tree_mean(), coarsest_);
    if (!coarse) return coarse.error();
    if (bytes(*coarse) > device_memory().free) return refusal(bytes(*coarse));
    filter(*coarse, out);
    return {};
  }

 private:
  // Filters slabs as thick as memory allows. If not even the thinnest fits, sets too_thick_.
  Status slabs(std::span<float> out, const JobContext& context) {
    const std::int64_t nz = access_.size().z;
    const std::int64_t side = std::int64_t{1} << (access_.level_max() - coarsest_);
    const auto whole_cells = [&](std::int64_t n) { return (n + side - 1) / side * side; };
    const std::int64_t around = whole_cells(slices_reached(plan_, access_.level_max(), coarsest_));
    std::int64_t thickness = whole_cells(nz / 2);
    too_thick_ = false;
    for (std::int64_t z = 0; z < nz;) {
      if (context.stop_requested()) return cancelled_error();
      context.report(static_cast<double>(z) / static_cast<double>(nz), "filter, in parts");
      const std::int64_t end = std::min(nz, z + thickness);
      auto part = slab_of(access_, values_, coarsest_, std::max<std::int64_t>(z - around, 0),
                          std::min(nz, end + around), z, end);
      if (!part) return part.error();
      const std::uint64_t needed = bytes(*part);
      if (needed > device_memory().free) {
        too_thick_ = thickness == side;
        if (too_thick_) return refusal(needed);
        thickness = std::max(side, thickness / 2 / side * side);
        continue;
      }
      filter(*part, out);
      z = end;
    }
    return {};
  }

  static std::uint64_t bytes(const AprPart& part) {
    return OctetApr::estimate_bytes(*part.access, kFilterBuffers);
  }
  Error refusal(std::uint64_t needed) const {
    const DeviceMemory memory = device_memory();
    return {"even a part of it needs about " + format_bytes(needed) + " of GPU memory, but only " +
                format_bytes(memory.free) + " of " + format_bytes(memory.total) + " are free on " +
                device_->name(),
            input_.name(), "use --device cpu or smaller data"};
  }
  void filter(const AprPart& part, std::span<float> out) const {
    const OctetApr apr(part.access, device_);
    const OctetValues in = apr.make_values();
    const OctetValues result = apr.make_values();
    apr.upload(part.values, in);
    run_plan(plan_, access_.level_max(), part.level_shift, apr, in, result);
    std::vector<float> values(part.values.size());
    apr.download(result, values);
    for (const AprPart::Run& run : part.kept) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(run.from), run.count,
                  out.begin() + static_cast<std::ptrdiff_t>(run.to));
    }
  }

  const FilterPlan& plan_;
  const Dataset& input_;
  const AprAccess& access_;
  const std::vector<float>& values_;
  std::shared_ptr<GpuDevice> device_;
  int coarsest_ = 1;
  bool too_thick_ = false;
};

}  // namespace

void check_device_memory(std::uint64_t needed, const std::string& where, const GpuDevice& device) {
  const DeviceMemory memory = device_memory();
  if (needed <= memory.free) return;
  throw Failure{{"needs about " + format_bytes(needed) + " of GPU memory, but only " +
                     format_bytes(memory.free) + " of " + format_bytes(memory.total) +
                     " are free on " + device.name(),
                 where, "use --device cpu or smaller data"}};
}

namespace {

// `part`: null for the whole APR.
void run_on(const FilterPlan& plan, int level_max, int level_shift, const OctetApr& apr,
            const OctetPart* part, const OctetValues& in, const OctetValues& out) {
  if (is_statistic(plan)) {
    local_statistic(apr, part, plan.statistic, {plan.size, plan.mode}, level_max - level_shift,
                    plan.boundary, in, out);
    return;
  }
  const auto convolve = [&](const StencilPyramid& pyramid, const Target& target) {
    if (part != nullptr) {
      OctetConvolution(apr, *part, pyramid, plan.boundary).run(in, target);
    } else {
      OctetConvolution(apr, pyramid, plan.boundary).run(in, target);
    }
  };
  const auto all = pyramids(plan, level_max, level_shift);
  Target target;
  if (all.size() == 1) {
    target.out = out.data();
    convolve(all.front(), target);
    return;
  }
  const OctetValues component = apr.make_values();
  target.out = component.data();
  const cudaStream_t stream = apr.device().main();
  for (const StencilPyramid& pyramid : all) {
    convolve(pyramid, target);
    add_square(out.data(), component.data(), out.data(), out.count(), stream);
  }
  square_root(out.data(), out.data(), out.count(), stream);
}

}  // namespace

void run_plan(const FilterPlan& plan, int level_max, int level_shift, const OctetApr& apr,
              const OctetValues& in, const OctetValues& out) {
  run_on(plan, level_max, level_shift, apr, nullptr, in, out);
}

void run_plan(const FilterPlan& plan, const OctetApr& apr, const OctetPart& part,
              const OctetValues& in, const OctetValues& out) {
  run_on(plan, apr.access().level_max(), 0, apr, &part, in, out);
}

Status filter_in_parts(const FilterPlan& plan, const Dataset& input,
                       const std::shared_ptr<GpuDevice>& device, std::span<float> out,
                       const JobContext& context) {
  return PartFilter(plan, input, device).run(out, context);
}

}  // namespace aprscope::gpu
