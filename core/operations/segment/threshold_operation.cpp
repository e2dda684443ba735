// A mask: 1 where a value is on the right side of a threshold.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/counted_levels.hpp"
#include "core/operations/measure/topology_words.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/operations/segment/threshold_parameters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

LevelSets sets_of_threshold(const Operation& operation) {
  return value_of(kLevelSets, parameter<std::string>(operation, "sets"));
}

OperationSchema threshold_schema() {
  OperationSchema schema =
      operation_schema(
          "threshold", "Threshold", "Segment", {DataKind::pixels, DataKind::apr},
          "Makes a mask: 1 where the value is at least the threshold (or at most), 0 elsewhere.")
          .with(threshold_parameters())
          .with(choice("sets", "Keeps", words_of(kLevelSets))
                    .main()
                    .help("Which values the mask keeps. superlevel: the threshold and above "
                          "(bright objects); sublevel: the threshold and below (dark objects)."));
  schema.counts = threshold_counts;
  return schema;
}

Result<LevelSet> level_set(const Operation& operation, const Dataset& input,
                           const JobContext& context) {
  return threshold_of(operation, sets_of_threshold(operation), input, context);
}

// The operation with the number that its words stand for, where there is one.
Operation settled_threshold(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || threshold_is_given(*whole) || (threshold_is_local(*whole) && !input.is_apr())) {
    return asked;
  }
  const auto found = level_set(*whole, input, context);
  return found ? threshold_step(*found) : asked;
}

std::uint64_t bytes_of_threshold(const Operation& operation, const Dataset& input) {
  const std::uint64_t mask = input.is_apr() ? input.apr().access->count()
                                            : static_cast<std::uint64_t>(input.size().count());
  return mask + threshold_bytes(operation, input);
}

std::vector<std::uint8_t> mask_of(const std::vector<float>& values, const LevelSet& set) {
  std::vector<std::uint8_t> mask(values.size());
  const auto count = static_cast<std::int64_t>(values.size());
  parallel_for(count, thread_count(), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    mask[at] = set.contains(static_cast<double>(values[at])) ? 1 : 0;
  });
  return mask;
}

Result<Data> mask_of_image(const Operation& operation, const Dataset& input,
                           const JobContext& context) {
  auto mask = threshold_mask(operation, sets_of_threshold(operation), input, context);
  if (!mask) return mask.error();
  Data out = filtered_image(input, {});
  std::get<Volume>(out).pixels = *std::move(mask);
  return out;
}

Data mask_of_particles(const Dataset& input, const LevelSet& set, std::string history) {
  Data out = with_field(input.apr(), {}, std::move(history));
  auto& fields = std::get<Apr>(out).fields;
  const std::string name = fields.front()->name;
  fields = {std::make_shared<const Field>(Field{name, mask_of(input.values().particles(), set)})};
  return out;
}

Result<Data> run_threshold(const Operation& operation, const Dataset& input, const IterationHooks&,
                           const JobContext& context) {
  if (Status ok = check_memory(bytes_of_threshold(operation, input), input); !ok) return ok.error();
  if (Status ok = check_numbers(input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  if (!input.is_apr()) return mask_of_image(operation, input, context);
  const auto set = level_set(operation, input, context);
  if (!set) return set.error();
  return mask_of_particles(input, *set, made_by_cpu(operation));
}

Status run_regions(const Operation& operation, const Dataset& input,
                   std::span<const Region> regions, std::vector<float>& out,
                   const JobContext& context) {
  if (Status ok = check_numbers(input); !ok) return ok;
  if (threshold_is_local(operation) && !input.is_apr()) {
    const auto mask = threshold_mask(operation, sets_of_threshold(operation), input, context);
    if (!mask) return mask.error();
    const std::vector<float> values(mask->values.begin(), mask->values.end());
    for (const Region& region : regions) copy_pixels(mask->size, region, values, out);
    return {};
  }
  const auto set = level_set(operation, input, context);
  if (!set) return set.error();
  const auto one = [&](double value) { return set->contains(value) ? 1.0F : 0.0F; };
  if (input.is_apr()) {
    const std::vector<float>& values = input.values().particles();
    for (const Region& region : regions) {
      for (const std::uint64_t i : particles_in(*input.apr().access, region)) {
        out[i] = one(static_cast<double>(values[i]));
      }
    }
    return {};
  }
  const auto mark = [&](const auto& pixels, const Region& region) {
    for (std::int64_t z = region.begin.z; z < region.end.z; ++z) {
      for (std::int64_t x = region.begin.x; x < region.end.x; ++x) {
        const std::int64_t row = (z * pixels.size.x + x) * pixels.size.y;
        for (std::int64_t y = region.begin.y; y < region.end.y; ++y) {
          const auto at = static_cast<std::size_t>(row + y);
          out[at] = one(static_cast<double>(pixels.values[at]));
        }
      }
    }
  };
  std::visit(
      [&](const auto& pixels) {
        for (const Region& region : regions) mark(pixels, region);
      },
      input.volume().pixels);
  return {};
}

}  // namespace

Operation threshold_step(const LevelSet& set) {
  return {"threshold",
          {{"method", std::string("value")},
           {"value", set.at},
           {"sets", std::string(word_of(kLevelSets, set.sets))}}};
}

OperationType threshold_operation() {
  OperationType type;
  type.schema = threshold_schema();
  type.traits.preview = Previewed::region;
  type.traits.family = "threshold";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.cpu = {bytes_of_threshold, run_threshold, run_regions};
  type.settled = settled_threshold;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope
