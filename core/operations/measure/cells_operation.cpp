// The table of cells: size, shape, grey values, neighbours and findings of each label.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/cells/label_records.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/wall_strengths.hpp"
#include "core/operations/engine/channel_read.hpp"
#include "core/operations/engine/known_records.hpp"
#include "core/operations/engine/label_pixels.hpp"
#include "core/operations/measure/cell_notes.hpp"
#include "core/operations/measure/cell_tables.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/wall_tables.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kMostTimes = 1e6;

OperationSchema cells_schema() {
  OperationSchema schema =
      operation_schema("cells", "Cells", "Measure", {DataKind::pixels, DataKind::apr},
                       "Makes a table with a row for each label: volume, surface, shape, position, "
                       "grey values, neighbours, and flags for numbers that are not to be trusted.")
          .with(boolean("per_slice", "Per slice")
                    .help("Also the area and perimeter of each label in each z slice."))
          .with(
              text("channels", "Other channels")
                  .names_file()
                  .unit(kFiles)
                  .help("Files of the same size (TIFF or HDF5) whose grey values are measured, "
                        "too, in all channels except the image itself. Separate files by "
                        "semicolons (names that have one go in double quotes). FILE.h5:/path picks "
                        "a volume of an HDF5 file; input stands for the file of the image."))
          .with(integer("time", "Time point")
                    .range(0.0, kMostTimes)
                    .described(Described::changed)
                    .help("Time point to read from the files of other channels, counted from 0."))
          .with(
              boolean("walls", "Walls")
                  .help("Also the grey values of the image on the walls of each label and between "
                        "each two labels: median, deviation, and where walls are weakest."))
          .with(boolean("dark_walls", "Dark walls")
                    .described(Described::changed)
                    .help("Walls are darker than the cells, so that they are weakest where they "
                          "are brightest."))
          .with(integer("bins", "Bins", 64)
                    .range(2, 4096)
                    .described(Described::changed)
                    .help("Number of bins of the histogram of volumes."));
  schema.counts = [](const Operation& operation, const std::string& id) {
    if (id == "dark_walls") return parameter<bool>(operation, "walls");
    return id != "time" || !parameter<std::string>(operation, "channels").empty();
  };
  return schema;
}

// Objects are measured as they are; outlines of slices and walls are those of pixels.
bool needs_pixels(const Operation& operation) {
  return parameter<bool>(operation, "per_slice") || parameter<bool>(operation, "walls");
}

// How many objects there are, or no fewer: their numbers may have gaps.
std::uint64_t objects(const Dataset& input) {
  if (!input.labels()) return 0;
  const Labels& labels = *input.labels();
  if (const auto known = input.known_labels().records) {
    return known->sums.size() + input.known_labels().changed.size();
  }
  // The largest label is a good enough bound if it is so small.
  constexpr std::uint32_t kFew = 100'000;
  if (labels.largest <= kFew) return labels.largest;
  return count_labels(labels.values, labels.largest);
}

std::uint64_t bytes_of_cells(const Operation& operation, const Dataset& input) {
  // Bytes for each particle: its place in walks, and whether it is at a wall.
  constexpr std::uint64_t kParticleBytes = 4;
  const std::uint64_t walk = input.is_apr() ? kParticleBytes * input.apr().access->count() : 0;
  // Bytes for each label, in the result and in slabs that wait for an earlier one.
  constexpr std::uint64_t kLabelBytes = 2000;
  const bool others = !parameter<std::string>(operation, "channels").empty();
  // At most, each pixel is at a wall and has three faces that are walls.
  const std::uint64_t walls =
      parameter<bool>(operation, "walls")
          ? 3 * sizeof(float) * static_cast<std::uint64_t>(input.size().count())
          : 0;
  return walk + (needs_pixels(operation) || others ? PixelsOfLabels::bytes(input) : 0) + walls +
         kLabelBytes * objects(input);
}

// The data that the table is made from.
struct Measured {
  std::shared_ptr<const LabelRecords> records;
  /// Names of the image's own channel and of others; empty: there are no intensities.
  std::vector<std::string> names;
};

// Sums over the image itself, which are kept with it, and over other channels.
Result<Measured> measured_records(const Dataset& input, const std::vector<std::string>& files,
                                  int time, const JobContext& context) {
  auto own = records_of(input, context.part(0.0, files.empty() ? 1.0 : 0.4));
  if (!own) return own.error();
  if (files.empty()) return Measured{*std::move(own), {}};
  const auto others = read_channels(files, time, input, context.part(0.4, 0.7));
  if (!others) return others.error();
  std::vector<const AnyPixels*> channels;
  for (const AnyPixels& one : others->images) channels.push_back(&one);
  // Other images have pixels, and so have the objects in them: the same, in the same order.
  const PixelsOfLabels pixels(input);
  auto more = label_records(pixels.labels(), channels, context.part(0.7, 1.0));
  if (!more) return more.error();
  auto all = std::make_shared<LabelRecords>(**own);
  for (auto& one : more->intensities) all->intensities.push_back(std::move(one));
  Measured out{std::move(all), {others->own_name}};
  out.names.insert(out.names.end(), others->names.begin(), others->names.end());
  return out;
}

Result<Measurement> measure_cells(const Operation& operation, const Dataset& input,
                                  const JobContext& context) {
  const bool per_slice = parameter<bool>(operation, "per_slice");
  std::optional<PixelsOfLabels> pixels;
  if (needs_pixels(operation)) pixels.emplace(input);
  const bool walls = parameter<bool>(operation, "walls");
  const double first = 1.0 - (per_slice ? 0.3 : 0.0) - (walls ? 0.3 : 0.0);
  const std::vector<std::string> files =
      files_in_list(parameter<std::string>(operation, "channels"));
  const auto time = static_cast<int>(parameter<std::int64_t>(operation, "time"));
  const auto records = measured_records(input, files, time, context.part(0.0, first));
  if (!records) {
    Error error = records.error();
    if (!error.cancelled() && files.empty()) error.where = input.name();
    return error;
  }
  const Size3 size = input.size();
  const VoxelSize& voxel = input.voxel();
  const std::array<double, 3> origin =
      input.is_apr() ? std::array<double, 3>{} : input.volume().origin;
  const auto rows = label_rows(*records->records, input.labels()->findings, size, voxel);
  std::vector<std::string> names{input.is_apr() ? input.apr().channel : input.volume().channel};
  if (!records->names.empty()) names = records->names;
  Measurement out;
  const bool dark = parameter<bool>(operation, "dark_walls");
  WallTables on_walls;
  std::vector<double> strengths;
  if (walls) {
    auto found =
        wall_statistics(pixels->labels(), pixels->values(), dark, context.part(first, first + 0.3));
    if (!found) return found.error();
    on_walls = *std::move(found);
    strengths = wall_strengths(rows, on_walls.between, dark);
  }
  out.tables.push_back(cell_table(rows, names, size, voxel, origin, strengths));
  out.tables.push_back(total_table(rows, size, voxel));
  out.tables.push_back(contact_table(*records->records, rows, size, voxel));
  if (walls) {
    add_walls(on_walls.of_objects, out.tables[0]);
    add_contacts(on_walls.between, out.tables[2]);
  }
  if (per_slice) {
    const auto outlines = slice_outlines(pixels->labels(), voxel, context.part(0.7, 1.0));
    if (!outlines) return outlines.error();
    out.tables.push_back(slice_table(*outlines, voxel));
  }
  out.curves.push_back(volume_histogram(
      rows, size, voxel, static_cast<int>(parameter<std::int64_t>(operation, "bins"))));
  out.notes = cell_notes(rows, input.labels()->open, size, voxel);
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
  type.cpu.bytes = bytes_of_cells;
  type.cpu.measure = measure_cells;
  return type;
}

}  // namespace aprscope
