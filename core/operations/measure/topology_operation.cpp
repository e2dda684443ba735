// Topology curves: what level sets are like at every threshold, on pixels and on particles.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/operations/measure/counted_levels.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/topology_words.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr std::size_t kMostMarks = 4;
constexpr int kMostLevels = 65535;

OperationSchema topology_schema() {
  return operation_schema(
             "topology", "Topology curves", "Measure", {DataKind::pixels, DataKind::apr},
             "For every threshold at once: the Euler characteristic (pieces − tunnels + voids), "
             "volume, surface and mean breadth of what is above it (or below).")
      .with(choice("sets", "Level sets", words_of(kLevelSets))
                .main()
                .help("What a threshold keeps: superlevel, values from it on (bright objects), or "
                      "sublevel, values up to it (dark ones)."))
      .with(choice("construction", "Construction", words_of(kConstructions))
                .main()
                .help("Which voxels of an object touch: t, also those that share a corner (26 "
                      "neighbours), or v, only those that share a face (6)."))
      .with(integer("levels", "Levels")
                .range(0, kMostLevels)
                .help("So many thresholds, evenly spaced; 0: every value that occurs, or 4096 of "
                      "an image with more than 65536 different real numbers."));
}

std::uint64_t bytes(const Operation&, const Dataset& input) { return counting_bytes(input); }

std::string power(const std::string& unit, int exponent) {
  static const char* const kPowers[] = {"", "", "²", "³"};
  return unit + kPowers[exponent];
}

// The columns, in rising order of thresholds.
class Columns {
 public:
  Columns(const TopologyCurves& curves, const VoxelSize& voxel) : curves_(curves) {
    table_.id = "topology";
    table_.label = "Topology";
    const int d = curves.dimension;
    const std::string& unit = voxel.unit;
    add("threshold", "Threshold", "", curves.levels);
    add("voxels", "Voxels", "", curves.voxels);
    add("vcec", "Change of χ", "", curves.change);
    add("ecc", "Euler characteristic", "", curves.euler);
    add("volume", d == 3 ? "Volume" : "Area", power(unit, d), curves.volume);
    add("surface", d == 3 ? "Surface" : "Perimeter", power(unit, d - 1), curves.surface);
    if (d == 3) add("breadth", "Mean breadth", unit, curves.breadth);
  }
  Table take() { return std::move(table_); }

 private:
  template <class T>
  void add(std::string id, std::string label, std::string unit, std::vector<T> values) {
    if (!curves_.levels.empty() && curves_.levels.front() > curves_.levels.back()) {
      std::reverse(values.begin(), values.end());
    }
    table_.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(values)});
  }

  const TopologyCurves& curves_;
  Table table_;
};

Curve curve_of(const Table& table, const std::string& id, std::vector<CurveMark> marks,
               const CurveThreshold& threshold) {
  const Column& y = *table.column(id);
  Curve curve;
  curve.id = id;
  curve.label = y.label;
  curve.in_table = table.id;
  // Between two values the level set is that of the next one (superlevel) or of the one before.
  curve.shape =
      threshold.sets == LevelSets::sublevel ? CurveShape::steps : CurveShape::steps_before;
  // Noise near the background dwarfs all else.
  if (id == "ecc") curve.scale = CurveScale::logarithmic;
  curve.x = {"threshold", "Threshold", "",
             std::get<std::vector<double>>(table.column("threshold")->cells)};
  CurveLine line{y.id, y.label, y.unit, {}};
  std::visit(
      [&]<class Cells>(const Cells& cells) {
        if constexpr (!std::is_same_v<Cells, std::vector<std::string>>) {
          line.values.assign(cells.begin(), cells.end());
        }
      },
      y.cells);
  curve.ys.push_back(std::move(line));
  curve.marks = std::move(marks);
  curve.threshold = threshold;
  return curve;
}

// Where a threshold may be worth trying.
std::vector<CurveMark> suggestions(const TopologyCurves& curves,
                                   const std::optional<double>& otsu) {
  std::vector<CurveMark> marks;
  for (const double at : zero_crossings(curves)) {
    if (marks.size() < kMostMarks) marks.push_back({at, "zero"});
  }
  if (const auto at = longest_plateau(curves)) marks.push_back({*at, "plateau"});
  if (otsu) marks.push_back({*otsu, "Otsu"});
  return marks;
}

struct Choices {
  explicit Choices(const Operation& operation)
      : sets(value_of(kLevelSets, parameter<std::string>(operation, "sets"))),
        construction(value_of(kConstructions, parameter<std::string>(operation, "construction"))),
        levels(static_cast<int>(parameter<std::int64_t>(operation, "levels"))) {}
  LevelSets sets;
  Construction construction;
  int levels;
};

Measurement measurement_of(const CountedLevels& counted, const Choices& choices, const Size3& size,
                           const VoxelSize& voxel) {
  const TopologyCurves curves =
      topology_curves(counted.counts, counted.levels, size, voxel, choices.construction);
  Measurement out;
  out.notes.push_back(
      std::string(choices.sets == LevelSets::superlevel ? "bright objects" : "dark objects") +
      (choices.construction == Construction::closed_voxels ? ", voxels touch at corners"
                                                           : ", voxels touch at faces only"));
  if (choices.levels == 0 && counted.even) {
    out.notes.push_back("more than 65536 different values: " +
                        std::to_string(counted.levels.size()) + " evenly spaced levels");
  }
  const Table table = Columns(curves, voxel).take();
  const CurveThreshold threshold{choices.sets, otsu_threshold(curves.levels, curves.voxels)};
  const std::vector<CurveMark> marks = suggestions(curves, threshold.start);
  for (const char* id : {"ecc", "volume", "surface", "breadth"}) {
    if (table.column(id) != nullptr) out.curves.push_back(curve_of(table, id, marks, threshold));
  }
  out.tables.push_back(table);
  return out;
}

Result<Measurement> measure(const Operation& operation, const Dataset& input,
                            const JobContext& context) {
  const Choices choices(operation);
  const auto counted =
      count_levels(input, choices.sets, choices.construction, choices.levels, context);
  if (!counted) return counted.error();
  return measurement_of(*counted, choices, input.size(), input.voxel());
}

Result<Measurement> measure_slices(const Operation& operation, SliceSource& source,
                                   const VoxelSize& voxel, std::uint64_t memory,
                                   const JobContext& context) {
  const Choices choices(operation);
  const auto counted =
      count_levels(source, choices.sets, choices.construction, choices.levels, memory, context);
  if (!counted) return counted.error();
  return measurement_of(*counted, choices, source.size(), voxel);
}

}  // namespace

OperationType topology_operation() {
  OperationType type;
  type.schema = topology_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "topology";
  type.traits.panel = "measure";
  type.cpu.bytes = bytes;
  type.cpu.measure = measure;
  type.cpu.measure_slices = measure_slices;
  return type;
}

}  // namespace aprscope
