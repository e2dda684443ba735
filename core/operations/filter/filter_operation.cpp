// A filter on the CPU.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/filter/file_filter.hpp"
#include "core/operations/filter/filter_plan.hpp"

namespace aprscope {
namespace {

std::uint64_t bytes_of_filter(const Operation&, const Dataset& input) {
  constexpr std::uint64_t f32 = sizeof(float);
  if (!input.is_apr()) {
    // Result, f32 copy, passes of a separable stencil.
    const bool real = std::holds_alternative<Pixels<float>>(input.volume().pixels);
    const auto pixels = static_cast<std::uint64_t>(std::max<std::int64_t>(0, input.size().count()));
    return pixels * f32 * (real ? 2 : 3);
  }
  // Result, f32 values, tree, and the row lists of a convolution.
  const AprAccess& access = *input.apr().access;
  return access.count() * f32 * 3 + access.tree().count() * f32;
}

// Values that grew beyond the largest float must not go on as if they were results.
Status check_result(const std::vector<float>& values, const Operation& operation,
                    const Dataset& input) {
  const auto bad = std::count_if(values.begin(), values.end(),
                                 [](float value) { return !std::isfinite(value); });
  if (bad == 0) return {};
  return Error{operation.id + " makes " + std::to_string(bad) +
                   " values that are too large for 32 bit floats",
               input.name(), "scale the image or the weights down"};
}

Result<Data> run_filter(const Operation& operation, const Dataset& input, const IterationHooks&,
                        const JobContext& context) {
  if (Status ok = check_memory(bytes_of_filter(operation, input), input); !ok) return ok.error();
  if (Status ok = check_finite(input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  std::vector<float> values(input.is_apr() ? input.apr().access->count()
                                           : static_cast<std::size_t>(input.size().count()));
  if (Status done = run_filter(*plan, input, whole(input.size()), values, context); !done) {
    return done.error();
  }
  if (Status ok = check_result(values, operation, input); !ok) return ok.error();
  if (!input.is_apr()) return Data{filtered_image(input, std::move(values))};
  return Data{with_field(input.apr(), std::move(values), made_by_cpu(operation))};
}

Status run_regions(const Operation& operation, const Dataset& input,
                   std::span<const Region> regions, std::vector<float>& out,
                   const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok;
  const auto plan = plan_filter(operation, input.voxel(), input.size());
  if (!plan) return plan.error();
  const auto count = static_cast<double>(regions.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto done = static_cast<double>(i);
    Status ok =
        run_filter(*plan, input, regions[i], out, context.part(done / count, (done + 1.0) / count));
    if (!ok) return ok;
  }
  return {};
}

}  // namespace

OperationType filter_operation(OperationSchema schema, std::shared_ptr<const FilterPart> part) {
  OperationType type;
  type.schema = std::move(schema);
  type.traits.preview = Previewed::region;
  type.traits.family = "filter";
  type.traits.panel = "filter";
  type.cpu = {bytes_of_filter, run_filter, run_regions};
  type.file = {nullptr,
               [](const Operation&, const AprFileSlabs& file) -> Result<std::uint64_t> {
                 return bytes_to_filter(file);
               },
               filter_apr_file, true};
  type.part = std::move(part);
  return type;
}

}  // namespace aprscope
