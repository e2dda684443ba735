// Topology curves: what level sets are like at every threshold, on pixels and on particles.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/apr/parallel.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/particle_strata.hpp"
#include "core/topology/pixel_strata.hpp"
#include "core/topology/topology_curves.hpp"
#include "core/topology/value_range.hpp"

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
  // Strata of all levels, of each thread and in what comes out (also as columns and curves), and a
  // thread's sums of words.
  constexpr std::uint64_t kLevels = 65537;
  constexpr std::uint64_t kTables = kLevels * sizeof(StrataCounts::OfLevel);
  constexpr std::uint64_t kSums = kLevels * sizeof(std::uint64_t);
  // Three slices of a band of rows, of up to five bytes a cell with their masks, and a row of
  // words.
  const auto row = static_cast<std::uint64_t>(strata_stride(n.y));
  const std::uint64_t band = std::max<std::uint64_t>(std::uint64_t{512} * 1024, 3 * 18 * row * 5);
  std::uint64_t bytes = threads * (kTables + kSums + band + row * sizeof(std::uint64_t));
  bytes += 3 * kTables;
  if (input.is_apr()) {
    bytes += input.apr().access->count() * (sizeof(float) + sizeof(std::uint16_t));
    // The interior cells as bits.
    bytes += static_cast<std::uint64_t>(n.count()) / 40;
  }
  return bytes;
}

struct Counted {
  StrataCounts counts;
  std::vector<double> levels;
  bool even = false;
};

template <class Place, class T>
Result<Counted> count_pixels(const Pixels<T>& pixels, const LevelPlaces& places,
                             Construction construction, const JobContext& context) {
  const PlaceRows<Place> rows = [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
    places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
  };
  auto counts = count_strata<Place>(pixels.size, static_cast<int>(places.levels().size()), rows,
                                    construction, context);
  if (!counts) return counts.error();
  return Counted{*std::move(counts), places.levels(), places.is_even()};
}

Result<Counted> of_image(const Volume& volume, LevelSets sets, Construction construction,
                         int levels, const JobContext& context) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) -> Result<Counted> {
        LevelPlaces places;
        if constexpr (std::is_integral_v<T>) {
          const ValueRange<T> range = value_range(std::span<const T>(pixels.values));
          places = LevelPlaces::of_whole_numbers(range.least, range.most, sets, levels);
        } else {
          auto found = LevelPlaces::of(pixels.values, sets, levels, context.part(0.0, 0.2));
          if (!found) return found.error();
          places = *std::move(found);
        }
        const JobContext rest = context.part(0.2, 1.0);
        return places.fits_byte() ? count_pixels<std::uint8_t>(pixels, places, construction, rest)
                                  : count_pixels<std::uint16_t>(pixels, places, construction, rest);
      },
      volume.pixels);
}

Result<Counted> of_particles(const Dataset& input, LevelSets sets, Construction construction,
                             int levels, const JobContext& context) {
  const std::vector<float>& values = input.particle_values();
  const auto found = LevelPlaces::of(values, sets, levels, context.part(0.0, 0.2));
  if (!found) return found.error();
  const auto count = static_cast<std::int64_t>(values.size());
  Scratch<std::uint16_t> memory(count, Pages::huge);
  const std::span<std::uint16_t> places(memory.data(), values.size());
  parallel_stretches(count, threads_for(count), [&](std::int64_t begin, std::int64_t end, int) {
    const auto first = static_cast<std::size_t>(begin);
    const auto many = static_cast<std::size_t>(end - begin);
    found->find(std::span<const float>(values).subspan(first, many), places.subspan(first, many));
  });
  auto counts = count_strata(*input.apr().access, places, static_cast<int>(found->levels().size()),
                             construction, context.part(0.2, 1.0));
  if (!counts) return counts.error();
  return Counted{*std::move(counts), found->levels(), found->is_even()};
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
  if (Status ok = check_numbers(input); !ok) return ok.error();
  const LevelSets sets = value_of(kSets, parameter<std::string>(operation, "sets"));
  const Construction construction =
      value_of(kConstructions, parameter<std::string>(operation, "construction"));
  const auto levels = static_cast<int>(parameter<std::int64_t>(operation, "levels"));
  auto counted = input.is_apr() ? of_particles(input, sets, construction, levels, context)
                                : of_image(input.volume(), sets, construction, levels, context);
  if (!counted) return counted.error();
  const TopologyCurves curves =
      topology_curves(counted->counts, counted->levels, input.size(), input.voxel(), construction);
  Measurement out;
  if (levels == 0 && counted->even) {
    out.notes.push_back("more than 65536 different values: " +
                        std::to_string(counted->levels.size()) + " evenly spaced levels");
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

}  // namespace

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
