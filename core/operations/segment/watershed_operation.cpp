// Cells between walls, or blobs that touch: the basins of a membrane or of less the distance to
// what is outside, merged over passes and walls that are weak.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/cells/background_cell.hpp"
#include "core/cells/distance.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/particle_basins.hpp"
#include "core/cells/particle_walls.hpp"
#include "core/filter/pixel_filter.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"
#include "core/operations/segment/flood_levels.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/point_table.hpp"
#include "core/operations/segment/prepared_watershed.hpp"
#include "core/operations/segment/seed_file.hpp"
#include "core/operations/segment/seed_points.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/operations/segment/threshold_parameters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr Word<Connectivity> kNeighbours[] = {
    {"6", Connectivity::faces}, {"18", Connectivity::edges}, {"26", Connectivity::corners}};
enum class FloodSignal { membrane, distance };
constexpr Word<FloodSignal> kSignals[] = {{"membrane", FloodSignal::membrane},
                                          {"distance", FloodSignal::distance}};
// All that pixels can be, and lengths and volumes of the largest images.
constexpr double kGreyLimit = 3.4e38;
constexpr double kLengthLimit = 1e9;
constexpr double kAutomatic = -1.0;

FloodSignal signal_of(const Operation& operation) {
  return value_of(kSignals, parameter<std::string>(operation, "signal"));
}
bool is_seeded(const Operation& operation) {
  return !parameter<std::string>(operation, "seeds").empty() ||
         !parameter<std::string>(operation, "seed_file").empty();
}
LevelSets objects_of(const Operation& operation) {
  return parameter<bool>(operation, "dark") ? LevelSets::sublevel : LevelSets::superlevel;
}

OperationSchema watershed_schema() {
  OperationSchema schema =
      operation_schema("watershed", "Watershed", "Segment", {DataKind::pixels, DataKind::apr},
                       "Cells between bright walls (or dark ones), or bright blobs that touch: "
                       "water rises in all of them at once and stops where it meets.")
          .with(choice("signal", "Water rises in", words_of(kSignals))
                    .main()
                    .help("membrane: the image, so that every pixel belongs to a cell between "
                          "walls; distance: objects brighter than a threshold, from where they are "
                          "thickest, so that they part at their necks (of pixels only)."))
          .with(boolean("dark", "Dark")
                    .help("Walls are darker than what they enclose; with signal distance: "
                          "objects are darker than what is round them."))
          .with(threshold_parameters())
          .with(choice("connectivity", "Neighbours", words_of(kNeighbours))
                    .described(Described::changed)
                    .help("Through how many neighbours water flows: 6 share a face, 18 also an "
                          "edge, 26 also a corner (in one slice 4, 8, 8)."))
          .with(real("smooth", "Smooth", kAutomatic)
                    .range(kAutomatic, kLengthLimit)
                    .lowest("automatic")
                    .unit(kLengthUnit)
                    .help("Standard deviation of a Gaussian that the image is smoothed with first, "
                          "in the unit of the voxel size (µm; px where the file has none); 0: "
                          "none; below 0: as little as leaves noise of a thirtieth of the "
                          "contrast. Particles are taken as they are."))
          .with(real("depth", "Depth")
                    .range(0.0, kGreyLimit)
                    .lowest("automatic")
                    .unit("grey values")
                    .main()
                    .help("How deep a cell must be below the lowest gap in its walls (h-minima); "
                          "0: as deep as the noise of the image. With signal distance: by how much "
                          "the radius of an object must be larger than that of its neck, in the "
                          "unit of the voxel size (µm; px where the file has none); 0: by a voxel "
                          "of the coarsest axis."))
          .with(real("merge", "Merge walls up to", kAutomatic)
                    .range(kAutomatic, kGreyLimit)
                    .lowest("automatic")
                    .unit("grey values")
                    .main()
                    .help("Walls that are weaker than this are taken away, the weakest first: the "
                          "geometric mean of how high the lowest place of the wall is above the "
                          "shallower cell, and the median of the wall above the deeper one. 0: "
                          "none; below 0: a fifth of the contrast of the image, or four times its "
                          "noise where that is more; with signal distance, none."))
          .with(text("seeds", "Seeds")
                    .help("One cell for each of these points, whatever the depth and the walls: "
                          "z,x,y; z,x,y; and so on, in whole pixels from 0 on."))
          .with(text("seed_file", "Seeds from a file")
                    .names_file()
                    .help("One cell for each seed of this file: a label image of the same size "
                          "(TIFF or HDF5; cells get the numbers of its labels), or a table of "
                          "points (.csv, .tsv, .txt), a point a line: z,x,y in pixels from 0 on, "
                          "or under a head that names them with their unit, as in z (µm)."))
          .with(min_volume_parameter("A smaller cell becomes part of the one behind the lowest "
                                     "gap in its walls"))
          .with(boolean("drop_border", "Drop cells at the border")
                    .help("Cells that touch the border of the image get no label."));
  schema.counts = [](const Operation& operation, const std::string& id) {
    const bool distance = signal_of(operation) == FloodSignal::distance;
    const auto thresholds = threshold_parameters();
    const bool of_threshold = std::any_of(thresholds.begin(), thresholds.end(),
                                          [&](const ParameterSpec& spec) { return spec.id == id; });
    if (of_threshold) return distance && threshold_counts(operation, id);
    if (distance && id == "smooth") return false;
    return !is_seeded(operation) || (id != "depth" && id != "merge" && id != "min_volume");
  };
  return schema;
}

FloodLevels flood_levels(const Operation& operation, const Dataset& input,
                         const std::optional<WallSignal>& known = {}) {
  return chosen_levels(asked_levels(operation), signal_of(operation) == FloodSignal::distance,
                       input, known);
}

Operation settled(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole) return asked;
  const FloodLevels levels = flood_levels(*whole, input);
  if (signal_of(*whole) == FloodSignal::membrane) {
    asked.parameters["smooth"] = levels.smooth;
  } else if (!input.is_apr() && !threshold_is_given(*whole) && !threshold_is_local(*whole)) {
    const auto found = threshold_of(*whole, objects_of(*whole), input, context);
    if (!found) return asked;
    asked = with_threshold(std::move(asked), found->at);
  }
  if (is_seeded(*whole)) return asked;
  asked.parameters["depth"] = levels.depth;
  asked.parameters["merge"] = levels.merge;
  return asked;
}

// Which basins have pixels at a face of the image; one slice has none below and above.
std::vector<bool> basins_at_border(const Basins& basins, const Size3& n) {
  std::vector<bool> out(basins.floors.size(), false);
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      const std::int64_t start = (z * n.x + x) * n.y;
      const bool all = (n.z > 1 && (z == 0 || z + 1 == n.z)) || x == 0 || x + 1 == n.x;
      const std::int64_t step = all ? 1 : std::max<std::int64_t>(1, n.y - 1);
      for (std::int64_t y = 0; y < n.y; y += step) {
        out[basins.labels[static_cast<std::size_t>(start + y)]] = true;
      }
    }
  }
  return out;
}

// Less the distance to what is no object: objects are deepest where they are thickest, and nothing
// flows where there is none.
Result<Pixels<float>> distance_signal(const Operation& operation, const Dataset& input,
                                      const JobContext& context) {
  auto mask = threshold_mask(operation, objects_of(operation), input, context.part(0.0, 0.3));
  if (!mask) return mask.error();
  if (std::find(mask->values.begin(), mask->values.end(), 1) == mask->values.end()) {
    return Error{"has no object: no pixel is on its side of the threshold", input.name(),
                 "choose another threshold, or dark objects"};
  }
  for (std::uint8_t& one : mask->values) one = one == 0 ? 1 : 0;
  const auto squares =
      squared_distances(mask->values, mask->size, input.voxel(), context.part(0.3, 1.0));
  if (!squares) return squares.error();
  Pixels<float> out(mask->size);
  const auto count = static_cast<std::int64_t>(out.values.size());
  parallel_for(count, threads_for(count), [&](std::int64_t k) {
    const auto i = static_cast<std::size_t>(k);
    const float square = squares->data()[i];
    // An object without an outside is as thick everywhere.
    const float inside = std::isfinite(square) ? -std::sqrt(square) : 0.0F;
    out.values[i] = mask->values[i] != 0 ? std::numeric_limits<float>::infinity() : inside;
  });
  return out;
}

// Floods particles as they are.
Result<std::shared_ptr<const Prepared>> prepare_particles(const Operation& operation,
                                                          const Dataset& input,
                                                          const std::vector<FloodMarker>& markers,
                                                          std::shared_ptr<PreparedWatershed> out,
                                                          const JobContext& context) {
  if (signal_of(operation) == FloodSignal::distance) {
    return Error{"are particles, which have no distance to what is no object", input.name(),
                 "make pixels with the operation reconstruct first, or set signal to membrane"};
  }
  if (parameter<double>(operation, "smooth") > 0.0) {
    return Error{"are particles, which watershed does not smooth", input.name(),
                 "smooth them with the operation gaussian first, or set smooth to 0"};
  }
  BasinRule rule = out->rule;
  rule.markers = markers;
  const AprAccess& access = *input.apr().access;
  const std::vector<float>& values = input.values().particles();
  auto basins = find_particle_basins(access, values, rule, context.part(0.0, 0.7));
  if (!basins) return basins.error();
  out->basins = *std::move(basins);
  auto tree = particle_basin_tree(access, values, out->basins, rule, context.part(0.7, 1.0));
  if (!tree) return tree.error();
  out->tree = *std::move(tree);
  out->at_border = particle_basins_at_border(access, out->basins);
  return std::shared_ptr<const Prepared>(std::move(out));
}

Result<std::vector<FloodMarker>> markers_for(const Operation& operation, const Dataset& input,
                                             const JobContext& context) {
  const auto& points = parameter<std::string>(operation, "seeds");
  const auto& file = parameter<std::string>(operation, "seed_file");
  if (file.empty()) return markers_from_text(points, input.size());
  if (!points.empty()) {
    return Error{"has seeds both as points and in a file", input.name(), "leave one of them out"};
  }
  return markers_from_file(file, input, context);
}

Result<std::shared_ptr<const Prepared>> prepare(const Operation& operation, const Dataset& input,
                                                const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok.error();
  auto markers = markers_for(operation, input, context);
  if (!markers) return markers.error();
  auto out = std::make_shared<PreparedWatershed>();
  out->numbers = number_without_gaps(*markers);
  const bool distance = signal_of(operation) == FloodSignal::distance;
  out->rule.near = value_of(kNeighbours, parameter<std::string>(operation, "connectivity"));
  out->rule.bright = !distance && parameter<bool>(operation, "dark");
  if (!distance && !are_given(asked_levels(operation))) out->grey = wall_signal_of(input);
  if (input.is_apr()) return prepare_particles(operation, input, *markers, std::move(out), context);
  const double sigma = flood_levels(operation, input, out->grey).smooth;
  if (distance) {
    auto made = distance_signal(operation, input, context.part(0.0, 0.2));
    if (!made) return made.error();
    out->signal = std::move(*made);
  } else if (sigma > 0.0) {
    const Size3 n = input.size();
    out->signal.emplace(n);
    if (Status ok = convolve_pixels(
            input.values().pixels(), wide_gaussian_stencil(sigma_in_pixels(sigma, input)),
            Boundary::reflect, {{0, 0, 0}, {n.z, n.x, n.y}}, *out->signal, context.part(0.0, 0.2));
        !ok) {
      return ok.error();
    }
  }
  BasinRule rule = out->rule;
  rule.markers = *markers;
  const auto flood = [&](const auto& pixels) -> Status {
    auto basins = find_basins(pixels, rule, context.part(0.2, 0.6));
    if (!basins) return basins.error();
    out->basins = std::move(*basins);
    auto tree = basin_tree(pixels, out->basins, rule, context.part(0.6, 1.0));
    if (!tree) return tree.error();
    out->tree = std::move(*tree);
    return {};
  };
  const Status done = out->signal ? flood(*out->signal) : std::visit(flood, input.volume().pixels);
  if (!done) return done.error();
  out->at_border = basins_at_border(out->basins, input.size());
  return std::shared_ptr<const Prepared>(std::move(out));
}

// Regions with a basin at the border become 0; others keep their order, and where `renumber` is not
// asked for their numbers.
void drop_at_border(const std::vector<bool>& at_border, bool renumber, RegionTable& table) {
  std::vector<std::uint32_t> number(std::size_t{table.count} + 1, 0);
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 1; i < at_border.size(); ++i) {
    if (at_border[i]) number[table.region[i]] = 0;
  }
  if (renumber) {
    table.count = 0;
    for (std::uint32_t& one : number) one = one == 0 ? 0 : ++table.count;
  }
  for (std::uint32_t& one : table.region) one = number[one];
}

// The region of each basin.
Result<RegionTable> table_of(const Operation& operation, const Dataset& input,
                             const PreparedWatershed& made, const JobContext& context) {
  const bool seeded = !made.tree.markers.empty();
  RegionTable table;
  if (seeded) {
    table = flood_from_markers(made.tree);
  } else {
    const FloodLevels levels = flood_levels(operation, input, made.grey);
    const auto cut = made.cut_at(levels.depth);
    if (levels.merge > 0.0) {
      const auto merges = made.merges_at(levels.depth, levels.merge, *cut, input, context);
      if (!merges) return merges.error();
      table = cut_walls(*cut, **merges, levels.merge);
    } else {
      table = *cut;
    }
    const double least =
        std::ceil(parameter<double>(operation, "min_volume") / pixel_volume(input));
    if (least > 1.0) {
      const auto most = static_cast<double>(input.size().count()) + 1.0;
      table = without_small(made.tree, table, static_cast<std::uint64_t>(std::min(least, most)));
    }
  }
  if (parameter<bool>(operation, "drop_border")) drop_at_border(made.at_border, !seeded, table);
  if (seeded) {
    for (std::uint32_t& one : table.region) one = made.numbers[one];
    table.count = made.numbers.back();
  }
  return table;
}

Result<Labels> label(const Operation& operation, const Dataset& input, const Prepared* prepared,
                     const JobContext& context) {
  const auto& made = static_cast<const PreparedWatershed&>(*prepared);
  auto table = table_of(operation, input, made, context.part(0.0, 0.6));
  if (!table) return table.error();
  Labels out;
  out.largest = table->count;
  out.values = made.spare().take(made.basins.labels.size());
  if (Status ok = look_up(made.basins.labels, table->region, out.values, context.part(0.6, 1.0));
      !ok) {
    return ok.error();
  }
  made.keep_table(operation, std::make_shared<const RegionTable>(*std::move(table)));
  return out;
}

// Of the basins, of which there are fewer than pixels; each has some.
std::optional<LabelCounts> counts(const Operation& operation, const Dataset& input,
                                  const Prepared& prepared) {
  const auto& made = static_cast<const PreparedWatershed&>(prepared);
  const auto table = made.table_for(operation);
  if (table == nullptr) return {};
  // Particles may have no values.
  const bool is_seen = !input.is_apr() || input.apr().main_field() != nullptr;
  return LabelCounts{count_labels(table->region, table->count),
                     is_seen ? background_share(*made.seen_on(input), table->region) : 0.0};
}

// The cells as they are before weak walls are taken away; those at the border are none where they
// are dropped.
std::shared_ptr<const LabelParts> parts(const Operation& operation, const Dataset& input,
                                        const std::shared_ptr<const Prepared>& prepared) {
  const auto made = std::static_pointer_cast<const PreparedWatershed>(prepared);
  if (!made->tree.markers.empty()) return nullptr;
  const FloodLevels levels = flood_levels(operation, input, made->grey);
  if (!(levels.merge > 0.0)) return nullptr;
  RegionTable table = *made->cut_at(levels.depth);
  if (parameter<bool>(operation, "drop_border")) drop_at_border(made->at_border, true, table);
  return std::make_shared<const LabelParts>(
      LabelParts{std::shared_ptr<const std::vector<std::uint32_t>>(made, &made->basins.labels),
                 std::move(table.region)});
}

// Of an image of labels: these, and all of them as markers where there is no background.
std::uint64_t seed_bytes(const Operation& operation, const Dataset& input) {
  const auto& file = parameter<std::string>(operation, "seed_file");
  if (file.empty() || is_point_table(file)) return 0;
  return static_cast<std::uint64_t>(input.size().count()) *
         (sizeof(std::uint32_t) + sizeof(FloodMarker));
}

// Of an image with a basin in 30 pixels, as a noisy one has.
std::uint64_t bytes(const Operation& operation, const Dataset& input) {
  // Keys, ways and heights of particles.
  if (input.is_apr()) {
    return input.apr().access->count() * (4 + 30 + 10) + seed_bytes(operation, input);
  }
  const auto pixels = static_cast<std::uint64_t>(input.size().count());
  const std::uint64_t seeds = seed_bytes(operation, input);
  if (signal_of(operation) == FloodSignal::distance) {
    return pixels * (4 + 4 + 1 + 10 + 9) + threshold_bytes(operation, input) + seeds;
  }
  const std::uint64_t smoothed = parameter<double>(operation, "smooth") == 0.0 ? 0 : 8;
  return pixels * (4 + 4 + 1 + 10 + smoothed) + seeds;
}

}  // namespace

OperationType watershed_operation() {
  OperationType type;
  type.schema = watershed_schema();
  type.traits.gives = Gives::labels;
  type.traits.preview = Previewed::labels;
  type.traits.family = "watershed";
  type.traits.panel = "cells";
  type.cpu.bytes = bytes;
  type.labels.quick = {"depth", "merge", "min_volume", "drop_border"};
  type.labels.prepare = prepare;
  type.labels.label = label;
  type.labels.counts = counts;
  type.labels.parts = parts;
  type.settled = settled;
  return type;
}

}  // namespace aprscope
