#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/apr/raycast/raycast.hpp"
#include "core/image/colormap.hpp"
#include "core/image/histogram.hpp"
#include "core/io/colours/colour_table_file.hpp"
#include "core/io/write.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/pipeline/movie.hpp"

namespace aprscope::cli {
namespace {

struct RenderOptions {
  InputOptions input;
  std::string output;
  std::string view;
  std::string axis = "z";
  std::int64_t index = -1;
  std::string camera = "0,0,1";
  std::string size;
  std::string clip;
  /// Of translucent matter; none: a share of the data that shows most of it.
  std::optional<double> depth;
  /// The contrast that matter was made with; none: that of the values of the picture.
  std::optional<Contrast> contrast_used;
  std::string mode;
  std::string contrast = "auto";
  std::string colors = "grey";
  /// The number of frames of a full turn; 0: a single picture.
  int turn = 0;
  int per_second = 25;
};

// Values to be coloured: width × height, row 0 at the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};

constexpr int kLargest = 16384;

// Resizes by nearest neighbour, so that pixels and cells keep sharp edges.
Picture resized(const Picture& from, int width, int height) {
  Picture to{width, height, {}};
  to.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::int64_t row = 0; row < height; ++row) {
    const std::int64_t source = row * from.height / height;
    for (std::int64_t col = 0; col < width; ++col) {
      to.values[static_cast<std::size_t>(row * width + col)] =
          from.values[static_cast<std::size_t>(source * from.width + col * from.width / width)];
    }
  }
  return to;
}

std::pair<int, int> wanted_size(const RenderOptions& options) {
  if (options.size.empty()) return {0, 0};
  const auto n = numbers_from("--size", options.size, 2);
  for (const double v : n) {
    if (v < 1.0 || v > kLargest || v != std::floor(v)) {
      wrong_usage("--size", "\"" + options.size + "\" is not a size in pixels up to 16384");
    }
  }
  return {static_cast<int>(n[0]), static_cast<int>(n[1])};
}

Result<Picture> slice(const RenderOptions& options, const Dataset& data, Session& session) {
  const Axis axis = options.axis == "x" ? Axis::x : options.axis == "y" ? Axis::y : Axis::z;
  const std::int64_t count = plane_count(data.size(), axis);
  if (options.index >= count) {
    return Error{"has no slice " + std::to_string(options.index) + " along " + options.axis,
                 options.input.path, "use 0 to " + std::to_string(count - 1)};
  }
  const std::int64_t index = options.index < 0 ? (count - 1) / 2 : options.index;
  const auto mode = options.mode == "smooth"  ? ReconstructionMode::smooth
                    : options.mode == "level" ? ReconstructionMode::level
                                              : ReconstructionMode::constant;
  const Plane plane = session.timed("render", [&] { return data.slice(mode, axis, index); });
  Picture picture{static_cast<int>(plane.cols), static_cast<int>(plane.rows), plane.values};
  const auto [width, height] = wanted_size(options);
  session.report()["index"] = index;
  return width > 0 ? resized(picture, width, height) : picture;
}

// What is shown in 3-D; none: all of it.
Result<std::optional<Region>> clip_of(const RenderOptions& options, const Dataset& data) {
  if (options.clip.empty()) return std::optional<Region>();
  const auto box = region_in(options.clip, data.size());
  if (!box) {
    Error error = box.error();
    error.where = options.input.path;
    return error;
  }
  return std::optional(*box);
}

Contrast contrast_of(const RenderOptions& options, const Dataset& data) {
  if (options.contrast == "auto") {
    return automatic_contrast(data.is_apr() ? histogram(data.values().particles())
                                            : histogram(data.volume()));
  }
  const auto limits = numbers_from("--contrast", options.contrast, 2);
  return {limits[0], limits[1], 1.0};
}

// Depth of the matter that is shown; none: the projection.
std::optional<double> depth_of(const RenderOptions& options, const Dataset& data,
                               Session& session) {
  if (options.view != "translucent") return std::nullopt;
  const double depth = options.depth.value_or(kUsualDepth * mean_side(data.size(), data.voxel()));
  session.report()["depth"] = depth;
  return depth;
}

Result<Picture> in_space(RenderOptions& options, const Dataset& data, Session& session) {
  const auto only = clip_of(options, data);
  if (!only) return only.error();
  const auto raycaster = session.timed("build", [&] { return data.raycaster(session.context()); });
  if (!raycaster) return raycaster.error();
  const auto view = numbers_from("--camera", options.camera, 3);
  RayCamera camera = orbit_camera(data.size(), data.voxel(), view[0], view[1], view[2]);
  camera.only = *only;
  const auto wanted = wanted_size(options);
  const int width = wanted.first > 0 ? wanted.first : 512;
  const int height = wanted.first > 0 ? wanted.second : 512;
  const auto depth = depth_of(options, data, session);
  if (depth) {
    options.contrast_used = session.timed("contrast", [&] { return contrast_of(options, data); });
  }
  auto image = session.timed("render", [&] {
    const MipRaycaster& rays = **raycaster;
    return depth ? rays.translucent(camera, width, height, {*options.contrast_used, *depth},
                                    session.context())
                 : rays.render(camera, width, height, rays.level_max(), session.context());
  });
  if (!image) return image.error();
  return Picture{image->width, image->height, std::move(image->values)};
}

// Renders a full turn of the projection to a folder of pictures or to a video.
Status turn(const RenderOptions& options, const Dataset& data, Session& session) {
  const auto only = clip_of(options, data);
  if (!only) return only.error();
  const auto raycaster = session.timed("build", [&] { return data.raycaster(session.context()); });
  if (!raycaster) return raycaster.error();
  const auto view = numbers_from("--camera", options.camera, 3);
  MovieOptions movie;
  movie.frames = options.turn;
  movie.per_second = options.per_second;
  movie.azimuth = view[0];
  movie.elevation = view[1];
  movie.zoom = view[2];
  if (const auto wanted = wanted_size(options); wanted.first > 0) {
    movie.pixels = std::max(wanted.first, wanted.second);
  }
  MovieSide side{*raycaster, data.size(), data.voxel(), {}, options.colors, ""};
  side.only = *only;
  side.contrast = contrast_of(options, data);
  side.depth = depth_of(options, data, session);
  session.report()["contrast"] = {{"low", side.contrast.low}, {"high", side.contrast.high}};
  session.report()["frames"] = options.turn;
  session.report()["output"] = options.output;
  return session.timed(
      "render", [&] { return write_turn({side}, movie, options.output, session.context()); });
}

bool names_colours(const std::string& text) {
  const auto& names = colormap_names();
  return std::find(names.begin(), names.end(), text) != names.end();
}

std::string names_of_colours() {
  std::string out;
  for (const std::string& name : colormap_names()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// The name of colours that are named, or read from a file.
Result<std::string> chosen_colours(const std::string& text) {
  if (names_colours(text)) return text;
  const auto table = read_colour_table(text);
  if (!table) return table.error();
  return add_colormap(text, *table);
}

Status render(const RenderOptions& given, Session& session) {
  const auto colours = chosen_colours(given.colors);
  if (!colours) return colours.error();
  RenderOptions options = given;
  options.colors = *colours;
  if (options.turn > 0) {
    if (Status ok = check_movie(options.output); !ok) return ok;
  }
  if (options.turn == 0 || is_movie_file(options.output)) {
    if (Status ok = check_output(options.output, {options.input.path}, session); !ok) return ok;
  }
  auto data = load_input(options.input, session);
  if (!data) return data.error();
  const auto dataset = Dataset::create(*std::move(data));
  if (!dataset->is_apr() && !options.mode.empty() && options.mode != "pixel") {
    return Error{"is a pixel image, which is shown in mode pixel only", options.input.path,
                 "leave --mode out or convert it"};
  }
  if (dataset->is_apr() && options.mode == "pixel") {
    return Error{"is an APR, which has no pixels of its own", options.input.path,
                 "use --mode constant, smooth or level"};
  }
  if (dataset->is_apr() && dataset->values().particles().empty() && options.mode != "level") {
    return Error{"has no particle values to show", options.input.path, "use --mode level"};
  }
  describe_data(dataset->data(), session.report());
  if (options.turn > 0) return turn(options, *dataset, session);
  const auto picture = options.view == "slice" ? slice(options, *dataset, session)
                                               : in_space(options, *dataset, session);
  if (!picture) return picture.error();
  const Contrast contrast = options.contrast_used ? *options.contrast_used
                            : options.contrast == "auto"
                                ? automatic_contrast(histogram(picture->values))
                                : contrast_of(options, *dataset);
  session.report()["contrast"] = {{"low", contrast.low}, {"high", contrast.high}};
  session.report()["image_size"] = {{"width", picture->width}, {"height", picture->height}};
  session.report()["output"] = options.output;
  if (session.context().stop_requested()) return cancelled_error();
  return session.timed("write", [&] {
    return write_png(
        apply_colormap(picture->values, contrast, colormap(options.colors), {0, 0, 0, 255}),
        picture->width, picture->height, options.output);
  });
}

}  // namespace

void add_render(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("render", "Make a PNG of a slice or of a 3-D view");
  auto options = std::make_shared<RenderOptions>();
  options->input.add_to(*command);
  options->input.add_voxel_size(*command);
  add_output(*command, options->output,
             "The PNG to write; with --turn a folder for PNGs, or .mp4 or .webm (needs ffmpeg)");
  command
      ->add_option("--turn", options->turn,
                   "Number of pictures of a full turn of the mip or of matter, at least 2")
      ->check(CLI::Range(2, 9999))
      ->type_name("N");
  command->add_option("--fps", options->per_second, "Pictures a second of a movie (default 25)")
      ->check(CLI::Range(1, 240))
      ->type_name("N");
  command
      ->add_option("--view", options->view,
                   "slice; mip: maximum intensity projection; or translucent: matter that shines "
                   "and covers what lies behind it")
      ->required()
      ->check(CLI::IsMember({"slice", "mip", "translucent"}));
  command
      ->add_option("--depth", options->depth,
                   "How deep one looks into the brightest translucent matter, in the unit of the "
                   "voxel size (default: a 200th of the side of the data)")
      ->type_name("LENGTH");
  command->add_option("--axis", options->axis, "Slice perpendicular to z, x or y (default z)")
      ->check(CLI::IsMember({"z", "x", "y"}));
  command->add_option("--index", options->index, "Slice number from 0 (default: the middle)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command
      ->add_option("--camera", options->camera,
                   "Degrees of azimuth and elevation, and zoom, in 3-D (default 0,0,1)")
      ->type_name("AZ,EL,ZOOM");
  command
      ->add_option("--size", options->size,
                   "Size of the PNG (default: of the slice; 512,512 in 3-D)")
      ->type_name("W,H");
  command
      ->add_option("--clip", options->clip,
                   "The box of pixels that is shown in 3-D, from the first to before the second of "
                   "each pair (default: all)")
      ->type_name("Z0:Z1,X0:X1,Y0:Y1");
  command
      ->add_option("--mode", options->mode,
                   "How an APR is shown in a slice: constant (default), smooth or level; pixel "
                   "for pixel images")
      ->check(CLI::IsMember({"constant", "smooth", "level", "pixel"}));
  command
      ->add_option("--contrast", options->contrast,
                   "Grey values shown darkest and brightest (default: from the picture)")
      ->type_name("LO,HI");
  command
      ->add_option("--colormap", options->colors,
                   "Colours: " + names_of_colours() +
                       "; or a file with a look-up table, as .lut files of ImageJ (default grey)")
      ->type_name("NAME|FILE");
  command->callback([options, &chosen] {
    if (std::error_code no;
        !names_colours(options->colors) && !std::filesystem::exists(options->colors, no)) {
      wrong_usage("--colormap", "\"" + options->colors + "\" is neither one of " +
                                    names_of_colours() + " nor a file");
    }
    const bool flat = options->view == "slice";
    if (options->depth && options->view != "translucent") {
      wrong_usage("--depth", "only matter has a depth: use --view translucent");
    }
    if (options->depth && !(*options->depth > 0.0 && std::isfinite(*options->depth))) {
      wrong_usage("--depth", "must be a length above 0");
    }
    if (options->turn > 0) {
      if (flat) wrong_usage("--turn", "slices do not turn: use --view mip or translucent");
    } else {
      output_kind(options->output, {OutputKind::png});
    }
    wanted_size(*options);
    if (!options->clip.empty()) {
      if (flat) wrong_usage("--clip", "slices are not clipped: use --view mip or translucent");
      if (const auto box = region_from_text(options->clip); !box) {
        wrong_usage("--clip", box.error().what);
      }
    }
    const auto view = numbers_from("--camera", options->camera, 3);
    if (!(view[2] >= 1e-6 && view[2] <= 1e6)) {
      wrong_usage("--camera", "the zoom must be from 1e-6 to 1e6");
    }
    if (options->contrast != "auto") {
      const auto limits = numbers_from("--contrast", options->contrast, 2);
      if (!(limits[0] < limits[1]))
        wrong_usage("--contrast", "the first value must be the smaller");
    }
    if (!flat && (options->mode == "smooth" || options->mode == "level")) {
      wrong_usage("--mode", "3-D exists in mode constant (or pixel) only");
    }
    chosen.run = [options](Session& session) { return render(*options, session); };
  });
}

}  // namespace aprscope::cli
