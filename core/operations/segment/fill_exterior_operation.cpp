// Finds cells by their membranes: regions that cannot be reached from outside.
#include <algorithm>
#include <utility>

#include "core/base/printed.hpp"
#include "core/cells/closing.hpp"
#include "core/cells/connected_components.hpp"
#include "core/cells/exterior.hpp"
#include "core/cells/leaks.hpp"
#include "core/cells/membrane_share.hpp"
#include "core/cells/slice_findings.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/particle_fill.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/operations/segment/threshold_parameters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr Word<MembraneShare> kShares[] = {{"inside", MembraneShare::inside},
                                           {"outside", MembraneShare::outside},
                                           {"half", MembraneShare::half}};

OperationSchema fill_schema() {
  OperationSchema schema =
      operation_schema(
          "fill_exterior", "Fill exterior", "Segment", {DataKind::pixels, DataKind::apr},
          "Finds cells from a membrane channel: fills what is connected to the outside of the "
          "image, labels the rest, and reports for each cell whether it leaks.")
          .with(threshold_parameters())
          .with(boolean("dark", "Dark membranes")
                    .help("Membranes are darker than what they enclose."))
          .with(connectivity_parameter("membranes", true))
          .with(real("close", "Close holes")
                    .range(0.0, 1e6)
                    .unit(kLengthUnit)
                    .help("Holes in membranes are closed up to this radius, without thickening the "
                          "membranes; in the unit of the voxel size (µm; px where the file has "
                          "none). 0: none."))
          .with(choice("membrane", "Membrane counts", words_of(kShares))
                    .help("Whether pixels of a membrane belong to cells. inside: all of them; "
                          "outside: none; half: each goes to the interior of a cell (lumen) or to "
                          "the exterior, whichever is nearer."))
          .with(boolean("per_slice", "Slice by slice")
                    .help("Fill each z slice by itself. This closes handles and cups, but hides "
                          "holes that open in other slices; leaks are reported all the same."))
          .with(boolean("lumens", "Label lumens one by one")
                    .help("Give each enclosed space (lumen) a label of its own, instead of one "
                          "label for each group of cells that touch."))
          .with(min_volume_parameter("Objects smaller than this volume are left out"));
  schema.counts = threshold_counts;
  return schema;
}

LevelSets sets_of_fill_exterior(const Operation& operation) {
  return parameter<bool>(operation, "dark") ? LevelSets::sublevel : LevelSets::superlevel;
}

std::uint64_t bytes_of_fill_exterior(const Operation& operation, const Dataset& input) {
  // Water, cells and their masks.
  if (input.is_apr()) {
    return 16 * input.apr().access->count() + threshold_bytes(operation, input);
  }
  const Size3 n = input.size();
  const auto pixels = static_cast<std::uint64_t>(n.count());
  const std::uint64_t close =
      closing_bytes(n, input.voxel(), parameter<double>(operation, "close"));
  // Mask, parts and labels, and the largest of labelling, leaks, closing and shares.
  const std::uint64_t most =
      std::max({component_label_bytes(n), leak_bytes(n) + 4 * pixels, close, 13 * pixels});
  return 4 * pixels + most + threshold_bytes(operation, input);
}

Error nothing_closed(const Dataset& input, const std::vector<Leak>& leaks) {
  if (leaks.empty()) {
    return {"has no membrane that encloses anything: all is exterior", input.name(),
            "choose another threshold, or close holes"};
  }
  const Leak& leak = leaks.front();
  return {"has no closed cell: the largest leaks at z " + std::to_string(leak.at.z) + ", x " +
              std::to_string(leak.at.x) + ", y " + std::to_string(leak.at.y),
          input.name(),
          "close holes with " + printed("%g ", closing_radius(leak.radius)) + input.voxel().unit};
}

Result<CellParts> filled(const Operation& operation, const Dataset& input,
                         const Pixels<std::uint8_t>& mask, bool slices, const JobContext& context) {
  const auto radius = parameter<double>(operation, "close");
  const Connectivity membrane = connectivity_of(operation);
  auto parts = slices ? close_and_fill_slices(mask, input.voxel(), radius, membrane, context)
                      : close_and_fill(mask, input.voxel(), radius, membrane, context);
  if (parts) return parts;
  Error error = parts.error();
  if (!error.cancelled()) error.where = input.name();
  return error;
}

// Openings of the membrane as it is, but those that were closed.
Result<std::vector<Leak>> leaks_of(const Operation& operation, const Dataset& input,
                                   const Pixels<std::uint8_t>& mask, const CellParts& parts,
                                   const JobContext& context) {
  const auto closed = parameter<double>(operation, "close");
  const Connectivity membrane = connectivity_of(operation);
  const bool is_filled = !(closed > 0.0) && !parameter<bool>(operation, "per_slice");
  const auto open = is_filled ? Result<CellParts>(parts)
                              : fill_from_outside(mask, membrane, context.part(0.0, 0.07));
  if (!open) return open.error();
  auto leaks = find_leaks(*open, input.voxel(), membrane, context.part(0.07, 1.0));
  if (leaks) std::erase_if(*leaks, [&](const Leak& one) { return one.radius <= closed; });
  return leaks;
}

// Notes labels that leak, and cells without label since they do. `labels` have the membrane still.
void note_leaks(const Operation& operation, const Dataset& input, const std::vector<Leak>& leaks,
                const CellParts& parts, Labels& labels) {
  labels.findings = unknown_findings(labels.largest);
  const bool lumens = parameter<bool>(operation, "lumens");
  const bool inside =
      value_of(kShares, parameter<std::string>(operation, "membrane")) == MembraneShare::inside;
  // Filled slice by slice, a lumen that leaks in 3-D is one all the same.
  const bool only_closed = lumens && !parameter<bool>(operation, "per_slice");
  std::vector<std::uint32_t> label_of(leaks.size(), 0);
  if (only_closed) {
    for (LabelFinding& one : labels.findings) one.leak_radius = 0.0;
  } else {
    label_of = attach_leaks(leaks, labels.values, input.size(), input.voxel(), labels.findings);
  }
  // An object without a lumen is a membrane, which only `inside` counts.
  std::vector<bool> stays(std::size_t{labels.largest} + 1, inside || lumens);
  stays[0] = false;
  if (!inside && !lumens) {
    for (std::size_t i = 0; i < parts.values.size(); ++i) {
      if (parts.values[i] == static_cast<std::uint8_t>(CellPart::lumen)) {
        stays[labels.values[i]] = true;
      }
    }
  }
  for (std::size_t i = 0; i < leaks.size(); ++i) {
    if (!stays[label_of[i]]) labels.open.push_back({leaks[i].at, leaks[i].radius});
  }
}

Result<std::shared_ptr<const Prepared>> prepare_fill_exterior(const Operation& operation,
                                                              const Dataset& input,
                                                              const JobContext& context) {
  if (input.is_apr())
    return fill_particle_cells(operation, sets_of_fill_exterior(operation), input, context);
  const auto mask =
      threshold_mask(operation, sets_of_fill_exterior(operation), input, context.part(0.0, 0.1));
  if (!mask) return mask.error();
  const auto membrane = std::count(mask->values.begin(), mask->values.end(), 1);
  if (membrane == 0) {
    return Error{"has no membrane: no pixel is on its side of the threshold", input.name(),
                 "choose another threshold, or dark membranes"};
  }
  if (membrane == input.size().count()) {
    return Error{"is all membrane: every pixel is on its side of the threshold", input.name(),
                 "choose another threshold"};
  }
  const Connectivity connectivity = connectivity_of(operation);
  const bool per_slice = parameter<bool>(operation, "per_slice");
  const bool lumens = parameter<bool>(operation, "lumens");
  const auto parts = filled(operation, input, *mask, per_slice, context.part(0.1, 0.35));
  if (!parts) return parts.error();
  const auto leaks = leaks_of(operation, input, *mask, *parts, context.part(0.35, 0.65));
  if (!leaks) return leaks.error();
  const JobContext labelling = context.part(0.65, 0.75);
  auto labels = lumens ? label_lumens(*parts, connectivity, labelling)
                       : label_objects(*parts, connectivity, labelling);
  if (!labels) return labels.error();
  note_leaks(operation, input, *leaks, *parts, *labels);
  const auto share = value_of(kShares, parameter<std::string>(operation, "membrane"));
  labels = share_membrane(std::move(*labels), *parts, lumens, share, connectivity, input.voxel(),
                          context.part(0.75, 0.9));
  if (!labels) return labels.error();
  if (labels->largest == 0) return nothing_closed(input, *leaks);
  if (!per_slice && input.size().z > 1) {
    const auto slices = filled(operation, input, *mask, true, context.part(0.9, 0.96));
    if (!slices) return slices.error();
    const Status known = compare_slices(*labels, *slices, lumens, connectivity, labels->findings,
                                        context.part(0.96, 1.0));
    if (!known) return known.error();
  }
  return std::shared_ptr<const Prepared>(std::make_shared<const AllLabels>(std::move(*labels)));
}

Result<Labels> label_by_fill_exterior(const Operation& operation, const Dataset& input,
                                      const Prepared* prepared, const JobContext&) {
  return large_enough(operation, input, dynamic_cast<const AllLabels&>(*prepared));
}

Operation settled_fill_exterior(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || threshold_is_given(*whole) || threshold_is_local(*whole)) {
    return asked;
  }
  const auto found = threshold_of(*whole, sets_of_fill_exterior(*whole), input, context);
  return found ? with_threshold(std::move(asked), found->at) : asked;
}

}  // namespace

OperationType fill_exterior_operation() {
  OperationType type;
  type.schema = fill_schema();
  type.traits.gives = Gives::labels;
  type.traits.preview = Previewed::labels;
  type.traits.family = "fill_exterior";
  type.traits.panel = "cells";
  type.cpu.bytes = bytes_of_fill_exterior;
  type.labels = {{"min_volume"}, prepare_fill_exterior, label_by_fill_exterior};
  type.settled = settled_fill_exterior;
  return type;
}

}  // namespace aprscope
