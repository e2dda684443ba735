// Labels without what is too small, cut by the border, rough or hollow.
#include <memory>
#include <string>
#include <utility>

#include "core/cells/label_cleaning.hpp"
#include "core/operations/engine/label_pixels.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kMostVolume = 1e18;
constexpr double kMostPasses = 100.0;

OperationSchema clean_schema() {
  return operation_schema("clean_labels", "Clean up cells", "Segment",
                          {DataKind::pixels, DataKind::apr},
                          "Cleans up labels: smooths their outlines, drops small cells and those "
                          "at the border, fills holes, and numbers the cells from 1 on.")
      .with(integer("smooth", "Smooth")
                .range(0.0, kMostPasses)
                .help("Number of smoothing passes: in each, every pixel takes the label that most "
                      "pixels around it have. More passes smooth more; 0: none."))
      .with(real("min_volume", "Least volume")
                .range(0.0, kMostVolume)
                .unit(kVolumeUnit)
                .main()
                .help("Cells smaller than this volume are dropped; in the cube of the unit of the "
                      "voxel size (µm³; px³ where the file has none; for one slice its square)."))
      .with(boolean("drop_border", "Drop at the border")
                .help("Cells that touch the border of the image are dropped."))
      .with(boolean("fill_holes", "Fill holes")
                .help("Background that a cell encloses becomes part of the cell."))
      .with(
          boolean("relabel", "Number from 1 on", true)
              .help(
                  "Number the cells from 1 on without gaps, in the order of their first pixels."));
}

// Smoothed labels and what they measure.
class Smoothed final : public Prepared {
 public:
  Smoothed(Labels labels_of, LabelRecords records_of)
      : labels(std::move(labels_of)), records(std::move(records_of)) {}
  [[nodiscard]] std::uint64_t bytes() const override { return labels.bytes() + records.bytes(); }
  Labels labels;
  LabelRecords records;
};

std::uint64_t bytes_of_clean_labels(const Operation&, const Dataset& input) {
  return static_cast<std::uint64_t>(input.size().count()) * 3 * sizeof(std::uint32_t) +
         PixelsOfLabels::bytes(input);
}

Result<std::shared_ptr<const Prepared>> prepare_clean_labels(const Operation& operation,
                                                             const Dataset& input,
                                                             const JobContext& context) {
  const PixelsOfLabels pixels(input);
  Labels labels = pixels.copy();
  const auto passes = static_cast<int>(parameter<std::int64_t>(operation, "smooth"));
  if (passes > 0) {
    auto smooth = majority_smoothed(pixels.labels(), passes, context.part(0.0, 0.6));
    if (!smooth) return smooth.error();
    labels.values = *std::move(smooth);
    labels.findings.clear();
  }
  auto records = label_records({input.size(), labels.values, labels.largest}, {},
                               context.part(passes > 0 ? 0.6 : 0.0, 1.0));
  if (!records) return records.error();
  return std::shared_ptr<const Prepared>(
      std::make_shared<const Smoothed>(std::move(labels), *std::move(records)));
}

Result<Labels> cleaned_labels(const Operation& operation, const Dataset& input,
                              const Prepared* prepared, const JobContext& context) {
  const auto& from = static_cast<const Smoothed&>(*prepared);
  Cleaning how;
  how.least_volume = parameter<double>(operation, "min_volume");
  how.drop_border = parameter<bool>(operation, "drop_border");
  how.fill_holes = parameter<bool>(operation, "fill_holes");
  how.relabel = parameter<bool>(operation, "relabel");
  auto made = cleaned(from.labels, from.records, input.size(), input.voxel(), how, context);
  if (!made) return made.error();
  return PixelsOfLabels::back(input, *std::move(made));
}

}  // namespace

OperationType clean_labels_operation() {
  OperationType type;
  type.schema = clean_schema();
  type.traits.gives = Gives::labels;
  type.traits.preview = Previewed::labels;
  type.traits.family = "clean_labels";
  type.traits.panel = "cells";
  type.traits.takes_labels = true;
  type.cpu.bytes = bytes_of_clean_labels;
  type.labels.quick = {"min_volume", "drop_border", "fill_holes", "relabel"};
  type.labels.prepare = prepare_clean_labels;
  type.labels.label = cleaned_labels;
  return type;
}

}  // namespace aprscope
