#include "core/operations/segment/threshold_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/local_threshold.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/counted_levels.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

enum class Method { otsu, value, crossing, local };
constexpr Word<Method> kMethods[] = {{"otsu", Method::otsu},
                                     {"value", Method::value},
                                     {"crossing", Method::crossing},
                                     {"local", Method::local}};
// Largest magnitude of grey values of pixels.
constexpr double kGreyLimit = 3.4e38;
constexpr double kMostCrossings = 65536.0;
constexpr double kMostWindow = 1e9;

Method method_of(const Operation& operation) {
  return value_of(kMethods, parameter<std::string>(operation, "method"));
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

// Half the window, in whole pixels.
Size3 reach_of(double window, const VoxelSize& voxel, const Size3& size) {
  const auto pixels = [&](double side, std::int64_t most) {
    return static_cast<std::int64_t>(
        std::min(std::round(window / (2.0 * side)), static_cast<double>(most)));
  };
  return {pixels(voxel.z, size.z), pixels(voxel.x, size.x), pixels(voxel.y, size.y)};
}

}  // namespace

std::vector<ParameterSpec> threshold_parameters() {
  return {choice("method", "Threshold", words_of(kMethods))
              .main()
              .help("How the threshold is chosen. value: a number that you give; otsu: the value "
                    "that separates bright from dark best; crossing: where the Euler "
                    "characteristic changes sign; local: the mean around each pixel, for uneven "
                    "staining. A threshold that is found is written into the result's history."),
          real("value", "Value")
              .range(-kGreyLimit, kGreyLimit)
              .unit("grey values")
              .help("Threshold, used with method value."),
          integer("crossing", "Crossing", 1)
              .range(1.0, kMostCrossings)
              .described(Described::changed)
              .help("Which change of sign of the Euler characteristic is the threshold, with "
                    "method crossing; counted from the values that are kept first (superlevel: "
                    "from the brightest)."),
          real("window", "Window", 3.0)
              .range(0.0, kMostWindow)
              .unit(kLengthUnit)
              .help("Side of the box around each pixel whose mean is its threshold, with method "
                    "local; in the unit of the voxel size (µm; px where the file has none)."),
          real("offset", "Offset")
              .range(-kGreyLimit, kGreyLimit)
              .unit("grey values")
              .help("How far a pixel must be above the mean around it (sublevel: below) to be "
                    "kept, with method local.")};
}

bool threshold_counts(const Operation& operation, const std::string& id) {
  const Method method = method_of(operation);
  return (id != "value" || method == Method::value) &&
         (id != "crossing" || method == Method::crossing) &&
         ((id != "window" && id != "offset") || method == Method::local);
}

bool threshold_is_given(const Operation& operation) {
  return method_of(operation) == Method::value;
}
bool threshold_is_local(const Operation& operation) {
  return method_of(operation) == Method::local;
}

Result<LevelSet> threshold_of(const Operation& operation, LevelSets sets, const Dataset& input,
                              const JobContext& context) {
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
    case Method::local:
      return Error{"has no local threshold on particles", input.name(),
                   "choose otsu or a value, or reconstruct the pixels first"};
  }
  if (!at) return at.error();
  return LevelSet{*at, sets};
}

Result<Pixels<std::uint8_t>> threshold_mask(const Operation& operation, LevelSets sets,
                                            const Dataset& input, const JobContext& context) {
  if (Status ok = check_numbers(input); !ok) return ok.error();
  if (threshold_is_local(operation)) {
    return local_mask(input.volume(),
                      reach_of(parameter<double>(operation, "window"), input.voxel(), input.size()),
                      parameter<double>(operation, "offset"), sets, context);
  }
  const auto set = threshold_of(operation, sets, input, context);
  if (!set) return set.error();
  Pixels<std::uint8_t> mask;
  mask.size = input.size();
  make_zeros(mask.values, mask.size.count());
  std::visit(
      [&](const auto& pixels) {
        parallel_for(mask.size.count(), thread_count(), [&](std::int64_t i) {
          const auto at = static_cast<std::size_t>(i);
          mask.values[at] = set->contains(static_cast<double>(pixels.values[at])) ? 1 : 0;
        });
      },
      input.volume().pixels);
  return mask;
}

std::uint64_t threshold_bytes(const Operation& operation, const Dataset& input) {
  switch (method_of(operation)) {
    case Method::value:
      return 0;
    case Method::local:
      return static_cast<std::uint64_t>(thread_count() * input.size().x * input.size().y) *
             sizeof(double);
    default:
      return counting_bytes(input);
  }
}

Operation with_threshold(Operation operation, double value) {
  operation.parameters["method"] = std::string("value");
  operation.parameters["value"] = value;
  return operation;
}

}  // namespace aprscope
