// Labels that were made elsewhere, from a file.
#include <memory>
#include <string>
#include <utility>

#include "core/cells/carried_labels.hpp"
#include "core/io/label_read.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kMostSeries = 1e6;

OperationSchema open_labels_schema() {
  return operation_schema("open_labels", "Labels from a file", "Segment",
                          {DataKind::pixels, DataKind::apr},
                          "Reads labels that another program made: an image of the same size, with "
                          "a whole number for each object and 0 for the background.")
      .with(text("file", "File")
                .names_file()
                .main()
                .help("TIFF or HDF5 file with the labels; FILE.h5:/path picks a volume of an HDF5 "
                      "file."))
      .with(integer("channel", "Channel")
                .range(0.0, kMostSeries)
                .described(Described::changed)
                .help("Channel to read from the label file, counted from 0."))
      .with(integer("time", "Time point")
                .range(0.0, kMostSeries)
                .described(Described::changed)
                .help("Time point to read from the label file, counted from 0."));
}

std::uint64_t bytes_of_open_labels(const Operation&, const Dataset& input) {
  const auto pixels = static_cast<std::uint64_t>(input.size().count());
  const std::uint64_t particles = input.is_apr() ? input.apr().access->count() : 0;
  return (pixels + particles) * sizeof(std::uint32_t);
}

Result<Labels> opened_labels(const Operation& operation, const Dataset& input, const Prepared*,
                             const JobContext& context) {
  const auto& file = parameter<std::string>(operation, "file");
  if (file.empty()) {
    return Error{"get labels from a file, and none is named", input.name(), "choose a file"};
  }
  const SourceSelection selection{static_cast<int>(parameter<std::int64_t>(operation, "channel")),
                                  static_cast<int>(parameter<std::int64_t>(operation, "time"))};
  auto labels =
      read_labels(file, input.size(), selection, context.part(0.0, input.is_apr() ? 0.6 : 1.0));
  if (!labels || !input.is_apr()) return labels;
  return particle_labels(*input.apr().access, *labels, context.part(0.6, 1.0));
}

}  // namespace

OperationType open_labels_operation() {
  OperationType type;
  type.schema = open_labels_schema();
  type.traits.gives = Gives::labels;
  type.traits.preview = Previewed::labels;
  type.traits.family = "open_labels";
  type.traits.panel = "cells";
  type.cpu.bytes = bytes_of_open_labels;
  type.labels.label = opened_labels;
  type.structure_only = [](const Operation&) { return true; };
  return type;
}

}  // namespace aprscope
