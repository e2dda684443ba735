// The table of cells: size, shape, grey values, neighbours and findings of each label.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/cells/label_slots.hpp"
#include "core/operations/engine/known_records.hpp"
#include "core/operations/engine/label_pixels.hpp"
#include "core/operations/measure/cell_tables.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema cells_schema() {
  return operation_schema("cells", "Cells", "Measure", {DataKind::pixels, DataKind::apr},
                          "A row for each label: volume, surface, shape, position, grey values, "
                          "neighbours, and what makes these numbers untrustworthy.")
      .with(boolean("per_slice", "Per slice")
                .help("Also the area and perimeter of each label in each z slice."))
      .with(integer("bins", "Bins", 64)
                .range(2, 4096)
                .described(Described::changed)
                .help("Bins of the histogram of volumes."));
}

// Objects are measured as they are; outlines of slices are those of pixels.
bool needs_pixels(const Operation& operation) { return parameter<bool>(operation, "per_slice"); }

// How many objects there are, or no fewer: their numbers may have gaps.
std::uint64_t objects(const Dataset& input) {
  if (!input.labels()) return 0;
  const Labels& labels = *input.labels();
  if (const auto known = input.known_labels().records) {
    return known->sums.size() + input.known_labels().changed.size();
  }
  // So few that it is not worth a look.
  constexpr std::uint32_t kFew = 100'000;
  if (labels.largest <= kFew) return labels.largest;
  return count_labels(labels.values, labels.largest);
}

std::uint64_t bytes(const Operation& operation, const Dataset& input) {
  // Of a particle: its places in walks and whether it is a wall.
  constexpr std::uint64_t kParticleBytes = 4;
  const std::uint64_t walk = input.is_apr() ? kParticleBytes * input.apr().access->count() : 0;
  // What is kept of a label, in the end and in slabs that wait for one before them.
  constexpr std::uint64_t kLabelBytes = 2000;
  return walk + (needs_pixels(operation) ? PixelsOfLabels::bytes(input) : 0) +
         kLabelBytes * objects(input);
}

Result<Measurement> measure(const Operation& operation, const Dataset& input,
                            const JobContext& context) {
  const bool per_slice = parameter<bool>(operation, "per_slice");
  std::optional<PixelsOfLabels> pixels;
  if (needs_pixels(operation)) pixels.emplace(input);
  const double first = per_slice ? 0.6 : 1.0;
  const auto records = records_of(input, context.part(0.0, first));
  if (!records) {
    Error error = records.error();
    if (!error.cancelled()) error.where = input.name();
    return error;
  }
  const Size3 size = input.size();
  const VoxelSize& voxel = input.voxel();
  const std::array<double, 3> origin =
      input.is_apr() ? std::array<double, 3>{} : input.volume().origin;
  const auto rows = label_rows(**records, input.labels()->findings, size, voxel);
  const std::string name = input.is_apr() ? input.apr().channel : input.volume().channel;
  Measurement out;
  out.tables.push_back(cell_table(rows, {name}, size, voxel, origin));
  out.tables.push_back(total_table(rows, size, voxel));
  out.tables.push_back(contact_table(**records, rows, size, voxel));
  if (per_slice) {
    const auto outlines = slice_outlines(pixels->labels(), voxel, context.part(first, 1.0));
    if (!outlines) return outlines.error();
    out.tables.push_back(slice_table(*outlines, voxel));
  }
  out.curves.push_back(volume_histogram(
      rows, size, voxel, static_cast<int>(parameter<std::int64_t>(operation, "bins"))));
  if (voxel.unit == "px") {
    out.notes.emplace_back("the image has no unit of length: sizes are in pixels");
  }
  const bool flagged =
      std::any_of(rows.begin(), rows.end(), [](const LabelRow& r) { return !r.flags().empty(); });
  if (flagged) {
    out.notes.emplace_back("some volumes are not to be trusted: see the flags beside them");
  }
  return out;
}

}  // namespace

OperationType cells_operation() {
  OperationType type;
  type.schema = cells_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "cells";
  type.traits.panel = "cells";
  type.traits.takes_labels = true;
  type.cpu.bytes = bytes;
  type.cpu.measure = measure;
  return type;
}

}  // namespace aprscope
