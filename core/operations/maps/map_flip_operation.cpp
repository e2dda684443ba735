// The mirror image of a map.
#include "core/maps/map_filters.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

std::uint64_t bytes_of_map_flip(const Operation&, const Dataset& input) {
  return static_cast<std::uint64_t>(input.size().count()) * 2 * sizeof(float);
}

Result<Data> run_map_flip(const Operation& operation, const Dataset& input, const IterationHooks&,
                          const JobContext& context) {
  if (Status ok = check_memory(bytes_of_map_flip(operation, input), input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const Pixels<float>& pixels = input.values().pixels();
  Data out = filtered_image(input, flipped_hand(pixels.values, pixels.size.x * pixels.size.y));
  // Labels lie on what was there before.
  std::get<Volume>(out).labels = nullptr;
  return out;
}

}  // namespace

OperationType map_flip_operation() {
  OperationType type;
  type.schema = schema::operation_schema(
      "map_flip", "Flip the hand of a map", "Maps", {DataKind::pixels},
      "Mirrors a map along z about its centre, for maps of the wrong hand: projections cannot tell "
      "the two hands of a molecule apart, helices and known structures can.");
  type.traits.gives = Gives::pixels;
  type.traits.family = "map_flip";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.cpu.bytes = bytes_of_map_flip;
  type.cpu.run = run_map_flip;
  return type;
}

}  // namespace aprscope
