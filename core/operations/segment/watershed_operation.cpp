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
#include "core/cells/particle_basin_tree.hpp"
#include "core/cells/particle_basins.hpp"
#include "core/cells/particle_walls.hpp"
#include "core/filter/pixel_filter.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/segment/flood_levels.hpp"
#include "core/operations/segment/kept_parameters.hpp"
#include "core/operations/segment/point_table.hpp"
#include "core/operations/segment/prepared_watershed.hpp"
#include "core/operations/segment/seed_file.hpp"
#include "core/operations/segment/seed_points.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/operations/segment/threshold_parameters.hpp"
#include "core/operations/segment/watershed_parameters.hpp"

namespace aprscope {
namespace {

FloodLevels flood_levels(const Operation& operation, const Dataset& input,
                         const std::optional<WallSignal>& known = {}) {
  return chosen_levels(asked_levels(operation), signal_of(operation) == FloodSignal::distance,
                       input, known);
}

Operation settled_watershed(Operation asked, const Dataset& input, const JobContext& context) {
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

// Which basins have pixels at the border of the image; one slice has no border along z.
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

// Minus the distance to the background: objects are deepest where they are thickest, and nothing
// flows in the background.
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

template <class T>
bool is_flat(const std::vector<T>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return least == values.end() || *least == *most;
}

// An image of one value has one basin, so no walls; with seeds it is divided by distance.
Status check_walls(const PreparedWatershed& made, const Dataset& input) {
  if (made.basins.floors.size() > 2 || !made.tree.markers.empty()) return {};
  const bool flat = input.is_apr()
                        ? is_flat(input.values().particles())
                        : std::visit([](const auto& pixels) { return is_flat(pixels.values); },
                                     input.volume().pixels);
  if (!flat) return {};
  return Error{"has one value everywhere, and no walls", input.name(),
               "choose another channel or time point"};
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
  if (Status ok = check_walls(*out, input); !ok) return ok.error();
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

Result<std::shared_ptr<const Prepared>> prepare_watershed(const Operation& operation,
                                                          const Dataset& input,
                                                          const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok.error();
  auto markers = markers_for(operation, input, context);
  if (!markers) return markers.error();
  auto out = std::make_shared<PreparedWatershed>();
  out->numbers = number_without_gaps(*markers);
  const bool distance = signal_of(operation) == FloodSignal::distance;
  out->rule.near = flood_connectivity(operation);
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
  if (!distance) {
    if (Status ok = check_walls(*out, input); !ok) return ok.error();
  }
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

Result<Labels> label_by_watershed(const Operation& operation, const Dataset& input,
                                  const Prepared* prepared, const JobContext& context) {
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

// Counts by basins, which are fewer than pixels; each basin has some pixels.
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

// Bytes for an image of labels as seeds: the labels, and all as markers if none is background.
std::uint64_t seed_bytes(const Operation& operation, const Dataset& input) {
  const auto& file = parameter<std::string>(operation, "seed_file");
  if (file.empty() || is_point_table(file)) return 0;
  return static_cast<std::uint64_t>(input.size().count()) *
         (sizeof(std::uint32_t) + sizeof(FloodMarker));
}

// Bytes for an image with a basin in 30 pixels, as a noisy one has.
std::uint64_t bytes_of_watershed(const Operation& operation, const Dataset& input) {
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
  type.cpu.bytes = bytes_of_watershed;
  type.labels.quick = {"depth", "merge", "min_volume", "drop_border"};
  type.labels.prepare = prepare_watershed;
  type.labels.label = label_by_watershed;
  type.labels.counts = counts;
  type.labels.parts = parts;
  type.settled = settled_watershed;
  return type;
}

}  // namespace aprscope
