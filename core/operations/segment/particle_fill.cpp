#include "core/operations/segment/particle_fill.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/cells/exterior.hpp"
#include "core/cells/particle_components.hpp"
#include "core/cells/particle_exterior.hpp"
#include "core/cells/particle_numbers.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/threshold_parameters.hpp"

namespace aprscope {
namespace {

Error needs_pixels(const Dataset& input, const std::string& what) {
  return {"are particles, and " + what + " takes pixels", input.name(), "reconstruct pixels first"};
}

// Refuses choices that only pixels have.
Status check_choices(const Operation& operation, const Dataset& input) {
  const auto share = parameter<std::string>(operation, "membrane");
  if (threshold_is_local(operation)) return needs_pixels(input, "a local threshold");
  if (parameter<double>(operation, "close") > 0.0) return needs_pixels(input, "closing holes");
  if (parameter<bool>(operation, "per_slice")) return needs_pixels(input, "filling slice by slice");
  if (share == "half") return needs_pixels(input, "sharing the membrane");
  if (share == "inside" && parameter<bool>(operation, "lumens")) {
    return needs_pixels(input, "giving the membrane to the nearest lumen");
  }
  return {};
}

template <class In>
std::vector<std::uint8_t> mask_of(const std::vector<float>& values, const In& in) {
  std::vector<std::uint8_t> mask(values.size());
  const auto count = static_cast<std::int64_t>(values.size());
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    mask[at] = in(values[at]) ? 1 : 0;
  });
  return mask;
}

Result<Labels> cell_labels(const Operation& operation, const AprAccess& access,
                           const ParticleWater& water, const JobContext& context) {
  Labels out;
  if (parameter<bool>(operation, "lumens")) {
    out.values = water.values;
    out.largest = water.lumens();
    std::replace(out.values.begin(), out.values.end(), ParticleWater::kExterior, 0U);
    return out;
  }
  auto labels = cells_of(access, water, connectivity_of(operation), context);
  if (!labels) return labels.error();
  out = *std::move(labels);
  if (parameter<std::string>(operation, "membrane") != "outside") return out;
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    if (water.values[i] == 0) out.values[i] = 0;
  }
  return out;
}

Result<std::shared_ptr<const Prepared>> prepared(const AprAccess& access, Labels labels,
                                                 const JobContext& context) {
  auto numbered = numbered_particles(access, std::move(labels), context);
  if (!numbered) return numbered.error();
  return std::shared_ptr<const Prepared>(
      std::make_shared<const AllLabels>(std::move(numbered->labels), std::move(numbered->pixels)));
}

}  // namespace

Result<std::shared_ptr<const Prepared>> fill_particle_cells(const Operation& operation,
                                                            LevelSets sets, const Dataset& input,
                                                            const JobContext& context) {
  if (Status ok = check_choices(operation, input); !ok) return ok.error();
  const auto at = threshold_of(operation, sets, input, context.part(0.0, 0.2));
  if (!at) return at.error();
  const AprAccess& access = *input.apr().access;
  const auto mask = mask_of(input.values().particles(),
                            [&](float v) { return at->contains(static_cast<double>(v)); });
  const auto membrane = std::count(mask.begin(), mask.end(), 1);
  if (membrane == 0 || static_cast<std::uint64_t>(membrane) == mask.size()) {
    return Error{membrane == 0 ? "has no membrane: no particle is on its side of the threshold"
                               : "is all membrane: every particle is on its side of the threshold",
                 input.name(), "choose another threshold, or dark membranes"};
  }
  const auto water =
      fill_particles(access, mask, water_of(connectivity_of(operation)), context.part(0.2, 0.6));
  if (!water) return water.error();
  auto labels = cell_labels(operation, access, *water, context.part(0.6, 0.9));
  if (!labels) return labels.error();
  if (labels->largest == 0) {
    return Error{"has no membrane that encloses anything: all is exterior", input.name(),
                 "choose another threshold, or reconstruct pixels and close holes"};
  }
  // Leaks are not looked for: that takes distances of pixels. Mark all labels as unchecked.
  labels->findings = unknown_findings(labels->largest);
  for (LabelFinding& one : labels->findings) one.unchecked = true;
  return prepared(access, *std::move(labels), context.part(0.9, 1.0));
}

Result<std::shared_ptr<const Prepared>> label_particle_mask(const Operation& operation,
                                                            const Dataset& input,
                                                            const JobContext& context) {
  const AprAccess& access = *input.apr().access;
  const auto mask = mask_of(input.values().particles(), [](float v) { return v != 0.0F; });
  auto labels = label_particles(access, mask, connectivity_of(operation), context.part(0.0, 0.9));
  if (!labels) return labels.error();
  if (labels->largest == 0) {
    return Error{"is zero everywhere, and no object", input.name(),
                 "choose a mask, as a threshold makes one"};
  }
  return prepared(access, *std::move(labels), context.part(0.9, 1.0));
}

}  // namespace aprscope
