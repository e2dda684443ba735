// Corrections of labels by hand, addressed by positions.
#include <string>
#include <utility>

#include "core/cells/corrections.hpp"
#include "core/cells/particle_corrections.hpp"
#include "core/operations/engine/known_records.hpp"
#include "core/operations/engine/label_pixels.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/operations/segment/points_text.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr Word<CorrectionAction> kActions[] = {
    {"merge", CorrectionAction::merge},           {"split", CorrectionAction::split},
    {"delete", CorrectionAction::remove},         {"new", CorrectionAction::create},
    {"fill_holes", CorrectionAction::fill_holes}, {"grow", CorrectionAction::grow},
    {"shrink", CorrectionAction::shrink},         {"paint", CorrectionAction::paint},
    {"erase", CorrectionAction::erase},           {"relabel", CorrectionAction::relabel}};
constexpr double kLongestRadius = 1e6;
constexpr std::int64_t kMostSlices = 100000;

CorrectionAction action_of(const Operation& operation) {
  return value_of(kActions, parameter<std::string>(operation, "action"));
}

OperationSchema correct_schema() {
  OperationSchema schema =
      operation_schema("correct", "Correct cells", "Segment", {DataKind::pixels, DataKind::apr},
                       "Corrects labels by hand: merges, splits, deletes, makes, fills, grows, "
                       "shrinks, paints or erases cells at given points.")
          .with(choice("action", "Correction", words_of(kActions))
                    .main()
                    .help("What to do with the cells at the points. relabel numbers all cells from "
                          "1 on."))
          .with(text("points", "Points")
                    .help("Places in the cells to correct, as z,x,y; z,x,y; and so on, in whole "
                          "pixels from 0."))
          .with(real("radius", "Radius")
                    .range(0.0, kLongestRadius)
                    .unit(kLengthUnit)
                    .help("Radius of the brush, or how far cells grow or shrink, or how far a new "
                          "cell reaches from its point (0: all of the background there); in the "
                          "unit of the voxel size (µm; px where the file has none)."))
          .with(integer("slices", "Slices", -1)
                    .range(-1.0, static_cast<double>(kMostSlices))
                    .help("Number of slices on either side of the point that the brush reaches, as "
                          "a disc; -1: the brush is a ball."))
          .with(boolean("dark_walls", "Dark walls")
                    .help("Split cells along dark walls instead of bright ones."));
  schema.counts = [](const Operation& operation, const std::string& id) {
    const CorrectionAction action = action_of(operation);
    const bool brush = action == CorrectionAction::paint || action == CorrectionAction::erase;
    if (id == "points") return action != CorrectionAction::relabel;
    if (id == "slices") return brush;
    if (id == "dark_walls") return action == CorrectionAction::split;
    return id != "radius" || brush || action == CorrectionAction::grow ||
           action == CorrectionAction::shrink || action == CorrectionAction::create;
  };
  return schema;
}

// Particles: counts the pixels round the corrected cells, which may be those of all the image.
std::uint64_t bytes_of_correct(const Operation&, const Dataset& input) {
  const std::uint64_t labels = input.labels() ? input.labels()->bytes() : 0;
  return 2 * labels + 2 * PixelsOfLabels::bytes(input);
}

Result<Correction> asked_of(const Operation& operation) {
  auto points = points_from_text(parameter<std::string>(operation, "points"), "points");
  if (!points) return points.error();
  Correction asked;
  asked.action = action_of(operation);
  asked.points = *std::move(points);
  asked.radius = parameter<double>(operation, "radius");
  asked.slices = parameter<std::int64_t>(operation, "slices");
  asked.dark_walls = parameter<bool>(operation, "dark_walls");
  return asked;
}

Result<Labels> corrected_labels(const Operation& operation, const Dataset& input, const Prepared*,
                                const JobContext& context) {
  const auto change = change_of(operation, input, context);
  if (!change) return change.error();
  Labels labels = *input.labels();
  change->apply(labels);
  return labels;
}

}  // namespace

Result<LabelChange> change_of(const Operation& correct, const Dataset& input,
                              const JobContext& context) {
  const auto asked = asked_of(correct);
  if (!asked) return asked.error();
  // Records that are known tell where labels lie.
  std::shared_ptr<const LabelRecords> records;
  if (input.known_labels().records) {
    auto known = records_of(input, context);
    if (!known) return known.error();
    records = *std::move(known);
  }
  if (input.is_apr()) {
    return particle_correction(*asked, *input.apr().access, *input.labels(),
                               input.values().particles(), input.voxel(), records.get(), context);
  }
  return correction(*asked, *input.labels(), input.volume().pixels, input.voxel(), records.get(),
                    context);
}

Operation correct_step(const Correction& asked) {
  return {"correct",
          {{"action", std::string(word_of(kActions, asked.action))},
           {"points", points_to_text(asked.points)},
           {"radius", asked.radius},
           {"slices", asked.slices},
           {"dark_walls", asked.dark_walls}}};
}

OperationType correct_operation() {
  OperationType type;
  type.schema = correct_schema();
  type.traits.gives = Gives::labels;
  type.traits.preview = Previewed::labels;
  type.traits.family = "correct";
  // Corrections are made by clicks, without a form.
  type.traits.panel.clear();
  type.traits.takes_labels = true;
  type.cpu.bytes = bytes_of_correct;
  type.labels.label = corrected_labels;
  return type;
}

}  // namespace aprscope
