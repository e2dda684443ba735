// A map from the images of a table of projections.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/project/backproject_words.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/left_out_rows.hpp"
#include "core/projections/projections.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kMostIterations = 100.0;
constexpr double kMostAngstrom = 1e6;
constexpr double kMostImages = 1e9;

std::vector<ParameterSpec> what_is_summed() {
  return {
      text("symmetry", "Symmetry")
          .value(std::string("C1"))
          .main()
          .described(Described::always)
          .help("Point group of the molecule: C1 for none, C2 …, D2 …, T, O, I1 to I4."),
      choice("ctf", "CTF", words_of(kCtfUses))
          .help("How the contrast transfer function (CTF) of the microscope is corrected. auto: as "
                "the table describes the images; none: not; ctf: fully; phase_flipped, "
                "premultiplied: the images are partly corrected already; xmipp: divided by the "
                "CTF, as Xmipp does."),
      choice("noise_power", "Noise power", words_of(kNoiseUses))
          .described(Described::changed)
          .help("How noise weights the images. white: all images and frequencies alike; corners: "
                "by the noise at each frequency, measured in the corners of the images of each "
                "optics group. Use corners if groups differ."),
      integer("noise_images", "Images for noise", 1000)
          .range(0.0, kMostImages)
          .described(Described::changed)
          .lowest("all")
          .help("Number of images of each optics group in which the noise is measured; 0: all."),
      choice("halves", "Half maps", words_of(kHalves))
          .help("Also make two maps of half of the images each, whose correlation gives the "
                "resolution. auto: the halves of the table, else odd and even rows; rows: always "
                "odd and even rows; none: no half maps."),
      integer("images", "Images")
          .range(0.0, kMostImages)
          .described(Described::changed)
          .lowest("all")
          .help("Number of images to use, the first ones of the table, from both halves in "
                "proportion; 0: all."),
      text("leave_out", "Leave out")
          .unlisted()
          .help("Rows of the table to leave out, counted from 1, as 3,17-20. The word unusable "
                "stands for all rows that cannot be used."),
      boolean("skip_unusable", "Skip unusable rows")
          .help("Leave out rows whose angles or defocus are not numbers, or whose images are "
                "missing or have pixels that are not numbers. Otherwise such rows are an error, "
                "and nothing is reconstructed.")};
}

std::vector<ParameterSpec> how_it_is_solved() {
  return {
      choice("solve", "Solve", words_of(kSolves))
          .help(
              "How the map is computed. division: each frequency is divided by its weight, damped "
              "by its noise, for noisy images; least_squares: several times more exact where noise "
              "is low; weights: iterated weights, the default of RELION, for comparison."),
      integer("iterations", "Iterations", 5)
          .range(1.0, kMostIterations)
          .help("Number of iterations of least_squares (5 for many images, 10 for few) or of "
                "weights (RELION takes 10)."),
      real("max_resolution", "Finest detail")
          .range(0.0, kMostAngstrom)
          .lowest("Nyquist")
          .unit("Å")
          .help("Finest resolution to use; finer detail is left out. 0: the limit set by the pixel "
                "size (Nyquist)."),
      real("mask_diameter", "Mask diameter")
          .range(0.0, kMostAngstrom)
          .lowest("none")
          .unit("Å")
          .help("Diameter of a ball with a soft edge outside which the maps are set to 0, after "
                "the half maps were correlated; 0: none."),
      boolean("invert", "Invert contrast")
          .help("Invert the contrast, for images whose molecules are darker than their "
                "surroundings.")};
}

std::vector<ParameterSpec> how_it_is_summed() {
  return {choice("kernel", "Kernel", words_of(kInsertionKernels))
              .described(Described::changed)
              .help("How an image is inserted into Fourier space. slab: fast; blob: the sum over "
                    "all pixels within the radius, exact and several times slower."),
          real("radius", "Radius", 1.5)
              .range(0.5, 4.0)
              .unit("padded voxels")
              .described(Described::changed)
              .help("Distance to either side of its plane in Fourier space to which an image "
                    "contributes: the radius of the Kaiser–Bessel function."),
          real("alpha", "Alpha", 10.0)
              .range(0.0, 40.0)
              .described(Described::changed)
              .help("Shape of the Kaiser–Bessel function: the larger, the faster it falls with the "
                    "distance from the plane."),
          integer("order", "Order")
              .range(0.0, kMostBlobOrder)
              .described(Described::changed)
              .help("Order of the Kaiser–Bessel function: 0 ends with a small step at the radius, "
                    "1 with a kink, 2 and more ever more smoothly."),
          real("padding", "Padding", 2.0)
              .range(1.0, 4.0)
              .described(Described::changed)
              .help("Width of the padded images, and so of the box in Fourier space, in widths of "
                    "the images. Larger is more exact and needs more memory."),
          real("tau", "Tau", 1e-3)
              .range(0.0, kMostTau)
              .described(Described::changed)
              .help("Least damping, added to the weights as a fraction of their mean at the same "
                    "frequency; the noise that half maps show may ask for more. Larger values "
                    "damp poorly sampled frequencies more.")};
}

OperationSchema backproject_schema() {
  OperationSchema made = operation_schema("backproject", "Reconstruct", "Maps", {DataKind::pixels},
                                          "Reconstructs a 3-D map from projection images whose "
                                          "orientations are known, in Fourier space.")
                             .with(what_is_summed())
                             .with(how_it_is_solved())
                             .with(how_it_is_summed());
  made.counts = [](const Operation& operation, const std::string& id) {
    if (id == "iterations") {
      return value_of(kSolves, parameter<std::string>(operation, "solve")) != Solve::division;
    }
    if (id == "noise_images") {
      return value_of(kNoiseUses, parameter<std::string>(operation, "noise_power")) !=
             NoiseUse::white;
    }
    if (id == "tau") {
      return value_of(kSolves, parameter<std::string>(operation, "solve")) != Solve::least_squares;
    }
    return true;
  };
  return made;
}

// Names rows that cannot be used: images left out silently could spoil a map unnoticed. Disabled
// rows are ignored.
Status check_rows(const ProjectionTable& table) {
  if (!table.has_angles) {
    return Error{"has no angles: a map takes images whose orientations are known",
                 table.path.string(), "choose the table that a refinement wrote"};
  }
  const std::string advice =
      "mend the table, start in the project's folder, or leave unusable rows out";
  // The first enabled row of each stack; null for stacks without one.
  std::vector<const Projection*> first_of(table.stacks.size(), nullptr);
  for (const Projection& row : table.rows) {
    if (row.enabled && row.stack < first_of.size() && first_of[row.stack] == nullptr) {
      first_of[row.stack] = &row;
    }
  }
  std::vector<StackProblem> problems = table.stack_problems;
  std::erase_if(problems, [&](const StackProblem& one) { return first_of[one.stack] == nullptr; });
  if (!problems.empty()) {
    const StackProblem& first = problems.front();
    std::string what = "names a stack that cannot be used: " + table.stacks[first.stack].string() +
                       " " + first.why + " (line " + std::to_string(first_of[first.stack]->line) +
                       ")";
    if (const std::size_t more = problems.size() - 1; more > 0) {
      what += ", and " + std::to_string(more) + (more == 1 ? " other" : " others");
    }
    return Error{what, table.path.string(), advice};
  }
  std::vector<UnusableRow> unusable = table.unusable;
  std::erase_if(unusable, [&](const UnusableRow& one) {
    return !table.rows[static_cast<std::size_t>(one.row)].enabled;
  });
  if (unusable.empty()) return {};
  const UnusableRow& first = unusable.front();
  return Error{"has " + std::to_string(unusable.size()) +
                   (unusable.size() == 1 ? " row" : " rows") + " that cannot be used: of image " +
                   std::to_string(first.row + 1) + " " + first.why,
               table.path.string(), advice};
}

// The pixel size of an image in Å; 0: its unit is no length.
double angstrom_of(const VoxelSize& voxel) {
  constexpr double kAngstrom = 1e4;  // of a micrometre
  if (voxel.unit == "Å") return voxel.x;
  return voxel.x * psf_micrometres(voxel.unit).value_or(0.0) * kAngstrom;
}

std::uint64_t bytes_of_backproject(const Operation& operation, const Dataset& input) {
  if (input.is_apr() || !input.volume().projections) return 0;
  const ProjectionTable& table = input.volume().projections->table;
  const BackprojectSettings settings = backproject_settings(operation);
  // If it does not fit, the sums are kept in files.
  const std::uint64_t all = backproject_bytes(table, settings);
  const std::uint64_t left = available_bytes();
  return left == 0 || all <= left ? all : backproject_scratch_bytes(table, settings);
}

// Bytes that all ranks on this host take together, if none has begun yet.
std::uint64_t bytes_on_this_host(const Operation& operation, const Dataset& input,
                                 const Ranks* ranks) {
  if (ranks == nullptr || ranks->met() || ranks->parted())
    return bytes_of_backproject(operation, input);
  const std::uint64_t one =
      backproject_bytes(input.volume().projections->table, backproject_settings(operation));
  return (one + ranks->scratch_bytes()) * static_cast<std::uint64_t>(ranks->place().local_count);
}

Result<Data> run_backproject(const Operation& operation, const Dataset& input,
                             const IterationHooks& hooks, const JobContext& context) {
  return backproject_with(operation, input, hooks, make_cpu_inserter, context);
}

}  // namespace

BackprojectSettings backproject_settings(const Operation& complete) {
  const auto word = [&](const char* id) { return parameter<std::string>(complete, id); };
  const auto number = [&](const char* id) { return parameter<double>(complete, id); };
  BackprojectSettings s;
  s.symmetry = word("symmetry");
  s.kernel = value_of(kInsertionKernels, word("kernel"));
  s.radius = number("radius");
  s.alpha = number("alpha");
  s.order = static_cast<int>(parameter<std::int64_t>(complete, "order"));
  s.padding = number("padding");
  s.ctf = value_of(kCtfUses, word("ctf"));
  s.noise = value_of(kNoiseUses, word("noise_power"));
  s.noise_images = parameter<std::int64_t>(complete, "noise_images");
  s.solve = value_of(kSolves, word("solve"));
  s.iterations = static_cast<int>(parameter<std::int64_t>(complete, "iterations"));
  s.tau = number("tau");
  s.max_resolution = number("max_resolution");
  s.halves = value_of(kHalves, word("halves"));
  s.mask_diameter = number("mask_diameter");
  s.images = parameter<std::int64_t>(complete, "images");
  s.invert = parameter<bool>(complete, "invert");
  s.skip_unsound =
      parameter<bool>(complete, "skip_unusable") || names_unusable_rows(word("leave_out"));
  return s;
}

Projections projections_with_typed_size(const Dataset& input) {
  Projections projections = *input.volume().projections;
  // A pixel size that was typed overrides that of the table.
  if (const double size = angstrom_of(input.voxel());
      size > 0.0 && size != projections.table.pixel_size) {
    set_pixel_size(projections.table, size);
  }
  return projections;
}

Volume map_image(std::shared_ptr<const Reconstruction> reconstruction, std::string name) {
  Volume out;
  const std::int64_t n = reconstruction->side;
  Pixels<float> pixels;
  pixels.size = {n, n, n};
  pixels.values = reconstruction->map;
  out.pixels = std::move(pixels);
  const double side = reconstruction->pixel_size;
  if (std::isfinite(side) && side > 0.0) out.voxel = {side, side, side, "Å"};
  out.name = std::move(name);
  out.reconstruction = std::move(reconstruction);
  return out;
}

Result<Data> backproject_with(const Operation& complete, const Dataset& input,
                              const IterationHooks& hooks, const InserterFactory& inserters,
                              const JobContext& context) {
  Projections projections = projections_with_typed_size(input);
  if (Status ok = leave_out_rows(projections.table, parameter<std::string>(complete, "leave_out"));
      !ok) {
    return ok.error();
  }
  if (parameter<bool>(complete, "skip_unusable")) {
    leave_out_unusable(projections.table);
  } else if (Status ok = check_rows(projections.table); !ok) {
    return ok.error();
  }
  if (Status ok = check_memory(bytes_on_this_host(complete, input, hooks.ranks), input); !ok) {
    return ok.error();
  }
  if (hooks.ranks != nullptr) {
    // Wait for all ranks, so that each has looked at free memory before any takes some.
    if (Status ok = hooks.ranks->meet(); !ok) return ok.error();
  }
  BackprojectHooks own;
  own.ranks = hooks.ranks;
  own.live = hooks.growing;
  own.keep = hooks.keep;
  own.unsound = hooks.unsound;
  const BackprojectSettings settings = backproject_settings(complete);
  if (const std::uint64_t left = available_bytes();
      hooks.ranks == nullptr && left != 0 &&
      backproject_bytes(projections.table, settings) > left) {
    // Leave a quarter for threads, transforms and pages that wait for the disk.
    own.memory = left - left / 4;
  }
  auto made = backproject(projections, settings, own, context, inserters);
  if (!made) return made.error();
  // Warnings of the reader of the table concern the map, too.
  std::vector<std::string> notes;
  for (const std::string& one : projections.table.warnings) {
    notes.push_back(projections.table.path.filename().string() + ": " + one + ".");
  }
  made->notes.insert(made->notes.begin(), notes.begin(), notes.end());
  return Data{map_image(std::make_shared<const Reconstruction>(*std::move(made)), input.name())};
}

OperationType backproject_operation() {
  OperationType type;
  type.schema = backproject_schema();
  type.traits.gives = Gives::pixels;
  type.traits.family = "backproject";
  type.traits.panel = "reconstruct";
  type.traits.has_command = true;
  type.traits.takes_projections = true;
  type.traits.is_watched = true;
  type.traits.is_shared = true;
  type.cpu.bytes = bytes_of_backproject;
  type.cpu.run = run_backproject;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope
