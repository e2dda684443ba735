// Topology curves: what level sets are like at every threshold, on pixels and on particles.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/base/csv.hpp"
#include "core/operations/measure/counted_file.hpp"
#include "core/operations/measure/counted_levels.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/threshold_list.hpp"
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

bool counts_beside(const Operation& operation, const std::string& id) {
  const bool given = !parameter<std::string>(operation, "thresholds").empty();
  if (id == "levels") return !given;
  return id != "exact" || (!given && parameter<std::int64_t>(operation, "levels") == 0);
}

OperationSchema topology_schema() {
  OperationSchema schema =
      operation_schema(
          "topology", "Topology curves", "Measure", {DataKind::pixels, DataKind::apr},
          "For every threshold at once: the Euler characteristic (pieces − tunnels + voids), "
          "volume, surface and mean breadth of the objects above it (or below).")
          .with(choice("sets", "Level sets", words_of(kLevelSets))
                    .main()
                    .help("Which values are object. superlevel: the threshold and above (bright "
                          "objects); sublevel: the threshold and below (dark objects)."))
          .with(
              choice("construction", "Construction", words_of(kConstructions))
                  .main()
                  .help("Which voxels of an object are connected. t: also those that share only a "
                        "corner (26 neighbours); v: only those that share a face (6 neighbours)."))
          .with(integer("levels", "Levels")
                    .range(0, kMostLevels)
                    .help("Number of thresholds, evenly spaced. 0: every value that occurs, or "
                          "4096 for an image with more than 65536 different real numbers."))
          .with(text("thresholds", "Thresholds")
                    .names_file()
                    .help("Thresholds to measure at instead of levels, a row for each: from:to:N, "
                          "a list (10,20,35), or a file with one per line (of a table, its first "
                          "column)."))
          .with(boolean("exact", "Every value")
                    .help("Table with a row for every value that occurs, however many there are. "
                          "Curves are drawn with at most 65536 of them."))
          .with(boolean("betti", "Pieces, tunnels and voids")
                    .help("Also count pieces, tunnels and voids at each threshold (Betti numbers); "
                          "pieces − tunnels + voids is the Euler characteristic."))
          .with(boolean("densities", "Per volume")
                    .help("Also give the curves per volume: counts per mm³ (per px³ where the "
                          "file has no unit), the volume fraction of the objects, and their "
                          "surface per volume (per area for an image of one slice)."))
          .with(
              boolean("summary", "One line")
                  .help(
                      "Also make a table of one row: extremes of the curve, changes of sign and "
                      "suggested thresholds. A recipe that is run on many files joins these rows."))
          .with(integer("persistence", "Longest-lived pieces")
                    .range(0, kMostLives)
                    .help("Number of pieces to list: those that stay separate over the widest "
                          "range of thresholds, and where they begin. Bright (or dark) objects "
                          "come first, noise last; 0: none."));
  schema.counts = counts_beside;
  return schema;
}

struct Choices {
  explicit Choices(const Operation& operation)
      : sets(value_of(kLevelSets, parameter<std::string>(operation, "sets"))),
        construction(value_of(kConstructions, parameter<std::string>(operation, "construction"))),
        thresholds(parameter<std::string>(operation, "thresholds")),
        levels(static_cast<int>(parameter<std::int64_t>(operation, "levels"))),
        exact(parameter<bool>(operation, "exact")),
        densities(parameter<bool>(operation, "densities")),
        summary(parameter<bool>(operation, "summary")),
        lives(static_cast<std::size_t>(parameter<std::int64_t>(operation, "persistence"))),
        pieces(parameter<bool>(operation, "betti") || lives > 0) {}
  LevelSets sets;
  Construction construction;
  std::string thresholds;
  int levels;
  bool exact;
  bool densities;
  bool summary;
  // Beyond what strata tell: whether pieces are wanted, and how many of the longest lives.
  std::size_t lives;
  bool pieces;
};

std::uint64_t bytes_of_topology(const Operation& operation, const Dataset& input) {
  const Choices choices(operation);
  return counting_bytes(input) + (choices.pieces ? component_bytes(input, choices.lives > 0) : 0);
}

// Where a threshold may be worth trying.
std::vector<CurveMark> suggestions(const TopologyCurves& curves,
                                   const std::optional<double>& plateau,
                                   const std::optional<double>& otsu) {
  std::vector<CurveMark> marks;
  for (const double at : zero_crossings(curves)) {
    if (marks.size() < kMostMarks) marks.push_back({at, "zero"});
  }
  if (plateau) marks.push_back({*plateau, "plateau"});
  if (otsu) marks.push_back({*otsu, "Otsu"});
  return marks;
}

// The results of counting, and the thresholds asked for.
struct Found {
  CountedLevels counted;
  std::optional<Components> pieces;
  ThresholdList thresholds;
};

Result<LevelChoice> levels_of(const Choices& choices, ThresholdList& thresholds) {
  LevelChoice out(choices.levels);
  out.every = choices.exact;
  if (choices.thresholds.empty()) return out;
  auto given = thresholds_from_text(choices.thresholds);
  if (!given) return given.error();
  thresholds = *std::move(given);
  out.thresholds = thresholds.values;
  return out;
}

// A note about voxels that are in no or in all level sets, since they have no threshold.
void add_infinite_note(const Choices& choices, const CountedLevels& counted,
                       std::vector<std::string>& notes) {
  const bool falling = choices.sets == LevelSets::superlevel;
  for (std::size_t i = 0; i < counted.levels.size(); ++i) {
    const std::int64_t voxels = counted.counts.levels[i][7];
    if (!std::isinf(counted.levels[i]) || voxels == 0) continue;
    const std::string count = std::to_string(voxels);
    if ((counted.levels[i] > 0.0) == falling) {
      notes.push_back(count + " voxels are " + (falling ? "∞" : "−∞") +
                      ": they belong to the set at every threshold");
    } else if (counted.given) {
      notes.push_back(count + " voxels belong to the set at none of the thresholds");
    } else {
      notes.push_back(count + " voxels are " + (falling ? "−∞" : "∞") +
                      ": they belong to the set at no threshold");
    }
  }
}

std::vector<std::string> notes_of(const Choices& choices, const Found& found, std::size_t rows,
                                  const VoxelSize& voxel) {
  const CountedLevels& counted = found.counted;
  std::vector<std::string> notes;
  notes.push_back(
      std::string(choices.sets == LevelSets::superlevel ? "bright objects" : "dark objects") +
      (choices.construction == Construction::closed_voxels ? ", voxels touch at corners"
                                                           : ", voxels touch at faces only"));
  if (choices.levels == 0 && counted.even) {
    notes.push_back("more than 65536 different values: " +
                    std::to_string(std::ranges::count_if(
                        counted.levels, [](double level) { return std::isfinite(level); })) +
                    " evenly spaced levels");
  }
  if (found.thresholds.was_changed) notes.push_back("thresholds were put in order, each once");
  if (rows > kMostLevels + 1) {
    notes.push_back(std::to_string(rows) +
                    " different values: all in the table, the lowest and highest of each stretch "
                    "in the curves");
  }
  add_infinite_note(choices, counted, notes);
  notes.push_back("voxels of " + csv_number(voxel.z) + " × " + csv_number(voxel.x) + " × " +
                  csv_number(voxel.y) + " " + voxel.unit + " (z × x × y)");
  return notes;
}

Result<Measurement> measurement_of(const Found& found, const Choices& choices, const Size3& size,
                                   const VoxelSize& voxel, const std::array<double, 3>& origin,
                                   const std::string& name) {
  const CountedLevels& counted = found.counted;
  const TopologyCurves curves =
      topology_curves(counted.counts, counted.levels, size, voxel, choices.construction,
                      counted.given ? CurveRows::all : CurveRows::with_voxels);
  if (curves.levels.empty()) return Error{"has no finite values", name, "measure another image"};
  Measurement out;
  out.notes = notes_of(choices, found, curves.levels.size(), voxel);
  Table table = topology_table(curves, voxel);
  std::vector<std::string> drawn{"ecc"};
  if (found.pieces) {
    for (const std::string& id : add_betti(table, "ecc", betti_curves(*found.pieces, curves),
                                           choices.sets == LevelSets::superlevel)) {
      drawn.push_back(id);
    }
  }
  drawn.insert(drawn.end(), {"volume", "surface", "breadth"});
  if (choices.densities) {
    for (const std::string& id : add_densities(table, size, voxel)) drawn.push_back(id);
  }
  // Between thresholds that were given nothing is known of values.
  std::optional<double> otsu;
  std::optional<double> plateau;
  if (!counted.given) {
    otsu = otsu_threshold(curves.levels, curves.voxels, choices.sets);
    plateau = longest_plateau(curves);
  }
  const CurveThreshold threshold{choices.sets, otsu};
  const std::vector<CurveMark> marks = suggestions(curves, plateau, otsu);
  for (const std::string& id : drawn) {
    if (table.column(id) != nullptr) {
      out.curves.push_back(topology_curve(table, id, marks, threshold));
    }
  }
  out.tables.push_back(std::move(table));
  if (choices.summary) out.tables.push_back(summary_table(curves, size, plateau, otsu));
  if (choices.lives > 0) {
    out.tables.push_back(
        persistence_table(found.pieces->lives, counted.levels, size, voxel, origin));
  }
  return out;
}

Result<Measurement> measure_on_cpu(const Operation& operation, const Dataset& input,
                                   const JobContext& context) {
  return measure_topology(
      operation, input,
      [&](const LevelPlaces& places, Construction construction, const JobContext& part) {
        return count_strata(input, places, construction, part);
      },
      context);
}

// An error if pieces are wanted of what is never whole in memory.
Status check_no_pieces(const Choices& choices, const std::string& name) {
  if (!choices.pieces) return {};
  return Error{"pieces, tunnels and voids are counted on images in memory only", name,
               "leave betti and persistence out"};
}

Result<Measurement> measure_slabs(const Operation& operation, AprFileSlabs& file,
                                  const PartMemory& memory, const JobContext& context) {
  const Choices choices(operation);
  const Apr& facts = file.facts();
  if (Status ok = check_no_pieces(choices, facts.name); !ok) return ok.error();
  ThresholdList thresholds;
  const auto levels = levels_of(choices, thresholds);
  if (!levels) return levels.error();
  auto counted = count_levels(file, choices.sets, choices.construction, *levels, memory, context);
  if (!counted) return counted.error();
  return measurement_of({*std::move(counted), {}, std::move(thresholds)}, choices, file.size(),
                        facts.voxel, {}, facts.name);
}

Result<Measurement> measure_slices(const Operation& operation, SliceSource& source,
                                   const VoxelSize& voxel, std::uint64_t memory,
                                   const JobContext& context) {
  const Choices choices(operation);
  if (Status ok = check_no_pieces(choices, source.header().name); !ok) return ok.error();
  ThresholdList thresholds;
  const auto levels = levels_of(choices, thresholds);
  if (!levels) return levels.error();
  auto counted = count_levels(source, choices.sets, choices.construction, *levels, memory, context);
  if (!counted) return counted.error();
  return measurement_of({*std::move(counted), {}, std::move(thresholds)}, choices, source.size(),
                        voxel, source.header().origin, source.header().name);
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
  ThresholdList thresholds;
  const auto levels = levels_of(choices, thresholds);
  if (!levels) return levels.error();
  const auto places = places_of(input, choices.sets, *levels, context.part(0.0, 0.2));
  if (!places) return places.error();
  // Pieces take longer than strata.
  const double share = choices.pieces ? 0.4 : 1.0;
  const JobContext counting = context.part(0.2, share);
  // Other devices count at as many levels as two bytes hold.
  auto counts = places->fits_two_bytes()
                    ? count(*places, choices.construction, counting)
                    : count_strata(input, *places, choices.construction, counting);
  if (!counts) return counts.error();
  Found found{{*std::move(counts), places->levels(), places->is_even(), places->are_given()},
              {},
              std::move(thresholds)};
  if (choices.pieces) {
    auto pieces = find_components(input, *places, choices.construction, choices.lives,
                                  context.part(share, 1.0));
    if (!pieces) return pieces.error();
    found.pieces = *std::move(pieces);
  }
  return measurement_of(found, choices, input.size(), input.voxel(),
                        input.is_apr() ? std::array<double, 3>{} : input.volume().origin,
                        input.name());
}

OperationType topology_operation() {
  OperationType type;
  type.schema = topology_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "topology";
  type.traits.panel = "measure";
  type.cpu.bytes = bytes_of_topology;
  type.cpu.measure = measure_on_cpu;
  type.cpu.measure_slices = measure_slices;
  type.cpu.measure_file = measure_slabs;
  type.measures_parts = [](const Operation& operation) { return !Choices(operation).pieces; };
  return type;
}

}  // namespace aprscope
