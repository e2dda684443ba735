#include "core/projections/project.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/random.hpp"
#include "core/projections/aberrations.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/map_projector.hpp"

namespace aprscope {

namespace {

CtfTimes times_of(const OpticsGroup& group) {
  return group.premultiplied   ? CtfTimes::twice
         : group.phase_flipped ? CtfTimes::flipped
                               : CtfTimes::once;
}
// From frequencies of the map to those of an image.
Rotation to_plane(const ProjectionTable& table, const Projection& row, const GroupOptics* group) {
  Rotation out = orientation_of(row);
  if (group != nullptr) out = magnified(out, group->magnification);
  const double scale = pixel_scale(table, row);
  for (double& entry : out.rows[0]) entry *= scale;
  for (double& entry : out.rows[1]) entry *= scale;
  return out;
}
// Voxels are summed one by one, which leaves gaps between pixels that are much finer.
constexpr double kMostScale = 0.1;

Status check_map(std::span<const float> map, std::int64_t side, const ProjectSettings& settings) {
  if (side < 2 || static_cast<std::int64_t>(map.size()) != side * side * side) {
    return Error{"the map is not a cube of the side that is said", "projection", "use a cubic map"};
  }
  if (!(settings.noise >= 0.0) || !(settings.padding >= 1.0 && settings.padding <= 4.0)) {
    return Error{"the noise is negative or the padding not in 1 … 4", "projection",
                 "a padding of 2 is the usual one"};
  }
  return {};
}

Status check_table(std::int64_t side, const ProjectionTable& table,
                   const ProjectSettings& settings) {
  if (table.side != side) {
    return Error{"images of " + std::to_string(table.side) + " pixels are wanted of a map of " +
                     std::to_string(side) + " voxels",
                 "projection", "resample the map first"};
  }
  for (const OpticsGroup& group : table.optics) {
    if (std::isfinite(group.pixel_size) && std::isfinite(table.pixel_size) &&
        std::abs(group.pixel_size - table.pixel_size) > kMostScale * table.pixel_size) {
      return Error{"optics group " + group.name + " has quite another pixel size than the first",
                   "projection", "project onto one group at a time"};
    }
  }
  for (const OpticsGroup& group : table.optics) {
    if (const std::string why = magnification_trouble(group); !why.empty()) {
      return Error{"optics group " + group.name + " has " + why, table.path.string(),
                   "mend the table"};
    }
  }
  if (!settings.ctf) return {};
  if (!table.has_ctf()) {
    return Error{"a CTF is wanted and the table has none", table.path.string(),
                 "use a table with defocus, voltage and aberration"};
  }
  for (const OpticsGroup& group : table.optics) {
    if (const std::string why = aberration_trouble(group); !why.empty()) {
      return Error{"optics group " + group.name + " has " + why, table.path.string(),
                   "mend the table, or use no CTF"};
    }
  }
  return {};
}

}  // namespace

struct PreparedMap::State {
  std::int64_t side = 0;
  std::unique_ptr<MapProjector> projector;
};

Result<PreparedMap> PreparedMap::create(std::span<const float> map, std::int64_t side,
                                        const ProjectSettings& settings,
                                        const JobContext& context) {
  if (Status ok = check_map(map, side, settings); !ok) return ok.error();
  auto projector = MapProjector::create(map, side, settings.padding, settings.blob, context);
  if (!projector) return projector.error();
  auto state = std::make_shared<State>();
  state->side = side;
  state->projector = *std::move(projector);
  PreparedMap made;
  made.state_ = std::move(state);
  return made;
}

std::int64_t PreparedMap::side() const { return state_->side; }

std::uint64_t PreparedMap::bytes() const { return state_->projector->bytes(); }

Status project(std::span<const float> map, std::int64_t side, const ProjectionTable& table,
               const ProjectSettings& settings, const ImageSink& sink, const JobContext& context) {
  if (Status ok = check_map(map, side, settings); !ok) return ok;
  // Before the spectrum is made.
  if (Status ok = check_table(side, table, settings); !ok) return ok;
  const auto prepared = PreparedMap::create(map, side, settings, context);
  if (!prepared) return prepared.error();
  return project(*prepared, table, settings, sink, context);
}

Status project(const PreparedMap& map, const ProjectionTable& table,
               const ProjectSettings& settings, const ImageSink& sink, const JobContext& context) {
  const std::int64_t side = map.side();
  if (Status ok = check_table(side, table, settings); !ok) return ok;
  const MapProjector* const projector = map.state_->projector.get();
  InsertionPlan plan;
  plan.ctf = settings.ctf ? CtfUse::ctf : CtfUse::none;
  plan.pixel_size = table.pixel_size;
  plan.optics = group_optics(table, plan.ctf);
  const MapProjector::Windows windows = projector->windows_of(table, plan);

  const auto rows = static_cast<std::int64_t>(table.rows.size());
  const std::int64_t pixels = side * side;
  const std::int64_t batch = std::clamp<std::int64_t>((std::int64_t{1} << 24) / pixels, 1, 256);
  const int threads = static_cast<int>(std::clamp<std::int64_t>(batch, 1, thread_count()));
  std::vector<MapProjector::Scratch> scratch;
  for (int i = 0; i < threads; ++i) scratch.push_back(projector->scratch());
  std::vector<float> images;
  for (std::int64_t begin = 0; begin < rows; begin += batch) {
    const std::int64_t count = std::min(batch, rows - begin);
    images.resize(static_cast<std::size_t>(count * pixels));
    parallel_each(count, threads, [&](std::int64_t i, int thread) {
      if (context.stop_requested()) return;
      const Projection& row = table.rows[static_cast<std::size_t>(begin + i)];
      ImageTerms terms = image_terms(table, row, plan, false);
      float* const image = images.data() + i * pixels;
      const CtfTimes times = settings.ctf ? times_of(table.optics[row.optics]) : CtfTimes::none;
      const GroupOptics* const optics =
          terms.optics < 0 ? nullptr : &plan.optics[static_cast<std::size_t>(terms.optics)];
      const auto window = windows.find(static_cast<std::int32_t>(row.optics));
      projector->project(to_plane(table, row, optics), terms, optics, times,
                         window != windows.end() ? &window->second : nullptr, image,
                         scratch[static_cast<std::size_t>(thread)]);
      if (settings.noise == 0.0) return;
      const CounterRandom random(settings.seed, static_cast<std::uint64_t>(begin + i));
      for (std::int64_t p = 0; p < pixels; ++p) {
        image[p] +=
            static_cast<float>(settings.noise * random.normal(static_cast<std::uint64_t>(p)));
      }
    });
    if (context.stop_requested()) return cancelled_error();
    if (Status ok = sink(begin, images); !ok) return ok;
    context.report(static_cast<double>(begin + count) / static_cast<double>(rows), "Project");
  }
  return {};
}

ProjectionTable uniform_projections(std::int64_t side, double pixel_size, std::int64_t count,
                                    std::uint64_t seed) {
  ProjectionTable table;
  table.format = "uniform directions";
  table.side = side;
  table.pixel_size = pixel_size;
  table.optics.resize(1);
  table.optics[0].pixel_size = pixel_size;
  for (std::int64_t i = 0; i < count; ++i) {
    const CounterRandom random(seed, static_cast<std::uint64_t>(i));
    Projection& row = table.rows.emplace_back();
    row.image = i;
    row.rot = 360.0 * random.uniform(0) - 180.0;
    row.tilt = std::acos(2.0 * random.uniform(1) - 1.0) * 180.0 / std::numbers::pi;
    row.psi = 360.0 * random.uniform(2) - 180.0;
    row.line = i + 1;
  }
  return table;
}

}  // namespace aprscope
