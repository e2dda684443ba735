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
#include "core/topology/topology_curves.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

enum class Method { value, otsu, crossing };
constexpr Word<Method> kMethods[] = {
    {"otsu", Method::otsu}, {"value", Method::value}, {"crossing", Method::crossing}};
// All that pixels can be.
constexpr double kGreyLimit = 3.4e38;
constexpr double kMostCrossings = 65536.0;

LevelSets sets_of(const Operation& operation) {
  return value_of(kLevelSets, parameter<std::string>(operation, "sets"));
}
Method method_of(const Operation& operation) {
  return value_of(kMethods, parameter<std::string>(operation, "method"));
}

OperationSchema threshold_schema() {
  OperationSchema schema =
      operation_schema("threshold", "Threshold", "Segment", {DataKind::pixels, DataKind::apr},
                       "A mask: 1 where the value is at least the threshold (or at most), 0 "
                       "elsewhere.")
          .with(
              choice("method", "Threshold", words_of(kMethods))
                  .main()
                  .help("A value; otsu: what separates bright from dark best; crossing: where the "
                        "Euler characteristic changes its sign. What is found is written into the "
                        "result's history."))
          .with(real("value", "Value")
                    .range(-kGreyLimit, kGreyLimit)
                    .unit("grey values")
                    .help("The threshold, with method value."))
          .with(
              integer("crossing", "Crossing", 1)
                  .range(1.0, kMostCrossings)
                  .described(Described::changed)
                  .help("Which change of sign, with method crossing, counted from the values that "
                        "are kept first (superlevel: from the brightest)."))
          .with(
              choice("sets", "Keeps", words_of(kLevelSets))
                  .main()
                  .help(
                      "superlevel: values from the threshold on (bright objects); sublevel: values "
                      "up to it (dark ones)."));
  schema.counts = [](const Operation& operation, const std::string& id) {
    const Method method = method_of(operation);
    return (id != "value" || method == Method::value) &&
           (id != "crossing" || method == Method::crossing);
  };
  return schema;
}

Result<double> otsu(const Dataset& input, LevelSets sets, const JobContext& context) {
  const auto counts = count_values(input, sets, context);
  if (!counts) return counts.error();
  const auto found = otsu_threshold(counts->levels, counts->pixels, sets);
  if (found) return *found;
  return Error{"has one value only, which no threshold separates", input.name(), "choose a value"};
}

Result<double> crossing(const Dataset& input, LevelSets sets, std::int64_t which,
                        const JobContext& context) {
  const auto counted = count_levels(input, sets, Construction::closed_voxels, 0, context);
  if (!counted) return counted.error();
  const std::vector<double> found = zero_crossings(topology_curves(
      counted->counts, counted->levels, input.size(), input.voxel(), Construction::closed_voxels));
  if (static_cast<std::size_t>(which) <= found.size()) {
    return found[static_cast<std::size_t>(which) - 1];
  }
  return Error{found.empty() ? "has no threshold at which the Euler characteristic changes its sign"
                             : "has only " + std::to_string(found.size()) +
                                   " thresholds at which the Euler characteristic changes its sign",
               input.name(),
               found.empty() ? "choose a value or otsu" : "choose one of these, a value or otsu"};
}

Result<LevelSet> level_set(const Operation& operation, const Dataset& input,
                           const JobContext& context) {
  const LevelSets sets = sets_of(operation);
  Result<double> at = parameter<double>(operation, "value");
  switch (method_of(operation)) {
    case Method::value:
      break;
    case Method::otsu:
      at = otsu(input, sets, context);
      break;
    case Method::crossing:
      at = crossing(input, sets, parameter<std::int64_t>(operation, "crossing"), context);
      break;
  }
  if (!at) return at.error();
  return LevelSet{*at, sets};
}

// With the number that its words stand for, where there is one.
Operation settled(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || method_of(*whole) == Method::value) return asked;
  const auto found = level_set(*whole, input, context);
  return found ? threshold_step(*found) : asked;
}

std::uint64_t bytes(const Operation& operation, const Dataset& input) {
  const std::uint64_t mask = input.is_apr() ? input.apr().access->count()
                                            : static_cast<std::uint64_t>(input.size().count());
  return mask + (method_of(operation) == Method::value ? 0 : counting_bytes(input));
}

template <class T>
std::vector<std::uint8_t> mask_of(const std::vector<T>& values, const LevelSet& set) {
  std::vector<std::uint8_t> mask(values.size());
  const auto count = static_cast<std::int64_t>(values.size());
  parallel_for(count, thread_count(), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    mask[at] = set.contains(static_cast<double>(values[at])) ? 1 : 0;
  });
  return mask;
}

Data mask_of_image(const Volume& image, const LevelSet& set) {
  Pixels<std::uint8_t> mask;
  mask.size = image.size();
  mask.values =
      std::visit([&](const auto& pixels) { return mask_of(pixels.values, set); }, image.pixels);
  Data out = filtered_image(image, {});
  std::get<Volume>(out).pixels = std::move(mask);
  return out;
}

Data mask_of_particles(const Dataset& input, const LevelSet& set, std::string history) {
  Data out = with_field(input.apr(), {}, std::move(history));
  auto& fields = std::get<Apr>(out).fields;
  const std::string name = fields.front()->name;
  fields = {std::make_shared<const Field>(Field{name, mask_of(input.particle_values(), set)})};
  return out;
}

Result<Data> run(const Operation& operation, const Dataset& input, const IterationHooks&,
                 const JobContext& context) {
  if (Status ok = check_memory(bytes(operation, input), input); !ok) return ok.error();
  if (Status ok = check_numbers(input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const auto set = level_set(operation, input, context);
  if (!set) return set.error();
  return input.is_apr() ? mask_of_particles(input, *set, made_by_cpu(operation))
                        : mask_of_image(input.volume(), *set);
}

Status run_region(const Operation& operation, const Dataset& input, const Region& region,
                  std::vector<float>& out, const JobContext& context) {
  if (Status ok = check_numbers(input); !ok) return ok;
  const auto set = level_set(operation, input, context);
  if (!set) return set.error();
  const auto one = [&](double value) { return set->contains(value) ? 1.0F : 0.0F; };
  if (input.is_apr()) {
    const std::vector<float>& values = input.particle_values();
    for (const std::uint64_t i : particles_in(*input.apr().access, region)) {
      out[i] = one(static_cast<double>(values[i]));
    }
    return {};
  }
  std::visit(
      [&](const auto& pixels) {
        for (std::int64_t z = region.begin.z; z < region.end.z; ++z) {
          for (std::int64_t x = region.begin.x; x < region.end.x; ++x) {
            const std::int64_t row = (z * pixels.size.x + x) * pixels.size.y;
            for (std::int64_t y = region.begin.y; y < region.end.y; ++y) {
              const auto at = static_cast<std::size_t>(row + y);
              out[at] = one(static_cast<double>(pixels.values[at]));
            }
          }
        }
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
  type.cpu = {bytes, run, run_region};
  type.settled = settled;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope
