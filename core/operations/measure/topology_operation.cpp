// Topology curves: what level sets are like at every threshold, on pixels and on particles.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/topology_tables.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/topology/betti_curves.hpp"
#include "core/topology/components.hpp"
#include "core/topology/level_places.hpp"
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
constexpr int kMostLives = 100000;

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

// What is asked for beyond what strata tell.
struct PiecesWanted {
  bool any = false;
  std::size_t lives = 0;
};
PiecesWanted pieces_wanted(const Operation& operation) {
  const auto lives = static_cast<std::size_t>(parameter<std::int64_t>(operation, "persistence"));
  return {parameter<bool>(operation, "betti") || lives > 0, lives};
}

std::uint64_t bytes(const Operation& operation, const Dataset& input) {
  const auto threads = static_cast<std::uint64_t>(thread_count());
  const Size3 n = input.size();
  const auto slice = static_cast<std::uint64_t>((n.x + 2) * (n.y + 128)) * sizeof(std::uint16_t);
  constexpr std::uint64_t kTables = 65536 * sizeof(StrataCounts::OfLevel);
  const std::uint64_t values =
      input.is_apr() ? input.apr().access->count() * (sizeof(float) + sizeof(std::uint16_t)) : 0;
  const PiecesWanted pieces = pieces_wanted(operation);
  const std::uint64_t found =
      !pieces.any ? 0
      : input.is_apr()
          ? particle_component_bytes(input.apr().access->count(), pieces.lives > 0)
          : pixel_component_bytes(static_cast<std::uint64_t>(n.count()), pieces.lives > 0);
  return (threads + 1) * 2 * kTables + threads * 3 * slice + values + found;
}

struct Counted {
  StrataCounts counts;
  std::vector<double> levels;
  bool even = false;
  std::optional<Components> pieces;
};

// Adds the pieces to what was counted, if they are wanted: `find` takes a query and a context.
template <class Find>
Result<Counted> with_pieces(Counted counted, const PiecesWanted& wanted, const JobContext& context,
                            const Find& find) {
  if (!wanted.any) return counted;
  auto pieces = find(LifeQuery{wanted.lives, counted.levels}, context);
  if (!pieces) return pieces.error();
  counted.pieces = *std::move(pieces);
  return counted;
}
// How far the work is when strata are counted.
double share_of_strata(const PiecesWanted& wanted) { return wanted.any ? 0.2 : 1.0; }

template <class Place, class T>
Result<Counted> count_pixels(const Pixels<T>& pixels, const LevelPlaces& places,
                             Construction construction, const PiecesWanted& wanted,
                             const JobContext& context) {
  const PlaceRows<Place> rows = [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
    places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
  };
  const auto levels = static_cast<int>(places.levels().size());
  const double share = share_of_strata(wanted);
  auto counts =
      count_strata<Place>(pixels.size, levels, rows, construction, context.part(0.0, share));
  if (!counts) return counts.error();
  return with_pieces({*std::move(counts), places.levels(), places.is_even(), {}}, wanted,
                     context.part(share, 1.0), [&](const LifeQuery& query, const JobContext& part) {
                       return find_components<Place>(pixels.size, levels, rows, construction, query,
                                                     part);
                     });
}

Result<Counted> of_image(const Volume& volume, LevelSets sets, Construction construction,
                         int levels, const PiecesWanted& wanted, const JobContext& context) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) -> Result<Counted> {
        LevelPlaces places;
        if constexpr (std::is_integral_v<T>) {
          const auto [least, most] =
              std::minmax_element(pixels.values.begin(), pixels.values.end());
          places = LevelPlaces::of_whole_numbers(*least, *most, sets, levels);
        } else {
          auto found = LevelPlaces::of(pixels.values, sets, levels, context.part(0.0, 0.2));
          if (!found) return found.error();
          places = *std::move(found);
        }
        const JobContext rest = context.part(0.2, 1.0);
        return places.fits_byte()
                   ? count_pixels<std::uint8_t>(pixels, places, construction, wanted, rest)
                   : count_pixels<std::uint16_t>(pixels, places, construction, wanted, rest);
      },
      volume.pixels);
}

Result<Counted> of_particles(const Dataset& input, LevelSets sets, Construction construction,
                             int levels, const PiecesWanted& wanted, const JobContext& context) {
  const std::vector<float>& values = input.particle_values();
  const auto found = LevelPlaces::of(values, sets, levels, context.part(0.0, 0.2));
  if (!found) return found.error();
  std::vector<std::uint16_t> places(values.size());
  found->find(std::span<const float>(values), std::span(places));
  const AprAccess& access = *input.apr().access;
  const auto count = static_cast<int>(found->levels().size());
  const JobContext rest = context.part(0.2, 1.0);
  const double share = share_of_strata(wanted);
  auto counts = count_strata(access, places, count, construction, rest.part(0.0, share));
  if (!counts) return counts.error();
  return with_pieces({*std::move(counts), found->levels(), found->is_even(), {}}, wanted,
                     rest.part(share, 1.0), [&](const LifeQuery& query, const JobContext& part) {
                       return find_components(access, places, count, construction, query, part);
                     });
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
  const PiecesWanted wanted = pieces_wanted(operation);
  auto counted = input.is_apr()
                     ? of_particles(input, sets, construction, levels, wanted, context)
                     : of_image(input.volume(), sets, construction, levels, wanted, context);
  if (!counted) return counted.error();
  const TopologyCurves curves =
      topology_curves(counted->counts, counted->levels, input.size(), input.voxel(), construction);
  Measurement out;
  if (levels == 0 && counted->even) {
    out.notes.push_back("more than 65536 different values: " +
                        std::to_string(counted->levels.size()) + " evenly spaced levels");
  }
  Table table = Columns(curves, input.voxel()).take();
  std::vector<std::string> betti;
  if (counted->pieces) {
    betti = add_betti(table, "ecc", betti_curves(*counted->pieces, counted->counts, curves),
                      sets == LevelSets::superlevel);
  }
  std::vector<CurveMark> marks;
  for (const double at : zero_crossings(curves)) {
    if (marks.size() < kMostMarks) marks.push_back({at, "zero"});
  }
  if (const auto otsu = otsu_threshold(curves)) marks.push_back({*otsu, "Otsu"});
  out.curves.push_back(curve_of(table, "ecc", std::move(marks), sets));
  for (const std::string& id : betti) out.curves.push_back(curve_of(table, id, {}, sets));
  for (const char* id : {"volume", "surface", "breadth"}) {
    if (table.column(id) != nullptr) out.curves.push_back(curve_of(table, id, {}, sets));
  }
  out.tables.push_back(table);
  if (wanted.lives > 0) {
    out.tables.push_back(
        persistence_table(counted->pieces->lives, counted->levels, input.size(), input.voxel(),
                          input.is_apr() ? std::array<double, 3>{} : input.volume().origin));
  }
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
