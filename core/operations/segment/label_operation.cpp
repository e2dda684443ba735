// Connected components of a mask.
#include <algorithm>
#include <utility>

#include "core/cells/connected_components.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/particle_fill.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema label_schema() {
  return operation_schema("label", "Label components", "Segment", {DataKind::pixels, DataKind::apr},
                          "Labels the connected objects of a mask: each pixel that is not zero "
                          "gets the number of its object.")
      .with(connectivity_parameter("objects", false))
      .with(min_volume_parameter("Objects smaller than this volume are left out"));
}

std::uint64_t bytes_of_label(const Operation&, const Dataset& input) {
  // Runs, labels and their mask.
  if (input.is_apr()) return 12 * input.apr().access->count();
  const auto pixels = static_cast<std::uint64_t>(input.size().count());
  return component_label_bytes(input.size()) + pixels * (1 + sizeof(std::uint32_t));
}

Result<std::shared_ptr<const Prepared>> prepare_label(const Operation& operation,
                                                      const Dataset& input,
                                                      const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok.error();
  if (input.is_apr()) return label_particle_mask(operation, input, context);
  Pixels<std::uint8_t> mask(input.size());
  std::visit(
      [&](const auto& pixels) {
        std::transform(pixels.values.begin(), pixels.values.end(), mask.values.begin(),
                       [](auto v) { return v != 0 ? std::uint8_t{1} : std::uint8_t{0}; });
      },
      input.volume().pixels);
  auto labels = connected_components(mask, connectivity_of(operation), context);
  if (!labels) {
    Error error = labels.error();
    if (!error.cancelled()) error.where = input.name();
    return error;
  }
  if (labels->largest == 0) {
    return Error{"is zero everywhere, and no object", input.name(),
                 "choose a mask, as a threshold makes one"};
  }
  return std::shared_ptr<const Prepared>(std::make_shared<const AllLabels>(std::move(*labels)));
}

Result<Labels> label_pieces(const Operation& operation, const Dataset& input,
                            const Prepared* prepared, const JobContext&) {
  return large_enough(operation, input, dynamic_cast<const AllLabels&>(*prepared));
}

}  // namespace

OperationType label_operation() {
  OperationType type;
  type.schema = label_schema();
  type.traits.gives = Gives::labels;
  type.traits.preview = Previewed::labels;
  type.traits.family = "label";
  type.traits.panel = "cells";
  type.cpu.bytes = bytes_of_label;
  type.labels = {{"min_volume"}, prepare_label, label_pieces};
  return type;
}

}  // namespace aprscope
