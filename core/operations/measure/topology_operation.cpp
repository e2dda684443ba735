// Topology curves: what level sets are like at every threshold, on pixels and on particles.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/topology_measurement.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/topology/particle_strata.hpp"
#include "core/topology/pixel_strata.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr Word<LevelSets> kSets[] = {{"superlevel", LevelSets::superlevel},
                                     {"sublevel", LevelSets::sublevel}};
constexpr Word<Construction> kConstructions[] = {{"t", Construction::closed_voxels},
                                                 {"v", Construction::vertices}};
constexpr std::size_t kMostMarks = 4;
constexpr int kMostLevels = 65535;

OperationSchema topology_schema() {
  return operation_schema(
             "topology", "Topology curves", "Measure", {DataKind::pixels, DataKind::apr},
             "For every threshold at once: the Euler characteristic (pieces − tunnels + voids), "
             "volume, surface and mean breadth of what is above it (or below).")
      .with(choice("sets", "Level sets", words_of(kSets))
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

std::uint64_t bytes(const Operation&, const Dataset& input) {
  const auto threads = static_cast<std::uint64_t>(thread_count());
  const Size3 n = input.size();
  const auto slice = static_cast<std::uint64_t>((n.x + 2) * (n.y + 128)) * sizeof(std::uint16_t);
  constexpr std::uint64_t kTables = 65536 * sizeof(StrataCounts::OfLevel);
  const std::uint64_t values =
      input.is_apr() ? input.apr().access->count() * (sizeof(float) + sizeof(std::uint16_t)) : 0;
  return (threads + 1) * 2 * kTables + threads * 3 * slice + values;
}

// The levels of the values of an image or of particles.
Result<LevelPlaces> places_of(const Dataset& input, LevelSets sets, int levels,
                              const JobContext& context) {
  if (input.is_apr()) return LevelPlaces::of(input.particle_values(), sets, levels, context);
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) -> Result<LevelPlaces> {
        if constexpr (std::is_integral_v<T>) {
          const auto [least, most] =
              std::minmax_element(pixels.values.begin(), pixels.values.end());
          return LevelPlaces::of_whole_numbers(*least, *most, sets, levels);
        } else {
          return LevelPlaces::of(pixels.values, sets, levels, context);
        }
      },
      input.volume().pixels);
}

template <class Place, class T>
Result<StrataCounts> count_pixels(const Pixels<T>& pixels, const LevelPlaces& places,
                                  Construction construction, const JobContext& context) {
  const PlaceRows<Place> rows = [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
    places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
  };
  return count_strata<Place>(pixels.size, static_cast<int>(places.levels().size()), rows,
                             construction, context);
}

Result<StrataCounts> count_here(const Dataset& input, const LevelPlaces& places,
                                Construction construction, const JobContext& context) {
  if (input.is_apr()) {
    const std::vector<float>& values = input.particle_values();
    std::vector<std::uint16_t> found(values.size());
    places.find(std::span<const float>(values), std::span(found));
    return count_strata(*input.apr().access, found, static_cast<int>(places.levels().size()),
                        construction, context);
  }
  return std::visit(
      [&](const auto& pixels) {
        return places.fits_byte()
                   ? count_pixels<std::uint8_t>(pixels, places, construction, context)
                   : count_pixels<std::uint16_t>(pixels, places, construction, context);
      },
      input.volume().pixels);
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
               LevelSets sets) {
  const Column& y = *table.column(id);
  Curve curve;
  curve.id = id;
  curve.label = y.label;
  curve.in_table = table.id;
  // Between two values the level set is that of the next one (superlevel) or of the one before.
  curve.shape = sets == LevelSets::sublevel ? CurveShape::steps : CurveShape::steps_before;
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
  return curve;
}

// Every finite value has its place, also those that filters could not compute with.
Status check_numbers(const Dataset& input) {
  if (input.non_finite().count == 0) return {};
  const auto finite = [](float v) { return std::isfinite(v); };
  const bool fine =
      input.is_apr()
          ? std::ranges::all_of(input.particle_values(), finite)
          : std::ranges::all_of(std::get<Pixels<float>>(input.volume().pixels).values, finite);
  return fine ? Status() : check_finite(input);
}

Result<Measurement> measure(const Operation& operation, const Dataset& input,
                            const JobContext& context) {
  return measure_topology(
      operation, input,
      [&](const LevelPlaces& places, Construction construction, const JobContext& part) {
        return count_here(input, places, construction, part);
      },
      context);
}

}  // namespace

Result<Measurement> measure_topology(const Operation& operation, const Dataset& input,
                                     const StrataCounter& count, const JobContext& context) {
  if (Status ok = check_numbers(input); !ok) return ok.error();
  const LevelSets sets = value_of(kSets, parameter<std::string>(operation, "sets"));
  const Construction construction =
      value_of(kConstructions, parameter<std::string>(operation, "construction"));
  const auto levels = static_cast<int>(parameter<std::int64_t>(operation, "levels"));
  const auto places = places_of(input, sets, levels, context.part(0.0, 0.2));
  if (!places) return places.error();
  const auto counts = count(*places, construction, context.part(0.2, 1.0));
  if (!counts) return counts.error();
  const TopologyCurves curves =
      topology_curves(*counts, places->levels(), input.size(), input.voxel(), construction);
  Measurement out;
  if (levels == 0 && places->is_even()) {
    out.notes.push_back("more than 65536 different values: " +
                        std::to_string(places->levels().size()) + " evenly spaced levels");
  }
  const Table table = Columns(curves, input.voxel()).take();
  std::vector<CurveMark> marks;
  for (const double at : zero_crossings(curves)) {
    if (marks.size() < kMostMarks) marks.push_back({at, "zero"});
  }
  if (const auto otsu = otsu_threshold(curves)) marks.push_back({*otsu, "Otsu"});
  out.curves.push_back(curve_of(table, "ecc", std::move(marks), sets));
  for (const char* id : {"volume", "surface", "breadth"}) {
    if (table.column(id) != nullptr) out.curves.push_back(curve_of(table, id, {}, sets));
  }
  out.tables.push_back(table);
  return out;
}

OperationType topology_operation() {
  OperationType type;
  type.schema = topology_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "topology";
  type.traits.panel = "measure";
  type.cpu.bytes = bytes;
  type.cpu.measure = measure;
  return type;
}

}  // namespace aprscope
