#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/image/difference.hpp"
#include "core/image/figure.hpp"
#include "core/image/histogram.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/measure/comparison.hpp"
#include "core/pipeline/comparison_report.hpp"
#include "core/pipeline/movie.hpp"

namespace aprscope::cli {
namespace {

struct CompareOptions {
  InputOptions a;
  InputOptions b;
  std::string mode = "constant";
  std::string axis = "z";
  std::int64_t index = -1;
  std::string figure;
  std::string csv;
  std::string movie;
  std::string recipe;
  int frames = 120;
};

struct Side {
  std::shared_ptr<const Dataset> data;
  Pixels<float> pixels;
};

Result<Side> side(const InputOptions& input, ReconstructionMode mode, Session& session) {
  auto data = load_input(input, session);
  if (!data) return data.error();
  Side out;
  out.data = Dataset::create(*std::move(data));
  auto made =
      session.timed("reconstruct", [&] { return as_pixels(*out.data, mode, session.context()); });
  if (!made) return made.error();
  out.pixels = *std::move(made);
  return out;
}

Axis axis_of(const CompareOptions& options) {
  return options.axis == "x" ? Axis::x : options.axis == "y" ? Axis::y : Axis::z;
}

// Adds the metrics by name. Equal images have an infinite PSNR, for which JSON has no number.
void add_figures(const ImageMetrics& metrics, Json& report) {
  for (const NamedFigure& figure : figures_of(metrics)) {
    report[figure.id] = std::isfinite(figure.value) ? Json(figure.value) : Json(nullptr);
  }
}

// Draws both slices with the contrast of the reference, and their difference.
Status write_figure(const CompareOptions& options, const Side& a, const Side& b,
                    const ComparisonReport& report, ReconstructionMode mode) {
  FigurePanel first;
  first.plane = a.data->slice(mode, report.axis, report.index);
  first.contrast = automatic_contrast(histogram(first.plane.values));
  first.title = "A  " + report.a.name;
  first.notes = {report.a.shown_as, cost_line(report.a)};
  FigurePanel second;
  second.plane = b.data->slice(mode, report.axis, report.index);
  second.contrast = first.contrast;
  second.title = "B  " + report.b.name;
  second.notes = {report.b.shown_as, cost_line(report.b)};
  FigurePanel third;
  third.plane = difference(first.plane, second.plane);
  third.contrast = symmetric_contrast(third.plane.values);
  third.colormap = "diverging";
  third.title = "B − A";
  FigureOptions figure;
  const VoxelSize& voxel = a.data->voxel();
  figure.row_step = report.axis == Axis::z ? voxel.x : voxel.z;
  figure.col_step = report.axis == Axis::y ? voxel.x : voxel.y;
  figure.unit = voxel.unit;
  figure.caption = "Slice " + options.axis + " " + std::to_string(report.index) + ": " +
                   metrics_line(*report.slice);
  const auto picture = make_figure({first, second, third}, figure);
  if (!picture) return picture.error();
  return write_png(picture->rgba, picture->width, picture->height, options.figure);
}

Status write_movie(const CompareOptions& options, const Side& a, const Side& b,
                   const ComparisonReport& report, Session& session) {
  std::vector<MovieSide> sides;
  const Contrast contrast = automatic_contrast(histogram(a.pixels.values));
  for (const auto& [of, name] :
       {std::pair(&a, "A  " + report.a.name), {&b, "B  " + report.b.name}}) {
    const auto raycaster = of->data->raycaster(session.context());
    if (!raycaster) return raycaster.error();
    sides.push_back({*raycaster, of->data->size(), of->data->voxel(), contrast, "grey", name});
  }
  MovieOptions movie;
  movie.frames = options.frames;
  return write_turn(sides, movie, options.movie, session.context());
}

// Writes the figure, tables and other outputs that were asked for besides the metrics.
Status write_outputs(const CompareOptions& options, const Side& a, const Side& b,
                     const ImageMetrics& volume, Session& session) {
  if (options.figure.empty() && options.csv.empty() && options.movie.empty()) return {};
  const auto mode =
      options.mode == "smooth" ? ReconstructionMode::smooth : ReconstructionMode::constant;
  const auto name = [](const InputOptions& input) {
    return std::filesystem::path(input.path).filename().string();
  };
  ComparisonReport report;
  report.a = compared_side(name(options.a), *a.data, mode);
  report.b = compared_side(name(options.b), *b.data, mode);
  report.axis = axis_of(options);
  report.index =
      options.index >= 0 ? options.index : (plane_count(a.data->size(), report.axis) - 1) / 2;
  report.volume = volume;
  const auto slice =
      compare_slices(a.data->slice(mode, report.axis, report.index),
                     b.data->slice(mode, report.axis, report.index), session.context());
  if (!slice) return slice.error();
  report.slice = *slice;
  Json of_slice{{"axis", options.axis}, {"index", report.index}};
  add_figures(*slice, of_slice);
  session.report()["slice"] = std::move(of_slice);
  if (!options.csv.empty()) {
    if (Status ok = write_text_atomically(options.csv, report_csv(report)); !ok) return ok;
    session.report()["csv"] = options.csv;
  }
  if (!options.figure.empty()) {
    if (Status ok = write_figure(options, a, b, report, mode); !ok) return ok;
    session.report()["figure"] = options.figure;
  }
  if (!options.movie.empty()) {
    Status ok =
        session.timed("render", [&] { return write_movie(options, a, b, report, session); });
    if (!ok) return ok;
    session.report()["movie"] = options.movie;
  }
  return {};
}

Status check_outputs(const CompareOptions& options, const Session& session) {
  for (const std::string& path : {options.figure, options.csv, options.movie}) {
    if (path.empty() || (path == options.movie && !is_movie_file(path))) continue;
    if (Status ok = check_output(path, {options.a.path, options.b.path}, session); !ok) return ok;
  }
  return options.movie.empty() ? Status() : check_movie(options.movie);
}

// Writes the comparison as a recipe, in which another file may take the place of B.
Status write_recipe(const CompareOptions& options, Session& session) {
  if (!options.figure.empty() || !options.csv.empty() || !options.movie.empty() ||
      options.index >= 0 || options.axis != "z") {
    return Error{"a recipe is written without comparing anything", options.recipe,
                 "leave --figure, --csv, --movie, --axis and --index out"};
  }
  if (options.a.channel != 0 || options.a.time != 0) {
    return Error{"a recipe compares with the first channel and time of a reference", options.a.path,
                 "write the channel that is wanted into a file of its own"};
  }
  if (Status ok = check_output(options.recipe, {options.a.path, options.b.path}, session); !ok) {
    return ok;
  }
  if (const auto info = inspect(options.a.path, session.context()); !info) return info.error();
  // An absolute path, since a recipe may be run in any folder.
  std::error_code code;
  const std::string reference = std::filesystem::absolute(options.a.path, code).string();
  if (code) return Error{"has no absolute name", options.a.path, "give one"};
  return save_step(options.b, {"compare", {{"reference", reference}, {"mode", options.mode}}},
                   options.recipe, session);
}

Status compare(const CompareOptions& options, Session& session) {
  if (!options.recipe.empty()) return write_recipe(options, session);
  if (Status ok = check_outputs(options, session); !ok) return ok;
  const auto mode =
      options.mode == "smooth" ? ReconstructionMode::smooth : ReconstructionMode::constant;
  const auto a = side(options.a, mode, session);
  if (!a) return a.error();
  const auto b = side(options.b, mode, session);
  if (!b) return b.error();
  const std::int64_t count = plane_count(a->data->size(), axis_of(options));
  if (options.index >= count) {
    return Error{"has no slice " + std::to_string(options.index) + " along " + options.axis,
                 options.a.path, "use 0 to " + std::to_string(count - 1)};
  }
  const auto metrics = session.timed(
      "compare", [&] { return compare_images(a->pixels, b->pixels, session.context()); });
  if (!metrics) {
    Error error = metrics.error();
    if (error.cancelled()) return error;
    error.where = options.a.path + " and " + options.b.path;
    return error;
  }
  Json& report = session.report();
  report["size"] = to_json(a->pixels.size);
  report["identical"] = metrics->max_abs_diff == 0.0;
  add_figures(*metrics, report);
  report["max_abs_diff_at"] = to_json(metrics->max_at);
  return write_outputs(options, *a, *b, *metrics, session);
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "compare", "PSNR, SSIM, NRMSE and largest difference of B from the reference A");
  auto options = std::make_shared<CompareOptions>();
  options->a.add_to(*command, "A");
  command->add_option("B", options->b.path, "What to compare with A: image or .apr")->required();
  command->add_option("--mode", options->mode, "How an APR becomes pixels (default constant)")
      ->check(CLI::IsMember({"constant", "smooth"}));
  command
      ->add_option("--figure", options->figure,
                   "Write a figure of a slice: A, B, B - A, scale bar and captions")
      ->type_name("OUT.png");
  command
      ->add_option("--csv", options->csv,
                   "Write the figures of volume and slice, and of both sides, as a table")
      ->type_name("OUT.csv");
  command
      ->add_option("--movie", options->movie,
                   "Write a movie of both projections turning once: a folder for PNGs, or .mp4 or "
                   ".webm (needs ffmpeg)")
      ->type_name("OUT");
  command
      ->add_option("-o,--output", options->recipe,
                   "Write the recipe of this comparison with A, without comparing: for run, which "
                   "compares any number of files")
      ->type_name("OUT.json");
  command->add_option("--frames", options->frames, "Number of pictures of the movie (default 120)")
      ->check(CLI::Range(2, 9999))
      ->type_name("N");
  command->add_option("--axis", options->axis, "Slice perpendicular to z, x or y (default z)")
      ->check(CLI::IsMember({"z", "x", "y"}));
  command->add_option("--index", options->index, "Slice number from 0 (default: the middle)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command->callback([options, &chosen] {
    if (!options->figure.empty()) output_kind(options->figure, {OutputKind::png});
    if (!options->recipe.empty()) output_kind(options->recipe, {OutputKind::recipe});
    // If B has several channels or times, the one of A is compared; a single image is always used.
    chosen.run = [options](Session& session) -> Status {
      const auto info = inspect(options->b.path, session.context());
      if (!info) return info.error();
      if (info->channels.size() > 1) options->b.channel = options->a.channel;
      if (info->times > 1) options->b.time = options->a.time;
      return compare(*options, session);
    };
  });
}

}  // namespace aprscope::cli
