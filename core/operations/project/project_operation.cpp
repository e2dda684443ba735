// Images of a map as a microscope would take them: for simulation and tests.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/io/projections/projection_file.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/project/memory_images.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/projections/phantom.hpp"
#include "core/projections/project.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kMostDrawn = 1e7;
constexpr double kMostDefocus = 1e6;
constexpr double kMostNoise = 1e30;

OperationSchema project_schema() {
  OperationSchema made =
      operation_schema("project", "Project a map", "Maps", {DataKind::pixels},
                       "Makes projection images of a map in many directions, to simulate a data "
                       "set whose reconstruction can be compared with the map.")
          .with(text("angles", "Angles")
                    .names_file()
                    .main()
                    .help("Table (.star, .xmd or .cs) whose orientations, shifts and defocus are "
                          "used. Empty: random directions."))
          .with(integer("images", "Images", 1000)
                    .range(1.0, kMostDrawn)
                    .main()
                    .help("Number of images to make, where no table of angles is given."))
          .with(real("preferred", "Preferred views")
                    .range(0.0, 1.0)
                    .described(Described::changed)
                    .help("Fraction of the images that look roughly along z, to simulate preferred "
                          "orientations; 0: all directions alike. Used without a table of angles."))
          .with(real("shift", "Shifts")
                    .range(0.0, 1e3)
                    .unit("px")
                    .described(Described::changed)
                    .help("Standard deviation of random shifts of the images; used without a table "
                          "of angles."))
          .with(
              boolean("ctf", "CTF")
                  .help(
                      "Apply the contrast transfer function of the microscope: with the defocus of "
                      "the table, or without one at a random defocus from least to most defocus."))
          .with(real("least_defocus", "Least defocus", 8000.0)
                    .range(0.0, kMostDefocus)
                    .unit("Å")
                    .described(Described::changed)
                    .help("Smallest underfocus of the images; used without a table of angles."))
          .with(real("most_defocus", "Most defocus", 24000.0)
                    .range(0.0, kMostDefocus)
                    .unit("Å")
                    .described(Described::changed)
                    .help("Largest underfocus of the images; used without a table of angles."))
          .with(real("noise", "Noise")
                    .range(0.0, kMostNoise)
                    .unit("grey values")
                    .help("Standard deviation of the Gaussian noise that is added to the images; "
                          "0: none."))
          .with(integer("seed", "Seed", 1)
                    .range(0.0, 1e9)
                    .described(Described::changed)
                    .help("Seed of the random directions, shifts, defocus and noise. Another seed "
                          "gives other ones; the same seed gives the same images."));
  made.counts = [](const Operation& operation, const std::string& id) {
    const bool file = !parameter<std::string>(operation, "angles").empty();
    if (id == "images" || id == "preferred" || id == "shift") return !file;
    if (id == "least_defocus" || id == "most_defocus") {
      return !file && parameter<bool>(operation, "ctf");
    }
    return true;
  };
  return made;
}

Result<ProjectionTable> random_table(const Operation& operation, const MapScale& scale,
                                     const std::string& name) {
  const auto number = [&](const char* id) { return parameter<double>(operation, id); };
  ProjectionSetSettings drawn;
  drawn.images = parameter<std::int64_t>(operation, "images");
  drawn.side = scale.side;
  drawn.pixel_size = scale.voxel;
  drawn.preferred = number("preferred");
  drawn.shift = number("shift");
  drawn.seed = static_cast<std::uint64_t>(parameter<std::int64_t>(operation, "seed"));
  if (parameter<bool>(operation, "ctf")) {
    drawn.least_defocus = number("least_defocus");
    drawn.most_defocus = number("most_defocus");
    if (!(drawn.most_defocus > 0.0) || drawn.least_defocus > drawn.most_defocus) {
      return Error{"has no defocus between " + to_text(drawn.least_defocus) + " and " +
                       to_text(drawn.most_defocus) + " Å",
                   name, "let the least be below the most"};
    }
  }
  return random_projection_table(drawn);
}

// The rows of a file, as images of one stack to come.
Result<ProjectionTable> table_of_file(const std::string& file, const MapScale& scale,
                                      const JobContext& context) {
  auto found = open_projections(file, {}, context);
  if (!found) return found.error();
  ProjectionTable table = std::move(found->table);
  // Images that are not there are no matter here, numbers that are not are.
  const auto bad =
      std::find_if(table.unusable.begin(), table.unusable.end(), [&](const UnusableRow& one) {
        return table.rows[static_cast<std::size_t>(one.row)].enabled &&
               one.trouble == RowTrouble::number;
      });
  if (bad != table.unusable.end()) {
    return Error{
        "has rows that cannot be used: of image " + std::to_string(bad->row + 1) + " " + bad->why,
        table.path.string(), "mend the table, or disable the row"};
  }
  table.unusable.clear();
  table.stack_problems.clear();
  std::erase_if(table.rows, [](const Projection& row) { return !row.enabled; });
  if (table.rows.empty()) {
    return Error{"has no image that is enabled", table.path.string(), "enable some"};
  }
  std::int64_t image = 0;
  for (Projection& row : table.rows) {
    row.stack = 0;
    row.image = image++;
    // Shifts stay the same length in pixels of the map.
    const double from = table.optics[row.optics].pixel_size;
    if (!(from > 0.0 && scale.voxel > 0.0)) continue;
    row.shift_x *= from / scale.voxel;
    row.shift_y *= from / scale.voxel;
  }
  table.stacks = {"projections.mrcs"};
  table.side = scale.side;
  table.pixel_size = scale.voxel;
  for (OpticsGroup& group : table.optics) group.pixel_size = scale.voxel;
  return table;
}

// For images that are made without CTF, so that nobody corrects one that is not there.
void forget_ctf(ProjectionTable& table) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  for (Projection& row : table.rows) row.defocus_u = row.defocus_v = kUnknown;
  for (OpticsGroup& group : table.optics) {
    group.premultiplied = group.phase_flipped = false;
    group.beam_tilt_x = group.beam_tilt_y = 0.0;
    group.odd_zernike.clear();
    group.even_zernike.clear();
  }
}

std::uint64_t bytes_of_project(const Operation& operation, const Dataset& input) {
  const auto images = static_cast<std::uint64_t>(parameter<std::int64_t>(operation, "images"));
  const auto side = static_cast<std::uint64_t>(input.size().y);
  // Two copies of the images, and the padded spectrum of the map.
  return 2 * images * side * side * sizeof(float) + 8 * side * side * side * sizeof(float) * 2;
}

Result<Data> run_project(const Operation& operation, const Dataset& input, const IterationHooks&,
                         const JobContext& context) {
  const auto scale = map_scale_in_angstrom(input);
  if (!scale) return scale.error();
  const auto& file = parameter<std::string>(operation, "angles");
  auto table = file.empty() ? random_table(operation, *scale, input.name())
                            : table_of_file(file, *scale, context.part(0.0, 0.05));
  if (!table) return table.error();
  if (!parameter<bool>(operation, "ctf")) forget_ctf(*table);
  Operation sized = operation;
  sized.parameters["images"] = static_cast<std::int64_t>(table->rows.size());
  if (Status ok = check_memory(bytes_of_project(sized, input), input); !ok) return ok.error();
  ProjectSettings settings;
  settings.ctf = parameter<bool>(operation, "ctf");
  settings.noise = parameter<double>(operation, "noise");
  settings.seed = static_cast<std::uint64_t>(parameter<std::int64_t>(operation, "seed"));
  const std::int64_t n = scale->side;
  Pixels<float> pixels({static_cast<std::int64_t>(table->rows.size()), n, n});
  const Status done = project(
      input.values().pixels().values, n, *table, settings,
      [&](std::int64_t first, std::span<const float> images) -> Status {
        std::copy(images.begin(), images.end(),
                  pixels.values.begin() + static_cast<std::ptrdiff_t>(first * n * n));
        return {};
      },
      context.part(0.05, 1.0));
  if (!done) {
    Error error = done.error();
    if (!error.cancelled() && error.where.empty()) error.where = input.name();
    return error;
  }
  table->format = "simulated";
  auto kept = std::make_shared<const std::vector<float>>(pixels.values);
  Volume out;
  out.pixels = std::move(pixels);
  out.voxel = {scale->voxel, scale->voxel, scale->voxel, "Å"};
  out.name = input.name();
  out.projections = std::make_shared<const Projections>(
      Projections{*std::move(table), std::make_shared<MemoryImages>(std::move(kept), n)});
  return Data(std::move(out));
}

}  // namespace

OperationType project_operation() {
  OperationType type;
  type.schema = project_schema();
  type.traits.gives = Gives::pixels;
  type.traits.family = "project";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.traits.gives_projections = true;
  type.cpu.bytes = bytes_of_project;
  type.cpu.run = run_project;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope
