// Topology curves: what level sets are like at every threshold, on pixels and on particles.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/operations/measure/counted_levels.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/topology_measurement.hpp"
#include "core/operations/measure/topology_tables.hpp"
#include "core/operations/measure/topology_words.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/topology/betti_curves.hpp"
#include "core/topology/growth.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr std::size_t kMostMarks = 4;
constexpr int kMostLevels = 65535;
constexpr int kMostLives = 100000;

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
                      "an image with more than 65536 different real numbers."))
      .with(boolean("betti", "Pieces, tunnels and voids")
                .help("Counts them at each threshold (Betti numbers), of which the Euler "
                      "characteristic is the sum with signs."))
      .with(integer("persistence", "Longest-lived pieces")
                .range(0, kMostLives)
                .help("Lists so many pieces, those that stay a piece of their own for the widest "
                      "range of thresholds, with where they begin: bright (or dark) objects first, "
                      "noise last. 0: none."));
}

struct Choices {
  explicit Choices(const Operation& operation)
      : sets(value_of(kLevelSets, parameter<std::string>(operation, "sets"))),
        construction(value_of(kConstructions, parameter<std::string>(operation, "construction"))),
        levels(static_cast<int>(parameter<std::int64_t>(operation, "levels"))),
        lives(static_cast<std::size_t>(parameter<std::int64_t>(operation, "persistence"))),
        pieces(parameter<bool>(operation, "betti") || lives > 0) {}
  LevelSets sets;
  Construction construction;
  int levels;
  // Beyond what strata tell: pieces, and so many of those that last longest.
  std::size_t lives;
  bool pieces;
};

std::uint64_t bytes(const Operation& operation, const Dataset& input) {
  const Choices choices(operation);
  return counting_bytes(input) + (choices.pieces ? component_bytes(input, choices.lives > 0) : 0);
}

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
  if (id == "ecc" || id == "b0" || id == "b1" || id == "b2") curve.scale = CurveScale::logarithmic;
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

// What was counted.
struct Found {
  CountedLevels counted;
  std::optional<Components> pieces;
};

std::vector<std::string> notes_of(const Choices& choices, const CountedLevels& counted) {
  std::vector<std::string> notes;
  notes.push_back(
      std::string(choices.sets == LevelSets::superlevel ? "bright objects" : "dark objects") +
      (choices.construction == Construction::closed_voxels ? ", voxels touch at corners"
                                                           : ", voxels touch at faces only"));
  if (choices.levels == 0 && counted.even) {
    notes.push_back("more than 65536 different values: " + std::to_string(counted.levels.size()) +
                    " evenly spaced levels");
  }
  return notes;
}

Measurement measurement_of(const Found& found, const Choices& choices, const Size3& size,
                           const VoxelSize& voxel, const std::array<double, 3>& origin) {
  const CountedLevels& counted = found.counted;
  const TopologyCurves curves =
      topology_curves(counted.counts, counted.levels, size, voxel, choices.construction);
  Measurement out;
  out.notes = notes_of(choices, counted);
  Table table = Columns(curves, voxel).take();
  std::vector<std::string> drawn{"ecc"};
  if (found.pieces) {
    for (const std::string& id :
         add_betti(table, "ecc", betti_curves(*found.pieces, counted.counts, curves),
                   choices.sets == LevelSets::superlevel)) {
      drawn.push_back(id);
    }
  }
  drawn.insert(drawn.end(), {"volume", "surface", "breadth"});
  const CurveThreshold threshold{choices.sets,
                                 otsu_threshold(curves.levels, curves.voxels, choices.sets)};
  const std::vector<CurveMark> marks = suggestions(curves, threshold.start);
  for (const std::string& id : drawn) {
    if (table.column(id) != nullptr) out.curves.push_back(curve_of(table, id, marks, threshold));
  }
  out.tables.push_back(std::move(table));
  if (choices.lives > 0) {
    out.tables.push_back(
        persistence_table(found.pieces->lives, counted.levels, size, voxel, origin));
  }
  return out;
}

Result<Measurement> measure(const Operation& operation, const Dataset& input,
                            const JobContext& context) {
  return measure_topology(
      operation, input,
      [&](const LevelPlaces& places, Construction construction, const JobContext& part) {
        return count_strata(input, places, construction, part);
      },
      context);
}

Result<Measurement> measure_slices(const Operation& operation, SliceSource& source,
                                   const VoxelSize& voxel, std::uint64_t memory,
                                   const JobContext& context) {
  const Choices choices(operation);
  if (choices.pieces) {
    return Error{"pieces, tunnels and voids are counted on images in memory only",
                 source.header().name, "leave betti and persistence out"};
  }
  auto counted =
      count_levels(source, choices.sets, choices.construction, choices.levels, memory, context);
  if (!counted) return counted.error();
  return measurement_of({*std::move(counted), {}}, choices, source.size(), voxel,
                        source.header().origin);
}

}  // namespace

Result<Measurement> measure_topology(const Operation& operation, const Dataset& input,
                                     const StrataCounter& count, const JobContext& context) {
  const Choices choices(operation);
  if (choices.pieces) {
    // Before anything that takes long.
    const std::uint64_t cells = input.is_apr() ? input.apr().access->count()
                                               : static_cast<std::uint64_t>(input.size().count());
    if (Status ok = check_cell_count(cells); !ok) return ok.error();
  }
  const auto places = places_of(input, choices.sets, choices.levels, context.part(0.0, 0.2));
  if (!places) return places.error();
  // Pieces take longer than strata.
  const double share = choices.pieces ? 0.4 : 1.0;
  auto counts = count(*places, choices.construction, context.part(0.2, share));
  if (!counts) return counts.error();
  Found found{{*std::move(counts), places->levels(), places->is_even()}, {}};
  if (choices.pieces) {
    auto pieces = find_components(input, *places, choices.construction, choices.lives,
                                  context.part(share, 1.0));
    if (!pieces) return pieces.error();
    found.pieces = *std::move(pieces);
  }
  return measurement_of(found, choices, input.size(), input.voxel(),
                        input.is_apr() ? std::array<double, 3>{} : input.volume().origin);
}

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
